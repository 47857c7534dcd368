//! Keys and strings as TOML text.

use crate::json::go::valid;
use std::fmt::Write;

/// Appends a key, in quotes unless it is bare.
pub(super) fn push_key(out: &mut String, key: &[u8]) {
    let is_bare = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !key.is_empty() && key.iter().all(is_bare) {
        out.push_str(&valid(key));
    } else {
        push_quoted(out, key);
    }
}

/// Appends a string in double quotes.
pub(super) fn push_quoted(out: &mut String, bytes: &[u8]) {
    out.push('"');
    for character in valid(bytes).chars() {
        let _ = match character {
            '"' => out.write_str("\\\""),
            '\\' => out.write_str("\\\\"),
            '\u{8}' => out.write_str("\\b"),
            '\t' => out.write_str("\\t"),
            '\n' => out.write_str("\\n"),
            '\u{c}' => out.write_str("\\f"),
            '\r' => out.write_str("\\r"),
            '\0'..' ' | '\u{7f}' => write!(out, "\\u{:04x}", u32::from(character)),
            _ => out.write_char(character),
        };
    }
    out.push('"');
}
