use crate::{Node, Value};
use kapstan_diagnostic::{Diagnostic, SourceId, Span};
use std::fmt;

/// Why a text is no JSON, or none of the kind that was asked for. Displayed as Go displays it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: &'static str,
    text: String,
    /// The same for people.
    message: String,
    /// In bytes.
    offset: usize,
}

impl Error {
    pub(super) fn invalid_character(byte: u8, context: &str, offset: usize) -> Self {
        let text = format!("invalid character '{}' {context}", shown(byte));
        let literal = char::from(byte).escape_debug();
        Self { code: "json::syntax", message: format!("unexpected `{literal}` {context}"), text, offset }
    }

    pub(super) fn unexpected_end(offset: usize) -> Self {
        let text = "unexpected end of JSON input";
        Self { code: "json::syntax", text: text.to_owned(), message: text.to_owned(), offset }
    }

    pub(super) fn number_out_of_range(number: &str, offset: usize) -> Self {
        Self {
            code: "json::number",
            text: format!("json: cannot unmarshal number {number} into Go value of type float64"),
            message: "the number is too large".to_owned(),
            offset,
        }
    }

    pub(super) fn too_deep(offset: usize) -> Self {
        let text = "exceeded max depth";
        Self {
            code: "json::too-deep",
            text: text.to_owned(),
            message: "containers nest too deep".to_owned(),
            offset,
        }
    }

    pub(super) fn wrong_kind(found: &Node, go_type: &str) -> Self {
        let wanted = if go_type.starts_with("[]") { "sequence" } else { "mapping" };
        Self {
            code: "json::wrong-kind",
            text: wrong_kind(&found.value, go_type),
            message: format!("expected a {wanted}, found a {}", found.value.kind()),
            offset: found.span.start(),
        }
    }

    /// The problem as people see it, at its place in `source`, the text that was read; Go's text is kept beside it.
    pub fn into_diagnostic(self, source: SourceId) -> Diagnostic {
        Diagnostic::error(self.code, self.message)
            .at(Span::new(source, self.offset, self.offset))
            .with_peer_text(self.text)
    }
}

/// What `encoding/json` says about a value that does not go into a type.
pub(crate) fn wrong_kind(found: &Value, go_type: &str) -> String {
    let kind = match found {
        Value::Seq(_) => "array",
        Value::Map(_) | Value::Set(_) => "object",
        Value::Bool(_) => "bool",
        Value::Int(_) | Value::Float(_) => "number",
        _ => "string",
    };
    format!("json: cannot unmarshal {kind} into Go value of type {go_type}")
}

/// A byte as Go shows it between quotes: taken for a character of Latin 1.
fn shown(byte: u8) -> String {
    match byte {
        b'\'' => "\\'".to_owned(),
        b'\\' => "\\\\".to_owned(),
        0x07 => "\\a".to_owned(),
        0x08 => "\\b".to_owned(),
        0x0c => "\\f".to_owned(),
        b'\n' => "\\n".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\t' => "\\t".to_owned(),
        0x0b => "\\v".to_owned(),
        0..b' ' | 0x7f => format!("\\x{byte:02x}"),
        0x80..=0xa0 | 0xad => format!("\\u{byte:04x}"),
        _ => char::from(byte).to_string(),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}
