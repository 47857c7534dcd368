use super::index::count_of;
use crate::ast::BinaryOp;
use crate::error::{Class, Outcome, raise, type_error};
use crate::run::Run;
use crate::value::{Object, Value};
use kapstan_document::Int;
use num_bigint::{BigInt, Sign};
use num_traits::{Pow, Signed, ToPrimitive, Zero};
use std::rc::Rc;

/// Larger integers are refused: no template needs them, and they take for ever.
const MAX_INT_BITS: u64 = 1 << 20;

fn sign_of(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::FloorDiv => "//",
        BinaryOp::Mod => "%",
        BinaryOp::Pow => "** or pow()",
    }
}

fn unsupported<T>(op: BinaryOp, left: &Value, right: &Value) -> Outcome<T> {
    type_error(format!(
        "unsupported operand type(s) for {}: '{}' and '{}'",
        sign_of(op),
        left.type_name(),
        right.type_name()
    ))
}

/// `left + right`.
pub(crate) fn add(run: &Run, left: &Value, right: &Value) -> Outcome<Value> {
    binary(run, BinaryOp::Add, left, right)
}

/// Applies an operator.
pub(crate) fn binary(run: &Run, op: BinaryOp, left: &Value, right: &Value) -> Outcome<Value> {
    if let (Value::Int(Int::Small(left)), Value::Int(Int::Small(right))) = (left, right) {
        let quick = match op {
            BinaryOp::Add => left.checked_add(*right),
            BinaryOp::Sub => left.checked_sub(*right),
            BinaryOp::Mul => left.checked_mul(*right),
            _ => None,
        };
        if let Some(value) = quick {
            return Ok(Value::int(value));
        }
    }
    if let Value::Undefined(undefined) = left {
        return undefined.fail();
    }
    if let (BinaryOp::Mod, Some(format)) = (op, left.as_str()) {
        let text = crate::format::percent(run, format, right)?;
        return Ok(if matches!(left, Value::Markup(_)) { Value::Markup(text.into()) } else { text.into() });
    }
    if let Value::Undefined(undefined) = right {
        return undefined.fail();
    }
    if let (Some(left), Some(right)) = (left.as_int(), right.as_int()) {
        return ints(op, &left, &right);
    }
    if let (Some(a), Some(b)) = (number(left)?, number(right)?) {
        return floats(op, a, b);
    }
    match op {
        BinaryOp::Add => concatenated(run, left, right),
        BinaryOp::Mul => repeated(run, left, right),
        BinaryOp::Sub => difference(left, right),
        _ => unsupported(op, left, right),
    }
}

fn number(value: &Value) -> Outcome<Option<f64>> {
    match value {
        Value::Float(value) => Ok(Some(*value)),
        Value::Int(_) | Value::Bool(_) => float_of(value).map(Some),
        _ => Ok(None),
    }
}

/// The double that an integer or float is.
pub(crate) fn float_of(value: &Value) -> Outcome<f64> {
    let float = match value {
        Value::Float(value) => return Ok(*value),
        value => value.as_int().map_or(f64::NAN, |value| value.to_f64()),
    };
    if float.is_infinite() {
        return raise(Class::Overflow, "int too large to convert to float");
    }
    Ok(float)
}

fn ints(op: BinaryOp, left: &Int, right: &Int) -> Outcome<Value> {
    let (left, right) = (left.to_big(), right.to_big());
    Ok(match op {
        BinaryOp::Add => Value::big(left + right),
        BinaryOp::Sub => Value::big(left - right),
        BinaryOp::Mul => {
            if left.bits() + right.bits() > MAX_INT_BITS {
                return too_large();
            }
            Value::big(left * right)
        }
        BinaryOp::Div => return int_quotient(&left, &right),
        BinaryOp::FloorDiv => {
            if right.is_zero() {
                return raise(Class::ZeroDivision, "integer division or modulo by zero");
            }
            Value::big(floor_div(&left, &right))
        }
        BinaryOp::Mod => {
            if right.is_zero() {
                return raise(Class::ZeroDivision, "integer modulo by zero");
            }
            let quotient = floor_div(&left, &right);
            Value::big(left - quotient * right)
        }
        BinaryOp::Pow => return int_power(&left, &right),
    })
}

fn too_large<T>() -> Outcome<T> {
    raise(Class::Budget, "the integer is too large")
}

fn floor_div(left: &BigInt, right: &BigInt) -> BigInt {
    let quotient = left / right;
    let has_rest = !(left % right).is_zero();
    if has_rest && (left.sign() == Sign::Minus) != (right.sign() == Sign::Minus) {
        quotient - 1
    } else {
        quotient
    }
}

/// The double next to the quotient of two integers.
fn int_quotient(left: &BigInt, right: &BigInt) -> Outcome<Value> {
    if right.is_zero() {
        return raise(Class::ZeroDivision, "division by zero");
    }
    if let (Some(a), Some(b)) = (left.to_i64(), right.to_i64()) {
        let exact = |value: i64| value.unsigned_abs() <= 1 << 53;
        if exact(a) && exact(b) {
            #[expect(clippy::cast_precision_loss, reason = "both are exact in a double")]
            return Ok(Value::Float(a as f64 / b as f64));
        }
    }
    // Enough bits of the quotient to round once, with a last bit that says whether there was more.
    let shift = 66 + i64::try_from(right.bits()).unwrap_or(0) - i64::try_from(left.bits()).unwrap_or(0);
    let (mut a, mut b) = (left.abs(), right.abs());
    if shift > 0 {
        a <<= shift.unsigned_abs();
    } else {
        b <<= shift.unsigned_abs();
    }
    let mut quotient = &a / &b;
    if !(&a % &b).is_zero() {
        quotient |= BigInt::from(1);
    }
    let scaled = quotient.to_f64().unwrap_or(f64::INFINITY);
    let value = scaled * 2f64.powi(i32::try_from(-shift).unwrap_or(i32::MAX));
    if value.is_infinite() {
        return raise(Class::Overflow, "integer division result too large for a float");
    }
    let negative = (left.sign() == Sign::Minus) != (right.sign() == Sign::Minus);
    Ok(Value::Float(if negative { -value } else { value }))
}

fn int_power(left: &BigInt, right: &BigInt) -> Outcome<Value> {
    if right.is_negative() {
        if left.is_zero() {
            return raise(Class::ZeroDivision, "0.0 cannot be raised to a negative power");
        }
        let base = float_of(&Value::big(left.clone()))?;
        return float_power(base, float_of(&Value::big(right.clone()))?);
    }
    let is_small_base = left.bits() <= 1;
    let exponent = match right.to_u64() {
        Some(exponent) => exponent,
        None if is_small_base => u64::from(right.bit(0)),
        None => return too_large(),
    };
    if !is_small_base && left.bits().saturating_mul(exponent) > MAX_INT_BITS {
        return too_large();
    }
    // Powers of 0, 1 and -1 depend on whether the exponent is zero, odd or even.
    let exponent = if is_small_base && exponent > 2 { 2 - exponent % 2 } else { exponent };
    Ok(Value::big(Pow::pow(left, exponent)))
}

fn floats(op: BinaryOp, left: f64, right: f64) -> Outcome<Value> {
    Ok(Value::Float(match op {
        BinaryOp::Add => left + right,
        BinaryOp::Sub => left - right,
        BinaryOp::Mul => left * right,
        BinaryOp::Div if right == 0.0 => return raise(Class::ZeroDivision, "float division by zero"),
        BinaryOp::Div => left / right,
        BinaryOp::FloorDiv if right == 0.0 => {
            return raise(Class::ZeroDivision, "float floor division by zero");
        }
        BinaryOp::FloorDiv => floor_quotient(left, right),
        BinaryOp::Mod if right == 0.0 => return raise(Class::ZeroDivision, "float modulo"),
        BinaryOp::Mod => modulo(left, right),
        BinaryOp::Pow => return float_power(left, right),
    }))
}

fn modulo(left: f64, right: f64) -> f64 {
    let rest = left % right;
    if rest == 0.0 {
        0f64.copysign(right)
    } else if (right < 0.0) != (rest < 0.0) {
        rest + right
    } else {
        rest
    }
}

fn floor_quotient(left: f64, right: f64) -> f64 {
    let rest = left % right;
    let mut quotient = (left - rest) / right;
    if rest != 0.0 && (right < 0.0) != (rest < 0.0) {
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return 0f64.copysign(left / right);
    }
    let floored = quotient.floor();
    if quotient - floored > 0.5 { floored + 1.0 } else { floored }
}

fn float_power(base: f64, exponent: f64) -> Outcome<Value> {
    if base == 0.0 && exponent < 0.0 {
        return raise(Class::ZeroDivision, "0.0 cannot be raised to a negative power");
    }
    if base < 0.0 && base.is_finite() && exponent.is_finite() && exponent.fract() != 0.0 {
        return raise(Class::Type, "complex numbers are not supported");
    }
    let value = base.powf(exponent);
    if value.is_infinite() && base.is_finite() && exponent.is_finite() {
        return raise(Class::Overflow, "(34, 'Numerical result out of range')");
    }
    Ok(Value::Float(value))
}

fn concatenated(run: &Run, left: &Value, right: &Value) -> Outcome<Value> {
    let cannot = |kind: &str| {
        type_error(format!("can only concatenate {kind} (not \"{}\") to {kind}", right.type_name()))
    };
    match (left, right) {
        (Value::Str(_), Value::Markup(_)) | (Value::Markup(_), _) => {
            let text = crate::markup::added(left, right)?;
            run.spend_text(text.len())?;
            Ok(Value::Markup(text.into()))
        }
        (Value::Str(left), Value::Str(right)) => {
            run.spend_text(left.len() + right.len())?;
            Ok(format!("{left}{right}").into())
        }
        (Value::Str(_), _) => cannot("str"),
        (Value::List(left), Value::List(right)) => {
            run.spend_items(left.len() + right.len())?;
            let mut items = left.items().clone();
            items.extend(right.items().iter().cloned());
            Ok(Value::list(items))
        }
        (Value::List(_), _) => cannot("list"),
        (Value::Tuple(left), Value::Tuple(right)) => {
            run.spend_items(left.items.len() + right.items.len())?;
            Ok(Value::tuple(left.items.iter().chain(&right.items).cloned().collect()))
        }
        (Value::Tuple(_), _) => cannot("tuple"),
        (Value::Bytes(left), Value::Bytes(right)) => Ok(Value::Bytes([&**left, &**right].concat().into())),
        (Value::Bytes(_), _) => type_error(format!("can't concat {} to bytes", right.type_name())),
        _ => crate::time::added(left, right, 1).unwrap_or_else(|| unsupported(BinaryOp::Add, left, right)),
    }
}

fn difference(left: &Value, right: &Value) -> Outcome<Value> {
    match (left, right) {
        (Value::Set(left), Value::Set(right)) => {
            let right = right.entries()?;
            let mut entries = left.entries()?.clone();
            entries.retain(|key, _| !right.contains_key(key));
            Ok(Value::Set(Rc::new(crate::value::Dict::new(entries))))
        }
        _ => crate::time::added(left, right, -1).unwrap_or_else(|| unsupported(BinaryOp::Sub, left, right)),
    }
}

fn repeated(run: &Run, left: &Value, right: &Value) -> Outcome<Value> {
    let is_sequence = |value: &Value| {
        matches!(value, Value::Str(_) | Value::Markup(_) | Value::List(_) | Value::Tuple(_) | Value::Bytes(_))
    };
    let (sequence, count) = match (is_sequence(left), is_sequence(right)) {
        (true, _) => (left, right),
        (false, true) => (right, left),
        _ => return unsupported(BinaryOp::Mul, left, right),
    };
    let Some(count) = count.as_int() else {
        if matches!(left, Value::Markup(_)) || matches!(right, Value::Markup(_)) {
            let other = if matches!(left, Value::Markup(_)) { right } else { left };
            return type_error(format!("'{}' object cannot be interpreted as an integer", other.type_name()));
        }
        return type_error(format!("can't multiply sequence by non-int of type '{}'", count.type_name()));
    };
    let count = match count {
        Int::Small(count) => count_of(count),
        Int::Big(count) if count.is_negative() => 0,
        Int::Big(_) => return raise(Class::Overflow, "cannot fit 'int' into an index-sized integer"),
    };
    Ok(match sequence {
        Value::Str(text) | Value::Markup(text) => {
            run.spend_text(text.len().saturating_mul(count))?;
            let text = text.repeat(count).into();
            if matches!(sequence, Value::Markup(_)) { Value::Markup(text) } else { Value::Str(text) }
        }
        Value::List(list) => {
            run.spend_items(list.len().saturating_mul(count))?;
            Value::list(list.items().repeat_cloned(count))
        }
        Value::Tuple(tuple) => {
            run.spend_items(tuple.items.len().saturating_mul(count))?;
            Value::tuple(tuple.items.repeat_cloned(count))
        }
        Value::Bytes(bytes) => {
            run.spend_text(bytes.len().saturating_mul(count))?;
            Value::Bytes(bytes.repeat(count).into())
        }
        _ => return unsupported(BinaryOp::Mul, left, right),
    })
}

trait RepeatCloned {
    fn repeat_cloned(&self, count: usize) -> Vec<Value>;
}

impl RepeatCloned for Vec<Value> {
    fn repeat_cloned(&self, count: usize) -> Vec<Value> {
        std::iter::repeat_n(self, count).flatten().cloned().collect()
    }
}

/// `-value`.
pub(crate) fn negate(value: &Value) -> Outcome<Value> {
    match value {
        Value::Float(value) => Ok(Value::Float(-value)),
        Value::Undefined(undefined) => undefined.fail(),
        Value::Object(object) => match &**object {
            Object::TimeDelta(micros) => Ok(Value::object(Object::TimeDelta(-micros))),
            _ => bad_operand("-", value),
        },
        _ => match value.as_int() {
            Some(int) => Ok(Value::big(-int.to_big())),
            None => bad_operand("-", value),
        },
    }
}

/// `+value`.
pub(crate) fn positive(value: &Value) -> Outcome<Value> {
    match value {
        Value::Float(_) | Value::Int(_) => Ok(value.clone()),
        Value::Bool(value) => Ok(Value::int(i64::from(*value))),
        Value::Undefined(undefined) => undefined.fail(),
        _ => bad_operand("+", value),
    }
}

fn bad_operand<T>(op: &str, value: &Value) -> Outcome<T> {
    type_error(format!("bad operand type for unary {op}: '{}'", value.type_name()))
}
