//! Values as Go's `%#v` shows them, which go-yaml does in a few messages.

use crate::{Int, Scalar, Value, go_float};
use std::fmt::Write;

/// A key as `%#v` shows it; `%+#v` is the same for all that occur.
pub(super) fn scalar(value: &Scalar) -> String {
    let mut out = String::new();
    push_scalar(&mut out, value);
    out
}

/// A value as `%#v` shows it.
pub(super) fn value(value: &Value) -> String {
    let mut out = String::new();
    push(&mut out, value);
    out
}

fn push(out: &mut String, value: &Value) {
    match value {
        Value::Seq(items) => {
            out.push_str("[]interface {}{");
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                push_inside(out, &item.value);
            }
            out.push('}');
        }
        Value::Map(map) | Value::Set(map) => {
            out.push_str("map[interface {}]interface {}{");
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by(|(left, _), (right, _)| rank(&left.scalar).cmp(&rank(&right.scalar)));
            for (at, (key, value)) in entries.into_iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                match &key.scalar {
                    Scalar::Null => out.push_str("interface {}(nil)"),
                    key => push_scalar(out, key),
                }
                out.push(':');
                push_inside(out, &value.value);
            }
            out.push('}');
        }
        value => {
            if let Some(scalar) = value.as_scalar() {
                push_scalar(out, &scalar);
            }
        }
    }
}

fn push_inside(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("interface {}(nil)"),
        value => push(out, value),
    }
}

fn push_scalar(out: &mut String, value: &Scalar) {
    let _ = match value {
        Scalar::Null => out.write_str("<nil>"),
        Scalar::Bool(value) => write!(out, "{value}"),
        Scalar::Int(Int::Small(value)) => write!(out, "{value}"),
        Scalar::Int(Int::Big(value)) => write!(out, "{:#x}", **value),
        Scalar::Float(value) => {
            go_float::push_general(out, *value);
            Ok(())
        }
        Scalar::Str(text) => {
            push_quoted(out, text);
            Ok(())
        }
        Scalar::Date(_) | Scalar::DateTime(_) | Scalar::Bytes(_) => Ok(()),
    };
}

/// Go's `strconv.Quote`, but for characters that Go cannot print and Rust can.
fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        let _ = match character {
            '"' => out.write_str("\\\""),
            '\\' => out.write_str("\\\\"),
            '\x07' => out.write_str("\\a"),
            '\x08' => out.write_str("\\b"),
            '\x0c' => out.write_str("\\f"),
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            '\x0b' => out.write_str("\\v"),
            '\0'..' ' | '\x7f' => write!(out, "\\x{:02x}", u32::from(character)),
            '\u{80}'..='\u{a0}' | '\u{ad}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                write!(out, "\\u{:04x}", u32::from(character))
            }
            _ => out.write_char(character),
        };
    }
    out.push('"');
}

/// `fmt` sorts the keys of a map: by kind, then by value.
fn rank(key: &Scalar) -> (u8, i128, &str) {
    match key {
        Scalar::Null => (0, 0, ""),
        Scalar::Bool(value) => (1, i128::from(*value), ""),
        Scalar::Int(Int::Small(value)) => (2, i128::from(*value), ""),
        Scalar::Int(Int::Big(value)) => (3, i128::try_from(&**value).unwrap_or(i128::MAX), ""),
        Scalar::Float(value) => {
            let bits = i128::from(value.to_bits().cast_signed());
            (4, if bits < 0 { -(bits & i128::from(i64::MAX)) } else { bits }, "")
        }
        Scalar::Str(text) => (5, 0, text),
        Scalar::Date(_) | Scalar::DateTime(_) | Scalar::Bytes(_) => (6, 0, ""),
    }
}
