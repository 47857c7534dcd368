//! Literals inside tags: how far they reach and what they mean.

use crate::text::normal_newlines;
use kapstan_document::Int;
use num_bigint::BigInt;

/// The digits at the front, each optionally after a single underscore (not the first one).
fn digits(text: &[u8], is_digit: impl Fn(u8) -> bool) -> usize {
    let mut at = 0;
    loop {
        let underscore = usize::from(at > 0 && text.get(at) == Some(&b'_'));
        match text.get(at + underscore) {
            Some(c) if is_digit(*c) => at += underscore + 1,
            _ => return at,
        }
    }
}

/// The length of a float literal at the front: digits with a fraction, an exponent or both.
pub(crate) fn float_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_digit = |c: u8| c.is_ascii_digit();
    let whole = digits(bytes, is_digit);
    if whole == 0 {
        return None;
    }
    let mut at = whole;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(&bytes[at + 1..], is_digit);
        if fraction > 0 {
            at += 1 + fraction;
        }
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(&bytes[at + 1 + sign..], is_digit);
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    (at > whole).then_some(at)
}

pub(crate) fn float(text: &str) -> f64 {
    text.replace('_', "").parse().unwrap_or(f64::NAN)
}

/// The length of an integer literal at the front: binary, octal, hexadecimal, decimal, or zeros.
pub(crate) fn int_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.first() == Some(&b'0') {
        let is_digit: Option<fn(u8) -> bool> = match bytes.get(1) {
            Some(b'b' | b'B') => Some(|c| matches!(c, b'0' | b'1')),
            Some(b'o' | b'O') => Some(|c| matches!(c, b'0'..=b'7')),
            Some(b'x' | b'X') => Some(|c| c.is_ascii_hexdigit()),
            _ => None,
        };
        if let Some(is_digit) = is_digit {
            let underscore = usize::from(bytes.get(2) == Some(&b'_'));
            let length = digits(&bytes[2 + underscore..], is_digit);
            if length > 0 {
                return Some(2 + underscore + length);
            }
        }
        return Some(digits(bytes, |c| c == b'0'));
    }
    let length = digits(bytes, |c| c.is_ascii_digit());
    (length > 0).then_some(length)
}

pub(crate) fn int(text: &str) -> Int {
    let plain = text.replace('_', "").to_ascii_lowercase();
    let (radix, digits) = match plain.get(..2) {
        Some("0b") => (2, &plain[2..]),
        Some("0o") => (8, &plain[2..]),
        Some("0x") => (16, &plain[2..]),
        _ => (10, plain.as_str()),
    };
    i64::from_str_radix(digits, radix).map_or_else(
        |_| Int::from_big(BigInt::parse_bytes(digits.as_bytes(), radix).unwrap_or_default()),
        Int::Small,
    )
}

/// The length of a string literal at the front, quotes included.
pub(crate) fn string_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let quote = *bytes.first().filter(|c| matches!(c, b'\'' | b'"'))?;
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            c if c == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// What a string literal means, as Jinja2 finds out: characters beyond ASCII become escapes first, so that a backslash
/// before one of them escapes the backslash of that escape. Fails with the end of Python's message.
pub(crate) fn string(body: &str) -> Result<String, &'static str> {
    let body = normal_newlines(body);
    if !body.contains('\\') {
        return Ok(body.into_owned());
    }
    let ascii = backslashed(&body);
    let mut out = String::with_capacity(ascii.len());
    let mut rest = ascii.as_str();
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = escape(&rest[at + 1..], &mut out)?;
    }
    out.push_str(rest);
    Ok(out)
}

fn backslashed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match u32::from(c) {
            0..=0x7f => out.push(c),
            code @ 0x80..=0xff => out.push_str(&format!("\\x{code:02x}")),
            code @ 0x100..=0xffff => out.push_str(&format!("\\u{code:04x}")),
            code => out.push_str(&format!("\\U{code:08x}")),
        }
    }
    out
}

/// Reads the escape behind a backslash and returns what follows it.
fn escape<'a>(rest: &'a str, out: &mut String) -> Result<&'a str, &'static str> {
    let Some(kind) = rest.chars().next() else {
        return Err("\\ at end of string");
    };
    let after = &rest[kind.len_utf8()..];
    let simple = match kind {
        '\n' => return Ok(after),
        '\\' | '\'' | '"' => kind,
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        'x' => return code_point(after, 2, out).ok_or("truncated \\xXX escape"),
        'u' => return code_point(after, 4, out).ok_or("truncated \\uXXXX escape"),
        'U' => {
            let code = after.get(..8).and_then(|hex| u32::from_str_radix(hex, 16).ok());
            if code.is_some_and(|code| code > 0x10_ffff) {
                return Err("illegal Unicode character");
            }
            return code_point(after, 8, out).ok_or("truncated \\UXXXXXXXX escape");
        }
        'N' if after.starts_with('{') && after.contains('}') => return Err("unknown Unicode character name"),
        'N' => return Err("malformed \\N character escape"),
        '0'..='7' => {
            let length = rest.bytes().take(3).take_while(|c| matches!(c, b'0'..=b'7')).count();
            let code = u32::from_str_radix(&rest[..length], 8).unwrap_or_default();
            out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            return Ok(&rest[length..]);
        }
        _ => {
            out.push('\\');
            kind
        }
    };
    out.push(simple);
    Ok(after)
}

fn code_point<'a>(text: &'a str, digits: usize, out: &mut String) -> Option<&'a str> {
    let hex = text.get(..digits).filter(|hex| hex.bytes().all(|c| c.is_ascii_hexdigit()))?;
    let code = u32::from_str_radix(hex, 16).ok()?;
    out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    Some(&text[digits..])
}
