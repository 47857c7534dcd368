use kapstan_diagnostic::{Diagnostic, SourceId, Span};
use std::fmt;

/// Why a text is no TOML. Displayed as the peer displays it: `toml: line 2 (last key "a.b"): ...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    line: usize,
    last_key: String,
    /// In bytes.
    offset: usize,
}

impl Error {
    /// A problem in a line, counted from 1.
    pub(super) fn new(message: impl Into<String>, line: usize, offset: usize) -> Self {
        Self { message: message.into(), line, last_key: String::new(), offset }
    }

    /// Names the key that was read last, if none is named already.
    pub(super) fn behind_key(mut self, key: impl FnOnce() -> String) -> Self {
        if self.last_key.is_empty() {
            self.last_key = key();
        }
        self
    }

    /// The problem as people see it, at its place in `source`, the text that was read; the peer's text is kept beside it.
    pub fn into_diagnostic(self, source: SourceId) -> Diagnostic {
        let peer_text = self.to_string();
        Diagnostic::error("toml::syntax", self.message)
            .at(Span::new(source, self.offset, self.offset))
            .with_peer_text(peer_text)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, line, last_key, .. } = self;
        if last_key.is_empty() {
            write!(f, "toml: line {line}: {message}")
        } else {
            write!(f, "toml: line {line} (last key {}): {message}", quoted(last_key))
        }
    }
}

impl std::error::Error for Error {}

/// Go's `%q` of a string.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.chars().map(|character| escaped(character, '"')).collect::<String>())
}

/// Go's `%q` of a rune.
pub(super) fn quoted_rune(character: char) -> String {
    format!("'{}'", escaped(character, '\''))
}

fn escaped(character: char, quote: char) -> String {
    match character {
        '\\' => "\\\\".to_owned(),
        '\u{7}' => "\\a".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\u{b}' => "\\v".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\r' => "\\r".to_owned(),
        _ if character == quote => format!("\\{quote}"),
        '\0'..' ' | '\u{7f}' => format!("\\x{:02x}", u32::from(character)),
        '\u{80}'..='\u{a0}' | '\u{ad}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
            format!("\\u{:04x}", u32::from(character))
        }
        _ => character.to_string(),
    }
}
