use kapstan_diagnostic::{Diagnostic, SourceId, Span};
use std::fmt;

/// Why a text is no JSON, in Python's words. Displayed as Python's `JSONDecodeError` is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What is wrong: "Expecting value".
    pub problem: String,
    /// The place in bytes, from 0.
    pub offset: usize,
    /// The place in characters, from 0.
    pub character: usize,
    /// From 1. Only `\n` ends a line.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

impl Error {
    /// A problem at a byte of the text.
    pub(super) fn at(problem: impl Into<String>, text: &str, offset: usize) -> Self {
        let before = &text[..text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            problem: problem.into(),
            offset,
            character: before.chars().count(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }

    /// The problem as people see it, at its place in `source`, the text that was read; Python's text is kept beside it.
    pub fn into_diagnostic(self, source: SourceId) -> Diagnostic {
        let (first, rest) = self.problem.split_at(self.problem.chars().next().map_or(0, char::len_utf8));
        let message = format!("{}{rest}", first.to_lowercase());
        Diagnostic::error("json::syntax", message)
            .at(Span::new(source, self.offset, self.offset))
            .with_peer_text(self.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { problem, line, column, character, .. } = self;
        write!(f, "{problem}: line {line} column {column} (char {character})")
    }
}

impl std::error::Error for Error {}
