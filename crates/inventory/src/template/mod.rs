//! Strings that refer to other values: what they consist of, how they are read, and which references they make.

mod parse;
mod query;
mod query_parse;

pub(crate) use query::{Exports, Query};

use crate::lookup::{Miss, lookup};
use crate::rules::Syntax;
use crate::tree::{Kind, Tree};
use crate::words;
use kapstan_diagnostic::Span;
use kapstan_document::Text;

/// A string with references, escapes or a query, taken apart.
#[derive(Debug)]
pub(crate) struct Template {
    pub(crate) parts: Vec<Part>,
    /// As written.
    pub(crate) text: Text,
    pub(crate) span: Span,
    /// The paths that it refers to, as far as they are known without looking anything up.
    pub(crate) references: References,
}

/// A piece of a [`Template`].
#[derive(Debug)]
pub(crate) enum Part {
    Text(Text),
    Reference(Reference),
    Query(Box<Query>),
}

/// `${...}`; the path can hold references again.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) path: Vec<Part>,
    /// What stands in for a missing value, as YAML (reclass-rs).
    pub(crate) default: Option<Vec<Part>>,
}

/// Paths that a value refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct References {
    pub(crate) paths: Vec<Text>,
    /// Whether these are all: the path of a nested reference is known when the inner one is resolved.
    pub(crate) is_complete: bool,
}

/// Why a string cannot be read as a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParseError {
    pub(crate) message: String,
    /// In characters, from 0, in its line.
    pub(crate) column: usize,
    /// The line of the text in which it is.
    pub(crate) line: String,
    /// The peer's words.
    pub(crate) peer: String,
}

impl Template {
    /// Takes a string apart that holds a sentinel; see [`Syntax::has_sentinel`].
    pub(crate) fn parse(text: &Text, span: Span, syntax: &Syntax) -> Result<Self, ParseError> {
        let parts = parse::parse(text, syntax)?;
        let mut template = Self { parts, text: text.clone(), span, references: References::default() };
        template.references = template.references_in(&mut |_| None);
        Ok(template)
    }

    /// The text, where the template turns out to be nothing else.
    pub(crate) fn as_text(&self) -> Option<&Text> {
        if let [Part::Text(text)] = self.parts.as_slice() { Some(text) } else { None }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self.parts.as_slice() {
            [Part::Reference(_)] => Kind::Reference,
            [Part::Query(_)] => Kind::Query,
            _ => Kind::Composite,
        }
    }

    pub(crate) fn is_complex(&self) -> bool {
        self.kind() == Kind::Query || !self.references.paths.is_empty() || !self.references.is_complete
    }

    /// The paths that it refers to, with `resolve` giving the values of inner references as text.
    pub(crate) fn references_in(&self, resolve: &mut dyn FnMut(&str) -> Option<String>) -> References {
        let mut found = References { paths: Vec::new(), is_complete: true };
        for part in &self.parts {
            part.collect(&mut found, resolve);
        }
        found
    }

    /// The paths that it refers to when its inner references are looked up in `base`.
    pub(crate) fn references_with(&self, base: &Tree, syntax: &Syntax) -> References {
        self.references_in(&mut |path| {
            lookup(base, path, syntax).ok().map(|found| words::str(&found, syntax).into_owned())
        })
    }
}

impl Part {
    fn collect(&self, found: &mut References, resolve: &mut dyn FnMut(&str) -> Option<String>) {
        match self {
            Self::Text(_) => {}
            Self::Query(query) => found.paths.extend(query.self_paths().map(Text::from)),
            Self::Reference(reference) => {
                for part in reference.path.iter().chain(reference.default.iter().flatten()) {
                    part.collect(found, resolve);
                }
                match reference.path_text(resolve) {
                    Some(path) => found.paths.push(path.into()),
                    None => found.is_complete = false,
                }
            }
        }
    }

    /// The text of the part inside a path; none where something in it is missing.
    fn path_text(&self, resolve: &mut dyn FnMut(&str) -> Option<String>) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.to_string()),
            Self::Query(_) => None,
            Self::Reference(reference) => {
                let path = reference.path_text(resolve)?;
                resolve(&path)
            }
        }
    }
}

impl Reference {
    fn path_text(&self, resolve: &mut dyn FnMut(&str) -> Option<String>) -> Option<String> {
        if let [Part::Text(text)] = self.path.as_slice() {
            return Some(text.to_string());
        }
        let mut path = String::new();
        for part in &self.path {
            path.push_str(&part.path_text(resolve)?);
        }
        Some(path)
    }

    /// The path, with `resolve` giving the values of inner references as text.
    pub(crate) fn path_with(
        &self,
        resolve: &mut dyn FnMut(&str) -> Result<String, Miss>,
    ) -> Result<String, Miss> {
        text_with(&self.path, resolve)
    }

    /// What it stands for, as text.
    pub(crate) fn value(
        &self,
        resolve: &mut dyn FnMut(&str) -> Result<String, Miss>,
    ) -> Result<String, Miss> {
        let path = self.path_with(resolve)?;
        match (resolve(&path), &self.default) {
            (Err(_), Some(default)) => text_with(default, resolve),
            (found, _) => found,
        }
    }
}

/// The text of parts, with `resolve` giving the values of references as text.
pub(crate) fn text_with(
    parts: &[Part],
    resolve: &mut dyn FnMut(&str) -> Result<String, Miss>,
) -> Result<String, Miss> {
    let mut all = String::new();
    for part in parts {
        match part {
            Part::Text(text) => all.push_str(text),
            Part::Reference(inner) => all.push_str(&inner.value(resolve)?),
            Part::Query(query) => all.push_str(query.text()),
        }
    }
    Ok(all)
}
