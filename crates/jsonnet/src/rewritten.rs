use crate::number_text::{is_written_otherwise, number_text};
use crate::text_of::text_of;
use jrsonnet_evaluator::function::builtin::Builtin;
use jrsonnet_evaluator::function::{CallLocation, FuncVal, FunctionSignature};
use jrsonnet_evaluator::val::ArrValue;
use jrsonnet_evaluator::{NumValue, ObjValue, Result, Thunk, Val, ensure_sufficient_stack};
use jrsonnet_gcmodule::Trace;
use std::any::Any;

/// The members of `std` that write values, their first argument, as text.
pub(crate) const WRITERS: &[&str] = &[
    "manifestJson",
    "manifestJsonEx",
    "manifestJsonMinified",
    "manifestPython",
    "manifestPythonVars",
    "manifestYamlDoc",
    "manifestYamlStream",
    "manifestToml",
    "manifestTomlEx",
    "manifestIni",
    "manifestXmlJsonml",
];

/// The members of `std` that work on the text of their first argument, whatever it is.
pub(crate) const TEXT_WRITERS: &[&str] =
    &["escapeStringJson", "escapeStringPython", "escapeStringBash", "escapeStringDollars", "escapeStringXML"];

/// Private characters around a number that stands as a string in what jrsonnet writes.
const MARKS: [char; 2] = ['\u{f8ff0}', '\u{f8ff1}'];

/// Stands for a line feed in a string that C++ jsonnet writes in quotes: in YAML only strings that end in a line feed
/// become blocks, while jrsonnet makes blocks of all that hold one.
const LINE_FEED: char = '\u{f8ff2}';

/// A function of jrsonnet that writes values, made to write them as C++ jsonnet does: those that differ travel through
/// it as marked strings, which get their form in its text.
#[derive(Trace)]
pub(crate) struct Rewritten(pub(crate) FuncVal);

/// A function of jrsonnet that takes a string, made to take anything and use its text.
#[derive(Trace)]
pub(crate) struct OfText(pub(crate) FuncVal);

impl Builtin for OfText {
    fn name(&self) -> &str {
        "of_text"
    }

    fn params(&self) -> FunctionSignature {
        self.0.params()
    }

    fn call(&self, location: CallLocation<'_>, arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
        let (FuncVal::Builtin(function), [Some(value)]) = (&self.0, arguments) else { return Ok(Val::Null) };
        let text = text_of(&value.evaluate()?)?;
        function.call(location, &[Some(Thunk::evaluated(text.into()))])
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Builtin for Rewritten {
    fn name(&self) -> &str {
        match &self.0 {
            FuncVal::Builtin(function) => function.name(),
            FuncVal::Normal(_) => "function",
        }
    }

    fn params(&self) -> FunctionSignature {
        self.0.params()
    }

    fn call(&self, location: CallLocation<'_>, arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
        let FuncVal::Builtin(function) = &self.0 else { return Ok(Val::Null) };
        let Some((Some(first), rest)) = arguments.split_first() else {
            return function.call(location, arguments);
        };
        let value = first.evaluate()?;
        let is_yaml = function.name().contains("yaml");
        if !has_such_values(&value, is_yaml)? {
            return function.call(location, arguments);
        }
        let mut arguments = vec![Some(Thunk::evaluated(mark(&value, is_yaml)?))];
        arguments.extend_from_slice(rest);
        match function.call(location, &arguments)? {
            Val::Str(text) => Ok(unmark(&text.into_flat()).into()),
            other => Ok(other),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn is_such(number: NumValue) -> bool {
    is_written_otherwise(number.get())
}

/// Whether a string has line feeds and is no block of YAML in C++ jsonnet.
fn is_quoted(text: &str) -> bool {
    text.contains('\n') && !text.ends_with('\n')
}

fn has_such_values(value: &Val, is_yaml: bool) -> Result<bool> {
    Ok(match value {
        Val::Num(number) => is_such(*number),
        Val::Str(text) => is_yaml && is_quoted(&text.clone().into_flat()),
        Val::Arr(items) => ensure_sufficient_stack(|| {
            for item in items.iter() {
                if has_such_values(&item?, is_yaml)? {
                    return Ok(true);
                }
            }
            Ok::<_, jrsonnet_evaluator::Error>(false)
        })?,
        Val::Obj(object) => ensure_sufficient_stack(|| {
            object.run_assertions()?;
            for (_, field) in object.iter() {
                if has_such_values(&field?, is_yaml)? {
                    return Ok(true);
                }
            }
            Ok::<_, jrsonnet_evaluator::Error>(false)
        })?,
        _ => false,
    })
}

fn mark(value: &Val, is_yaml: bool) -> Result<Val> {
    Ok(match value {
        Val::Num(number) if is_such(*number) => {
            format!("{}{}{}", MARKS[0], number_text(number.get()), MARKS[1]).into()
        }
        Val::Str(text) if is_yaml && is_quoted(&text.clone().into_flat()) => {
            text.clone().into_flat().replace('\n', &LINE_FEED.to_string()).into()
        }
        Val::Arr(items) => ensure_sufficient_stack(|| {
            let items = items.iter().map(|item| mark(&item?, is_yaml)).collect::<Result<Vec<Val>>>()?;
            Ok::<_, jrsonnet_evaluator::Error>(Val::Arr(items.into_iter().collect::<ArrValue>()))
        })?,
        Val::Obj(object) => ensure_sufficient_stack(|| {
            let mut builder = ObjValue::builder();
            for (name, field) in object.iter() {
                builder.field(name).value(mark(&field?, is_yaml)?);
            }
            Ok::<_, jrsonnet_evaluator::Error>(Val::Obj(builder.build()))
        })?,
        other => other.clone(),
    })
}

/// Takes the marks away, and the quotes around them.
fn unmark(text: &str) -> String {
    let mut text = text.to_owned();
    for quote in ["\"", "'"] {
        text = text.replace(&format!("{quote}{}", MARKS[0]), "").replace(&format!("{}{quote}", MARKS[1]), "");
    }
    text.replace(MARKS, "").replace(LINE_FEED, "\\n")
}
