//! serde_yaml's meaning of plain scalars, as reclass-rs reads inventories: the core schema of YAML 1.2.
//!
//! Behaviour: a number with leading zeros, a date, a sexagesimal and `yes` are strings.

use crate::{Int, Scalar};
use num_bigint::BigInt;

/// The value of a plain scalar; nothing for strings.
pub(super) fn resolve(text: &str) -> Option<Scalar> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Some(Scalar::Null),
        "true" | "True" | "TRUE" => return Some(Scalar::Bool(true)),
        "false" | "False" | "FALSE" => return Some(Scalar::Bool(false)),
        ".nan" | ".NaN" | ".NAN" => return Some(Scalar::Float(f64::NAN)),
        _ => {}
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_negative = text.starts_with('-');
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Some(Scalar::Float(if is_negative { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    let (digits, base) = match unsigned.as_bytes() {
        [b'0', b'x', ..] => (&unsigned[2..], 16),
        [b'0', b'o', ..] => (&unsigned[2..], 8),
        [b'0', b'b', ..] => (&unsigned[2..], 2),
        [b'0', b'0'..=b'9', ..] => return None,
        _ => (unsigned, 10),
    };
    if !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(base)) {
        let value = BigInt::parse_bytes(digits.as_bytes(), base)?;
        return Some(Scalar::Int(Int::from_big(if is_negative { -value } else { value })));
    }
    let is_decimal = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && unsigned.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte))
        && unsigned.bytes().any(|byte| byte.is_ascii_digit());
    if base == 10 && is_decimal { text.parse().ok().map(Scalar::Float) } else { None }
}

#[cfg(test)]
mod tests {
    use crate::python::scalar_repr;
    use crate::yaml::{Dialect, resolve_plain};

    #[test]
    fn words_and_numbers_follow_the_core_schema() {
        let cases = [
            ("yes", "'yes'"),
            ("017", "'017'"),
            ("0o17", "15"),
            ("0x1f", "31"),
            ("1e3", "1000.0"),
            ("1_000", "'1_000'"),
            ("12:30", "'12:30'"),
            ("2020-01-01", "'2020-01-01'"),
            ("-1.5", "-1.5"),
            (".inf", "inf"),
            ("True", "True"),
            ("~", "None"),
            ("1.2.3", "'1.2.3'"),
        ];
        for (text, expected) in cases {
            assert_eq!(scalar_repr(&resolve_plain(Dialect::SerdeYaml, text)), expected, "{text}");
        }
    }
}
