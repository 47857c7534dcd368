use super::{Call, CallError, Outcome};
use crate::format;
use crate::value::Value;
use std::cmp::Ordering;

/// What can be compared with what.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basic {
    None,
    Bool,
    Complex,
    Int,
    Uint,
    Float,
    String,
}

fn basic(value: &Value) -> Basic {
    match value {
        Value::Bool(_) => Basic::Bool,
        Value::Complex(..) => Basic::Complex,
        Value::Int(_) | Value::Int64(_) => Basic::Int,
        Value::Byte(_) | Value::Uint64(_) => Basic::Uint,
        Value::Float64(_) => Basic::Float,
        Value::Str(_) => Basic::String,
        _ => Basic::None,
    }
}

/// The value of an integer of either kind.
fn integer(value: &Value) -> Option<i128> {
    Some(match value {
        Value::Int(value) | Value::Int64(value) => i128::from(*value),
        Value::Byte(value) => i128::from(*value),
        Value::Uint64(value) => i128::from(*value),
        _ => return None,
    })
}

fn incompatible(left: &Value, right: &Value) -> CallError {
    let (left, right) = (left.type_name(), right.type_name());
    format!("incompatible types for comparison: {left} and {right}").into()
}

/// Whether the first equals any of the others.
pub(super) fn equal(call: &mut Call<'_>) -> Outcome {
    let left = call.arg(0);
    if call.rest(1).is_empty() {
        return Err("missing argument for comparison".into());
    }
    for right in call.rest(1) {
        if are_equal(left, right)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn are_equal(left: &Value, right: &Value) -> Result<bool, CallError> {
    if let (Some(left), Some(right)) = (integer(left), integer(right)) {
        return Ok(left == right);
    }
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Ok(left == right),
        (Value::Complex(real, imaginary), Value::Complex(other_real, other_imaginary)) => {
            Ok(real == other_real && imaginary == other_imaginary)
        }
        (Value::Float64(left), Value::Float64(right)) => Ok(left == right),
        (Value::Str(left), Value::Str(right)) => Ok(left == right),
        _ if basic(left) != Basic::None || basic(right) != Basic::None => {
            if left.is_nil() || right.is_nil() {
                Ok(false)
            } else {
                Err(incompatible(left, right))
            }
        }
        _ => are_equal_containers(left, right),
    }
}

/// Whether it is nil of whatever type.
fn is_any_nil(value: &Value) -> bool {
    match value {
        Value::Absent | Value::Nil => true,
        Value::List(list) => list.is_nil(),
        Value::Map(map) => map.is_nil(),
        _ => false,
    }
}

fn are_equal_containers(left: &Value, right: &Value) -> Result<bool, CallError> {
    let can_compare = left.kind() == right.kind() || left.is_nil() || right.is_nil();
    if !can_compare {
        let (left_type, right_type) = (left.type_name(), right.type_name());
        let (left, right) = (format::printf(b"%s", std::slice::from_ref(left))?, format::value_text(right)?);
        return Err(format!("non-comparable types {left}: {left_type}, {right_type}: {right}").into());
    }
    if is_any_nil(left) || is_any_nil(right) {
        return Ok(is_any_nil(left) && is_any_nil(right));
    }
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => Ok(left.ptr_eq(right) || left.is_equal(&**right)),
        _ => {
            let right_type = right.type_name();
            let right = format::printf(b"%s", std::slice::from_ref(right))?;
            Err(format!("non-comparable type {right}: {right_type}").into())
        }
    }
}

pub(super) fn not_equal(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Bool(!are_equal(call.arg(0), call.arg(1))?))
}

/// How two values of one kind are ordered; none for numbers that are not.
fn order(left: &Value, right: &Value) -> Result<Option<Ordering>, CallError> {
    let (left_kind, right_kind) = (basic(left), basic(right));
    if left_kind == Basic::None || right_kind == Basic::None {
        return Err("invalid type for comparison".into());
    }
    if let (Some(left), Some(right)) = (integer(left), integer(right)) {
        return Ok(Some(left.cmp(&right)));
    }
    match (left, right) {
        (Value::Float64(left), Value::Float64(right)) => Ok(left.partial_cmp(right)),
        (Value::Str(left), Value::Str(right)) => Ok(Some(left.cmp(right))),
        _ if left_kind != right_kind => Err(incompatible(left, right)),
        _ => Err("invalid type for comparison".into()),
    }
}

pub(super) fn less(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Bool(order(call.arg(0), call.arg(1))? == Some(Ordering::Less)))
}

pub(super) fn less_or_equal(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Bool(matches!(order(call.arg(0), call.arg(1))?, Some(Ordering::Less | Ordering::Equal))))
}

/// Go asks for the contrary of `le`, which makes NaN greater than everything.
pub(super) fn greater(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Bool(!matches!(order(call.arg(0), call.arg(1))?, Some(Ordering::Less | Ordering::Equal))))
}

pub(super) fn greater_or_equal(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Bool(order(call.arg(0), call.arg(1))? != Some(Ordering::Less)))
}
