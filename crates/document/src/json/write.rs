use crate::blanks::push_blanks;
use crate::key_order::{Unorderable, sort_entries, type_name};
use crate::write_error::{MAX_BYTES, MAX_DEPTH, WriteError, write_int};
use crate::{Key, Map, Node, Scalar, Span, Value, python};
use std::fmt::Write;

/// How Python's `json.dumps` is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// Blanks per level, with each member on a line of its own; none for one line with `, ` between members.
    pub indent: Option<usize>,
    /// Whether the keys of mappings are sorted.
    pub sort_keys: bool,
}

/// Writes a value as Kapitan writes JSON files: `json.dump(value, indent=indent, sort_keys=True)`, without a line feed
/// at the end.
///
/// ASCII only, other characters as `\uXXXX`; floats by `repr`, with `NaN` and `Infinity`. Fails where Python raises a
/// `TypeError` (dates, bytes, sets; mappings whose keys have no order) and at the limits that [`WriteError`] names.
pub fn write(node: &Node, indent: usize) -> Result<String, WriteError> {
    write_with(node, WriteOptions { indent: Some(indent), sort_keys: true })
}

/// Writes a value as `json.dumps(value, ...)` with other options; see [`write()`].
pub fn write_with(node: &Node, options: WriteOptions) -> Result<String, WriteError> {
    let mut writer = Writer { out: String::new(), options, depth: 0 };
    writer.value(node)?;
    Ok(writer.out)
}

struct Writer {
    out: String,
    options: WriteOptions,
    depth: usize,
}

impl Writer {
    fn value(&mut self, node: &Node) -> Result<(), WriteError> {
        if self.out.len() > MAX_BYTES {
            return Err(WriteError::too_long(node.span));
        }
        match &node.value {
            Value::Null => self.out.push_str("null"),
            Value::Bool(value) => self.out.push_str(bool_text(*value)),
            Value::Int(value) => write_int(&mut self.out, value, node.span)?,
            Value::Float(value) => self.out.push_str(&float_text(*value)),
            Value::Str(text) => write_string(&mut self.out, text),
            Value::Seq(items) if items.is_empty() => self.out.push_str("[]"),
            Value::Seq(items) => {
                self.open('[', node.span)?;
                for (at, item) in items.iter().enumerate() {
                    self.separate(at);
                    self.value(item)?;
                }
                self.close(']');
            }
            Value::Map(map) if map.is_empty() => self.out.push_str("{}"),
            Value::Map(map) => self.map(map, node.span)?,
            Value::Date(_) => return Err(unserializable("date", node)),
            Value::DateTime(_) => return Err(unserializable("datetime", node)),
            Value::Bytes(_) => return Err(unserializable("bytes", node)),
            Value::Set(_) => return Err(unserializable("set", node)),
        }
        Ok(())
    }

    fn map(&mut self, map: &Map, span: Span) -> Result<(), WriteError> {
        self.open('{', span)?;
        if self.options.sort_keys {
            let mut entries: Vec<(&Key, &Node)> = map.iter().collect();
            sort_entries(&mut entries).map_err(unorderable)?;
            self.members(entries.into_iter())?;
        } else {
            self.members(map.iter())?;
        }
        self.close('}');
        Ok(())
    }

    fn members<'n>(&mut self, entries: impl Iterator<Item = (&'n Key, &'n Node)>) -> Result<(), WriteError> {
        for (at, (key, value)) in entries.enumerate() {
            self.separate(at);
            self.key(key)?;
            self.out.push_str(": ");
            self.value(value)?;
        }
        Ok(())
    }

    /// A key as a string: Python turns scalars that JSON knows into their JSON text.
    fn key(&mut self, key: &Key) -> Result<(), WriteError> {
        match &key.scalar {
            Scalar::Str(text) => write_string(&mut self.out, text),
            Scalar::Null => self.out.push_str("\"null\""),
            Scalar::Bool(value) => {
                let _ = write!(self.out, "\"{}\"", bool_text(*value));
            }
            Scalar::Int(value) => {
                self.out.push('"');
                write_int(&mut self.out, value, key.span)?;
                self.out.push('"');
            }
            Scalar::Float(value) => {
                let _ = write!(self.out, "\"{}\"", float_text(*value));
            }
            other @ (Scalar::Date(_) | Scalar::DateTime(_) | Scalar::Bytes(_)) => {
                let name = self.class_name(other);
                return Err(WriteError::of_type(
                    format!("a key of JSON cannot be a {name}"),
                    &format!("keys must be str, int, float, bool or None, not {name}"),
                    key.span,
                ));
            }
        }
        Ok(())
    }

    /// The class in messages about keys: with its module when Python's fast encoder speaks, which writes single lines.
    fn class_name(&self, scalar: &Scalar) -> &'static str {
        let name = type_name(scalar);
        if self.options.indent.is_none() { name } else { name.strip_prefix("datetime.").unwrap_or(name) }
    }

    fn open(&mut self, bracket: char, span: Span) -> Result<(), WriteError> {
        if self.depth == MAX_DEPTH {
            return Err(WriteError::too_deep(span));
        }
        self.depth += 1;
        self.out.push(bracket);
        Ok(())
    }

    fn separate(&mut self, at: usize) {
        if self.options.indent.is_some() {
            if at > 0 {
                self.out.push(',');
            }
            self.line();
        } else if at > 0 {
            self.out.push_str(", ");
        }
    }

    fn close(&mut self, bracket: char) {
        self.depth -= 1;
        if self.options.indent.is_some() {
            self.line();
        }
        self.out.push(bracket);
    }

    fn line(&mut self) {
        self.out.push('\n');
        let blanks = self.options.indent.unwrap_or(0) * self.depth;
        push_blanks(&mut self.out, blanks);
    }
}

fn bool_text(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

fn float_text(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else {
        python::float_repr(value)
    }
}

fn unserializable(name: &str, node: &Node) -> WriteError {
    WriteError::of_type(
        format!("JSON has no place for a {}", node.value.kind()),
        &format!("Object of type {name} is not JSON serializable"),
        node.span,
    )
}

fn unorderable(keys: Unorderable) -> WriteError {
    WriteError::of_type("the keys of this mapping have no order", &keys.peer_text, keys.span)
}

/// Writes a string in double quotes, in ASCII.
fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        if at < start || (matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\') {
            continue;
        }
        out.push_str(&text[start..at]);
        start = at + text[at..].chars().next().map_or(1, |character| escape(out, character));
    }
    out.push_str(&text[start..]);
    out.push('"');
}

/// Writes the escape of a character, and returns how long the character is.
fn escape(out: &mut String, character: char) -> usize {
    let short = match character {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\x0c' => "\\f",
        '\x08' => "\\b",
        _ => {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
            return character.len_utf8();
        }
    };
    out.push_str(short);
    1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Date, Int};
    use std::sync::Arc;

    fn key(scalar: Scalar) -> Key {
        Key::at(scalar, Span::NONE)
    }

    fn compact(node: impl Into<Node>) -> Result<String, WriteError> {
        write_with(&node.into(), WriteOptions { indent: None, sort_keys: false })
    }

    #[test]
    fn scalars_and_escapes() {
        let cases: [(Node, &str); 12] = [
            (Node::NULL, "null"),
            (true.into(), "true"),
            ((-3i64).into(), "-3"),
            (1e-7.into(), "1e-07"),
            (1e16.into(), "1e+16"),
            (f64::NAN.into(), "NaN"),
            (f64::NEG_INFINITY.into(), "-Infinity"),
            ("a\"\\/b".into(), r#""a\"\\/b""#),
            ("\n\r\t\x08\x0c\x00\x7f".into(), r#""\n\r\t\b\f\u0000\u007f""#),
            ("é\u{2028}中".into(), r#""\u00e9\u2028\u4e2d""#),
            ("x😀y".into(), r#""x\ud83d\ude00y""#),
            (Vec::new().into(), "[]"),
        ];
        for (value, expected) in cases {
            assert_eq!(compact(value).unwrap(), expected);
        }
    }

    #[test]
    fn members_stand_on_lines_of_their_own_or_on_one_line() {
        let mut map = Map::new();
        map.insert("b", vec![Node::from(1i64), Map::new().into()]);
        map.insert("a", Node::NULL);
        let node = Node::from(map);
        assert_eq!(write(&node, 2).unwrap(), "{\n  \"a\": null,\n  \"b\": [\n    1,\n    {}\n  ]\n}");
        assert_eq!(write(&node, 0).unwrap(), "{\n\"a\": null,\n\"b\": [\n1,\n{}\n]\n}");
        assert_eq!(compact(node).unwrap(), r#"{"b": [1, {}], "a": null}"#);
    }

    #[test]
    fn keys_become_strings() {
        let mut map = Map::new();
        for scalar in [Scalar::Bool(true), Scalar::Null, Scalar::Int(Int::Small(7)), Scalar::Float(0.5)] {
            map.insert(key(scalar), 1i64);
        }
        assert_eq!(compact(map).unwrap(), r#"{"true": 1, "null": 1, "7": 1, "0.5": 1}"#);
    }

    #[test]
    fn what_python_refuses_is_refused() {
        let date = Date { year: 2020, month: 1, day: 2 };
        let error = compact(Value::Date(date)).unwrap_err();
        assert_eq!(error.peer_text(), "TypeError: Object of type date is not JSON serializable");
        let error = compact(Value::Set(Arc::default())).unwrap_err();
        assert_eq!(error.peer_text(), "TypeError: Object of type set is not JSON serializable");

        let mut mixed = Map::new();
        mixed.insert("a", 1i64);
        mixed.insert(key(Scalar::Int(Int::Small(1))), 1i64);
        let error = write(&mixed.into(), 2).unwrap_err();
        let expected = "TypeError: '<' not supported between instances of 'int' and 'str'";
        assert_eq!(error.peer_text(), expected);

        let mut dates = Map::new();
        dates.insert(key(Scalar::Date(date)), 1i64);
        let error = write(&dates.into(), 2).unwrap_err();
        let expected = "TypeError: keys must be str, int, float, bool or None, not date";
        assert_eq!(error.peer_text(), expected);
    }

    #[test]
    fn depth_is_limited() {
        let nested = |depth: usize| {
            (1..depth).fold(Node::from(vec![Node::from(1i64)]), |inner, _| Node::from(vec![inner]))
        };
        assert!(write(&nested(MAX_DEPTH), 1).is_ok());
        let error = write(&nested(MAX_DEPTH + 1), 1).unwrap_err();
        assert!(error.peer_text().starts_with("RecursionError"));
    }
}
