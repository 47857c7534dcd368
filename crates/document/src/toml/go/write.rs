use super::text::{push_key, push_quoted};
use crate::blanks::push_blanks;
use crate::go_float;
use crate::write_error::MAX_BYTES;
use crate::{Shape, View};
use std::fmt::Write;

/// Why a value cannot be written as TOML. Displayed as the peer displays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// An array with nil in it.
    NilElement,
    /// A list of mappings that is no value of a key.
    NoKey,
    /// Nil that is no value of a key; the peer panics.
    Nil,
    /// A type that TOML has no form for.
    Unknown(&'static str),
    /// Containers nest deeper than allowed, as those do that contain themselves.
    TooDeep,
    /// The text would be longer than a gigabyte.
    TooLong,
}

/// Writes a value as the encoder of `github.com/BurntSushi/toml` does: keys sorted by bytes, first those whose values are
/// no tables, tables and their keys indented by two, nil left out. A value that is no mapping is written by itself,
/// without a line feed.
///
/// Fails where the peer fails, and for containers that nest deeper than `depth`.
pub fn write<V: View>(value: &V, depth: usize) -> Result<String, WriteError> {
    let mut writer = Writer { out: String::new(), path: String::new(), depth };
    match writer.kind(value, 0)? {
        Kind::Nil => return Err(WriteError::Nil),
        Kind::Tables => return Err(WriteError::NoKey),
        Kind::Table => writer.entries(value, 0)?,
        Kind::Other => writer.element(value, 0)?,
    }
    Ok(writer.out)
}

/// Kind of the value, key, value.
type Entry<'a, V> = (Kind, &'a [u8], &'a V);

struct Writer {
    out: String,
    /// The name of the table that is being written, as in its header.
    path: String,
    depth: usize,
}

/// What decides about the place of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nil,
    Table,
    /// A list that has only tables, and some.
    Tables,
    Other,
}

impl Kind {
    fn is_table(self) -> bool {
        matches!(self, Self::Table | Self::Tables)
    }
}

impl Writer {
    fn kind<V: View>(&self, value: &V, level: usize) -> Result<Kind, WriteError> {
        self.check_size(level)?;
        value.view(|shape| match shape {
            Shape::Null => Ok(Kind::Nil),
            Shape::Map(_) | Shape::Struct(_) => Ok(Kind::Table),
            Shape::Unknown(name) => Err(WriteError::Unknown(name)),
            Shape::List(items) => {
                let mut has_others = items.is_empty();
                for item in items {
                    match self.kind(item, level + 1)? {
                        Kind::Nil => return Err(WriteError::NilElement),
                        kind => has_others |= kind != Kind::Table,
                    }
                }
                Ok(if has_others { Kind::Other } else { Kind::Tables })
            }
            _ => Ok(Kind::Other),
        })
    }

    fn check_size(&self, level: usize) -> Result<(), WriteError> {
        if level > self.depth {
            return Err(WriteError::TooDeep);
        }
        if self.out.len() > MAX_BYTES { Err(WriteError::TooLong) } else { Ok(()) }
    }

    /// The entries in the order in which they are written.
    fn sorted<'a, V: View>(
        &self,
        entries: Vec<(&'a [u8], &'a V)>,
        level: usize,
    ) -> Result<Vec<Entry<'a, V>>, WriteError> {
        let mut sorted = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            sorted.push((self.kind(value, level + 1)?, key, value));
        }
        sorted.sort_unstable_by_key(|(kind, key, _)| (kind.is_table(), *key));
        Ok(sorted)
    }

    /// The entries of a table, one a line.
    fn entries<V: View>(&mut self, table: &V, level: usize) -> Result<(), WriteError> {
        table.view(|shape| {
            let (Shape::Map(entries) | Shape::Struct(entries)) = shape else { return Ok(()) };
            for (kind, key, value) in self.sorted(entries, level)? {
                match kind {
                    Kind::Nil => {}
                    Kind::Table => self.in_table(key, |writer| writer.table(value, level))?,
                    Kind::Tables => self.in_table(key, |writer| writer.tables(value, level))?,
                    Kind::Other => {
                        push_blanks(&mut self.out, level * 2);
                        push_key(&mut self.out, key);
                        self.out.push_str(" = ");
                        self.element(value, level + 1)?;
                        self.out.push('\n');
                    }
                }
            }
            Ok(())
        })
    }

    fn in_table(
        &mut self,
        key: &[u8],
        write: impl FnOnce(&mut Self) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let parent = self.path.len();
        if parent > 0 {
            self.path.push('.');
        }
        push_key(&mut self.path, key);
        let outcome = write(self);
        self.path.truncate(parent);
        outcome
    }

    fn table<V: View>(&mut self, table: &V, level: usize) -> Result<(), WriteError> {
        if level == 0 {
            self.blank_line();
        }
        self.header(level, "[", "]");
        self.entries(table, level + 1)
    }

    fn tables<V: View>(&mut self, tables: &V, level: usize) -> Result<(), WriteError> {
        tables.view(|shape| {
            let Shape::List(tables) = shape else { return Ok(()) };
            for table in tables {
                self.blank_line();
                self.header(level, "[[", "]]");
                self.entries(table, level + 1)?;
            }
            Ok(())
        })
    }

    fn blank_line(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    fn header(&mut self, level: usize, open: &str, close: &str) {
        push_blanks(&mut self.out, level * 2);
        self.out.extend([open, &self.path, close, "\n"]);
    }

    /// A value on its line.
    fn element<V: View>(&mut self, value: &V, level: usize) -> Result<(), WriteError> {
        self.check_size(level)?;
        value.view(|shape| match shape {
            Shape::List(items) => {
                self.out.push('[');
                for (at, item) in items.iter().enumerate() {
                    self.out.push_str(if at > 0 { ", " } else { "" });
                    self.element(item, level + 1)?;
                }
                self.out.push(']');
                Ok(())
            }
            Shape::Map(entries) | Shape::Struct(entries) => self.inline_table(entries, level),
            scalar => {
                self.scalar(&scalar);
                Ok(())
            }
        })
    }

    /// A comma stands behind every entry but the last one of each kind, even where nil is left out behind it.
    fn inline_table<V: View>(&mut self, entries: Vec<(&[u8], &V)>, level: usize) -> Result<(), WriteError> {
        let entries = self.sorted(entries, level)?;
        let direct = entries.partition_point(|(kind, ..)| !kind.is_table());
        self.out.push('{');
        for (at, (kind, key, value)) in entries.iter().enumerate() {
            if *kind == Kind::Nil {
                continue;
            }
            push_key(&mut self.out, key);
            self.out.push_str(" = ");
            self.element(*value, level + 1)?;
            if at + 1 < entries.len() || at < direct && direct < entries.len() {
                self.out.push_str(", ");
            }
        }
        self.out.push('}');
        Ok(())
    }

    fn scalar<V>(&mut self, scalar: &Shape<'_, V>) {
        let out = &mut self.out;
        let _ = match scalar {
            Shape::Bool(value) => write!(out, "{value}"),
            Shape::Int(value) => write!(out, "{value}"),
            Shape::Uint(value) => write!(out, "{value}"),
            Shape::Float(value) => {
                push_float(out, *value);
                Ok(())
            }
            Shape::Str(bytes) => {
                push_quoted(out, bytes);
                Ok(())
            }
            Shape::Time(text) => out.write_str(text),
            Shape::Bytes(bytes) => write!(out, "{bytes:?}"),
            Shape::Null | Shape::Unknown(_) | Shape::List(_) | Shape::Map(_) | Shape::Struct(_) => Ok(()),
        };
    }
}

/// With a point or an exponent, so that it is no integer.
fn push_float(out: &mut String, value: f64) {
    if !value.is_finite() {
        let sign = if value.is_sign_negative() { "-" } else { "" };
        out.extend([sign, if value.is_nan() { "nan" } else { "inf" }]);
        return;
    }
    let start = out.len();
    go_float::push_general(out, value);
    if !out[start..].contains(['.', 'e']) {
        out.push_str(".0");
    }
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NilElement => f.write_str("toml: cannot encode array with nil element"),
            Self::NoKey => f.write_str("toml: top-level values must be Go maps or structs"),
            Self::Nil => f.write_str("reflect: call of reflect.Value.Type on zero Value"),
            Self::Unknown(name) => write!(f, "unsupported type: {name}"),
            Self::TooDeep => f.write_str("the value nests too deep to be written"),
            Self::TooLong => write!(f, "the text would be longer than {} MiB", MAX_BYTES >> 20),
        }
    }
}

impl std::error::Error for WriteError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Node, json};

    fn written(text: &str) -> Result<String, WriteError> {
        let source = kapstan_diagnostic::Sources::new().add("value", text.as_bytes());
        write(&json::load(text.as_bytes(), source).expect(text), 50)
    }

    #[test]
    fn tables_come_behind_values_and_are_indented() {
        let value = r#"{"t": {"b": {"x": 1}, "a": [1.0, "x"]}, "z": null, "a b": true, "l": [{"n": 1}, {"m": {"k": []}}]}"#;
        let expected = "\"a b\" = true\n\n[[l]]\n  n = 1\n\n[[l]]\n  [l.m]\n    k = []\n\n[t]\n  a = [1.0, \"x\"]\n  \
                        [t.b]\n    x = 1\n";
        assert_eq!(written(value).as_deref(), Ok(expected));
        assert_eq!(
            written(r#"{"a": [1, {"y": {}, "x": 1.5e10, "z": null}]}"#).as_deref(),
            Ok("a = [1, {x = 1.5e+10, y = {}}]\n")
        );
        assert_eq!(written(r#"{"a": [[{"x": 1, "y": null}]]}"#).as_deref(), Ok("a = [[{x = 1, }]]\n"));
    }

    #[test]
    fn what_is_no_table() {
        assert_eq!(written(r#""a\n\u0001""#).as_deref(), Ok(r#""a\n\u0001""#));
        assert_eq!(written("[1, [2]]").as_deref(), Ok("[1, [2]]"));
        assert_eq!(written("[{}]"), Err(WriteError::NoKey));
        assert_eq!(written("null"), Err(WriteError::Nil));
        assert_eq!(written(r#"{"a": [[null]]}"#), Err(WriteError::NilElement));
        assert_eq!(written("{}").as_deref(), Ok(""));
        let deep = (0..60).fold(Node::NULL, |inner, _| Node::from(vec![inner]));
        assert_eq!(write(&deep, 50), Err(WriteError::TooDeep));
    }
}
