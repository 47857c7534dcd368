use crate::value::Text;
use std::fmt;

/// A text that is no template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The name the text was parsed under: its file.
    pub name: Text,
    /// The line of the last token that was read, from 1.
    pub line: usize,
    /// What is wrong, in Go's words: `unexpected "}" in operand`.
    pub message: String,
}

impl ParseError {
    /// Helm's form of it, in which only what follows the last `: ` is left of the message.
    pub fn helm_text(&self) -> String {
        let message = self.message.rsplit_once(": ").map_or(&*self.message, |(_, last)| last);
        format!("parse error at ({}:{}): {message}", self.name, self.line)
    }
}

/// Go's form of it.
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "template: {}:{}: {}", self.name, self.line, self.message)
    }
}

impl std::error::Error for ParseError {}
