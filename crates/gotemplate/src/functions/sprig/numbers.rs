//! Arithmetic: integers wrap around, floats go through decimal numbers.

use super::decimal::Decimal;
use super::values::{printed, to_float, to_int};
use super::{give, strings};
use crate::functions::{Call, CallError, Function, Outcome};
use crate::standard::number::{Fault, parse_int};
use crate::value::{INT_LIST, List, Type, Value};
use Type::{Any, Float64, Int, Int64, String as Str};

const INTS: Type = Type::List(&INT_LIST);

/// No list or text of numbers has more of them.
const MAX_COUNT: i128 = 1 << 24;

pub(super) const ROWS: &[Function] = &[
    Function::new("atoi", &[Str], Int, |call| {
        Ok(Value::Int(match parse_int(call.text(0), 10) {
            Ok(value) | Err(Fault::Range(value)) => value,
            Err(Fault::Syntax) => 0,
        }))
    }),
    Function::new("int", &[Any], Int, |call| Ok(Value::Int(to_int(call.arg(0))))),
    Function::new("int64", &[Any], Int64, |call| int64(to_int(call.arg(0)))),
    Function::new("float64", &[Any], Float64, |call| give(to_float(call.arg(0)))),
    Function::new("toDecimal", &[Any], Int64, |call| {
        int64(parse_int(&printed(call.arg(0))?, 8).unwrap_or(0))
    }),
    Function::new("add1", &[Any], Int64, |call| int64(to_int(call.arg(0)).wrapping_add(1))),
    Function::variadic("add", &[], Any, Int64, |call| fold(0, call.rest(0), i64::wrapping_add)),
    Function::new("sub", &[Any, Any], Int64, |call| {
        int64(to_int(call.arg(0)).wrapping_sub(to_int(call.arg(1))))
    }),
    Function::new("div", &[Any, Any], Int64, |call| divide(call, i64::wrapping_div)),
    Function::new("mod", &[Any, Any], Int64, |call| divide(call, i64::wrapping_rem)),
    Function::variadic("mul", &[Any], Any, Int64, |call| fold_all(call, i64::wrapping_mul)),
    Function::variadic("max", &[Any], Any, Int64, |call| fold_all(call, i64::max)),
    Function::variadic("biggest", &[Any], Any, Int64, |call| fold_all(call, i64::max)),
    Function::variadic("min", &[Any], Any, Int64, |call| fold_all(call, i64::min)),
    Function::new("add1f", &[Any], Float64, |call| {
        decimals(to_float(call.arg(0)), &[Value::Int(1)], |one, other| Ok(one.plus(other)))
    }),
    Function::variadic("addf", &[], Any, Float64, |call| {
        decimals(0.0, call.rest(0), |one, other| Ok(one.plus(other)))
    }),
    Function::variadic("subf", &[Any], Any, Float64, |call| {
        decimals(to_float(call.arg(0)), call.rest(1), |one, other| Ok(one.minus(other)))
    }),
    Function::variadic("mulf", &[Any], Any, Float64, |call| {
        decimals(to_float(call.arg(0)), call.rest(1), |one, other| Ok(one.times(other)))
    }),
    Function::variadic("divf", &[Any], Any, Float64, |call| {
        decimals(to_float(call.arg(0)), call.rest(1), |one, other| one.over(other))
    }),
    Function::variadic("maxf", &[Any], Any, Float64, |call| fold_floats(call, greater)),
    Function::variadic("minf", &[Any], Any, Float64, |call| fold_floats(call, lesser)),
    Function::new("floor", &[Any], Float64, |call| give(to_float(call.arg(0)).floor())),
    Function::new("ceil", &[Any], Float64, |call| give(to_float(call.arg(0)).ceil())),
    Function::variadic("round", &[Any, Int], Float64, Float64, round),
    Function::new("until", &[Int], INTS, |call| {
        let end = call.int(0);
        Ok(List::ints(steps(0, end, if end < 0 { -1 } else { 1 })?).into())
    }),
    Function::new("untilStep", &[Int, Int, Int], INTS, |call| {
        Ok(List::ints(steps(call.int(0), call.int(1), call.int(2))?).into())
    }),
    Function::variadic("seq", &[], Int, Str, sequence),
];

fn int64(value: i64) -> Outcome {
    Ok(Value::Int64(value))
}

fn fold(start: i64, values: &[Value], operation: fn(i64, i64) -> i64) -> Outcome {
    int64(values.iter().map(to_int).fold(start, operation))
}

fn fold_all(call: &Call<'_>, operation: fn(i64, i64) -> i64) -> Outcome {
    fold(to_int(call.arg(0)), call.rest(1), operation)
}

fn divide(call: &Call<'_>, operation: fn(i64, i64) -> i64) -> Outcome {
    let divisor = to_int(call.arg(1));
    if divisor == 0 {
        return Err("runtime error: integer divide by zero".into());
    }
    int64(operation(to_int(call.arg(0)), divisor))
}

/// One decimal operation after the other, from a start on.
fn decimals(
    start: f64,
    values: &[Value],
    operation: fn(&Decimal, &Decimal) -> Result<Decimal, CallError>,
) -> Outcome {
    let mut result = Decimal::from_float(start)?;
    for value in values {
        result = operation(&result, &Decimal::from_float(to_float(value))?)?;
    }
    give(result.to_float())
}

fn fold_floats(call: &Call<'_>, operation: fn(f64, f64) -> f64) -> Outcome {
    give(call.rest(1).iter().map(to_float).fold(to_float(call.arg(0)), operation))
}

/// `math.Max`: an infinity wins over NaN, NaN over numbers, and 0 over -0.
fn greater(one: f64, other: f64) -> f64 {
    if one == f64::INFINITY || other == f64::INFINITY {
        f64::INFINITY
    } else if one.is_nan() || other.is_nan() {
        f64::NAN
    } else if one == 0.0 && other == 0.0 {
        if one.is_sign_negative() { other } else { one }
    } else {
        one.max(other)
    }
}

/// `math.Min`.
fn lesser(one: f64, other: f64) -> f64 {
    -greater(-one, -other)
}

fn round(call: &mut Call<'_>) -> Outcome {
    let (value, places) = (to_float(call.arg(0)), call.int(1));
    let from = if let Some(Value::Float64(from)) = call.rest(2).first() { *from } else { 0.5 };
    let power = power_of_ten(places);
    let digits = power * value;
    let fraction = if digits.is_infinite() { f64::NAN } else { digits.fract() };
    let rounded = if fraction >= from { digits.ceil() } else { digits.floor() };
    give(rounded / power)
}

/// `math.Pow(10, places)`.
fn power_of_ten(places: i64) -> f64 {
    match places {
        309.. => f64::INFINITY,
        ..-330 => 0.0,
        // The nearest float of a power of ten is what reading it gives.
        places => format!("1e{places}").parse().unwrap_or(0.0),
    }
}

/// From `start` by `step` up or down to before `stop`.
fn steps(start: i64, stop: i64, step: i64) -> Result<impl Iterator<Item = i64>, CallError> {
    let span = i128::from(stop) - i128::from(start);
    let towards = i128::from(step).signum() == span.signum();
    let count = if span == 0 || step == 0 || !towards {
        0
    } else {
        (span.abs() + i128::from(step).abs() - 1) / i128::from(step).abs()
    };
    if count > MAX_COUNT {
        return Err(format!("the list would have more than {MAX_COUNT} items").into());
    }
    let count = i64::try_from(count).unwrap_or(0);
    Ok((0..count).map(move |at| start.wrapping_add(at.wrapping_mul(step))))
}

fn sequence(call: &mut Call<'_>) -> Outcome {
    let (start, end, step) = match call.args().len() {
        1 => (1, call.int(0), None),
        2 => (call.int(0), call.int(1), None),
        3 => (call.int(0), call.int(2), Some(call.int(1))),
        _ => return give(""),
    };
    let direction = if end < start { -1 } else { 1 };
    if direction < 0 && step.is_some_and(|step| step > 0) {
        return give("");
    }
    let numbers = steps(start, end.wrapping_add(direction), step.unwrap_or(direction))?;
    let mut out = String::new();
    for number in numbers {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&number.to_string());
        strings::check_size(out.len())?;
    }
    give(out)
}
