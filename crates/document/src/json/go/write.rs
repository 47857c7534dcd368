use super::text::push_quoted;
use crate::blanks::push_blanks;
use crate::go_float;
use crate::write_error::MAX_BYTES;
use crate::{Shape, View};
use base64::Engine;
use std::fmt::Write;

/// How JSON is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `json.Marshal`: without blanks; `<`, `>` and `&` are escaped.
    Compact,
    /// `json.MarshalIndent` with two blanks; `<`, `>` and `&` are escaped.
    Pretty,
    /// An encoder with `SetEscapeHTML(false)`: without blanks, and `<`, `>` and `&` as they are.
    Raw,
}

/// Why a value cannot be written as JSON. Displayed as Go displays it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WriteError {
    /// An infinity, or no number.
    NotFinite(f64),
    /// A type that JSON has no form for.
    Unknown(&'static str),
    /// Containers nest deeper than allowed, as those do that contain themselves.
    TooDeep,
    /// The text would be longer than a gigabyte.
    TooLong,
}

/// Writes a value as `encoding/json` does, without a line feed at the end: keys sorted by bytes, doubles with the fewest
/// digits, `[]byte` in base64, and U+FFFD for what is no UTF-8.
///
/// Fails for infinities, for what is no number, and for containers that nest deeper than `depth`.
pub fn write<V: View>(value: &V, style: Style, depth: usize) -> Result<String, WriteError> {
    let mut writer = Writer { out: String::new(), style, depth };
    writer.value(value, 0)?;
    Ok(writer.out)
}

struct Writer {
    out: String,
    style: Style,
    depth: usize,
}

impl Writer {
    fn value<V: View>(&mut self, value: &V, level: usize) -> Result<(), WriteError> {
        if self.out.len() > MAX_BYTES {
            return Err(WriteError::TooLong);
        }
        value.view(|shape| match shape {
            Shape::List(items) => self.list(items, level),
            Shape::Map(mut entries) => {
                entries.sort_unstable_by(|left, right| left.0.cmp(right.0));
                self.map(&entries, level)
            }
            Shape::Struct(entries) => self.map(&entries, level),
            scalar => self.scalar(&scalar),
        })
    }

    fn scalar<V>(&mut self, scalar: &Shape<'_, V>) -> Result<(), WriteError> {
        match scalar {
            Shape::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Shape::Int(value) => {
                let _ = write!(self.out, "{value}");
            }
            Shape::Uint(value) => {
                let _ = write!(self.out, "{value}");
            }
            Shape::Float(value) if !value.is_finite() => return Err(WriteError::NotFinite(*value)),
            Shape::Float(value) => go_float::push_json(&mut self.out, *value),
            Shape::Str(bytes) => push_quoted(&mut self.out, bytes, self.style != Style::Raw),
            Shape::Time(text) => push_quoted(&mut self.out, text.as_bytes(), self.style != Style::Raw),
            Shape::Bytes(bytes) => {
                self.out.push('"');
                base64::engine::general_purpose::STANDARD.encode_string(bytes, &mut self.out);
                self.out.push('"');
            }
            Shape::Unknown(name) => return Err(WriteError::Unknown(name)),
            Shape::Null | Shape::List(_) | Shape::Map(_) | Shape::Struct(_) => self.out.push_str("null"),
        }
        Ok(())
    }

    fn list<V: View>(&mut self, items: &[V], level: usize) -> Result<(), WriteError> {
        self.check_depth(level)?;
        self.out.push('[');
        for (at, item) in items.iter().enumerate() {
            self.separate(at, level + 1);
            self.value(item, level + 1)?;
        }
        self.close(']', items.is_empty(), level);
        Ok(())
    }

    fn map<V: View>(&mut self, entries: &[(&[u8], &V)], level: usize) -> Result<(), WriteError> {
        self.check_depth(level)?;
        self.out.push('{');
        for (at, (key, value)) in entries.iter().enumerate() {
            self.separate(at, level + 1);
            push_quoted(&mut self.out, key, self.style != Style::Raw);
            self.out.push_str(if self.style == Style::Pretty { ": " } else { ":" });
            self.value(*value, level + 1)?;
        }
        self.close('}', entries.is_empty(), level);
        Ok(())
    }

    fn check_depth(&self, level: usize) -> Result<(), WriteError> {
        if level < self.depth { Ok(()) } else { Err(WriteError::TooDeep) }
    }

    fn separate(&mut self, at: usize, level: usize) {
        if at > 0 {
            self.out.push(',');
        }
        self.break_line(level);
    }

    fn close(&mut self, sign: char, is_empty: bool, level: usize) {
        if !is_empty {
            self.break_line(level);
        }
        self.out.push(sign);
    }

    fn break_line(&mut self, level: usize) {
        if self.style == Style::Pretty {
            self.out.push('\n');
            push_blanks(&mut self.out, level * 2);
        }
    }
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite(value) => {
                let mut text = String::new();
                go_float::push_general(&mut text, *value);
                write!(f, "json: unsupported value: {text}")
            }
            Self::Unknown(name) => write!(f, "json: unsupported type: {name}"),
            Self::TooDeep => {
                f.write_str("json: unsupported value: encountered a cycle via map[string]interface {}")
            }
            Self::TooLong => write!(f, "the text would be longer than {} MiB", MAX_BYTES >> 20),
        }
    }
}

impl std::error::Error for WriteError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Map, Node};

    #[test]
    fn layouts() {
        let mut map = Map::new();
        map.insert("b", Node::from(vec![Node::from("<a & 'b'>\n\u{1}\u{2028}é\u{7f}"), Node::from(1e21)]));
        map.insert("a", Node::from(Map::new()));
        map.insert("c", Node::from(Vec::new()));
        let node = Node::from(map);
        let text = |style| write(&node, style, 10).expect("it can be written");
        let compact = r#"{"a":{},"b":["\u003ca \u0026 'b'\u003e\n\u0001\u2028é|",1e+21],"c":[]}"#
            .replace('|', "\u{7f}");
        assert_eq!(text(Style::Compact), compact);
        assert_eq!(
            text(Style::Raw),
            r#"{"a":{},"b":["<a & 'b'>\n\u0001\u2028é|",1e+21],"c":[]}"#.replace('|', "\u{7f}")
        );
        assert_eq!(
            write(&Node::from(vec![Node::from(vec![Node::NULL])]), Style::Pretty, 10).as_deref(),
            Ok("[\n  [\n    null\n  ]\n]")
        );
    }

    #[test]
    fn what_has_no_json() {
        let error = |node: &Node| write(node, Style::Compact, 2).expect_err("an error").to_string();
        assert_eq!(error(&Node::from(f64::NEG_INFINITY)), "json: unsupported value: -Inf");
        let deep = Node::from(vec![Node::from(vec![Node::from(Vec::new())])]);
        assert!(error(&deep).contains("cycle"));
    }
}
