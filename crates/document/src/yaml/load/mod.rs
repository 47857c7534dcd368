//! From a YAML text to values: the composer and the constructors of each dialect.

mod compose;
mod construct;
mod diagnostic;
mod merge;
mod order;
mod scalar;
mod tag;
#[cfg(test)]
mod tests;

use super::reader::{Error, decode};
use super::{Dialect, Mark};
use crate::Node;
use compose::{Composer, Id};
use construct::Constructor;
use kapstan_diagnostic::SourceId;
use std::borrow::Cow;

/// How to load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// What scalars mean.
    pub dialect: Dialect,
    /// What is too much.
    pub limits: Limits,
}

/// What a document may come to, so that nothing hostile exhausts who walks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How deep collections may nest, also through aliases. PyYAML has no bound of its own, but what Kapitan does with a
    /// value recurses, and Python stops that before 500 levels.
    pub depth: usize,
    /// How many nodes a document may have when every alias is followed.
    pub expanded_nodes: usize,
    /// How many bytes a text may have.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 500, expanded_nodes: 10_000_000, bytes: 1 << 30 }
    }
}

/// The stable names of what can be wrong.
mod code {
    pub(super) const UNDEFINED_ALIAS: &str = "yaml::undefined-alias";
    pub(super) const DUPLICATE_ANCHOR: &str = "yaml::duplicate-anchor";
    pub(super) const SEVERAL_DOCUMENTS: &str = "yaml::several-documents";
    pub(super) const UNKNOWN_TAG: &str = "yaml::unknown-tag";
    pub(super) const WRONG_KIND: &str = "yaml::wrong-kind";
    pub(super) const UNHASHABLE_KEY: &str = "yaml::unhashable-key";
    pub(super) const DUPLICATE_KEY: &str = "yaml::duplicate-key";
    pub(super) const MERGE: &str = "yaml::invalid-merge";
    pub(super) const INVALID_VALUE: &str = "yaml::invalid-value";
    pub(super) const RECURSIVE: &str = "yaml::recursive-value";
    pub(super) const TOO_DEEP: &str = "yaml::too-deep";
    pub(super) const TOO_LARGE: &str = "yaml::too-large";
}

/// The value of a text that holds one document, or null for a text without any.
///
/// Every key and value has its place in `source`, in bytes of `bytes`; a text in UTF-16 has no places. Aliases share what
/// they stand for. Fails where PyYAML fails, with its words and place, for values that contain themselves, and beyond the
/// limits.
pub fn load(bytes: &[u8], source: SourceId, options: &LoadOptions) -> Result<Node, Error> {
    let text = text_of(bytes, options.limits)?;
    let mut composer = Composer::new(&text, *options);
    let source = matches!(text, Cow::Borrowed(_)).then_some(source);
    let mut constructor = Constructor::new(source, options);
    if composer.next_document()?.is_none() {
        return Ok(Node::NULL);
    }
    let root = composer.compose()?;
    if let Some(second) = composer.next_document()? {
        return Err(several_documents(&composer, root, second));
    }
    constructor.construct(&mut composer.tree, root)
}

/// The values of all documents of a text, in their order; otherwise as [`load`]. A document without content is null.
pub fn load_all(bytes: &[u8], source: SourceId, options: &LoadOptions) -> Result<Vec<Node>, Error> {
    let text = text_of(bytes, options.limits)?;
    let mut composer = Composer::new(&text, *options);
    let source = matches!(text, Cow::Borrowed(_)).then_some(source);
    let mut constructor = Constructor::new(source, options);
    let mut documents = Vec::new();
    while composer.next_document()?.is_some() {
        let root = composer.compose()?;
        documents.push(constructor.construct(&mut composer.tree, root)?);
    }
    Ok(documents)
}

fn text_of(bytes: &[u8], limits: Limits) -> Result<Cow<'_, str>, Error> {
    // Nodes are counted in 32 bits, and there are never more of them than bytes.
    let most = limits.bytes.min(u32::MAX as usize / 4);
    if bytes.len() > most {
        let problem = format!("the text has more than {most} bytes");
        return Err(Error::new(problem, Mark::default()).with_code(code::TOO_LARGE));
    }
    decode(bytes)
}

fn several_documents(composer: &Composer<'_>, root: Id, second: Mark) -> Error {
    Error::new("but found another document", second)
        .within("expected a single document in the stream", composer.tree.node(root).start)
        .with_code(code::SEVERAL_DOCUMENTS)
}
