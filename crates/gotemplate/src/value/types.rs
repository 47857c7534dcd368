use crate::functions::Function;
use std::fmt;

/// A Go type, as far as templates can meet or name it.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// `interface {}`: takes anything, nil too.
    Any,
    /// `reflect.Value`, as a parameter: takes anything, and tells [`super::Value::Absent`] from nil.
    Reflect,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `int64`
    Int64,
    /// `uint8`
    Byte,
    /// `uint32`, as a parameter: only literals are of it, and arrive as [`super::Value::Uint64`].
    Uint32,
    /// `uint64`
    Uint64,
    /// `float64`
    Float64,
    /// `complex128`
    Complex,
    /// `string`
    String,
    /// `[]uint8`
    Bytes,
    /// A slice type.
    List(&'static ListType),
    /// A map type.
    Map(&'static MapType),
    /// The type of an object, by name: `time.Time`, `*semver.Version`.
    Object(&'static str),
}

/// A slice type. Named ones (`common.VersionSet`) may have methods.
#[derive(Debug)]
pub struct ListType {
    /// As `%T` prints it.
    pub name: &'static str,
    /// What its elements are.
    pub element: Type,
    /// What can be called on a value of it, by name.
    pub methods: &'static [Function],
}

/// A map type with string keys. Named ones (`common.Values`, `engine.files`) may have methods.
#[derive(Debug)]
pub struct MapType {
    /// As `%T` prints it.
    pub name: &'static str,
    /// What its values are. The zero value of it is what a missing key gives.
    pub element: Type,
    /// What can be called on a value of it, by name.
    pub methods: &'static [Function],
}

/// `[]interface {}`
pub static ANY_LIST: ListType = ListType { name: "[]interface {}", element: Type::Any, methods: &[] };
/// `[]string`
pub static STRING_LIST: ListType = ListType { name: "[]string", element: Type::String, methods: &[] };
/// `[]int`
pub static INT_LIST: ListType = ListType { name: "[]int", element: Type::Int, methods: &[] };
/// `[][]interface {}`
pub static LIST_LIST: ListType =
    ListType { name: "[][]interface {}", element: Type::List(&ANY_LIST), methods: &[] };
/// `map[string]interface {}`
pub static ANY_MAP: MapType = MapType { name: "map[string]interface {}", element: Type::Any, methods: &[] };
/// `map[string]string`
pub static STRING_MAP: MapType = MapType { name: "map[string]string", element: Type::String, methods: &[] };

impl Type {
    /// As `%T` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "interface {}",
            Self::Reflect => "reflect.Value",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Int64 => "int64",
            Self::Byte => "uint8",
            Self::Uint32 => "uint32",
            Self::Uint64 => "uint64",
            Self::Float64 => "float64",
            Self::Complex => "complex128",
            Self::String => "string",
            Self::Bytes => "[]uint8",
            Self::List(list) => list.name,
            Self::Map(map) => map.name,
            Self::Object(name) => name,
        }
    }

    /// Its kind.
    pub fn kind(self) -> Kind {
        match self {
            Self::Any => Kind::Interface,
            Self::Reflect => Kind::Struct,
            Self::Bool => Kind::Bool,
            Self::Int => Kind::Int,
            Self::Int64 => Kind::Int64,
            Self::Byte => Kind::Uint8,
            Self::Uint32 | Self::Uint64 => Kind::Uint64,
            Self::Float64 => Kind::Float64,
            Self::Complex => Kind::Complex128,
            Self::String => Kind::String,
            Self::Bytes | Self::List(_) => Kind::Slice,
            Self::Map(_) => Kind::Map,
            Self::Object(name) if name.starts_with('*') => Kind::Pointer,
            Self::Object(_) => Kind::Struct,
        }
    }

    /// Whether a value of this type may stand where `wanted` is, as Go assigns: the same type, or one of the two without
    /// a name of its own and both made alike.
    pub fn is_assignable_to(self, wanted: Self) -> bool {
        match (self, wanted) {
            (_, Self::Any) => true,
            (Self::List(have), Self::List(want)) => {
                have.name == want.name
                    || ((!have.is_named() || !want.is_named()) && have.element.name() == want.element.name())
            }
            (Self::Map(have), Self::Map(want)) => {
                have.name == want.name
                    || ((!have.is_named() || !want.is_named()) && have.element.name() == want.element.name())
            }
            (Self::Object(have), Self::Object(want)) => have == want,
            (have, want) => std::mem::discriminant(&have) == std::mem::discriminant(&want),
        }
    }
}

impl ListType {
    fn is_named(&self) -> bool {
        !self.name.starts_with('[')
    }
}

impl MapType {
    fn is_named(&self) -> bool {
        !self.name.starts_with("map[")
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// `reflect.Kind`, of which templates can meet these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are Go's and say all there is")]
pub enum Kind {
    Invalid,
    Bool,
    Int,
    Int64,
    Uint8,
    Uint64,
    Float64,
    Complex128,
    String,
    Slice,
    Map,
    Struct,
    Pointer,
    Interface,
}

impl Kind {
    /// As Go prints it: `ptr` for a pointer, `invalid` for nil.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Int64 => "int64",
            Self::Uint8 => "uint8",
            Self::Uint64 => "uint64",
            Self::Float64 => "float64",
            Self::Complex128 => "complex128",
            Self::String => "string",
            Self::Slice => "slice",
            Self::Map => "map",
            Self::Struct => "struct",
            Self::Pointer => "ptr",
            Self::Interface => "interface",
        }
    }
}
