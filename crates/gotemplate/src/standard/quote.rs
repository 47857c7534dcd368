//! Strings in quotes, as Go's `strconv.Quote` writes them.

use super::runes;
use std::fmt::Write;
use unicode_general_category::{GeneralCategory, get_general_category};

/// `text` in double quotes with Go's escapes; what can be printed stays, bytes that are no characters are `\xNN`.
pub(crate) fn quote(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut at = 0;
    while let Some((rune, width)) = runes::decode(&text[at..]) {
        if rune == runes::ERROR && width == 1 {
            push_escape(&mut out, format_args!("\\x{:02x}", text[at]));
        } else {
            push_rune(&mut out, rune);
        }
        at += width;
    }
    out.push('"');
    out
}

fn push_rune(out: &mut String, rune: char) {
    match rune {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{C}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{B}' => out.push_str("\\v"),
        _ if is_print(rune) => out.push(rune),
        _ => match u32::from(rune) {
            code @ (0..0x20 | 0x7F) => push_escape(out, format_args!("\\x{code:02x}")),
            code @ 0..0x1_0000 => push_escape(out, format_args!("\\u{code:04x}")),
            code => push_escape(out, format_args!("\\U{code:08x}")),
        },
    }
}

fn push_escape(out: &mut String, escape: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = out.write_fmt(escape);
}

/// `strconv.IsPrint`: letters, marks, numbers, punctuation, symbols and the ASCII blank.
pub(crate) fn is_print(rune: char) -> bool {
    use GeneralCategory::{
        Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, SpaceSeparator, Surrogate, Unassigned,
    };
    rune == ' '
        || !matches!(
            get_general_category(rune),
            Control
                | Format
                | LineSeparator
                | ParagraphSeparator
                | PrivateUse
                | SpaceSeparator
                | Surrogate
                | Unassigned
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_go_does() {
        for (text, expected) in [
            (b"a\"b\\".as_slice(), r#""a\"b\\""#),
            (b"\x00\x7f\n\t\x1b", r#""\x00\x7f\n\t\x1b""#),
            ("é€🎉\u{a0}\u{200b}".as_bytes(), r#""é€🎉\u00a0\u200b""#),
            (b"\xff\xc3", r#""\xff\xc3""#),
            ("\u{FFFD}".as_bytes(), "\"\u{FFFD}\""),
            ("\u{E0001}".as_bytes(), r#""\U000e0001""#),
        ] {
            assert_eq!(quote(text), expected);
        }
    }
}
