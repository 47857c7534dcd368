use crate::scalar::{Date, DateTime};
use crate::{Int, Scalar, Value};

/// A value without parts, borrowed from a key or from a node.
#[derive(Clone, Copy)]
pub(super) enum Atom<'a> {
    Null,
    Bool(bool),
    Int(&'a Int),
    Float(f64),
    Str(&'a str),
    Date(Date),
    DateTime(&'a DateTime),
    Bytes(&'a [u8]),
}

impl<'a> From<&'a Scalar> for Atom<'a> {
    fn from(scalar: &'a Scalar) -> Self {
        match scalar {
            Scalar::Null => Self::Null,
            Scalar::Bool(value) => Self::Bool(*value),
            Scalar::Int(value) => Self::Int(value),
            Scalar::Float(value) => Self::Float(*value),
            Scalar::Str(value) => Self::Str(value),
            Scalar::Date(value) => Self::Date(*value),
            Scalar::DateTime(value) => Self::DateTime(value),
            Scalar::Bytes(value) => Self::Bytes(value),
        }
    }
}

impl<'a> Atom<'a> {
    /// The value, unless it is a container.
    pub(super) fn of(value: &'a Value) -> Option<Self> {
        Some(match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Int(value) => Self::Int(value),
            Value::Float(value) => Self::Float(*value),
            Value::Str(value) => Self::Str(value),
            Value::Date(value) => Self::Date(*value),
            Value::DateTime(value) => Self::DateTime(value),
            Value::Bytes(value) => Self::Bytes(value),
            Value::Seq(_) | Value::Map(_) | Value::Set(_) => return None,
        })
    }
}
