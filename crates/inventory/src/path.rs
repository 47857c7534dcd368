use crate::rules::Syntax;
use kapstan_document::{Scalar, Text, python};

/// A step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Key(Scalar),
    Index(usize),
}

/// The parts of a path as written in a reference. A delimiter behind a backslash does not divide, and the backslash stays.
pub(crate) fn split<'a>(text: &'a str, delimiter: &'a str) -> impl Iterator<Item = &'a str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut from = 0;
        while let Some(found) = text[from..].find(delimiter) {
            let at = from + found;
            if !text[..at].ends_with('\\') {
                rest = Some(&text[at + delimiter.len()..]);
                return Some(&text[..at]);
            }
            from = at + delimiter.len();
        }
        rest = None;
        Some(text)
    })
}

/// The path as the peer prints it.
pub(crate) fn join(steps: &[Step], syntax: &Syntax) -> String {
    let parts: Vec<String> = steps.iter().map(Step::text).collect();
    parts.join(&syntax.delimiter)
}

impl Step {
    pub(crate) fn key(text: &str) -> Self {
        Self::Key(Scalar::Str(Text::from(text)))
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Self::Key(scalar) => python::scalar_str(scalar).into_owned(),
            Self::Index(index) => index.to_string(),
        }
    }
}
