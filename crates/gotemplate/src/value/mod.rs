//! The values that templates work on, as Go has them: concrete types, maps by reference, byte strings.

mod drop;
mod entries;
mod list;
mod map;
mod node;
mod object;
mod text;
mod types;
mod view;

pub use drop::take_apart;
pub use entries::Entries;
pub use list::List;
pub use map::Map;
pub use node::{Numbers, TooDeep};
pub use object::{Json, Object, ObjectRef};
pub use text::Text;
pub use types::{ANY_LIST, ANY_MAP, INT_LIST, LIST_LIST, ListType, MapType, STRING_LIST, STRING_MAP};
pub use types::{Kind, Type};

use std::rc::Rc;

/// How deep a walk over a value may go before it has to give up: maps can be made to contain themselves.
pub const MAX_DEPTH: usize = 1000;

/// A value. Cloning one is cheap and shares what it holds: a map changed through one clone is changed for all.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// No value at all (`reflect.Value{}`): what a missing key of an untyped map or a pipeline that ended in nil leaves.
    /// Prints as `<no value>`. Only the evaluator makes it; functions see [`Value::Nil`] instead, except where a
    /// parameter is [`Type::Reflect`].
    #[default]
    Absent,
    /// `nil` held by an `interface {}`.
    Nil,
    /// `bool`.
    Bool(bool),
    /// `int`: integer literals, `len`, indexes of lists.
    Int(i64),
    /// `int64`: what sprig's arithmetic returns, integers of `--set`.
    Int64(i64),
    /// `uint8`: an element of a string or of bytes.
    Byte(u8),
    /// `uint64`.
    Uint64(u64),
    /// `float64`: every number of a values file.
    Float64(f64),
    /// `complex128`: literals like `1i`.
    Complex(f64, f64),
    /// `string`.
    Str(Text),
    /// `[]uint8`.
    Bytes(Rc<[u8]>),
    /// A slice.
    List(List),
    /// A map with string keys.
    Map(Map),
    /// Anything else that has fields or methods.
    Object(ObjectRef),
}

impl Value {
    /// A string.
    pub fn str(text: impl Into<Text>) -> Self {
        Self::Str(text.into())
    }

    /// A `[]interface {}`.
    pub fn list(items: Vec<Self>) -> Self {
        Self::List(List::new(items))
    }

    /// A new `map[string]interface {}`.
    pub fn map<K: Into<Text>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::Map(Map::from_entries(entries))
    }

    /// An object.
    pub fn object(object: impl Object) -> Self {
        Self::Object(ObjectRef::new(object))
    }

    /// Whether it is [`Value::Nil`] or [`Value::Absent`].
    pub fn is_nil(&self) -> bool {
        matches!(self, Self::Nil | Self::Absent)
    }

    /// The string, if it is one.
    pub fn as_text(&self) -> Option<&Text> {
        if let Self::Str(text) = self { Some(text) } else { None }
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&List> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    /// The map, if it is one.
    pub fn as_map(&self) -> Option<&Map> {
        if let Self::Map(map) = self { Some(map) } else { None }
    }

    /// The object behind it, if it is one of this Rust type.
    pub fn as_object<T: Object>(&self) -> Option<&T> {
        if let Self::Object(object) = self { object.downcast() } else { None }
    }

    /// Its concrete Go type; none for [`Value::Nil`] and [`Value::Absent`].
    pub fn go_type(&self) -> Option<Type> {
        Some(match self {
            Self::Absent | Self::Nil => return None,
            Self::Bool(_) => Type::Bool,
            Self::Int(_) => Type::Int,
            Self::Int64(_) => Type::Int64,
            Self::Byte(_) => Type::Byte,
            Self::Uint64(_) => Type::Uint64,
            Self::Float64(_) => Type::Float64,
            Self::Complex(..) => Type::Complex,
            Self::Str(_) => Type::String,
            Self::Bytes(_) => Type::Bytes,
            Self::List(list) => Type::List(list.list_type()),
            Self::Map(map) => Type::Map(map.map_type()),
            Self::Object(object) => Type::Object(object.type_name()),
        })
    }

    /// What `%T` prints: `map[string]interface {}`, `float64`, `<nil>`.
    pub fn type_name(&self) -> &'static str {
        self.go_type().map_or("<nil>", Type::name)
    }

    /// Its kind (`reflect.Kind`).
    pub fn kind(&self) -> Kind {
        match self {
            Self::Absent | Self::Nil => Kind::Invalid,
            Self::Bool(_) => Kind::Bool,
            Self::Int(_) => Kind::Int,
            Self::Int64(_) => Kind::Int64,
            Self::Byte(_) => Kind::Uint8,
            Self::Uint64(_) => Kind::Uint64,
            Self::Float64(_) => Kind::Float64,
            Self::Complex(..) => Kind::Complex128,
            Self::Str(_) => Kind::String,
            Self::Bytes(_) | Self::List(_) => Kind::Slice,
            Self::Map(_) => Kind::Map,
            Self::Object(object) => object.kind(),
        }
    }

    /// Go's truth of a template: not nil, not false, not zero, not empty. An object says so itself.
    pub fn is_truthy(&self) -> bool {
        match self {
            Self::Absent | Self::Nil => false,
            Self::Bool(value) => *value,
            Self::Int(value) | Self::Int64(value) => *value != 0,
            Self::Byte(value) => *value != 0,
            Self::Uint64(value) => *value != 0,
            Self::Float64(value) => *value != 0.0,
            Self::Complex(real, imaginary) => *real != 0.0 || *imaginary != 0.0,
            Self::Str(text) => !text.is_empty(),
            Self::Bytes(bytes) => !bytes.is_empty(),
            Self::List(list) => !list.is_empty(),
            Self::Map(map) => !map.is_empty(),
            Self::Object(object) => object.is_truthy(),
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
    f64 => Value::Float64;
    &str => |value| Value::Str(value.into());
    String => |value| Value::Str(value.into());
    Text => Value::Str;
    List => Value::List;
    Map => Value::Map;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_changed_through_one_clone_is_changed_for_all() {
        let map = Map::new();
        let other = map.clone();
        other.insert("a", Value::Int(1));
        assert!(matches!(map.get("a"), Some(Value::Int(1))));
        assert!(map.ptr_eq(&other));
        assert!(!map.ptr_eq(&Map::new()));
    }

    #[test]
    fn types_have_their_go_names() {
        let cases = [
            (Value::Nil, "<nil>", "invalid"),
            (Value::Int(1), "int", "int"),
            (Value::Float64(1.0), "float64", "float64"),
            (Value::list(vec![]), "[]interface {}", "slice"),
            (Value::List(List::strings(["a"])), "[]string", "slice"),
            (Value::List(List::ints([1])), "[]int", "slice"),
            (Value::List(List::typed(&LIST_LIST, vec![])), "[][]interface {}", "slice"),
            (Value::Map(Map::new()), "map[string]interface {}", "map"),
            (Value::Map(Map::typed(&STRING_MAP)), "map[string]string", "map"),
            (Value::Bytes(b"x".as_slice().into()), "[]uint8", "slice"),
        ];
        for (value, name, kind) in cases {
            assert_eq!(value.type_name(), name);
            assert_eq!(value.kind().name(), kind);
        }
    }

    #[test]
    fn truth_is_not_zero_and_not_empty() {
        for value in [
            Value::Absent,
            Value::Nil,
            Value::Int(0),
            Value::Float64(-0.0),
            Value::str(""),
            Value::list(vec![]),
            Value::Map(Map::new()),
        ] {
            assert!(!value.is_truthy(), "{value:?}");
        }
        for value in
            [Value::Bool(true), Value::Float64(f64::NAN), Value::str("0"), Value::list(vec![Value::Nil])]
        {
            assert!(value.is_truthy(), "{value:?}");
        }
    }
}
