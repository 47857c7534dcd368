use crate::scalar::{Date, DateTime, Int, Scalar};
use crate::{Map, Span, Text};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A value and the place where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it came from; [`Span::NONE`] for what the program made. Not part of equality.
    pub span: Span,
}

/// What a document can hold. Strings and containers are shared; see [`Node`].
#[derive(Clone, Debug)]
pub enum Value {
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
    /// A sequence.
    Seq(Arc<Vec<Node>>),
    /// A mapping, in insertion order.
    Map(Arc<Map>),
    /// A set (`!!set`): a mapping whose values do not matter.
    Set(Arc<Map>),
}

/// A key of a mapping and the place where it stands. Equality and hash are those of the scalar.
#[derive(Clone, Debug)]
pub struct Key {
    /// The key itself.
    pub scalar: Scalar,
    /// Where it came from.
    pub span: Span,
}

impl Node {
    /// A value at a place.
    pub fn new(value: impl Into<Value>, span: Span) -> Self {
        Self { value: value.into(), span }
    }

    /// Null, made by the program.
    pub const NULL: Self = Self { value: Value::Null, span: Span::NONE };

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::Str(text) = &self.value { Some(text) } else { None }
    }

    /// The mapping, if it is one.
    pub fn as_map(&self) -> Option<&Map> {
        if let Value::Map(map) = &self.value { Some(map) } else { None }
    }

    /// The sequence, if it is one.
    pub fn as_seq(&self) -> Option<&[Node]> {
        if let Value::Seq(items) = &self.value { Some(items) } else { None }
    }

    /// The mapping to change, if it is one; a shared one is copied first (one level).
    pub fn as_map_mut(&mut self) -> Option<&mut Map> {
        if let Value::Map(map) = &mut self.value { Some(Arc::make_mut(map)) } else { None }
    }

    /// The sequence to change, if it is one; a shared one is copied first (one level).
    pub fn as_seq_mut(&mut self) -> Option<&mut Vec<Node>> {
        if let Value::Seq(items) = &mut self.value { Some(Arc::make_mut(items)) } else { None }
    }

    /// The value of a string key, where this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_map()?.get(key)
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }
}

impl Value {
    /// What people call this kind of value: `mapping`, `sequence`, `string`, ...
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Int(_) => "integer",
            Self::Float(_) => "float",
            Self::Str(_) => "string",
            Self::Date(_) => "date",
            Self::DateTime(_) => "timestamp",
            Self::Bytes(_) => "binary",
            Self::Seq(_) => "sequence",
            Self::Map(_) => "mapping",
            Self::Set(_) => "set",
        }
    }

    /// The scalar, if it is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        Some(match self {
            Self::Null => Scalar::Null,
            Self::Bool(value) => Scalar::Bool(*value),
            Self::Int(value) => Scalar::Int(value.clone()),
            Self::Float(value) => Scalar::Float(*value),
            Self::Str(value) => Scalar::Str(value.clone()),
            Self::Date(value) => Scalar::Date(*value),
            Self::DateTime(value) => Scalar::DateTime(value.clone()),
            Self::Bytes(value) => Scalar::Bytes(value.clone()),
            Self::Seq(_) | Self::Map(_) | Self::Set(_) => return None,
        })
    }

    /// Whether Python takes it for true: not null, false, zero or empty.
    pub fn is_truthy(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Bool(value) => *value,
            Self::Int(value) => *value != Int::Small(0),
            Self::Float(value) => *value != 0.0,
            Self::Str(value) => !value.is_empty(),
            Self::Bytes(value) => !value.is_empty(),
            Self::Seq(value) => !value.is_empty(),
            Self::Map(value) | Self::Set(value) => !value.is_empty(),
            Self::Date(_) | Self::DateTime(_) => true,
        }
    }
}

/// Python's equality: by content, numbers by value, mappings in any order, places left aside.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Seq(left), Self::Seq(right)) => left == right,
            (Self::Map(left), Self::Map(right)) => Arc::ptr_eq(left, right) || left == right,
            (Self::Set(left), Self::Set(right)) => {
                left.len() == right.len() && left.keys().all(|key| right.get_key(&key.scalar).is_some())
            }
            (left, right) => {
                matches!((left.as_scalar(), right.as_scalar()), (Some(left), Some(right)) if left == right)
            }
        }
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Key {
    /// A string key, made by the program.
    pub fn new(text: impl Into<Text>) -> Self {
        Self { scalar: Scalar::Str(text.into()), span: Span::NONE }
    }

    /// A key at a place.
    pub fn at(scalar: Scalar, span: Span) -> Self {
        Self { scalar, span }
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        self.scalar.as_str()
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.scalar == other.scalar
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.scalar.hash(state);
    }
}

impl From<&str> for Key {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Null => Self::Null,
            Scalar::Bool(value) => Self::Bool(value),
            Scalar::Int(value) => Self::Int(value),
            Scalar::Float(value) => Self::Float(value),
            Scalar::Str(value) => Self::Str(value),
            Scalar::Date(value) => Self::Date(value),
            Scalar::DateTime(value) => Self::DateTime(value),
            Scalar::Bytes(value) => Self::Bytes(value),
        }
    }
}

macro_rules! value_from {
    ($($from:ty => $make:expr;)*) => {$(
        impl From<$from> for Value {
            fn from(value: $from) -> Self {
                let make: fn($from) -> Value = $make;
                make(value)
            }
        }
    )*};
}

value_from! {
    bool => Value::Bool;
    i64 => |value| Value::Int(Int::Small(value));
    f64 => Value::Float;
    &str => |value| Value::Str(value.into());
    String => |value| Value::Str(value.into());
    Text => Value::Str;
    Int => Value::Int;
    Map => |value| Value::Map(Arc::new(value));
    Vec<Node> => |value| Value::Seq(Arc::new(value));
}

impl<T: Into<Value>> From<T> for Node {
    fn from(value: T) -> Self {
        Self { value: value.into(), span: Span::NONE }
    }
}
