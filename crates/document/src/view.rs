use crate::{Int, Key, Node, Scalar, Value, python};
use std::borrow::Cow;
use std::collections::HashMap;

/// What the writers of Go's formats see of a value, whoever holds it: nothing is copied to be written.
///
/// A value shows itself to a function and not by a reference, so that it may hold its parts behind a guard
/// (`Rc<RefCell<..>>`) or make them up on the spot.
pub trait View: Sized {
    /// Calls `see` with what this value is, and returns what that returns.
    fn view<R>(&self, see: impl FnOnce(Shape<'_, Self>) -> R) -> R;
}

/// The kinds of values that Go's libraries tell apart.
#[derive(Debug)]
pub enum Shape<'a, V> {
    /// `nil`.
    Null,
    /// `bool`.
    Bool(bool),
    /// Any integer type with sign.
    Int(i64),
    /// Any integer type without.
    Uint(u64),
    /// `float64`.
    Float(f64),
    /// `string`: bytes, usually UTF-8.
    Str(&'a [u8]),
    /// `[]byte`.
    Bytes(&'a [u8]),
    /// `time.Time`, as text in RFC 3339 with nanoseconds where there are any.
    Time(&'a str),
    /// Another type, which no format has a form for: its name.
    Unknown(&'static str),
    /// A slice of anything.
    List(&'a [V]),
    /// A map with strings as keys, in whatever order; a writer brings it into its own.
    Map(Vec<(&'a [u8], &'a V)>),
    /// A struct by the names of its fields: a map, except that JSON keeps their order.
    Struct(Vec<(&'a [u8], &'a V)>),
}

impl View for Node {
    /// Keys that are no strings become such as `sigs.k8s.io/yaml` turns them into strings. What Go has no type for is
    /// the text that Python shows for it: days, points in time; and integers beyond 64 bits are doubles.
    fn view<R>(&self, see: impl FnOnce(Shape<'_, Self>) -> R) -> R {
        match &self.value {
            Value::Null => see(Shape::Null),
            Value::Bool(value) => see(Shape::Bool(*value)),
            Value::Int(value) => see(shape_of_int(value)),
            Value::Float(value) => see(Shape::Float(*value)),
            Value::Str(text) => see(Shape::Str(text.as_bytes())),
            Value::Date(date) => see(Shape::Str(python::date_str(*date).as_bytes())),
            Value::DateTime(time) => see(Shape::Str(python::datetime_str(time).as_bytes())),
            Value::Bytes(bytes) => see(Shape::Bytes(bytes)),
            Value::Seq(items) => see(Shape::List(items)),
            Value::Map(map) | Value::Set(map) => {
                if map.keys().all(|key| key.as_str().is_some()) {
                    let entries = map.iter().map(|(key, value)| (bytes_of(key), value));
                    return see(Shape::Map(entries.collect()));
                }
                see_with_keys(map.iter(), see)
            }
        }
    }
}

fn bytes_of(key: &Key) -> &[u8] {
    key.as_str().unwrap_or_default().as_bytes()
}

/// Of two keys with the same text the last one counts, as in a Go map.
#[cold]
fn see_with_keys<'a, R>(
    entries: impl Iterator<Item = (&'a Key, &'a Node)>,
    see: impl FnOnce(Shape<'_, Node>) -> R,
) -> R {
    let texts: HashMap<Cow<'a, str>, &Node> =
        entries.map(|(key, value)| (key_text(&key.scalar), value)).collect();
    see(Shape::Map(texts.iter().map(|(key, value)| (key.as_bytes(), *value)).collect()))
}

fn shape_of_int<V>(value: &Int) -> Shape<'static, V> {
    match value {
        Int::Small(value) => Shape::Int(*value),
        Int::Big(big) => u64::try_from(&**big).map_or_else(|_| Shape::Float(value.to_f64()), Shape::Uint),
    }
}

/// The string that a key becomes on the way through JSON: doubles have the digits that a `float32` would need.
pub(crate) fn key_text(key: &Scalar) -> Cow<'_, str> {
    match key {
        Scalar::Str(text) => Cow::Borrowed(text),
        Scalar::Null => "null".into(),
        Scalar::Bool(value) => if *value { "true" } else { "false" }.into(),
        Scalar::Int(value) => value.to_string().into(),
        Scalar::Float(value) => crate::go_float::key_text(*value).into(),
        Scalar::Date(date) => python::date_str(*date).into(),
        Scalar::DateTime(time) => python::datetime_str(time).into(),
        Scalar::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned().into(),
    }
}
