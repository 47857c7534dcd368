use super::Member;
use super::arguments::Arguments;
use crate::operators::{equals, number};
use jrsonnet_evaluator::{Result, Val};
use std::f64::consts::PI;

/// What C++ jsonnet computes in its own way; the last digit, the way of ties and the sign of zero depend on it.
pub(super) const MEMBERS: &[Member] = &[
    ("abs", &["n"], |given| of(given, |n| if n > 0.0 { n } else { -n })),
    ("max", &["a", "b"], |given| choose(given, |a, b| a > b)),
    ("min", &["a", "b"], |given| choose(given, |a, b| a < b)),
    ("log2", &["x"], |given| of(given, |x| x.ln() / 2.0_f64.ln())),
    ("log10", &["x"], |given| of(given, |x| x.ln() / 10.0_f64.ln())),
    ("deg2rad", &["x"], |given| of(given, |x| x * PI / 180.0)),
    ("rad2deg", &["x"], |given| of(given, |x| x * 180.0 / PI)),
    ("round", &["x"], |given| of(given, round)),
    ("mantissa", &["x"], |given| of(given, |x| parts(x).0)),
    ("exponent", &["x"], |given| of(given, |x| f64::from(parts(x).1))),
    ("isEven", &["x"], |given| is(given, |x| round(x) % 2.0 == 0.0)),
    ("isOdd", &["x"], |given| is(given, |x| round(x) % 2.0 != 0.0)),
    ("isInteger", &["x"], |given| is(given, |x| round(x) == x)),
    ("isDecimal", &["x"], |given| is(given, |x| round(x) != x)),
    ("xor", &["x", "y"], |given| equals(&given.value(0)?, &given.value(1)?).map(|equal| Val::Bool(!equal))),
    ("xnor", &["x", "y"], |given| equals(&given.value(0)?, &given.value(1)?).map(Val::Bool)),
];

fn of(given: &Arguments<'_>, computation: fn(f64) -> f64) -> Result<Val> {
    number(computation(given.number(0)?))
}

fn is(given: &Arguments<'_>, predicate: fn(f64) -> bool) -> Result<Val> {
    Ok(Val::Bool(predicate(given.number(0)?)))
}

fn choose(given: &Arguments<'_>, is_first: fn(f64, f64) -> bool) -> Result<Val> {
    let (a, b) = (given.number(0)?, given.number(1)?);
    number(if is_first(a, b) { a } else { b })
}

/// Half-way numbers go up, negative ones too.
fn round(x: f64) -> f64 {
    (x + 0.5).floor()
}

/// `frexp`: a fraction from 0.5 up to 1, and the power of two that it is multiplied by.
fn parts(x: f64) -> (f64, i32) {
    const FRACTION_BITS: u32 = 52;
    const HALF: u64 = 1022;
    if x == 0.0 {
        return (x, 0);
    }
    // Subnormal numbers are made normal first.
    let (normal, shift) = if x.is_subnormal() { (x * 2.0_f64.powi(64), 64) } else { (x, 0) };
    let bits = normal.to_bits();
    let exponent = i32::try_from(bits >> FRACTION_BITS & 0x7ff).unwrap_or_default();
    let fraction = f64::from_bits(bits & !(0x7ff << FRACTION_BITS) | HALF << FRACTION_BITS);
    (fraction, exponent - 1022 - shift)
}
