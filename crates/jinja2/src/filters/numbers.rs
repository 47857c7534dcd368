use super::Call;
use crate::error::{Class, Outcome, raise, type_error, value_error};
use crate::format::fixed;
use crate::methods;
use crate::ops;
use crate::print;
use crate::run::Bound;
use crate::value::{Object, Value};
use kapstan_document::{Int, python};
use num_bigint::BigInt;
use num_traits::{Pow, Signed, ToPrimitive};

pub(super) fn abs(_call: &Call<'_>, args: &[Value]) -> Outcome<Value> {
    let value = &args[0];
    match value {
        Value::Float(value) => Ok(Value::Float(value.abs())),
        Value::Object(object) if matches!(**object, Object::TimeDelta(_)) => {
            if let Object::TimeDelta(micros) = **object {
                return Ok(Value::object(Object::TimeDelta(micros.abs())));
            }
            Ok(value.clone())
        }
        _ => match value.as_int() {
            Some(int) => Ok(Value::big(int.to_big().abs())),
            None => type_error(format!("bad operand type for abs(): '{}'", value.type_name())),
        },
    }
}

/// Python's `float(value)`.
pub(crate) fn to_float(value: &Value) -> Outcome<f64> {
    match value {
        Value::Undefined(undefined) => undefined.fail(),
        Value::Float(_) | Value::Int(_) | Value::Bool(_) => ops::float_of(value),
        value => match value.as_str() {
            Some(text) => python::parse_float(text).or_else(value_error),
            None => type_error(format!(
                "float() argument must be a string or a real number, not '{}'",
                value.type_name()
            )),
        },
    }
}

/// Python's `int(value)`.
pub(crate) fn to_int(value: &Value) -> Outcome<Value> {
    match value {
        Value::Undefined(undefined) => undefined.fail(),
        Value::Int(_) => Ok(value.clone()),
        Value::Float(float) if float.is_nan() => value_error("cannot convert float NaN to integer"),
        Value::Float(float) if float.is_infinite() => {
            raise(Class::Overflow, "cannot convert float infinity to integer")
        }
        Value::Float(float) => Ok(Value::Int(Int::from_f64_exact(float.trunc()).unwrap_or(Int::Small(0)))),
        Value::Bool(value) => Ok(Value::int(i64::from(*value))),
        value => match value.as_str() {
            Some(text) => parse_int(text, 10),
            None => type_error(format!(
                "int() argument must be a string, a bytes-like object or a real number, not '{}'",
                value.type_name()
            )),
        },
    }
}

/// Python's `int(text, base)`.
fn parse_int(text: &str, base: i64) -> Outcome<Value> {
    let base = match base {
        0 => {
            let digits = text.trim().trim_start_matches(['+', '-']).to_ascii_lowercase();
            match digits.get(..2) {
                Some("0x") => 16,
                Some("0o") => 8,
                Some("0b") => 2,
                _ if digits.len() > 1
                    && digits.starts_with('0')
                    && digits.contains(|c: char| c != '0' && c != '_') =>
                {
                    let shown = crate::error::quoted(text);
                    return value_error(format!("invalid literal for int() with base 0: {shown}"));
                }
                _ => 10,
            }
        }
        2..=36 => u32::try_from(base).unwrap_or(10),
        _ => return value_error("int() base must be >= 2 and <= 36, or 0"),
    };
    if matches!(base, 2 | 8 | 10 | 16) {
        return python::parse_int(text, base).map(Value::Int).or_else(value_error);
    }
    let plain = text.trim_matches(crate::text::is_space).replace('_', "");
    match BigInt::parse_bytes(plain.as_bytes(), base) {
        Some(value) => Ok(Value::big(value)),
        None => {
            value_error(format!("invalid literal for int() with base {base}: {}", crate::error::quoted(text)))
        }
    }
}

fn is_conversion_error(class: Class) -> bool {
    matches!(class, Class::Type | Class::Value)
}

pub(super) fn int(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let first = match value.as_str() {
        Some(text) => {
            let base = args.given(2).map_or(Ok(10), methods::index);
            base.and_then(|base| parse_int(text, base))
        }
        None => to_int(value),
    };
    match first {
        Err(error) if is_conversion_error(error.class) => {}
        result => return result,
    }
    match to_float(value).and_then(|float| to_int(&Value::Float(float))) {
        Err(error) if is_conversion_error(error.class) || error.class == Class::Overflow => {
            Ok(args.given(1).cloned().unwrap_or(Value::int(0)))
        }
        result => result,
    }
}

pub(super) fn float(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    match to_float(args.value(0)) {
        Err(error) if is_conversion_error(error.class) => {
            Ok(args.given(1).cloned().unwrap_or(Value::Float(0.0)))
        }
        result => result.map(Value::Float),
    }
}

pub(super) fn file_size(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let bytes = to_float(args.value(0))?;
    let binary = args.given(1).map_or(Ok(false), ops::is_true)?;
    let base: f64 = if binary { 1024.0 } else { 1000.0 };
    let prefixes = if binary {
        ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"]
    } else {
        ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"]
    };
    if bytes == 1.0 {
        return Ok("1 Byte".into());
    }
    if bytes < base {
        let whole = print::str(&to_int(&Value::Float(bytes))?)?;
        return Ok(format!("{whole} Bytes").into());
    }
    let mut unit = base;
    for (at, prefix) in prefixes.into_iter().enumerate() {
        unit *= base;
        if bytes < unit || at == 7 {
            return Ok(format!("{} {prefix}", fixed(base * bytes / unit, 1)).into());
        }
    }
    Ok(Value::None)
}

pub(super) fn round(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let method = args.given(2).map_or(Ok("common".into()), print::str)?;
    if !matches!(&*method, "common" | "ceil" | "floor") {
        return raise(Class::FilterArgument, "method must be common, ceil or floor");
    }
    let precision = match args.given(1) {
        None => 0,
        Some(Value::None) if &*method == "common" => return rounded_to_int(value),
        Some(precision) => methods::index(precision)?,
    };
    if let Value::Undefined(undefined) = value {
        return undefined.fail();
    }
    if &*method == "common" {
        return match value {
            Value::Float(float) => Ok(Value::Float(round_float(*float, precision))),
            value => match value.as_int() {
                Some(int) => Ok(Value::Int(round_int(int, precision))),
                None => type_error(format!("type {} doesn't define __round__ method", value.type_name())),
            },
        };
    }
    let power = 10f64.powi(i32::try_from(precision).unwrap_or(i32::MAX));
    let scaled = match value {
        Value::Float(_) | Value::Int(_) | Value::Bool(_) => ops::float_of(value)? * power,
        value => {
            let power = if precision < 0 { "float" } else { "int" };
            let kind = value.type_name();
            return type_error(format!("unsupported operand type(s) for *: '{kind}' and '{power}'"));
        }
    };
    let whole = if &*method == "ceil" { scaled.ceil() } else { scaled.floor() };
    Ok(Value::Float(whole / power))
}

fn rounded_to_int(value: &Value) -> Outcome<Value> {
    match value {
        Value::Float(float) => to_int(&Value::Float(round_float(*float, 0))),
        value => to_int(value),
    }
}

/// Python's `round(float, digits)`: to the nearest by the exact value, ties to even.
fn round_float(value: f64, digits: i64) -> f64 {
    if !value.is_finite() || digits > 400 {
        return value;
    }
    if digits < -400 {
        return 0f64.copysign(value);
    }
    if let Ok(digits) = usize::try_from(digits) {
        return format!("{value:.digits$}").parse().unwrap_or(value);
    }
    // Tens, hundreds, ...: exact in integers, with the fraction as a hint for ties.
    let whole = Int::from_f64_exact(value.trunc()).map(|int| int.to_big()).unwrap_or_default();
    let unit = Pow::pow(BigInt::from(10), digits.unsigned_abs());
    let (down, rest) = (&whole / &unit, (&whole % &unit).abs() * BigInt::from(2));
    let has_fraction = value.fract() != 0.0;
    let is_up = rest > unit || rest == unit && (has_fraction || down.bit(0));
    let away = if value < 0.0 { BigInt::from(-1) } else { BigInt::from(1) };
    let result = if is_up { down + away } else { down } * unit;
    result.to_f64().unwrap_or(value).copysign(value)
}

/// Python's `round(int, digits)`: ties to even.
fn round_int(value: Int, digits: i64) -> Int {
    if digits >= 0 {
        return value;
    }
    let big = value.to_big();
    let power = digits.unsigned_abs();
    if power > 4000 {
        return Int::Small(0);
    }
    let unit = Pow::pow(BigInt::from(10), power);
    let (down, rest) = (&big / &unit, (&big % &unit).abs() * BigInt::from(2));
    let is_up = rest > unit || rest == unit && down.bit(0);
    let away = if big.is_negative() { BigInt::from(-1) } else { BigInt::from(1) };
    Int::from_big(if is_up { down + away } else { down } * unit)
}
