//! PyYAML's implicit resolvers and the constructors of its scalars, as they are inside Kapitan.
//!
//! Behaviour: PyYAML 6 `SafeLoader`, with the second pattern for integers that yamllint registers globally and
//! that Kapitan inherits: `0o17` is an integer.

use super::PlainTag;
use super::timestamp;
use crate::python::{parse_float, parse_int, repr_str};
use crate::{Int, Scalar};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A scalar that does not hold what its tag promises: the exception that Python raises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScalarError {
    /// The class of the exception: `ValueError`.
    pub(crate) exception: &'static str,
    /// What `str()` makes of it.
    pub(crate) text: String,
}

impl ScalarError {
    pub(super) fn value(text: impl Into<String>) -> Self {
        Self { exception: "ValueError", text: text.into() }
    }
}

/// What a plain scalar is by its form.
///
/// The first byte decides for nearly every word: only a few letters, digits, signs and the dot can begin anything else.
pub(super) fn plain_tag(text: &str) -> PlainTag {
    let bytes = text.as_bytes();
    let Some(first) = bytes.first() else {
        return PlainTag::Null;
    };
    match first {
        b'0'..=b'9' | b'+' | b'-' | b'.' => number_tag(before_line_break(bytes)),
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' if bytes.len() <= 6 => {
            word_tag(before_line_break(bytes))
        }
        b'~' | b'<' | b'=' | b'!' | b'&' | b'*' => match before_line_break(bytes) {
            b"~" => PlainTag::Null,
            b"<<" => PlainTag::Merge,
            b"=" => PlainTag::Value,
            b"!" | b"&" | b"*" => PlainTag::Yaml,
            _ => PlainTag::Str,
        },
        _ => PlainTag::Str,
    }
}

/// The patterns end in `$`, which also matches before a final line break (a quoted scalar tagged `!` can have one).
fn before_line_break(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(b"\n").unwrap_or(bytes)
}

fn word_tag(word: &[u8]) -> PlainTag {
    match word {
        b"yes" | b"Yes" | b"YES" | b"no" | b"No" | b"NO" | b"true" | b"True" | b"TRUE" | b"false"
        | b"False" | b"FALSE" | b"on" | b"On" | b"ON" | b"off" | b"Off" | b"OFF" => PlainTag::Bool,
        b"null" | b"Null" | b"NULL" => PlainTag::Null,
        _ => PlainTag::Str,
    }
}

fn number_tag(text: &[u8]) -> PlainTag {
    let unsigned = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    let is_signed = unsigned.len() < text.len();
    let tag = match unsigned.first() {
        Some(b'0'..=b'9') => digits_tag(unsigned, is_signed),
        Some(b'.') => dot_tag(unsigned, is_signed),
        _ => None,
    };
    tag.unwrap_or(PlainTag::Str)
}

/// What begins with a digit: integers, floats with a dot, sexagesimals, timestamps.
fn digits_tag(text: &[u8], is_signed: bool) -> Option<PlainTag> {
    let (digits, rest) = split_while(text, is_digit_or_underscore);
    let is_octal = text[0] == b'0';
    match rest.first() {
        None if is_octal => {
            digits.iter().all(|byte| matches!(byte, b'0'..=b'7' | b'_')).then_some(PlainTag::Int)
        }
        None => Some(PlainTag::Int),
        Some(b'.') => is_fraction(&rest[1..]).then_some(PlainTag::Float),
        Some(b':') => sexagesimal_tag(rest, is_octal),
        Some(b'-') if !is_signed => timestamp_tag(text),
        Some(base) if digits == b"0" => based_tag(*base, &rest[1..]),
        _ => None,
    }
}

/// `0b`, `0o` and `0x` with at least one digit or underscore behind.
fn based_tag(base: u8, digits: &[u8]) -> Option<PlainTag> {
    let is_digit: fn(u8) -> bool = match base {
        b'b' => |byte| matches!(byte, b'0' | b'1' | b'_'),
        b'o' => |byte| matches!(byte, b'0'..=b'7' | b'_'),
        b'x' => |byte| byte.is_ascii_hexdigit() || byte == b'_',
        _ => return None,
    };
    (!digits.is_empty() && digits.iter().all(|byte| is_digit(*byte))).then_some(PlainTag::Int)
}

/// `:30:59` is the rest of an integer unless that begins with zero; with a dot behind it is that of a float.
fn sexagesimal_tag(mut rest: &[u8], begins_with_zero: bool) -> Option<PlainTag> {
    while let Some(part) = rest.strip_prefix(b":") {
        let (digits, after) = split_while(part, |byte| byte.is_ascii_digit());
        match digits {
            [b'0'..=b'9'] | [b'0'..=b'5', _] => rest = after,
            _ => return None,
        }
    }
    match rest.split_first() {
        None => (!begins_with_zero).then_some(PlainTag::Int),
        Some((b'.', fraction)) => {
            fraction.iter().all(|byte| is_digit_or_underscore(*byte)).then_some(PlainTag::Float)
        }
        Some(_) => None,
    }
}

/// What begins with a dot. Infinity may have a sign, the others not.
fn dot_tag(text: &[u8], is_signed: bool) -> Option<PlainTag> {
    match text {
        b".inf" | b".Inf" | b".INF" => Some(PlainTag::Float),
        _ if is_signed => None,
        b".nan" | b".NaN" | b".NAN" => Some(PlainTag::Float),
        [_, b'0'..=b'9', ..] => is_fraction(&text[1..]).then_some(PlainTag::Float),
        _ => None,
    }
}

/// `[0-9_]*` and an exponent, whose sign must be written.
fn is_fraction(text: &[u8]) -> bool {
    let (_, rest) = split_while(text, is_digit_or_underscore);
    match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', digits @ ..] => {
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// A day alone needs two digits for month and day.
fn timestamp_tag(text: &[u8]) -> Option<PlainTag> {
    let parsed = timestamp::parse(std::str::from_utf8(text).ok()?)?;
    (!parsed.is_day() || text.len() == "2001-12-14".len()).then_some(PlainTag::Timestamp)
}

fn is_digit_or_underscore(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'_'
}

fn split_while(text: &[u8], belongs: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|byte| !belongs(*byte)).unwrap_or(text.len()))
}

/// The value of a plain scalar of that form; nothing for strings, `<<`, `=` and the like.
pub(super) fn construct_plain(tag: PlainTag, text: &str) -> Result<Option<Scalar>, ScalarError> {
    Ok(Some(match tag {
        PlainTag::Null => Scalar::Null,
        PlainTag::Bool => Scalar::Bool(construct_bool(text)?),
        PlainTag::Int => Scalar::Int(construct_int(text)?),
        PlainTag::Float => Scalar::Float(construct_float(text)?),
        PlainTag::Timestamp => construct_timestamp(text)?,
        PlainTag::Merge | PlainTag::Value | PlainTag::Yaml | PlainTag::Str => return Ok(None),
    }))
}

/// `!!bool`: the six words in any case.
pub(crate) fn construct_bool(text: &str) -> Result<bool, ScalarError> {
    let lower = text.to_lowercase();
    match lower.as_str() {
        "yes" | "true" | "on" => Ok(true),
        "no" | "false" | "off" => Ok(false),
        _ => Err(ScalarError { exception: "KeyError", text: repr_str(&lower) }),
    }
}

/// `!!int`: binary, octal, decimal, hexadecimal or sexagesimal; underscores do not count.
pub(crate) fn construct_int(text: &str) -> Result<Int, ScalarError> {
    if let Some(small) = short_decimal(text.as_bytes()) {
        return Ok(Int::Small(small));
    }
    let cleaned = text.replace('_', "");
    let (negative, digits) = split_sign(&cleaned)?;
    let parse = |digits: &str, base: u32| parse_int(digits, base).map_err(ScalarError::value);
    let value = if let Some(digits) = digits.strip_prefix("0b") {
        parse(digits, 2)?
    } else if let Some(digits) = digits.strip_prefix("0x") {
        parse(digits, 16)?
    } else if digits == "0" {
        Int::Small(0)
    } else if digits.starts_with('0') {
        parse(digits, 8)?
    } else if digits.contains(':') {
        sexagesimal_int(digits)?
    } else if digits.is_empty() {
        return Err(index_error());
    } else {
        parse(digits, 10)?
    };
    Ok(if negative { Int::from_big(-value.to_big()) } else { value })
}

/// Numbers as nearly all are written.
fn short_decimal(text: &[u8]) -> Option<i64> {
    let plain = matches!(text, [b'0'] | [b'1'..=b'9', ..]) && text.len() <= 18;
    (plain && text.iter().all(u8::is_ascii_digit))
        .then(|| text.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0')))
}

fn sexagesimal_int(text: &str) -> Result<Int, ScalarError> {
    let mut value = BigInt::from(0);
    for part in text.split(':') {
        value = value * 60 + parse_int(part, 10).map_err(ScalarError::value)?.to_big();
    }
    Ok(Int::from_big(value))
}

/// `!!float`: what Python's `float` takes, `.inf`, `.nan`, or sexagesimal; underscores do not count.
pub(crate) fn construct_float(text: &str) -> Result<f64, ScalarError> {
    let cleaned = text.replace('_', "").to_lowercase();
    let (negative, unsigned) = split_sign(&cleaned)?;
    let value = match unsigned {
        ".inf" => f64::INFINITY,
        // Python's own NaN has no sign.
        ".nan" => return Ok(f64::NAN),
        _ if unsigned.contains(':') => sexagesimal_float(unsigned)?,
        _ => parse_float(unsigned).map_err(ScalarError::value)?,
    };
    Ok(if negative { -value } else { value })
}

/// From the last part to the first, as the sum's rounding depends on the order.
fn sexagesimal_float(text: &str) -> Result<f64, ScalarError> {
    let parts =
        text.split(':').map(parse_float).collect::<Result<Vec<_>, _>>().map_err(ScalarError::value)?;
    let mut value = 0.0;
    let mut base = BigInt::from(1);
    for part in parts.iter().rev() {
        let factor = base.to_f64().filter(|factor| factor.is_finite()).ok_or_else(|| ScalarError {
            exception: "OverflowError",
            text: "int too large to convert to float".to_owned(),
        })?;
        value += part * factor;
        base *= 60;
    }
    Ok(value)
}

/// `!!timestamp`: as the plain form, and a day may also have one digit for month or day.
pub(crate) fn construct_timestamp(text: &str) -> Result<Scalar, ScalarError> {
    let parsed = timestamp::parse(text.strip_suffix('\n').unwrap_or(text)).ok_or_else(|| ScalarError {
        exception: "AttributeError",
        text: "'NoneType' object has no attribute 'groupdict'".to_owned(),
    })?;
    parsed.to_scalar()
}

fn split_sign(text: &str) -> Result<(bool, &str), ScalarError> {
    if text.is_empty() {
        return Err(index_error());
    }
    Ok(match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    })
}

fn index_error() -> ScalarError {
    ScalarError { exception: "IndexError", text: "string index out of range".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::{Dialect, resolve_plain};
    use super::*;
    use crate::python::scalar_repr;

    fn repr(text: &str) -> String {
        scalar_repr(&resolve_plain(Dialect::PyYaml, text))
    }

    #[test]
    fn words() {
        for (words, expected) in [
            ("yes Yes YES true True TRUE on On ON", "True"),
            ("no No NO false False FALSE off Off OFF", "False"),
            ("~ null Null NULL", "None"),
        ] {
            for word in words.split(' ') {
                assert_eq!(repr(word), expected, "{word}");
            }
        }
        assert_eq!(repr(""), "None");
        for word in "y n Y N yES tRUE nULL oN nul truer = << . - + ~~ <".split(' ') {
            assert_eq!(repr(word), format!("'{word}'"));
        }
    }

    #[test]
    fn numbers() {
        let cases = [
            ("017", "15"),
            ("0o17", "15"),
            ("-0o17", "-15"),
            ("0o7_1", "57"),
            ("00", "0"),
            ("1_000", "1000"),
            ("190:20:30", "685230"),
            ("1:30", "90"),
            ("-1:30", "-90"),
            ("1.0e+3", "1000.0"),
            ("4.e+3", "4000.0"),
            ("1.", "1.0"),
            (".5", "0.5"),
            ("+12", "12"),
            ("0x_1", "1"),
            ("0xfF", "255"),
            ("-0b1_1", "-3"),
            ("1__", "1"),
            ("0_", "0"),
            ("1:30.5", "90.5"),
            ("01:30.5", "90.5"),
            ("-.inf", "-inf"),
            (".NAN", "nan"),
            ("-0.0", "-0.0"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("685_230.15_", "685230.15"),
        ];
        for (text, expected) in cases {
            assert_eq!(repr(text), expected, "{text}");
        }
    }

    #[test]
    fn what_looks_like_a_number_and_is_a_string() {
        for text in [
            "0o8",
            "0O17",
            "0o",
            "08",
            "1:99",
            "01:30",
            "1e3",
            "1.5e3",
            "1.5e",
            "._5",
            "-.5",
            "+.nan",
            "2020-1-1",
            "0b",
            "0b2",
            "0x",
            "0xg",
            "1:",
            "1:030",
            "1:3:",
            "--1",
            "1-2",
            "1.2.3",
            "10.0.0.0/8",
            "1:30.5e+3",
            "_1",
            "2020-01-01 ",
            "-2020-01-01",
            "1 2",
            "0x1.8",
            "é1",
            "1é",
        ] {
            assert_eq!(repr(text), format!("'{text}'"));
        }
    }

    #[test]
    fn timestamps() {
        assert_eq!(repr("2020-01-02"), "datetime.date(2020, 1, 2)");
        assert_eq!(repr("2020-1-2 3:04:05"), "datetime.datetime(2020, 1, 2, 3, 4, 5)");
    }

    #[test]
    fn forms_that_do_not_hold_what_they_promise() {
        let cases = [
            ("0b_", "ValueError", "invalid literal for int() with base 2: ''"),
            ("0o_", "ValueError", "invalid literal for int() with base 8: '0o'"),
            ("-0x_", "ValueError", "invalid literal for int() with base 16: ''"),
            ("2020-13-45", "ValueError", "month must be in 1..12"),
        ];
        for (text, exception, message) in cases {
            let error = construct_plain(plain_tag(text), text).unwrap_err();
            assert_eq!((error.exception, error.text.as_str()), (exception, message));
            assert_eq!(repr(text), format!("'{text}'"));
        }
        let endless = format!("1{}.0", ":0".repeat(300));
        assert_eq!(construct_float(&endless).unwrap_err().exception, "OverflowError");
        assert_eq!(construct_int("+").unwrap_err().exception, "IndexError");
        assert_eq!(construct_bool("Maybe").unwrap_err().text, "'maybe'");
    }
}
