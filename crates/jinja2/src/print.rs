//! Values as text: Python's `str` and `repr`.

use crate::error::Outcome;
use crate::stack::too_deep;
use crate::text;
use crate::value::{Dict, Object, Value, View, ViewKind};
use kapstan_document::{self as document, python};
use std::fmt::Write;
use std::rc::Rc;

/// Containers nested deeper than this are not printed.
const MAX_DEPTH: usize = 250;

/// `repr(value)`.
pub(crate) fn repr(value: &Value) -> Outcome<String> {
    let mut out = String::new();
    write_repr(value, &mut out)?;
    Ok(out)
}

/// `str(value)`.
pub(crate) fn str(value: &Value) -> Outcome<document::Text> {
    if let Value::Str(text) | Value::Markup(text) = value {
        return Ok(text.clone());
    }
    let mut out = String::new();
    write_str(value, &mut out)?;
    Ok(out.into())
}

/// Writes `str(value)`.
pub(crate) fn write_str(value: &Value, out: &mut String) -> Outcome<()> {
    match value {
        Value::Str(text) | Value::Markup(text) => out.push_str(text),
        Value::Date(date) => out.push_str(&python::date_str(*date)),
        Value::DateTime(time) => out.push_str(&python::datetime_str(time)),
        Value::Undefined(undefined) => undefined.check()?,
        Value::Object(object) => match &**object {
            Object::Module { text, .. } => out.push_str(text),
            Object::TimeDelta(micros) => out.push_str(&crate::time::delta_str(*micros)),
            _ => return write_repr(value, out),
        },
        _ => return write_repr(value, out),
    }
    Ok(())
}

/// Writes `repr(value)`.
pub(crate) fn write_repr(value: &Value, out: &mut String) -> Outcome<()> {
    Repr { out, open: Vec::new() }.value(value)
}

struct Repr<'a> {
    out: &'a mut String,
    /// The containers that are being written: one inside itself is not written again.
    open: Vec<usize>,
}

impl Repr<'_> {
    fn value(&mut self, value: &Value) -> Outcome<()> {
        match value {
            Value::None => self.out.push_str("None"),
            Value::Bool(true) => self.out.push_str("True"),
            Value::Bool(false) => self.out.push_str("False"),
            Value::Int(value) => write_display(self.out, value),
            Value::Float(value) => self.out.push_str(&text::float(*value)),
            Value::Str(value) => match document::Member::of(value) {
                Some(member) => self.out.push_str(&member.repr()),
                None => text::repr_str(value, self.out),
            },
            Value::Markup(value) => {
                self.out.push_str("Markup(");
                text::repr_str(value, self.out);
                self.out.push(')');
            }
            Value::Bytes(bytes) => self.out.push_str(&python::repr_bytes(bytes)),
            Value::Date(date) => {
                self.out.push_str(&python::repr(&document::Value::Date(*date)));
            }
            Value::DateTime(time) => {
                self.out.push_str(&python::repr(&document::Value::DateTime(time.clone())));
            }
            Value::Tuple(tuple) => self.sequence(&tuple.items, "(", ")", Rc::as_ptr(tuple).addr())?,
            Value::List(list) => {
                let items = list.items();
                self.sequence(&items, "[", "]", Rc::as_ptr(list).addr())?;
            }
            Value::Dict(dict) => self.dict(dict)?,
            Value::Set(dict) => self.set(dict)?,
            Value::Range(range) => {
                write_display(self.out, &format_args!("range({}, {}", range.start, range.stop));
                if range.step != 1 {
                    write_display(self.out, &format_args!(", {}", range.step));
                }
                self.out.push(')');
            }
            Value::Undefined(_) => {
                self.out.push_str("Undefined");
            }
            Value::Object(object) => self.object(object, value)?,
        }
        Ok(())
    }

    /// Whether the container is to be written; if it is open already, `marker` stands for it.
    fn enter(&mut self, address: usize, marker: &str) -> Outcome<bool> {
        if self.open.contains(&address) {
            self.out.push_str(marker);
            return Ok(false);
        }
        if self.open.len() >= MAX_DEPTH {
            let mut error = too_deep();
            error.message.push_str(" while getting the repr of an object");
            return Err(error);
        }
        self.open.push(address);
        Ok(true)
    }

    fn sequence(&mut self, items: &[Value], open: &str, close: &str, address: usize) -> Outcome<()> {
        let marker = if open == "[" { "[...]" } else { "(...)" };
        if !self.enter(address, marker)? {
            return Ok(());
        }
        self.out.push_str(open);
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.value(item)?;
        }
        if items.len() == 1 && open == "(" {
            self.out.push(',');
        }
        self.out.push_str(close);
        self.open.pop();
        Ok(())
    }

    fn dict(&mut self, dict: &Rc<Dict>) -> Outcome<()> {
        if !self.enter(Rc::as_ptr(dict).addr(), "{...}")? {
            return Ok(());
        }
        self.out.push('{');
        for (at, (key, value)) in dict.entries()?.values().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.value(key)?;
            self.out.push_str(": ");
            self.value(value)?;
        }
        self.out.push('}');
        self.open.pop();
        Ok(())
    }

    fn set(&mut self, dict: &Rc<Dict>) -> Outcome<()> {
        let entries = dict.entries()?;
        if entries.is_empty() {
            self.out.push_str("set()");
            return Ok(());
        }
        let items: Vec<Value> = entries.values().map(|(key, _)| key.clone()).collect();
        self.sequence(&items, "{", "}", Rc::as_ptr(dict).addr())
    }

    fn view(&mut self, view: &View) -> Outcome<()> {
        let items: Vec<Value> = view
            .dict
            .pairs()?
            .into_iter()
            .map(|(key, value)| match view.kind {
                ViewKind::Keys => key,
                ViewKind::Values => value,
                ViewKind::Items => Value::tuple(vec![key, value]),
            })
            .collect();
        self.out.push_str(match view.kind {
            ViewKind::Keys => "dict_keys(",
            ViewKind::Values => "dict_values(",
            ViewKind::Items => "dict_items(",
        });
        let address = std::ptr::from_ref(view).addr();
        if self.enter(address, "...")? {
            self.open.pop();
            self.sequence(&items, "[", "]", address)?;
        }
        self.out.push(')');
        Ok(())
    }

    /// Addresses are of no use to anybody; they are all zero.
    fn object(&mut self, object: &Object, value: &Value) -> Outcome<()> {
        match object {
            Object::Namespace(attributes) => {
                self.out.push_str("<Namespace ");
                self.dict(attributes)?;
                self.out.push('>');
            }
            Object::Macro { code, .. } => {
                let name =
                    code.name.as_ref().map_or_else(|| "anonymous".to_owned(), |n| crate::error::quoted(n));
                write_display(self.out, &format_args!("<Macro {name}>"));
            }
            Object::Loop(state) => {
                write_display(
                    self.out,
                    &format_args!("<LoopContext {}/{}>", state.index(), state.known_length()),
                );
            }
            Object::Module { name, .. } => {
                write_display(self.out, &format_args!("<TemplateModule {}>", crate::error::quoted(name)));
            }
            Object::Template(context) => {
                let name = crate::error::quoted(&context.name);
                write_display(self.out, &format_args!("<TemplateReference {name}>"));
            }
            Object::Block { .. } => self.out.push_str("<jinja2.runtime.BlockReference object at 0x0>"),
            Object::Cycler { .. } => self.out.push_str("<jinja2.utils.Cycler object at 0x0>"),
            Object::Joiner { .. } => self.out.push_str("<jinja2.utils.Joiner object at 0x0>"),
            Object::Method { receiver, name } => {
                if matches!(receiver, Value::Object(_)) {
                    let owner = receiver.type_name();
                    write_display(self.out, &format_args!("<bound method {owner}.{name} of "));
                    self.value(receiver)?;
                    self.out.push('>');
                } else {
                    let owner = receiver.type_name();
                    write_display(
                        self.out,
                        &format_args!("<built-in method {name} of {owner} object at 0x0>"),
                    );
                }
            }
            Object::Builtin(name) => self.out.push_str(builtin_repr(name)),
            Object::Host { name, .. } => write_display(self.out, &format_args!("<function {name} at 0x0>")),
            Object::Generator(generator) => {
                let (kind, name) =
                    generator.try_borrow().map_or(("generator", ""), |generator| generator.label);
                if kind == "generator" {
                    write_display(self.out, &format_args!("<generator object {name} at 0x0>"));
                } else {
                    write_display(self.out, &format_args!("<{kind} object at 0x0>"));
                }
            }
            Object::View(view) => self.view(view)?,
            Object::TimeDelta(micros) => self.out.push_str(&crate::time::delta_repr(*micros)),
        }
        let _ = value;
        Ok(())
    }
}

fn builtin_repr(name: &str) -> &'static str {
    match name {
        "range" => "<class 'range'>",
        "dict" => "<class 'dict'>",
        "cycler" => "<class 'jinja2.utils.Cycler'>",
        "joiner" => "<class 'jinja2.utils.Joiner'>",
        "namespace" => "<class 'jinja2.utils.Namespace'>",
        "str" => "<class 'str'>",
        "int" => "<class 'int'>",
        "float" => "<class 'float'>",
        "bool" => "<class 'bool'>",
        "list" => "<class 'list'>",
        "tuple" => "<class 'tuple'>",
        "set" => "<class 'set'>",
        "NoneType" => "<class 'NoneType'>",
        _ => "<function generate_lorem_ipsum at 0x0>",
    }
}

fn write_display(out: &mut String, value: &dyn std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{value}");
}
