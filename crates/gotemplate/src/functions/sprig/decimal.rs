//! Decimal numbers of any size, as shopspring's: floats become the shortest decimal that reads back as them.

use crate::functions::CallError;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// What division keeps after the point.
const DIVISION_DIGITS: i64 = 16;

/// `value` times ten to the power of `exponent`.
#[derive(Clone, Debug)]
pub(super) struct Decimal {
    value: BigInt,
    exponent: i64,
}

impl Decimal {
    /// The shortest decimal of a float. There is none of infinities.
    pub(super) fn from_float(value: f64) -> Result<Self, CallError> {
        if !value.is_finite() {
            let name = if value.is_nan() {
                "NaN"
            } else if value > 0.0 {
                "+Inf"
            } else {
                "-Inf"
            };
            return Err(format!("Cannot create a Decimal from {name}").into());
        }
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let exponent = exponent.parse::<i64>().unwrap_or(0) - i64::try_from(fraction).unwrap_or(0);
        let value: BigInt = digits.replace('.', "").parse().unwrap_or_default();
        Ok(Self { exponent: if value.is_zero() { 0 } else { exponent }, value })
    }

    fn scaled(&self, exponent: i64) -> BigInt {
        &self.value * ten_to(self.exponent - exponent)
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        Self { value: self.scaled(exponent) + other.scaled(exponent), exponent }
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        self.plus(&Self { value: -&other.value, exponent: other.exponent })
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        Self { value: &self.value * &other.value, exponent: self.exponent + other.exponent }
    }

    /// The quotient with 16 digits after the point, the last one rounded away from zero.
    pub(super) fn over(&self, other: &Self) -> Result<Self, CallError> {
        if other.value.is_zero() {
            return Err("decimal division by 0".into());
        }
        let shift = self.exponent - other.exponent + DIVISION_DIGITS;
        let (dividend, divisor) = if shift < 0 {
            (self.value.clone(), &other.value * ten_to(-shift))
        } else {
            (&self.value * ten_to(shift), other.value.clone())
        };
        let mut quotient = &dividend / &divisor;
        let rest = &dividend - &quotient * &divisor;
        if rest.abs() * 2 >= divisor.abs() {
            let negative = self.value.is_negative() != other.value.is_negative();
            quotient += if negative { -1 } else { 1 };
        }
        Ok(Self { value: quotient, exponent: -DIVISION_DIGITS })
    }

    /// The nearest float.
    pub(super) fn to_float(&self) -> f64 {
        format!("{}e{}", self.value, self.exponent).parse().unwrap_or(0.0)
    }
}

/// Ten to a power that is not negative.
fn ten_to(power: i64) -> BigInt {
    BigInt::from(10).pow(u32::try_from(power).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calculates_in_decimals() {
        let number = |value| Decimal::from_float(value).unwrap();
        assert_eq!(number(1.1).plus(&number(2.2)).to_float(), 3.3);
        assert_eq!(number(0.1).times(&number(3.0)).to_float(), 0.3);
        assert_eq!(number(1.0).over(&number(3.0)).unwrap().to_float(), 0.3333333333333333);
        assert_eq!(number(-2.0).over(&number(3.0)).unwrap().to_float(), -0.6666666666666667);
        assert_eq!(number(1e300).times(&number(1e300)).to_float(), f64::INFINITY);
        assert_eq!(number(1.0).minus(&number(1.0)).to_float(), 0.0);
        assert!(number(1.0).over(&number(0.0)).is_err());
        assert!(Decimal::from_float(f64::NAN).is_err());
    }
}
