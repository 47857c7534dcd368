//! Attributes and methods of Python's types, as far as templates reach for them.

mod containers;
mod numbers;
mod strings;

pub(crate) use containers::update;
pub(crate) use numbers::decode_error;
pub(crate) use strings::{call as text_method, capitalize, center, is as is_text, lower, replace, stripped};

use crate::error::{Class, Outcome, RenderError, quoted, raise, type_error};
use crate::run::{Args, Context, Run, super_at};
use crate::value::{Object, Value, ViewKind};
use kapstan_document::{Int, Text};
use std::rc::Rc;

const STR: &[&str] = &[
    "capitalize",
    "casefold",
    "center",
    "count",
    "encode",
    "endswith",
    "expandtabs",
    "find",
    "format",
    "format_map",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isidentifier",
    "islower",
    "isnumeric",
    "isprintable",
    "isspace",
    "istitle",
    "isupper",
    "join",
    "ljust",
    "lower",
    "lstrip",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "title",
    "translate",
    "upper",
    "zfill",
];
const MARKUP: &[&str] = &["striptags", "unescape", "__html__"];
const LIST: &[&str] =
    &["append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort"];
const TUPLE: &[&str] = &["count", "index"];
const DICT: &[&str] = &[
    "clear",
    "copy",
    "get",
    "items",
    "keys",
    "pop",
    "popitem",
    "setdefault",
    "update",
    "values",
    "fromkeys",
];
const SET: &[&str] = &[
    "add",
    "copy",
    "difference",
    "discard",
    "intersection",
    "issubset",
    "issuperset",
    "remove",
    "symmetric_difference",
    "union",
    "update",
];
const INT: &[&str] = &["bit_length", "bit_count", "conjugate"];
const FLOAT: &[&str] = &["is_integer", "conjugate"];
const BYTES: &[&str] = &["decode", "hex"];
const DATE: &[&str] = &["isoformat", "strftime", "weekday", "isoweekday", "toordinal"];
const DATETIME: &[&str] =
    &["isoformat", "strftime", "weekday", "isoweekday", "toordinal", "date", "timestamp", "utcoffset"];
const RANGE: &[&str] = &["count", "index"];
const LOOP: &[&str] = &["cycle", "changed"];
const CYCLER: &[&str] = &["next", "reset"];
const TIMEDELTA: &[&str] = &["total_seconds"];
const COMMON: &[&str] = &["__len__", "__str__", "__repr__", "__getitem__", "__contains__"];

fn methods_of(value: &Value) -> &'static [&'static str] {
    match value {
        Value::Str(_) | Value::Markup(_) => STR,
        Value::List(_) => LIST,
        Value::Tuple(_) => TUPLE,
        Value::Dict(_) => DICT,
        Value::Set(_) => SET,
        Value::Int(_) | Value::Bool(_) => INT,
        Value::Float(_) => FLOAT,
        Value::Bytes(_) => BYTES,
        Value::Date(_) => DATE,
        Value::DateTime(_) => DATETIME,
        Value::Range(_) => RANGE,
        Value::Object(object) => match &**object {
            Object::Loop(_) => LOOP,
            Object::Cycler { .. } => CYCLER,
            Object::TimeDelta(_) => TIMEDELTA,
            _ => &[],
        },
        Value::None | Value::Undefined(_) => &[],
    }
}

fn has_common(value: &Value, name: &str) -> bool {
    let is_container = !matches!(
        value,
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Date(_) | Value::DateTime(_)
    );
    match value {
        Value::Undefined(_) | Value::Object(_) => false,
        _ => name == "__str__" || name == "__repr__" || is_container,
    }
}

/// The method of that name, if the value has one.
pub(crate) fn find(value: &Value, name: &str) -> Option<&'static str> {
    let own = methods_of(value).iter().find(|method| **method == name).copied();
    if own.is_some() {
        return own;
    }
    if matches!(value, Value::Markup(_)) {
        return MARKUP.iter().find(|method| **method == name).copied();
    }
    if !name.starts_with("__") || !has_common(value, name) {
        return None;
    }
    COMMON.iter().find(|method| **method == name).copied()
}

/// Python's `getattr`: none where it raises `AttributeError`.
pub(crate) fn attribute(run: &Run, value: &Value, name: &str) -> Outcome<Option<Value>> {
    if let Some(method) = find(value, name) {
        return Ok(Some(Value::object(Object::Method { receiver: value.clone(), name: method })));
    }
    match value {
        Value::Undefined(undefined) => {
            if name.starts_with("__") && name.ends_with("__") {
                return Ok(None);
            }
            return undefined.fail();
        }
        Value::Int(_) | Value::Bool(_) | Value::Float(_) => {
            if let Some(found) = numbers::attribute(value, name) {
                return Ok(Some(found));
            }
        }
        Value::Date(_) | Value::DateTime(_) => {
            if let Some(found) = crate::time::attribute(value, name) {
                return Ok(Some(found));
            }
        }
        Value::Range(range) => {
            return Ok(match name {
                "start" => Some(Value::int(range.start)),
                "stop" => Some(Value::int(range.stop)),
                "step" => Some(Value::int(range.step)),
                _ => class_of(value, name),
            });
        }
        Value::Tuple(tuple) if tuple.is_group => match name {
            "grouper" => return Ok(tuple.items.first().cloned()),
            "list" => return Ok(tuple.items.get(1).cloned()),
            _ => {}
        },
        Value::Object(object) => return object_attribute(run, object, value, name),
        _ => {}
    }
    Ok(class_of(value, name))
}

fn class_of(value: &Value, name: &str) -> Option<Value> {
    (name == "__class__").then(|| Value::object(Object::Builtin(value.type_name())))
}

fn object_attribute(run: &Run, object: &Rc<Object>, value: &Value, name: &str) -> Outcome<Option<Value>> {
    Ok(match &**object {
        Object::Namespace(attributes) => attributes.get_str(name)?,
        Object::Module { name: module, exports, text } => match name {
            "__name__" => Some(Value::Str(module.clone())),
            "_body_stream" => Some(Value::list(vec![Value::Str(text.clone())])),
            _ => exports.get_str(name)?,
        },
        Object::Loop(state) => state.attribute(run, name)?,
        Object::Cycler { items, at } => match name {
            "current" => items.get(at.get()).cloned(),
            "items" => Some(Value::tuple(items.clone())),
            "pos" => Some(Value::size(at.get())),
            _ => None,
        },
        Object::Joiner { separator, used } => match name {
            "sep" => Some(separator.clone()),
            "used" => Some(Value::Bool(used.get())),
            _ => None,
        },
        Object::Macro { code, .. } => match name {
            "name" => Some(code.name.as_ref().map_or(Value::None, |name| Value::Str(name.clone()))),
            "arguments" => {
                Some(Value::tuple(code.params.iter().map(|param| Value::Str(param.name.clone())).collect()))
            }
            "catch_kwargs" => Some(Value::Bool(code.kwargs.is_some())),
            "catch_varargs" => Some(Value::Bool(code.varargs.is_some())),
            "caller" => Some(Value::Bool(code.caller.is_some())),
            _ => None,
        },
        Object::Block { name: block, context, versions, depth } => match name {
            "super" => Some(super_at(block, context, versions.clone(), depth + 1)),
            "name" => Some(Value::Str(block.clone())),
            _ => None,
        },
        Object::Builtin(class) if name == "__name__" => Some((*class).into()),
        Object::Method { name: method, .. } if name == "__name__" => Some((*method).into()),
        Object::TimeDelta(micros) => crate::time::delta_attribute(*micros, name),
        _ => None,
    }
    .or_else(|| class_of(value, name)))
}

/// `object[argument]` for what is no container.
pub(crate) fn object_item(run: &Run, object: &Rc<Object>, argument: &Value) -> Outcome<Value> {
    match &**object {
        Object::Template(context) => {
            let name: Text = argument.as_str().cloned().unwrap_or_else(|| "".into());
            let versions = context.blocks.borrow().get(&name).cloned();
            match versions {
                Some(versions) => Ok(super_at(&name, context, versions, 0)),
                None => Err(RenderError::new(Class::Key, crate::print::repr(argument)?)),
            }
        }
        _ => {
            let _ = run;
            let kind = Value::Object(object.clone()).type_name();
            type_error(format!("'{kind}' object is not subscriptable"))
        }
    }
}

/// Calls a method.
pub(crate) fn call(
    run: &Run,
    receiver: &Value,
    name: &str,
    args: Args,
    context: &Rc<Context>,
) -> Outcome<Value> {
    match name {
        "__len__" => return Ok(Value::size(run.length(receiver)?)),
        "__str__" => return Ok(Value::Str(crate::print::str(receiver)?)),
        "__repr__" => return Ok(crate::print::repr(receiver)?.into()),
        "__contains__" => {
            return crate::ops::contains(run, receiver, args.positional.first().unwrap_or(&Value::None))
                .map(Value::Bool);
        }
        "__getitem__" => {
            return crate::ops::item(run, receiver, args.positional.first().unwrap_or(&Value::None));
        }
        _ => {}
    }
    let given = Given { type_name: receiver.type_name(), method: name, args };
    match receiver {
        Value::Str(text) => strings::call(run, text, given),
        Value::Markup(text) => crate::markup::call(run, text, given),
        Value::List(list) => containers::list(run, list, given),
        Value::Tuple(tuple) => containers::sequence(run, &tuple.items, given),
        Value::Range(_) => {
            let items = run.items(receiver)?;
            containers::sequence(run, &items, given)
        }
        Value::Dict(dict) => containers::dict(run, dict, given),
        Value::Set(dict) => containers::set(run, dict, given),
        Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::Bytes(_) => numbers::call(receiver, given),
        Value::Date(_) | Value::DateTime(_) => crate::time::call(run, receiver, given),
        Value::Object(object) => match (&**object, name) {
            (Object::Loop(state), "cycle") => state.cycle(&given.args.positional),
            (Object::Loop(state), _) => state.changed(run, &given.args.positional),
            (Object::Cycler { items, at }, "next") => {
                let item = items.get(at.get()).cloned().unwrap_or(Value::None);
                at.set((at.get() + 1) % items.len().max(1));
                Ok(item)
            }
            (Object::Cycler { at, .. }, _) => {
                at.set(0);
                Ok(Value::None)
            }
            (Object::TimeDelta(micros), _) => Ok(crate::time::total_seconds(*micros)),
            _ => run.call(receiver, given.args, context),
        },
        Value::None | Value::Undefined(_) => raise(Class::Attribute, quoted(name)),
    }
}

/// The arguments of a built-in method, with the errors that CPython raises for wrong ones.
pub(crate) struct Given<'a> {
    pub type_name: &'static str,
    pub method: &'a str,
    pub args: Args,
}

impl Given<'_> {
    fn no_keywords(&self) -> Outcome<()> {
        if self.args.named.is_empty() {
            return Ok(());
        }
        type_error(format!("{}.{}() takes no keyword arguments", self.type_name, self.method))
    }

    /// No argument at all.
    pub(crate) fn none(&self) -> Outcome<()> {
        self.no_keywords()?;
        match self.args.positional.len() {
            0 => Ok(()),
            given => {
                type_error(format!("{}.{}() takes no arguments ({given} given)", self.type_name, self.method))
            }
        }
    }

    /// Exactly one argument.
    pub(crate) fn one(&self) -> Outcome<&Value> {
        self.no_keywords()?;
        match self.args.positional.as_slice() {
            [one] => Ok(one),
            given => type_error(format!(
                "{}.{}() takes exactly one argument ({} given)",
                self.type_name,
                self.method,
                given.len()
            )),
        }
    }

    /// Between `least` and `most` arguments, none by name.
    pub(crate) fn between(&self, least: usize, most: usize) -> Outcome<&[Value]> {
        self.no_keywords()?;
        let given = self.args.positional.len();
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let method = self.method;
        if least == most && given != least {
            return type_error(format!("{method} expected {least} argument{}, got {given}", plural(least)));
        }
        if given < least {
            return type_error(format!(
                "{method} expected at least {least} argument{}, got {given}",
                plural(least)
            ));
        }
        if given > most {
            return type_error(format!(
                "{method} expected at most {most} argument{}, got {given}",
                plural(most)
            ));
        }
        Ok(&self.args.positional)
    }

    /// Arguments by place or by name, all optional.
    pub(crate) fn named<const N: usize>(mut self, names: [&str; N]) -> Outcome<[Option<Value>; N]> {
        let given = self.args.positional.len() + self.args.named.len();
        if self.args.positional.len() > N {
            return type_error(format!("{}() takes at most {N} arguments ({given} given)", self.method));
        }
        let mut found: [Option<Value>; N] = std::array::from_fn(|_| None);
        for (slot, value) in found.iter_mut().zip(std::mem::take(&mut self.args.positional)) {
            *slot = Some(value);
        }
        for (name, value) in std::mem::take(&mut self.args.named) {
            match names.iter().position(|known| **known == *name) {
                Some(at) if found[at].is_none() => found[at] = Some(value),
                Some(at) => {
                    return type_error(format!(
                        "argument for {}() given by name ('{name}') and position ({})",
                        self.method,
                        at + 1
                    ));
                }
                None => {
                    return type_error(format!(
                        "'{name}' is an invalid keyword argument for {}()",
                        self.method
                    ));
                }
            }
        }
        Ok(found)
    }

    /// A string argument.
    pub(crate) fn text<'v>(&self, value: &'v Value) -> Outcome<&'v Text> {
        match value {
            Value::Undefined(undefined) => undefined.fail(),
            _ => match value.as_str() {
                Some(text) => Ok(text),
                None => type_error(format!("must be str, not {}", value.type_name())),
            },
        }
    }
}

/// An integer argument that must fit into 64 bits.
pub(crate) fn index(value: &Value) -> Outcome<i64> {
    match value.as_int() {
        Some(Int::Small(value)) => Ok(value),
        Some(Int::Big(_)) => raise(Class::Overflow, "Python int too large to convert to C ssize_t"),
        None => {
            if let Value::Undefined(undefined) = value {
                return undefined.fail();
            }
            type_error(format!("'{}' object cannot be interpreted as an integer", value.type_name()))
        }
    }
}

/// The label of a view's kind.
pub(crate) fn view(dict: &Rc<crate::value::Dict>, kind: ViewKind) -> Value {
    Value::object(Object::View(crate::value::View { kind, dict: dict.clone() }))
}
