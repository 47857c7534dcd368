//! Values as templates see them: Python's, with shared, mutable lists and dicts. A render has its own; nothing that a
//! template changes is seen by another.

mod dict;
mod drop;
mod key;
mod list;
mod node;
mod object;
mod undefined;

pub(crate) use dict::{Dict, Entries};
pub(crate) use drop::defer;
pub(crate) use key::Key;
pub(crate) use list::{List, Tuple};
pub(crate) use node::{Watch, from_node, to_node};
pub(crate) use object::{Object, View, ViewKind};
pub(crate) use undefined::Undefined;

use kapstan_document::{Date, DateTime, Int, Text};
use num_bigint::BigInt;
use std::rc::Rc;
use std::sync::Arc;

/// Any value.
#[derive(Clone)]
pub(crate) enum Value {
    None,
    Bool(bool),
    Int(Int),
    Float(f64),
    Str(Text),
    /// A string that is HTML already.
    Markup(Text),
    Bytes(Arc<[u8]>),
    Date(Date),
    DateTime(Arc<DateTime>),
    Tuple(Rc<Tuple>),
    List(Rc<List>),
    Dict(Rc<Dict>),
    /// The keys of a dict.
    Set(Rc<Dict>),
    Range(Rc<Range>),
    Undefined(Rc<Undefined>),
    Object(Rc<Object>),
}

/// Python's `range`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub start: i64,
    pub stop: i64,
    pub step: i64,
}

impl Range {
    pub(crate) fn len(self) -> usize {
        let (start, stop, step) = (i128::from(self.start), i128::from(self.stop), i128::from(self.step));
        let span = if step > 0 { stop - start } else { start - stop };
        if span <= 0 {
            return 0;
        }
        usize::try_from((span - 1) / step.abs() + 1).unwrap_or(usize::MAX)
    }

    pub(crate) fn at(self, index: usize) -> Option<i64> {
        if index >= self.len() {
            return None;
        }
        let value = i128::from(self.start) + i128::from(self.step) * i128::try_from(index).ok()?;
        i64::try_from(value).ok()
    }
}

impl Value {
    pub(crate) fn int(value: i64) -> Self {
        Self::Int(Int::Small(value))
    }

    pub(crate) fn size(value: usize) -> Self {
        Self::int(i64::try_from(value).unwrap_or(i64::MAX))
    }

    pub(crate) fn big(value: BigInt) -> Self {
        Self::Int(Int::from_big(value))
    }

    pub(crate) fn list(items: Vec<Self>) -> Self {
        Self::List(Rc::new(List::new(items)))
    }

    pub(crate) fn tuple(items: Vec<Self>) -> Self {
        Self::Tuple(Rc::new(Tuple::new(items)))
    }

    pub(crate) fn dict(entries: Entries) -> Self {
        Self::Dict(Rc::new(Dict::new(entries)))
    }

    pub(crate) fn object(object: Object) -> Self {
        Self::Object(Rc::new(object))
    }

    /// The string, marked as HTML or not.
    pub(crate) fn as_str(&self) -> Option<&Text> {
        if let Self::Str(text) | Self::Markup(text) = self { Some(text) } else { None }
    }

    /// The integer; booleans are 0 and 1.
    pub(crate) fn as_int(&self) -> Option<Int> {
        match self {
            Self::Int(value) => Some(value.clone()),
            Self::Bool(value) => Some(Int::Small(i64::from(*value))),
            _ => None,
        }
    }

    /// What `type(value).__name__` says.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Str(_) => "str",
            Self::Markup(_) => "Markup",
            Self::Bytes(_) => "bytes",
            Self::Date(_) => "datetime.date",
            Self::DateTime(_) => "datetime.datetime",
            Self::Tuple(tuple) if tuple.is_group => "_GroupTuple",
            Self::Tuple(_) => "tuple",
            Self::List(_) => "list",
            Self::Dict(_) => "dict",
            Self::Set(_) => "set",
            Self::Range(_) => "range",
            Self::Undefined(undefined) if undefined.strict => "StrictUndefined",
            Self::Undefined(_) => "Undefined",
            Self::Object(object) => object.type_name(),
        }
    }

    /// How Jinja2 names the owner of something missing: `dict object`, `None`, `jinja2.utils.Namespace object`.
    pub(crate) fn owner_name(&self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Bool(_) => "bool object",
            Self::Int(_) => "int object",
            Self::Float(_) => "float object",
            Self::Str(_) => "str object",
            Self::Markup(_) => "markupsafe.Markup object",
            Self::Bytes(_) => "bytes object",
            Self::Date(_) => "datetime.date object",
            Self::DateTime(_) => "datetime.datetime object",
            Self::Tuple(tuple) if tuple.is_group => "jinja2.filters._GroupTuple object",
            Self::Tuple(_) => "tuple object",
            Self::List(_) => "list object",
            Self::Dict(_) => "dict object",
            Self::Set(_) => "set object",
            Self::Range(_) => "range object",
            Self::Undefined(_) => "jinja2.runtime.StrictUndefined object",
            Self::Object(object) => object.owner_name(),
        }
    }

    /// Python's `is`.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Bool(left), Self::Bool(right)) => left == right,
            // Small integers and equal constants are one object in CPython.
            (Self::Int(Int::Small(left)), Self::Int(Int::Small(right))) => left == right,
            // So are strings of one character.
            (Self::Str(left), Self::Str(right)) => {
                Arc::ptr_eq(left, right) || left.len() <= 1 && left == right
            }
            (Self::Markup(left), Self::Markup(right)) => Arc::ptr_eq(left, right),
            (Self::Tuple(left), Self::Tuple(right)) => Rc::ptr_eq(left, right),
            (Self::List(left), Self::List(right)) => Rc::ptr_eq(left, right),
            (Self::Dict(left), Self::Dict(right)) | (Self::Set(left), Self::Set(right)) => {
                Rc::ptr_eq(left, right)
            }
            (Self::Undefined(left), Self::Undefined(right)) => Rc::ptr_eq(left, right),
            (Self::Range(left), Self::Range(right)) => Rc::ptr_eq(left, right),
            (Self::Object(left), Self::Object(right)) => Rc::ptr_eq(left, right),
            _ => false,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Str(value.into())
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Str(value.into())
    }
}
