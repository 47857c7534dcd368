use super::Value;
use crate::error::{Outcome, type_error};
use kapstan_document::{Date, DateTime, Int, Text};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

/// A value as the key of a dict: what Python takes for the same key is equal. `1`, `1.0` and `True` are one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Str(Text),
    None,
    Int(Int),
    /// Bits of a double that is no integer.
    Float(u64),
    Bytes(Arc<[u8]>),
    Date(Date),
    DateTime(Arc<DateTime>),
    Tuple(Vec<Key>),
    Range(i64, i64, i64),
    /// Equal only to itself.
    Identity(usize),
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Str(text) => StrKey(text).hash(state),
            Self::None => state.write_u8(1),
            Self::Int(value) => value.hash(state),
            Self::Float(bits) => bits.hash(state),
            Self::Bytes(bytes) => bytes.hash(state),
            Self::Date(date) => date.hash(state),
            Self::DateTime(time) => time.hash(state),
            Self::Tuple(keys) => keys.hash(state),
            Self::Range(start, stop, step) => (start, stop, step).hash(state),
            Self::Identity(address) => address.hash(state),
        }
    }
}

/// A string key that is only looked for.
pub(crate) struct StrKey<'a>(pub &'a str);

impl Hash for StrKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl indexmap::Equivalent<Key> for StrKey<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        matches!(key, Key::Str(text) if **text == *self.0)
    }
}

impl Key {
    /// The key that a value is. Fails as Python does for values that cannot be one.
    pub(crate) fn of(value: &Value) -> Outcome<Self> {
        Ok(match value {
            Value::Str(text) | Value::Markup(text) => Self::Str(text.clone()),
            Value::None => Self::None,
            Value::Bool(value) => Self::Int(Int::Small(i64::from(*value))),
            Value::Int(value) => Self::Int(value.clone()),
            Value::Float(value) => {
                Int::from_f64_exact(*value).map_or_else(|| Self::Float(value.to_bits()), Self::Int)
            }
            Value::Bytes(bytes) => Self::Bytes(bytes.clone()),
            Value::Date(date) => Self::Date(*date),
            Value::DateTime(time) => Self::DateTime(time.clone()),
            Value::Tuple(tuple) => {
                if tuple.depth > 200 {
                    return Err(crate::stack::too_deep());
                }
                Self::Tuple(tuple.items.iter().map(Self::of).collect::<Outcome<_>>()?)
            }
            Value::Range(range) => Self::Range(range.start, range.stop, range.step),
            Value::Undefined(undefined) => {
                undefined.check()?;
                Self::Identity(0)
            }
            Value::Object(object) => Self::Identity(Rc::as_ptr(object).addr()),
            Value::List(_) | Value::Dict(_) | Value::Set(_) => {
                return type_error(format!("unhashable type: '{}'", value.type_name()));
            }
        })
    }
}
