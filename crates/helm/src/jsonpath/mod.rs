//! JSONPath templates as `kubectl` and `helm show values --jsonpath` have them: text with `{expressions}` in it.

mod compare;
mod evaluate;
mod parse;
mod quoted;

use kapstan_document::Node;
use parse::Step;

/// A template, read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JsonPath {
    /// Texts, and for each pair of braces the steps in it.
    parts: Vec<Step>,
}

impl JsonPath {
    /// Reads a template. Fails with the words of Kubernetes' library.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        parse::template(text).map(|parts| Self { parts })
    }

    /// What the template makes of a value, whose numbers are doubles; none where it asks for what is not there.
    ///
    /// Members of mappings come in the order of their keys; the original's order changes from run to run.
    pub(crate) fn print(&self, value: &Node) -> Option<String> {
        evaluate::print(&self.parts, value)
    }
}

#[cfg(test)]
mod tests;
