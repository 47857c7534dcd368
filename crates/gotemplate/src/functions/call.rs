use super::CallError;
use crate::value::{ANY_LIST, ANY_MAP, List, Map, Text, Value};
use std::any::Any;
use std::borrow::Cow;

/// What a function gets when it is called: its arguments, already of the types that its row asks for, and the way back
/// into the engine.
///
/// The getters by type never fail: the evaluator has checked the types, so the fallback (an empty value) is only seen
/// where a body asks for another type than its row does.
pub struct Call<'a> {
    name: &'static str,
    receiver: Option<&'a Value>,
    args: &'a [Value],
    /// A bit for each of the first 64 arguments, set where it is seen as an `interface {}`.
    interfaces: u64,
    engine: &'a mut dyn Engine,
}

/// What the evaluator does for functions.
pub(crate) trait Engine {
    /// Runs a template of the set with a value, into text.
    fn execute(&mut self, name: &[u8], data: Value) -> Result<Text, CallError>;
    /// How many executions of that name are under way.
    fn nesting(&self, name: &[u8]) -> usize;
    /// Parses a text as a template called `name` in a set of its own over this one, and runs it.
    fn execute_text(&mut self, name: &Text, text: &Text, data: Value) -> Result<Text, CallError>;
    /// The name of the set.
    fn set_name(&self) -> Text;
    /// What the host gave along.
    fn host(&self) -> Option<&dyn Any>;
}

impl<'a> Call<'a> {
    pub(crate) fn new(
        name: &'static str,
        receiver: Option<&'a Value>,
        args: &'a [Value],
        engine: &'a mut dyn Engine,
    ) -> Self {
        Self { name, receiver, args, interfaces: 0, engine }
    }

    pub(crate) fn with_interfaces(mut self, interfaces: u64) -> Self {
        self.interfaces = interfaces;
        self
    }

    /// Whether an argument for [`crate::Type::Reflect`] is seen as an `interface {}`, which some of Go's builtins do
    /// not look into.
    pub(crate) fn is_interface(&self, index: usize) -> bool {
        index < 64 && self.interfaces >> index & 1 == 1
    }

    /// The name it was registered under: for bodies that serve several rows.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The value whose method this is; nil for a function.
    pub fn receiver(&self) -> &'a Value {
        self.receiver.unwrap_or(&Value::Nil)
    }

    /// All arguments. The borrow is of the arguments, not of the call, so they can be held while the engine is used.
    pub fn args(&self) -> &'a [Value] {
        self.args
    }

    /// The arguments from one on: the variadic part.
    pub fn rest(&self, from: usize) -> &'a [Value] {
        self.args.get(from..).unwrap_or_default()
    }

    /// An argument, for [`crate::Type::Any`]: never [`Value::Absent`], unless the parameter is [`crate::Type::Reflect`].
    pub fn arg(&self, index: usize) -> &'a Value {
        self.args.get(index).unwrap_or(&Value::Nil)
    }

    /// An argument, for [`crate::Type::String`] and [`crate::Type::Bytes`].
    pub fn text(&self, index: usize) -> &'a [u8] {
        match self.args.get(index) {
            Some(Value::Str(text)) => text,
            Some(Value::Bytes(bytes)) => bytes,
            _ => &[],
        }
    }

    /// The same as UTF-8; what is not becomes U+FFFD.
    pub fn str(&self, index: usize) -> Cow<'a, str> {
        String::from_utf8_lossy(self.text(index))
    }

    /// An argument, for [`crate::Type::Int`] and [`crate::Type::Int64`].
    pub fn int(&self, index: usize) -> i64 {
        if let Some(Value::Int(value) | Value::Int64(value)) = self.args.get(index) { *value } else { 0 }
    }

    /// An argument, for [`crate::Type::Float64`].
    pub fn float(&self, index: usize) -> f64 {
        if let Some(Value::Float64(value)) = self.args.get(index) { *value } else { 0.0 }
    }

    /// An argument, for [`crate::Type::Bool`].
    pub fn bool(&self, index: usize) -> bool {
        matches!(self.args.get(index), Some(Value::Bool(true)))
    }

    /// An argument, for [`crate::Type::Map`]. Where a template gave nil this is a nil map.
    pub fn map(&self, index: usize) -> Map {
        if let Some(Value::Map(map)) = self.args.get(index) { map.clone() } else { Map::nil(&ANY_MAP) }
    }

    /// An argument, for [`crate::Type::List`]. Where a template gave nil this is a nil slice.
    pub fn list(&self, index: usize) -> List {
        if let Some(Value::List(list)) = self.args.get(index) { list.clone() } else { List::nil(&ANY_LIST) }
    }

    /// Runs a template of the set with a value, into text, with fresh variables: what `include` does. Fails with what
    /// went wrong in there, or where it nests too deep.
    pub fn execute(&mut self, name: impl AsRef<[u8]>, data: Value) -> Result<Text, CallError> {
        self.engine.execute(name.as_ref(), data)
    }

    /// How many runs of that name ([`Call::execute`]) this call is inside of.
    pub fn nesting(&self, name: impl AsRef<[u8]>) -> usize {
        self.engine.nesting(name.as_ref())
    }

    /// Parses a text as a template called `name` in a set of its own over this one (definitions in it end with it) and
    /// runs it with a value, into text: what `tpl` does. Fails where the text does not parse
    /// ([`CallError::is_parse_error`]) or what it does goes wrong. A text that was parsed before is not parsed again.
    pub fn execute_text(&mut self, name: &Text, text: &Text, data: Value) -> Result<Text, CallError> {
        self.engine.execute_text(name, text, data)
    }

    /// The name of the set that is being executed.
    pub fn set_name(&self) -> Text {
        self.engine.set_name()
    }

    /// What the host gave along with the options of the execution (a clock, a source of random numbers), if it is of
    /// this type.
    pub fn host<T: 'static>(&self) -> Option<&T> {
        self.engine.host()?.downcast_ref()
    }
}

/// For calls outside of any template.
pub(super) struct NoEngine;

impl Engine for NoEngine {
    fn execute(&mut self, name: &[u8], _data: Value) -> Result<Text, CallError> {
        let name = crate::format::quote(name);
        Err(CallError::new(format!("template: no template {name} associated with template \"\"")))
    }

    fn nesting(&self, _name: &[u8]) -> usize {
        0
    }

    fn execute_text(&mut self, name: &Text, _text: &Text, _data: Value) -> Result<Text, CallError> {
        self.execute(name, Value::Nil)
    }

    fn set_name(&self) -> Text {
        Text::default()
    }

    fn host(&self) -> Option<&dyn Any> {
        None
    }
}
