use crate::error::{Class, Outcome, RenderError, raise, type_error};
use crate::filters::{Call, to_int};
use crate::ops;
use crate::print;
use crate::run::{Bound, Run};
use crate::time::{Moment, strptime};
use crate::value::{Dict, Entries, Key, Value, to_node};
use kapstan_document::{Int, toml as toml_format, yaml as yaml_format};
use std::rc::Rc;

pub(super) fn yaml(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let node = to_node(args.value(0), "yaml", call.run.stack)?;
    let options = yaml_format::WriteOptions {
        aliases: yaml_format::Aliases::Always,
        ..yaml_format::WriteOptions::plain()
    };
    let text = yaml_format::write(&node, &options).map_err(|error| python_error(error.peer_text()))?;
    call.run.spend_text(text.len())?;
    Ok(text.into())
}

pub(super) fn toml(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let node = to_node(args.value(0), "toml", call.run.stack)?;
    let text = toml_format::write(&node).map_err(|error| python_error(error.peer_text()))?;
    call.run.spend_text(text.len())?;
    Ok(text.into())
}

/// The last line of a traceback as an exception: Kapitan shows its text without its class.
fn python_error(line: &str) -> Box<RenderError> {
    let (class, message) = line.split_once(": ").unwrap_or(("ValueError", line));
    let class = match class {
        "TypeError" => Class::Type,
        "RecursionError" => Class::Recursion,
        _ => Class::Value,
    };
    RenderError::new(class, message)
}

pub(super) fn fileglob(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let Some(pattern) = value.as_str() else {
        if let Value::Undefined(undefined) = value {
            return undefined.fail();
        }
        return type_error(format!("expected str, bytes or os.PathLike object, not {}", value.type_name()));
    };
    let found =
        call.run.env.host.glob(pattern).map_err(|message| RenderError::new(Class::Compile, message))?;
    Ok(Value::list(found.into_iter().map(Value::from).collect()))
}

pub(super) fn reveal_maybe(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    if !call.run.env.host.reveals() {
        return Ok(value.clone());
    }
    let revealed = call.run.env.host.reveal(super::regex::subject(value)?);
    revealed.map(Value::from).map_err(|message| RenderError::new(Class::Compile, message))
}

pub(super) fn to_bool(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    Ok(match args.value(0) {
        Value::None => Value::None,
        Value::Undefined(undefined) => {
            undefined.check()?;
            Value::Bool(false)
        }
        Value::Int(value) => Value::Bool(*value == Int::Small(1)),
        Value::Float(value) => Value::Bool(*value == 1.0),
        value @ Value::Bool(_) => value.clone(),
        value => {
            Value::Bool(value.as_str().is_some_and(|text| {
                matches!(crate::methods::lower(text).as_str(), "yes" | "on" | "1" | "true")
            }))
        }
    })
}

pub(super) fn to_datetime(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let mut texts = Vec::new();
    for (at, default) in [(0, None), (1, Some(Value::from("%Y-%m-%d %H:%M:%S")))] {
        let value = args.given(at).cloned().or(default).unwrap_or(Value::None);
        match (value.as_str(), &value) {
            (Some(text), _) => texts.push(text.clone()),
            (None, Value::Undefined(_)) => {
                return type_error(format!(
                    "strptime() argument {} must be str, not StrictUndefined",
                    at + 1
                ));
            }
            (None, value) => {
                let kind = value.type_name();
                return type_error(format!("strptime() argument {} must be str, not {kind}", at + 1));
            }
        }
    }
    let time = strptime(&texts[0], &texts[1])?;
    match args.value(2) {
        Value::None => Ok(time),
        zone => type_error(format!(
            "tzinfo argument must be None or of a tzinfo subclass, not type '{}'",
            zone.type_name()
        )),
    }
}

pub(super) fn strftime(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let host = &call.run.env.host;
    let seconds = match args.value(1) {
        Value::None => host.now(),
        second => match to_int(second) {
            Ok(Value::Int(Int::Small(seconds))) => seconds,
            Ok(_) => return raise(Class::Overflow, "timestamp out of range for platform time_t"),
            Err(error) if matches!(error.class, Class::Type | Class::Value) => {
                return raise(
                    Class::Compile,
                    format!("Invalid value for epoch value ({})", print::str(second)?),
                );
            }
            Err(error) => return Err(error),
        },
    };
    let format = args.value(0);
    let Some(text) = format.as_str() else {
        if let Value::Undefined(_) = format {
            return type_error("strftime() argument 1 must be str, not StrictUndefined");
        }
        return type_error(format!("strftime() argument 1 must be str, not {}", format.type_name()));
    };
    let (offset, zone) = host.zone(seconds);
    Ok(Moment::local(seconds, offset, zone).format(text).into())
}

pub(super) fn ternary(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    if let (Value::None, Some(none)) =
        (args.value(0), args.given(3).filter(|value| !matches!(value, Value::None)))
    {
        return Ok(none.clone());
    }
    Ok(args.value(if ops::is_true(args.value(0))? { 1 } else { 2 }).clone())
}

pub(super) fn merge_strategic(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    merged(call.run, args.value(0))
}

fn merged(run: &Run, value: &Value) -> Outcome<Value> {
    run.stack.check()?;
    run.spend(1)?;
    match value {
        Value::List(list) => {
            let items = list.items().clone();
            let items = items.iter().map(|item| merged(run, item)).collect::<Outcome<Vec<_>>>()?;
            by_name(items)
        }
        Value::Dict(dict) => {
            let mut entries = Entries::default();
            for (key, value) in dict.pairs()? {
                entries.insert(Key::of(&key)?, (key, merged(run, &value)?));
            }
            Ok(Value::dict(entries))
        }
        value => Ok(value.clone()),
    }
}

/// Mappings with a name, those of one name put together; other lists stay as they are.
fn by_name(items: Vec<Value>) -> Outcome<Value> {
    let mut named = Vec::with_capacity(items.len());
    for item in &items {
        match item {
            Value::Dict(dict) => match dict.get_str("name")? {
                Some(name) => named.push((name, dict.clone())),
                None => return Ok(Value::list(items)),
            },
            _ => return Ok(Value::list(items)),
        }
    }
    let mut merged: indexmap::IndexMap<Key, Rc<Dict>> = indexmap::IndexMap::new();
    for (name, dict) in named {
        let into = merged.entry(Key::of(&name)?).or_insert_with(|| Rc::new(Dict::new(Entries::default())));
        for (key, value) in dict.pairs()? {
            into.insert(key, value)?;
        }
    }
    Ok(Value::list(merged.into_values().map(Value::Dict).collect()))
}
