//! Strings and numbers of templates, by the rules of Go's strconv.

use super::ast::Number;
use super::token::TokenKind;
use crate::format::quote;
use crate::unicode::decode;

/// What strconv says of a string that is none.
const INVALID: &str = "invalid syntax";

/// The value of a quoted string, quotes included.
pub(super) fn unquote(quoted: &[u8]) -> Result<Vec<u8>, String> {
    let (Some(mark), Some(inner)) = (quoted.first(), quoted.get(1..quoted.len().saturating_sub(1))) else {
        return Err(INVALID.into());
    };
    if *mark == b'`' {
        return Ok(inner.iter().copied().filter(|byte| *byte != b'\r').collect());
    }
    let mut value = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while !rest.is_empty() {
        let (unit, length) = unquote_unit(rest, *mark)?;
        match unit {
            Unit::Byte(byte) => value.push(byte),
            Unit::Char(c) => value.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
        rest = &rest[length..];
    }
    Ok(value)
}

/// What one character or escape stands for.
enum Unit {
    Byte(u8),
    Char(char),
}

/// The first unit of `text` inside of `mark`s, and how many bytes it takes.
fn unquote_unit(text: &[u8], mark: u8) -> Result<(Unit, usize), String> {
    let (c, length) = decode(text).ok_or(INVALID)?;
    if c != '\\' {
        if c == char::from(mark) || c == '\n' {
            return Err(INVALID.into());
        }
        return Ok((Unit::Char(c), length));
    }
    let kind = *text.get(1).ok_or(INVALID)?;
    let simple = match kind {
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        b'\\' => b'\\',
        b'\'' | b'"' if kind == mark => kind,
        b'x' => return digits(text, 2, 2, 16),
        b'u' => return digits(text, 2, 4, 16),
        b'U' => return digits(text, 2, 8, 16),
        b'0'..=b'7' => return digits(text, 1, 3, 8),
        _ => return Err(INVALID.into()),
    };
    Ok((Unit::Byte(simple), 2))
}

fn digits(text: &[u8], from: usize, count: usize, radix: u32) -> Result<(Unit, usize), String> {
    let end = from + count;
    let digits = text.get(from..end).ok_or(INVALID)?;
    let mut code = 0u32;
    for digit in digits {
        let digit = char::from(*digit).to_digit(radix).ok_or(INVALID)?;
        code = code.checked_mul(radix).and_then(|code| code.checked_add(digit)).ok_or(INVALID)?;
    }
    let unit = if count > 3 {
        Unit::Char(char::from_u32(code).ok_or(INVALID)?)
    } else {
        Unit::Byte(u8::try_from(code).map_err(|_| INVALID)?)
    };
    Ok((unit, end))
}

/// All that a number token can be.
pub(super) fn number(text: &[u8], kind: TokenKind, position: usize) -> Result<Number, String> {
    let number = Number { position, text: text.into(), ..Number::default() };
    let ascii = String::from_utf8_lossy(text);
    match kind {
        TokenKind::CharacterConstant => character(text, number),
        TokenKind::Complex => {
            let split = ascii.rfind(['+', '-']).ok_or(INVALID)?;
            let (real, imaginary) = ascii.split_at(split);
            let part = |text: &str| parse_float(text).ok_or_else(|| INVALID.to_owned());
            Ok(simplified(number, part(real)?, part(imaginary.trim_end_matches('i'))?))
        }
        _ => match ascii.strip_suffix('i').and_then(parse_float) {
            Some(imaginary) => Ok(simplified(number, 0.0, imaginary)),
            None => real(&ascii, number),
        },
    }
}

fn character(text: &[u8], number: Number) -> Result<Number, String> {
    let (unit, length) = unquote_unit(&text[1..], b'\'')?;
    if text[1 + length..] != *b"'" {
        return Err(format!("malformed character constant: {}", String::from_utf8_lossy(text)));
    }
    let code = match unit {
        Unit::Byte(byte) => u32::from(byte),
        Unit::Char(c) => u32::from(c),
    };
    Ok(Number { int: Some(code.into()), uint: Some(code.into()), float: Some(code.into()), ..number })
}

/// A complex number without an imaginary part can stand for its real one.
fn simplified(number: Number, real: f64, imaginary: f64) -> Number {
    let number = Number { complex: Some((real, imaginary)), ..number };
    if imaginary != 0.0 {
        return number;
    }
    Number { float: Some(real), int: exact_int(real), uint: exact_uint(real), ..number }
}

fn real(text: &str, number: Number) -> Result<Number, String> {
    let mut uint = parse_uint(text);
    let int = parse_int(text);
    if int == Some(0) {
        // Of -0, which is no unsigned number by itself.
        uint = Some(0);
    }
    #[expect(clippy::cast_precision_loss, reason = "the nearest double is what Go takes")]
    let promoted = int.map(|int| int as f64).or_else(|| uint.map(|uint| uint as f64));
    if promoted.is_some() {
        return Ok(Number { int, uint, float: promoted, ..number });
    }
    let Some(float) = parse_float(text) else {
        return Err(format!("illegal number syntax: {}", quote(text.as_bytes())));
    };
    if !text.contains(['.', 'e', 'E', 'p', 'P']) {
        return Err(format!("integer overflow: {}", quote(text.as_bytes())));
    }
    Ok(Number { float: Some(float), int: exact_int(float), uint: exact_uint(float), ..number })
}

/// The integer that a double is. Go converts and compares; on the hardware it runs on, what is out of range becomes the
/// least integer, which only -2^63 equals.
fn exact_int(float: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    ((-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&float) && float.fract() == 0.0)
        .then_some(float as i64)
}

fn exact_uint(float: f64) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
    ((0.0..18_446_744_073_709_551_616.0).contains(&float) && float.fract() == 0.0).then_some(float as u64)
}

/// `strconv.ParseUint(text, 0, 64)`, without its errors.
pub(crate) fn parse_uint(text: &str) -> Option<u64> {
    let lower = text.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'o', ..] => (8, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, &*lower),
    };
    if digits.starts_with('+') || !underscores_are_fine(&lower) {
        return None;
    }
    u64::from_str_radix(&digits.replace('_', ""), radix).ok()
}

/// `strconv.ParseInt(text, 0, 64)`, without its errors.
pub(crate) fn parse_int(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let magnitude = parse_uint(digits)?;
    if is_negative { 0i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
}

/// Underscores have to stand between digits, or between a base prefix and a digit.
fn underscores_are_fine(text: &str) -> bool {
    if !text.contains('_') {
        return true;
    }
    let text = text.trim_start_matches(['+', '-']);
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let has_base = is_hex || ["0b", "0B", "0o", "0O"].iter().any(|base| text.starts_with(base));
    let mut before_is_digit = has_base;
    let mut after_underscore = false;
    for byte in text.bytes().skip(if has_base { 2 } else { 0 }) {
        let is_digit = byte.is_ascii_digit() || (is_hex && byte.is_ascii_hexdigit());
        if (byte == b'_' && !before_is_digit) || (after_underscore && !is_digit) {
            return false;
        }
        before_is_digit = is_digit;
        after_underscore = byte == b'_';
    }
    !after_underscore
}

/// `strconv.ParseFloat(text, 64)` of what the lexer takes for a number, without its errors; out of range is an error.
pub(crate) fn parse_float(text: &str) -> Option<f64> {
    let unsigned = text.trim_start_matches(['+', '-']);
    let starts_like_one = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    if !starts_like_one || text.len() - unsigned.len() > 1 || !underscores_are_fine(text) {
        return None;
    }
    let digits = text.replace('_', "");
    let lower = digits.to_ascii_lowercase();
    let value = match lower.trim_start_matches(['+', '-']).strip_prefix("0x") {
        Some(hex) => hex_float(hex).map(|value| if lower.starts_with('-') { -value } else { value }),
        None => digits.parse().ok(),
    };
    value.filter(|value: &f64| value.is_finite())
}

/// Mantissa and binary exponent in hexadecimal form, after the `0x`: `1.8p3`. The exponent has to be there.
fn hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let mut exponent: i64 = exponent.strip_prefix('+').unwrap_or(exponent).parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut bits = 0u64;
    let mut is_inexact = false;
    for (index, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = digit.to_digit(16)?;
        let is_fraction = index >= whole.len();
        if bits >> 60 == 0 {
            bits = bits << 4 | u64::from(digit);
            exponent -= if is_fraction { 4 } else { 0 };
        } else {
            is_inexact |= digit != 0;
            exponent += if is_fraction { 0 } else { 4 };
        }
    }
    Some(scale(bits | u64::from(is_inexact), exponent))
}

/// `bits * 2^exponent`, rounded once.
fn scale(bits: u64, exponent: i64) -> f64 {
    if bits == 0 {
        return 0.0;
    }
    let length = i64::from(64 - bits.leading_zeros());
    // The exponent of the last bit that a double of this size keeps.
    let last = (length + exponent - 53).max(-1074);
    let shift = last - exponent;
    let kept = if shift <= 0 {
        u128::from(bits) << (-shift).min(64)
    } else if shift > 66 {
        0
    } else {
        let bits = u128::from(bits);
        let (kept, dropped, half) = (bits >> shift, bits & ((1 << shift) - 1), 1u128 << (shift - 1));
        kept + u128::from(dropped > half || (dropped == half && kept % 2 == 1))
    };
    #[expect(clippy::cast_precision_loss, reason = "53 bits or a power of two are left")]
    let mut value = kept as f64;
    let mut exponent = last.clamp(-1200, 1200);
    while exponent > 0 {
        value *= 2f64.powi(exponent.min(500).try_into().unwrap_or(0));
        exponent -= 500;
    }
    while exponent < 0 {
        value *= 2f64.powi((-(-exponent).min(500)).try_into().unwrap_or(0));
        exponent += 500;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_all_they_can_be() {
        for (text, int, uint, float) in [
            ("0", Some(0), Some(0), Some(0.0)),
            ("-0", Some(0), Some(0), Some(0.0)),
            ("+5", Some(5), None, Some(5.0)),
            ("-5", Some(-5), None, Some(-5.0)),
            ("0x_1F", Some(31), Some(31), Some(31.0)),
            ("0b101", Some(5), Some(5), Some(5.0)),
            ("0o17", Some(15), Some(15), Some(15.0)),
            ("017", Some(15), Some(15), Some(15.0)),
            ("1_000", Some(1000), Some(1000), Some(1000.0)),
            ("1e3", Some(1000), Some(1000), Some(1000.0)),
            ("1.5", None, None, Some(1.5)),
            ("0x1.8p1", Some(3), Some(3), Some(3.0)),
            ("0x1p-2", None, None, Some(0.25)),
            ("18446744073709551615", None, Some(u64::MAX), Some(18_446_744_073_709_551_615.0)),
            ("-9223372036854775808", Some(i64::MIN), None, Some(-9_223_372_036_854_775_808.0)),
        ] {
            let number = number(text.as_bytes(), TokenKind::Number, 0).unwrap();
            assert_eq!((number.int, number.uint, number.float), (int, uint, float), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_says_so() {
        for (text, message) in [
            ("09", "integer overflow: \"09\""),
            ("1__0", "illegal number syntax: \"1__0\""),
            ("_1", "illegal number syntax: \"_1\""),
            ("0x", "illegal number syntax: \"0x\""),
            ("18446744073709551616", "integer overflow: \"18446744073709551616\""),
        ] {
            assert_eq!(number(text.as_bytes(), TokenKind::Number, 0).unwrap_err(), message, "{text}");
        }
        let error = number(b"'ab'", TokenKind::CharacterConstant, 0).unwrap_err();
        assert_eq!(error, "malformed character constant: 'ab'");
    }

    #[test]
    fn strings_are_unquoted() {
        for (quoted, value) in [
            (r#""a\tb""#, &b"a\tb"[..]),
            (r#""\x41\101\u00e9\U0001F389""#, "AA\u{e9}\u{1f389}".as_bytes()),
            (r#""\xff\377""#, b"\xff\xff"),
            ("`a\\n\r\nb`", b"a\\n\nb"),
        ] {
            assert_eq!(unquote(quoted.as_bytes()).unwrap(), value, "{quoted}");
        }
        for quoted in [r#""\'""#, r#""\q""#, r#""\ud800""#, r#""\400""#, r#""\x4""#] {
            assert_eq!(unquote(quoted.as_bytes()).unwrap_err(), "invalid syntax", "{quoted}");
        }
    }
}
