use super::Given;
use crate::error::{Class, Outcome, raise};
use crate::value::Value;
use kapstan_document::Int;

/// An attribute of a number that is no method.
pub(super) fn attribute(value: &Value, name: &str) -> Option<Value> {
    match (name, value) {
        ("real", Value::Float(_)) => Some(value.clone()),
        ("imag", Value::Float(_)) => Some(Value::Float(0.0)),
        ("real" | "numerator", _) if !matches!(value, Value::Float(_)) => value.as_int().map(Value::Int),
        ("imag", _) => Some(Value::int(0)),
        ("denominator", _) if !matches!(value, Value::Float(_)) => Some(Value::int(1)),
        _ => None,
    }
}

/// Calls a method of a number or of bytes.
pub(super) fn call(value: &Value, given: Given<'_>) -> Outcome<Value> {
    if let Value::Bytes(bytes) = value {
        return match given.method {
            "hex" => Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()),
            _ => match std::str::from_utf8(bytes) {
                Ok(text) => Ok(text.into()),
                Err(error) => raise(Class::Value, decode_error(bytes, &error)),
            },
        };
    }
    given.none()?;
    Ok(match (given.method, value.as_int()) {
        ("is_integer", Some(_)) => Value::Bool(true),
        ("is_integer", None) => {
            Value::Bool(matches!(value, Value::Float(value) if value.is_finite() && value.fract() == 0.0))
        }
        ("bit_length", Some(int)) => Value::size(usize::try_from(int.to_big().bits()).unwrap_or(usize::MAX)),
        ("bit_count", Some(Int::Small(value))) => Value::int(i64::from(value.unsigned_abs().count_ones())),
        ("bit_count", Some(Int::Big(value))) => {
            Value::int(value.magnitude().iter_u64_digits().map(|digit| i64::from(digit.count_ones())).sum())
        }
        (_, Some(int)) => Value::Int(int),
        _ => value.clone(),
    })
}

/// What Python says about bytes that are not UTF-8.
pub(crate) fn decode_error(bytes: &[u8], error: &std::str::Utf8Error) -> String {
    let at = error.valid_up_to();
    let byte = bytes[at];
    let is_start = matches!(byte, 0xC2..=0xF4);
    match error.error_len() {
        None if bytes.len() - at > 1 => format!(
            "'utf-8' codec can't decode bytes in position {at}-{}: unexpected end of data",
            bytes.len() - 1
        ),
        None => {
            format!("'utf-8' codec can't decode byte 0x{byte:02x} in position {at}: unexpected end of data")
        }
        Some(length) if length > 1 => format!(
            "'utf-8' codec can't decode bytes in position {at}-{}: invalid continuation byte",
            at + length - 1
        ),
        Some(_) => {
            let reason = if is_start { "invalid continuation byte" } else { "invalid start byte" };
            format!("'utf-8' codec can't decode byte 0x{byte:02x} in position {at}: {reason}")
        }
    }
}
