use super::printable::is_printable;
use std::fmt::Write;

/// What `repr()` makes of a string: in single quotes, or in double ones where it holds single ones only.
pub fn repr_str(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_str(&mut out, text);
    out
}

/// What `repr()` makes of bytes: `b'a\n\xff'`.
pub fn repr_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 3);
    write_bytes(&mut out, bytes);
    out
}

pub(super) fn write_str(out: &mut String, text: &str) {
    let quote = quote_of(text.as_bytes());
    out.push(quote);
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            _ if character == quote => out.extend(['\\', quote]),
            _ if is_printable(character) => out.push(character),
            _ => write_escape(out, u32::from(character)),
        }
    }
    out.push(quote);
}

pub(super) fn write_bytes(out: &mut String, bytes: &[u8]) {
    let quote = quote_of(bytes);
    out.push('b');
    out.push(quote);
    for &byte in bytes {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b'\\' => out.push_str("\\\\"),
            _ if char::from(byte) == quote => out.extend(['\\', quote]),
            b' '..=b'~' => out.push(char::from(byte)),
            _ => write_escape(out, u32::from(byte)),
        }
    }
    out.push(quote);
}

fn quote_of(text: &[u8]) -> char {
    if text.contains(&b'\'') && !text.contains(&b'"') { '"' } else { '\'' }
}

fn write_escape(out: &mut String, code: u32) {
    let _ = match code {
        0..=0xff => write!(out, "\\x{code:02x}"),
        0x100..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_escapes() {
        let cases = [
            ("", "''"),
            ("plain é 中 😀", "'plain é 中 😀'"),
            ("a'b", "\"a'b\""),
            ("a\"b", "'a\"b'"),
            ("a'\"b", "'a\\'\"b'"),
            ("\\ \n\r\t", "'\\\\ \\n\\r\\t'"),
            ("\0\u{1b}\u{7f}", "'\\x00\\x1b\\x7f'"),
            ("\u{85}\u{a0}\u{ad}", "'\\x85\\xa0\\xad'"),
            ("\u{200b}\u{2028}\u{feff}\u{e000}", "'\\u200b\\u2028\\ufeff\\ue000'"),
            ("\u{e0001}\u{10ffff}", "'\\U000e0001\\U0010ffff'"),
            ("\u{378}\u{1fae0}\u{1fae8}", "'\\u0378\u{1fae0}\\U0001fae8'"),
        ];
        for (text, expected) in cases {
            assert_eq!(repr_str(text), expected);
        }
    }

    #[test]
    fn bytes() {
        assert_eq!(repr_bytes(b"a'b\x00~\x7f"), "b\"a'b\\x00~\\x7f\"");
    }
}
