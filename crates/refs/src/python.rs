//! The corners of Python that shape what references do: names of types, lenient base64, `int()`.

use crate::error::{Error, Raised};
use kapstan_document::Value;
use kapstan_document::python::{self, repr_str};

/// The name of a value's type, as Python's errors have it.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int",
        Value::Float(_) => "float",
        Value::Str(_) => "str",
        Value::Date(_) => "datetime.date",
        Value::DateTime(_) => "datetime.datetime",
        Value::Bytes(_) => "bytes",
        Value::Seq(_) => "list",
        Value::Map(_) => "dict",
        Value::Set(_) => "set",
    }
}

/// `'NoneType' object has no attribute 'encode'`
pub(crate) fn no_attribute(kind: &str, attribute: &str) -> String {
    format!("'{kind}' object has no attribute '{attribute}'")
}

/// A tuple of strings as Python writes it.
pub(crate) fn repr_tuple(items: &[&str]) -> String {
    format!("({})", join_reprs(items))
}

/// A list of strings as Python writes it.
pub(crate) fn repr_list(items: &[&str]) -> String {
    format!("[{}]", join_reprs(items))
}

/// A set of strings as Python writes it, in the order given; Python's own order is that of its hashes.
pub(crate) fn repr_set<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    format!("{{{}}}", join_reprs(&items.into_iter().collect::<Vec<_>>()))
}

fn join_reprs(items: &[&str]) -> String {
    items.iter().map(|item| repr_str(item)).collect::<Vec<_>>().join(", ")
}

/// `int(text)` for decimal digits: a sign, blanks around and single underscores between digits are allowed. None where
/// Python refuses, and for what does not fit into 64 bits.
pub(crate) fn parse_int(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut value = 0i64;
    for group in digits.split('_') {
        if group.is_empty() {
            return None;
        }
        for digit in group.chars() {
            value = value.checked_mul(10)?.checked_add(i64::from(digit.to_digit(10)?))?;
        }
    }
    Some(if text.starts_with('-') { -value } else { value })
}

/// `base64.b64decode(data)`: what is outside the alphabet is skipped, and reading ends at the padding.
///
/// Fails as Python does, with `ValueError` for text that is not ASCII or ends within a byte, and with `TypeError` for
/// what is neither text nor bytes. The error does not hold the data.
pub(crate) fn decode_base64(data: &Value) -> Result<Vec<u8>, Error> {
    match data {
        Value::Str(text) if text.is_ascii() => decode_leniently(text.as_bytes()),
        Value::Str(_) => Err(not_base64("string argument should contain only ASCII characters")),
        Value::Bytes(bytes) => decode_leniently(bytes),
        other => {
            let kind = type_name(other).rsplit('.').next().unwrap_or_default();
            let peer_text = format!("argument should be a bytes-like object or ASCII string, not '{kind}'");
            Err(Error::new("refs::malformed-data", format!("`data` is of type `{kind}`, not base64 text"))
                .raised(Raised::Type, peer_text))
        }
    }
}

fn decode_leniently(data: &[u8]) -> Result<Vec<u8>, Error> {
    python::decode_base64(data).map_err(|text| not_base64(&text))
}

fn not_base64(peer_text: &str) -> Error {
    Error::new("refs::malformed-data", "the data of the reference is not base64 text")
        .raised(Raised::Value, peer_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_leniently() {
        let decode = |text: &str| decode_base64(&Value::from(text)).map_err(|e| e.peer_text().to_owned());
        for (text, decoded) in [
            ("aGVsbG8=", "hello"),
            ("aGVs\nbG8=", "hello"),
            ("a-G.Vs", "hel"),
            ("", ""),
            ("=", ""),
            ("aGVsbG8=x", "hello"),
        ] {
            assert_eq!(decode(text).unwrap(), decoded.as_bytes(), "{text}");
        }
        for (text, wrong) in [
            (
                "a",
                "Invalid base64-encoded string: number of data characters (1) cannot be 1 more than a multiple of 4",
            ),
            (
                "aGVsb",
                "Invalid base64-encoded string: number of data characters (5) cannot be 1 more than a multiple of 4",
            ),
            ("aGVsbG8", "Incorrect padding"),
            ("ab=", "Incorrect padding"),
            ("é", "string argument should contain only ASCII characters"),
        ] {
            assert_eq!(decode(text).unwrap_err(), wrong);
        }
        assert_eq!(
            decode_base64(&Value::from(5)).unwrap_err().peer_text(),
            "argument should be a bytes-like object or ASCII string, not 'int'"
        );
    }

    #[test]
    fn integers_are_read_as_python_reads_them() {
        for (text, value) in [
            ("12", Some(12)),
            ("+1_0", Some(10)),
            ("-3", Some(-3)),
            ("1__0", None),
            ("_1", None),
            ("", None),
            ("1.5", None),
        ] {
            assert_eq!(parse_int(text), value, "{text}");
        }
    }
}
