use super::{Kind, Text, Type, Value};
use crate::functions::Function;
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

/// What `encoding/json` makes of an object.
#[derive(Clone, Debug)]
pub enum Json {
    /// Plain data.
    Value(Value),
    /// Fields by their names, in the order of the struct.
    Struct(Vec<(Cow<'static, str>, Value)>),
}

impl Json {
    /// The fields of a struct.
    pub fn of_struct<N: Into<Cow<'static, str>>>(fields: impl IntoIterator<Item = (N, Value)>) -> Self {
        Self::Struct(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// Plain data, which a struct becomes a map for.
    pub fn into_value(self) -> Value {
        match self {
            Self::Value(value) => value,
            Self::Struct(fields) => Value::map(fields),
        }
    }
}

/// A value with fields or methods: a Go struct, or a pointer to one. What looks like a slice or a map (`.Files`, a
/// version set) is a [`super::List`] or [`super::Map`] of a named type with methods instead.
pub trait Object: Any {
    /// As `%T` prints it; a pointer starts with `*`.
    fn type_name(&self) -> &'static str;

    /// Its kind: by the name a struct or a pointer.
    fn kind(&self) -> Kind {
        Type::Object(self.type_name()).kind()
    }

    /// The exported fields in the order of the struct, which is also how `%v` prints it: `{a b}`, and `&{a b}` for a
    /// pointer.
    fn fields(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// A field by name. Worth writing where fields are many or dear to make.
    fn field(&self, name: &str) -> Option<Value> {
        self.fields().into_iter().find(|(field, _)| *field == name).map(|(_, value)| value)
    }

    /// The static type of a field where it is an `interface {}`; otherwise a field is of its value's type.
    fn is_interface_field(&self, _name: &str) -> bool {
        false
    }

    /// What can be called on it. [`crate::Call::receiver`] is the object.
    fn methods(&self) -> &'static [Function] {
        &[]
    }

    /// What its `String()` or `Error()` gives, where it has one; `%v` and `%s` print that.
    fn string(&self) -> Option<Text> {
        None
    }

    /// What `%#v` prints where it is not made of the fields: what a `GoString` method gives.
    fn go_text(&self) -> Option<Text> {
        None
    }

    /// What an action (`{{ .X }}`) prints where that differs from `%v`: Go finds methods of the pointer there, when the
    /// value sits in a struct that is reached through a pointer. The default is [`Object::string`].
    fn action_text(&self) -> Option<Text> {
        self.string()
    }

    /// Whether `if` takes it for true: a struct always is, a pointer when it is not nil.
    fn is_truthy(&self) -> bool {
        true
    }

    /// Whether it equals another object, as `==`. By default nothing does.
    fn is_equal(&self, _other: &dyn Object) -> bool {
        false
    }

    /// What `encoding/json` (and so `toYaml`) makes of it, as plain data; by default a struct of the fields.
    fn json(&self) -> Json {
        Json::of_struct(self.fields())
    }

    /// Moves values it holds into `parts`, so that they are not dropped inside of it. Only an object that can hold deep
    /// data needs this.
    fn take_parts(&mut self, _parts: &mut Vec<Value>) {}
}

/// A shared object.
#[derive(Clone)]
pub struct ObjectRef(Rc<dyn Object>);

impl ObjectRef {
    /// A new one.
    pub fn new(object: impl Object) -> Self {
        Self(Rc::new(object))
    }

    /// The object, if it is of this Rust type.
    pub fn downcast<T: Object>(&self) -> Option<&T> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref()
    }

    /// Whether both are the same object.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// A number that tells this object from every other that is alive.
    pub fn address(&self) -> usize {
        Rc::as_ptr(&self.0).cast::<u8>().addr()
    }

    pub(super) fn take_parts(&mut self, parts: &mut Vec<Value>) {
        if let Some(object) = Rc::get_mut(&mut self.0) {
            object.take_parts(parts);
        }
    }
}

impl Deref for ObjectRef {
    type Target = dyn Object;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl fmt::Debug for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.type_name(), self.fields())
    }
}
