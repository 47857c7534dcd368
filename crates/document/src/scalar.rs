use crate::Text;
use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A value without parts.
///
/// Equality and hash are Python's: `1`, `1.0` and `true` are one key. NaN equals nothing, so it must not be relied
/// on as a key.
#[derive(Clone, Debug)]
pub enum Scalar {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer of any size.
    Int(Int),
    /// A double.
    Float(f64),
    /// A string.
    Str(Text),
    /// A day.
    Date(Date),
    /// A point in time.
    DateTime(Arc<DateTime>),
    /// Bytes (`!!binary`).
    Bytes(Arc<[u8]>),
}

/// An integer: small ones in place, others on the heap.
///
/// Always normal: what fits into 64 bits is `Small`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Int {
    /// Fits into 64 bits with sign.
    Small(i64),
    /// Does not.
    Big(Arc<BigInt>),
}

/// A day of the Gregorian calendar, year 1 to 9999, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date {
    /// 1 to 9999.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// From 1.
    pub day: u8,
}

/// A point in time, as Python's `datetime` holds it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DateTime {
    /// The day.
    pub date: Date,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
    /// 0 to 999999.
    pub microsecond: u32,
    /// Minutes east of UTC; none for a time without zone.
    pub offset_minutes: Option<i32>,
}

impl Int {
    /// Brings a big integer into normal form.
    pub fn from_big(value: BigInt) -> Self {
        value.to_i64().map_or_else(|| Self::Big(Arc::new(value)), Self::Small)
    }

    /// As a big integer, always possible.
    pub fn to_big(&self) -> BigInt {
        match self {
            Self::Small(value) => BigInt::from(*value),
            Self::Big(value) => (**value).clone(),
        }
    }

    /// The nearest double; infinite where the integer is too big for one.
    pub fn to_f64(&self) -> f64 {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "the nearest double is what is asked for")]
            Self::Small(value) => *value as f64,
            Self::Big(value) => value.to_f64().unwrap_or(f64::INFINITY),
        }
    }

    /// The integer that a double is, if it is one.
    pub fn from_f64_exact(value: f64) -> Option<Self> {
        if value.fract() != 0.0 || !value.is_finite() {
            return None;
        }
        BigInt::from_f64(value).map(Self::from_big)
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Self {
        Self::Small(value)
    }
}

impl std::fmt::Display for Int {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Small(value) => value.fmt(f),
            Self::Big(value) => value.fmt(f),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        match (self, other) {
            (Self::Small(left), Self::Small(right)) => left.cmp(right),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

/// What equals what among numbers: booleans are 0 and 1, integral doubles are integers.
#[derive(PartialEq)]
enum Number {
    Int(Int),
    Float(f64),
}

impl Scalar {
    fn as_number(&self) -> Option<Number> {
        Some(match self {
            Self::Bool(value) => Number::Int(Int::Small(i64::from(*value))),
            Self::Int(value) => Number::Int(value.clone()),
            Self::Float(value) => Int::from_f64_exact(*value).map_or(Number::Float(*value), Number::Int),
            _ => return None,
        })
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::Str(text) = self { Some(text) } else { None }
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Str(left), Self::Str(right)) => left == right,
            (Self::Null, Self::Null) => true,
            (Self::Int(left), Self::Int(right)) => left == right,
            (Self::Date(left), Self::Date(right)) => left == right,
            (Self::DateTime(left), Self::DateTime(right)) => left == right,
            (Self::Bytes(left), Self::Bytes(right)) => left == right,
            _ => matches!((self.as_number(), other.as_number()), (Some(left), Some(right)) if left == right),
        }
    }
}

impl Eq for Scalar {}

impl Hash for Scalar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Str(text) => text.hash(state),
            Self::Null => 0u8.hash(state),
            Self::Date(date) => date.hash(state),
            Self::DateTime(time) => time.hash(state),
            Self::Bytes(bytes) => bytes.hash(state),
            Self::Bool(_) | Self::Int(_) | Self::Float(_) => match self.as_number() {
                Some(Number::Int(value)) => value.hash(state),
                Some(Number::Float(value)) => value.to_bits().hash(state),
                None => {}
            },
        }
    }
}
