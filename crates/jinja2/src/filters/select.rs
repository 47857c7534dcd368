use super::{Call, Getter};
use crate::error::{Class, Outcome, RenderError, quoted, raise, type_error};
use crate::ops;
use crate::print;
use crate::run::{Args, Bound, Generator, Mapper, Selection, Step};
use crate::value::{Undefined, Value};
use rustc_hash::FxHashSet;

pub(super) fn default(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let takes_false = args.given(2).map_or(Ok(false), ops::is_true)?;
    if matches!(value, Value::Undefined(_)) || takes_false && !ops::is_true(value)? {
        return Ok(args.given(1).cloned().unwrap_or_else(|| "".into()));
    }
    Ok(value.clone())
}

pub(super) fn attr(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let (value, name) = (args.value(0), args.value(1));
    let Some(text) = name.as_str() else {
        return type_error(format!("attribute name must be string, not '{}'", name.type_name()));
    };
    if let Some(found) = crate::methods::attribute(call.run, value, text)? {
        return Ok(found);
    }
    Ok(Undefined::of(value, name.clone()))
}

/// The first argument, which is the value, and the others.
fn value_and_rest(mut args: Args, name: &str) -> Outcome<(Value, Args)> {
    if args.positional.is_empty() {
        return type_error(format!("{name}() missing 1 required positional argument: 'value'"));
    }
    let value = args.positional.remove(0);
    Ok((value, args))
}

pub(super) fn map(call: &Call<'_>, args: Args) -> Outcome<Value> {
    let (value, rest) = value_and_rest(args, "sync_do_map")?;
    Ok(Generator::value(("generator", "sync_do_map"), value, Step::Map(rest, None), call.context))
}

fn selecting(call: &Call<'_>, args: Args, name: &str, negate: bool, by_attribute: bool) -> Outcome<Value> {
    let (value, args) = value_and_rest(args, name)?;
    let step = Step::Select { args, selection: None, negate, by_attribute };
    Ok(Generator::value(("generator", "select_or_reject"), value, step, call.context))
}

pub(super) fn select(call: &Call<'_>, args: Args) -> Outcome<Value> {
    selecting(call, args, "sync_do_select", false, false)
}

pub(super) fn reject(call: &Call<'_>, args: Args) -> Outcome<Value> {
    selecting(call, args, "sync_do_reject", true, false)
}

pub(super) fn selectattr(call: &Call<'_>, args: Args) -> Outcome<Value> {
    selecting(call, args, "sync_do_selectattr", false, true)
}

pub(super) fn rejectattr(call: &Call<'_>, args: Args) -> Outcome<Value> {
    selecting(call, args, "sync_do_rejectattr", true, true)
}

impl Mapper {
    /// What the arguments of `map` ask for.
    pub(crate) fn of(mut args: Args, _call: &Call<'_>) -> Outcome<Self> {
        if args.positional.is_empty() {
            if let Some(attribute) = args.take("attribute") {
                let default = args.take("default").unwrap_or(Value::None);
                if let Some((name, _)) = args.named.first() {
                    let message = format!("Unexpected keyword argument {}", quoted(name));
                    return raise(Class::FilterArgument, message);
                }
                return Ok(Self::Attribute(Getter::new(&attribute).with_default(&default)));
            }
            return raise(Class::FilterArgument, "map requires a filter argument");
        }
        let name = args.positional.remove(0);
        Ok(Self::Filter(name, args))
    }

    /// The new item.
    pub(crate) fn apply(&self, call: &Call<'_>, item: Value) -> Outcome<Value> {
        match self {
            Self::Attribute(getter) => getter.get(call.run, &item),
            Self::Filter(name, args) => by_name(call, "filter", name, item, args),
        }
    }
}

impl Selection {
    /// What the arguments of `select`, `selectattr`, ... ask for.
    pub(crate) fn of(mut args: Args, by_attribute: bool) -> Outcome<Self> {
        let mut attribute = None;
        if by_attribute {
            if args.positional.is_empty() {
                return raise(Class::FilterArgument, "Missing parameter for attribute name");
            }
            attribute = Some(Getter::new(&args.positional.remove(0)));
        }
        let test = if args.positional.is_empty() { None } else { Some((args.positional.remove(0), args)) };
        Ok(Self { attribute, test })
    }

    /// Whether the item passes.
    pub(crate) fn holds(&self, call: &Call<'_>, item: &Value) -> Outcome<bool> {
        let value = match &self.attribute {
            Some(getter) => getter.get(call.run, item)?,
            None => item.clone(),
        };
        match &self.test {
            Some((name, args)) => ops::is_true(&by_name(call, "test", name, value, args)?),
            None => ops::is_true(&value),
        }
    }
}

/// Applies a filter or test whose name is a value.
fn by_name(call: &Call<'_>, kind: &str, name: &Value, item: Value, args: &Args) -> Outcome<Value> {
    let known = &call.run.env.known;
    let table = if kind == "filter" { &known.filters } else { &known.tests };
    let found = match name {
        Value::Undefined(_) => None,
        name => name.as_str().and_then(|name| table.get(&**name)),
    };
    let Some(found) = found else {
        if let Value::Undefined(undefined) = name {
            // Looking it up needs a hash, which an undefined value does not have.
            return undefined.fail();
        }
        let message = format!("No {kind} named {}.", print::repr(name)?);
        let mut error = RenderError::new(Class::TemplateRuntime, message);
        error.hint = name.as_str().and_then(|name| known.hint(kind, name));
        return Err(error);
    };
    let mut all = args.clone();
    all.positional.insert(0, item);
    found.call(call, all)
}

/// Items not seen before.
pub(super) fn unique(call: &Call<'_>, value: &Value, getter: Getter) -> Value {
    let step = Step::Unique(getter, FxHashSet::default());
    Generator::value(("generator", "sync_do_unique"), value.clone(), step, call.context)
}
