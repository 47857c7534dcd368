//! What sprig makes of any value: text, numbers, emptiness, equality.

use super::times::Named;
use crate::functions::CallError;
use crate::standard::number::{float_to_int, parse_float, parse_int};
use crate::value::{Kind, MAX_DEPTH, Text, Value};

/// The text of a value: a string or bytes as they are, an object by its method, else as `%v`.
pub(super) fn string_of(value: &Value) -> Result<Text, CallError> {
    match value {
        Value::Str(text) => Ok(text.clone()),
        Value::Bytes(bytes) => Ok(Text::from(&**bytes)),
        value => printed(value),
    }
}

/// A value as `%v` prints it.
pub(super) fn printed(value: &Value) -> Result<Text, CallError> {
    Ok(crate::format::value_text(value)?)
}

/// `cast.ToInt64`: what is no number is 0.
pub(super) fn to_int(value: &Value) -> i64 {
    match value {
        Value::Int(value) | Value::Int64(value) => *value,
        Value::Byte(value) => (*value).into(),
        Value::Uint64(value) => *value as i64,
        Value::Float64(value) => float_to_int(*value),
        Value::Bool(value) => (*value).into(),
        Value::Str(text) => parse_int(without_zero_decimals(text), 0).unwrap_or(0),
        // Months and weekdays are numbers to it, durations are not.
        value => value.as_object::<Named>().map_or(0, |named| named.number),
    }
}

/// `12.00` without `.00`.
fn without_zero_decimals(text: &[u8]) -> &[u8] {
    match text.iter().rposition(|byte| *byte != b'0') {
        Some(at) if text[at] == b'.' && at + 1 < text.len() => &text[..at],
        _ => text,
    }
}

/// `cast.ToFloat64`: what is no number is 0.
pub(super) fn to_float(value: &Value) -> f64 {
    match value {
        Value::Int(value) | Value::Int64(value) => *value as f64,
        Value::Byte(value) => (*value).into(),
        Value::Uint64(value) => *value as f64,
        Value::Float64(value) => *value,
        Value::Bool(value) => f64::from(*value),
        Value::Str(text) => parse_float(text).unwrap_or(0.0),
        value => value.as_object::<Named>().map_or(0.0, |named| named.number as f64),
    }
}

/// Sprig's `empty`: nil, false, zero, and what has no items. Structs never are.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(object) if object.kind() == Kind::Struct => false,
        value => !value.is_truthy(),
    }
}

/// `reflect.DeepEqual`: the same types all the way down. Fails where values nest too deep to compare.
pub(super) fn deep_equal(one: &Value, other: &Value) -> Result<bool, CallError> {
    equal(one, other, MAX_DEPTH)
}

fn equal(one: &Value, other: &Value, depth: usize) -> Result<bool, CallError> {
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    Ok(match (one, other) {
        (Value::Nil | Value::Absent, Value::Nil | Value::Absent) => true,
        (Value::Bool(one), Value::Bool(other)) => one == other,
        (Value::Int(one), Value::Int(other)) | (Value::Int64(one), Value::Int64(other)) => one == other,
        (Value::Byte(one), Value::Byte(other)) => one == other,
        (Value::Uint64(one), Value::Uint64(other)) => one == other,
        (Value::Float64(one), Value::Float64(other)) => one == other,
        (Value::Complex(one, own), Value::Complex(other, its)) => one == other && own == its,
        (Value::Str(one), Value::Str(other)) => one == other,
        (Value::Bytes(one), Value::Bytes(other)) => one == other,
        (Value::List(one), Value::List(other)) => {
            let alike = one.list_type().name == other.list_type().name
                && one.is_nil() == other.is_nil()
                && one.len() == other.len();
            if !alike {
                return Ok(false);
            }
            // Go does not look inside of what is one and the same.
            if one.ptr_eq(other) {
                return Ok(true);
            }
            for (one, other) in one.iter().zip(other.iter()) {
                if !equal(one, other, depth)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Map(one), Value::Map(other)) => {
            let alike = one.map_type().name == other.map_type().name
                && one.is_nil() == other.is_nil()
                && one.len() == other.len();
            if !alike {
                return Ok(false);
            }
            if one.ptr_eq(other) {
                return Ok(true);
            }
            let (one, other) = (one.entries(), other.entries());
            for (key, value) in &*one {
                match other.get(key) {
                    Some(its) if equal(value, its, depth)? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        (Value::Object(one), Value::Object(other)) => {
            if one.ptr_eq(other) || one.is_equal(&**other) {
                return Ok(true);
            }
            let (fields, its) = (one.fields(), other.fields());
            if one.type_name() != other.type_name() || fields.is_empty() || fields.len() != its.len() {
                return Ok(false);
            }
            for ((_, one), (_, other)) in fields.iter().zip(&its) {
                if !equal(one, other, depth)? {
                    return Ok(false);
                }
            }
            true
        }
        _ => false,
    })
}

/// The error of a walk over a value that contains itself.
pub(super) fn too_deep() -> CallError {
    format!("the value nests deeper than {MAX_DEPTH} levels").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_to_integers() {
        for (value, expected) in [
            (Value::str("0x1F"), 31),
            (Value::str("010"), 8),
            (Value::str("1_000"), 1000),
            (Value::str("1.9"), 0),
            (Value::str("12.000"), 12),
            (Value::str("12."), 0),
            (Value::str("1e3"), 0),
            (Value::Float64(-1.9), -1),
            (Value::Float64(1e300), i64::MIN),
            (Value::Uint64(u64::MAX), -1),
            (Value::Bool(true), 1),
            (Value::Nil, 0),
            (Value::list(vec![]), 0),
        ] {
            assert_eq!(to_int(&value), expected, "{value:?}");
        }
    }

    #[test]
    fn compares_types_too() {
        let same = |one: Value, other: Value| deep_equal(&one, &other).unwrap();
        assert!(!same(Value::Int(1), Value::Float64(1.0)));
        assert!(!same(Value::Int(1), Value::Int64(1)));
        assert!(same(Value::list(vec![Value::str("a")]), Value::list(vec![Value::str("a")])));
        assert!(same(Value::map([("a", Value::Nil)]), Value::map([("a", Value::Nil)])));
        assert!(!same(Value::map([("a", Value::Nil)]), Value::map([("b", Value::Nil)])));
        assert!(!same(Value::Float64(f64::NAN), Value::Float64(f64::NAN)));
    }
}
