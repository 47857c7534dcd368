//! go-yaml v2's meaning of plain scalars, as Helm sees it.
//!
//! Behaviour: `gopkg.in/yaml.v2` decoding into `interface{}`. Timestamps stay the strings they are written as, and
//! sexagesimals are not numbers.

use crate::{Int, Scalar};
use num_bigint::BigInt;
use std::borrow::Cow;

/// The value of a plain scalar; nothing for strings.
pub(super) fn resolve(text: &str) -> Option<Scalar> {
    let Some(first) = text.bytes().next() else {
        return Some(Scalar::Null);
    };
    match first {
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => word(text),
        b'.' => dotted(text),
        b'0'..=b'9' | b'+' | b'-' => number(text),
        _ => None,
    }
}

fn word(text: &str) -> Option<Scalar> {
    Some(match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Scalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Scalar::Bool(false)
        }
        "~" | "null" | "Null" | "NULL" => Scalar::Null,
        _ => return None,
    })
}

fn dotted(text: &str) -> Option<Scalar> {
    Some(Scalar::Float(match text {
        ".nan" | ".NaN" | ".NAN" => f64::NAN,
        ".inf" | ".Inf" | ".INF" => f64::INFINITY,
        _ if text.contains('_') => finite(&without_separators(text)?)?,
        _ => finite(text)?,
    }))
}

fn number(text: &str) -> Option<Scalar> {
    match text {
        "+.inf" | "+.Inf" | "+.INF" => return Some(Scalar::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => return Some(Scalar::Float(f64::NEG_INFINITY)),
        // Not all of these are timestamps, but no number has a `-` behind four digits.
        _ if is_dated(text) => return None,
        _ => {}
    }
    let plain = if text.contains('_') { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) };
    if let Some(value) = signed(&plain, None).or_else(|| unsigned(&plain, None)) {
        return Some(Scalar::Int(value));
    }
    if let Some(value) = is_float(plain.as_bytes()).then(|| finite(&plain)).flatten() {
        return Some(Scalar::Float(value));
    }
    // Behind the prefix a second sign is taken: `0b-1`.
    let binary = if let Some(digits) = plain.strip_prefix("0b") {
        signed(digits, Some(2)).or_else(|| unsigned(digits, Some(2)))
    } else {
        plain.strip_prefix("-0b").and_then(|digits| signed(&format!("-{digits}"), Some(2)))
    };
    binary.map(Scalar::Int)
}

/// `0o` with a number behind that may have a sign: an integer in go-yaml v3 only.
pub(super) fn signed_octal(text: &str) -> bool {
    let plain = if text.contains('_') { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) };
    match plain.strip_prefix("0o") {
        Some(digits) => signed(digits, Some(8)).or_else(|| unsigned(digits, Some(8))).is_some(),
        None => {
            plain.strip_prefix("-0o").is_some_and(|digits| signed(&format!("-{digits}"), Some(8)).is_some())
        }
    }
}

/// Go's `ParseInt` with 64 bits; without a base the prefix says it.
fn signed(text: &str, base: Option<u32>) -> Option<Int> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = magnitude(digits, base)?;
    let value = if negative { -i128::from(magnitude) } else { i128::from(magnitude) };
    i64::try_from(value).ok().map(Int::Small)
}

/// Go's `ParseUint` with 64 bits.
fn unsigned(text: &str, base: Option<u32>) -> Option<Int> {
    magnitude(text, base).map(|value| Int::from_big(BigInt::from(value)))
}

fn magnitude(text: &str, base: Option<u32>) -> Option<u64> {
    let (digits, base) = match (base, text.as_bytes()) {
        (Some(base), _) => (text, base),
        (None, [b'0', b'b' | b'B', _, ..]) => (&text[2..], 2),
        (None, [b'0', b'o' | b'O', _, ..]) => (&text[2..], 8),
        (None, [b'0', b'x' | b'X', _, ..]) => (&text[2..], 16),
        (None, [b'0', _, ..]) => (&text[1..], 8),
        (None, _) => (text, 10),
    };
    let is_number = digits.bytes().all(|byte| char::from(byte).is_digit(base));
    is_number.then(|| u64::from_str_radix(digits, base).ok()).flatten()
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_float(text: &[u8]) -> bool {
    let text = strip_sign(text);
    let (whole, rest) = split_digits(text);
    let (fraction, rest) = match rest.strip_prefix(b".") {
        Some(rest) => split_digits(rest),
        None => (&[][..], rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return false;
    }
    match rest.split_first() {
        None => true,
        Some((b'e' | b'E', exponent)) => {
            let digits = strip_sign(exponent);
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        }
        Some(_) => false,
    }
}

fn strip_sign(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text)
}

fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len()))
}

/// Go's `ParseFloat`, which refuses what is too big.
fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Go's rule for `_` in the text of a double: only between digits.
fn without_separators(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let between_digits =
        memchr::memchr_iter(b'_', bytes).all(|at| is_digit(at.checked_sub(1)) && is_digit(at.checked_add(1)));
    between_digits.then(|| text.replace('_', ""))
}

/// Whether a text begins as the dates of YAML do.
fn is_dated(text: &str) -> bool {
    let (year, rest) = split_digits(text.as_bytes());
    year.len() == 4 && rest.first() == Some(&b'-')
}

#[cfg(test)]
mod tests {
    use super::super::{Dialect, resolve_plain};
    use crate::python::scalar_repr;

    #[test]
    fn scalars() {
        let cases = [
            ("y", "True"),
            ("N", "False"),
            ("off", "False"),
            ("~", "None"),
            ("", "None"),
            ("yES", "'yES'"),
            ("0755", "493"),
            ("0o17", "15"),
            ("0O17", "15"),
            ("0x1F", "31"),
            ("0B11", "3"),
            ("+5", "5"),
            ("089", "89.0"),
            ("1_000", "1000"),
            ("0b-1", "-1"),
            ("-0b11", "-3"),
            ("0_7", "7"),
            ("_1", "'_1'"),
            ("18446744073709551615", "18446744073709551615"),
            ("18446744073709551616", "1.8446744073709552e+19"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("-9223372036854775809", "-9.223372036854776e+18"),
            (".5", "0.5"),
            ("5.", "5.0"),
            ("1e3", "1000.0"),
            ("1E+3", "1000.0"),
            ("-.5", "-0.5"),
            (".e1", "'.e1'"),
            (".5_0", "0.5"),
            ("._5", "'._5'"),
            (".5_", "'.5_'"),
            (".5e1_0", "5000000000.0"),
            ("1e400", "'1e400'"),
            (".inf", "inf"),
            ("+.Inf", "inf"),
            ("-.INF", "-inf"),
            ("-.nan", "'-.nan'"),
            (".infinity", "'.infinity'"),
            ("1:30", "'1:30'"),
            ("0b", "'0b'"),
            ("0x", "'0x'"),
            ("2001-01-01", "'2001-01-01'"),
            ("<<", "'<<'"),
            ("=", "'='"),
            ("-", "'-'"),
            ("0x1p3", "'0x1p3'"),
        ];
        for (text, expected) in cases {
            assert_eq!(scalar_repr(&resolve_plain(Dialect::GoYamlV2, text)), expected, "{text}");
        }
    }
}
