//! The functions of Helm that need the engine: `include`, `tpl`, `required`, `fail`.

use super::{Call, CallError, Function, Outcome};
use crate::format::quote;
use crate::value::{Text, Type, Value};

/// As `helm template` has them.
pub const ROWS: &[Function] = &[
    Function::new("include", &[Type::String, Type::Any], Type::String, include),
    Function::new("tpl", &[Type::String, Type::Any], Type::String, tpl),
    Function::new("required", &[Type::String, Type::Any], Type::Any, required),
    Function::new("fail", &[Type::String], Type::String, fail),
];

/// As `helm lint` has them: what is required may be missing, and nothing fails on purpose.
pub const LINT_ROWS: &[Function] = &[
    Function::new("required", &[Type::String, Type::Any], Type::Any, required_or_empty),
    Function::new("fail", &[Type::String], Type::String, |_| Ok(Value::str(""))),
];

/// How many runs of a name may be under way before another one is refused.
const MOST_NESTED: usize = 1000;

/// A template of the set, by name, into a string.
fn include(call: &mut Call<'_>) -> Outcome {
    let name = call.text(0);
    if call.nesting(name) > MOST_NESTED {
        let name = String::from_utf8_lossy(name);
        let text =
            format!("rendering template has a nested reference name: {name}: unable to execute template");
        return Err(text.into());
    }
    Ok(Value::Str(call.execute(name, call.arg(1).clone())?))
}

/// A text as a template; every `<no value>` is taken out of what it gives.
fn tpl(call: &mut Call<'_>) -> Outcome {
    let text = call.arg(0).as_text().cloned().unwrap_or_default();
    let name = call.set_name();
    match call.execute_text(&name, &text, call.arg(1).clone()) {
        Ok(out) => Ok(Value::Str(without_no_value(out))),
        Err(error) if error.is_parse_error() => {
            Err(error.prefixed(format!("cannot parse template {}: ", quote(&text))))
        }
        Err(error) => {
            Err(error.prefixed(format!("error during tpl function execution for {}: ", quote(&text))))
        }
    }
}

/// The text without `<no value>`: what Helm does to every output, because nothing stops Go from writing it.
pub fn without_no_value(text: Text) -> Text {
    const NO_VALUE: &[u8] = b"<no value>";
    let mut found = memchr::memmem::find_iter(&text, NO_VALUE).peekable();
    if found.peek().is_none() {
        return text;
    }
    let mut out = Vec::with_capacity(text.len());
    let mut from = 0;
    for at in found {
        out.extend_from_slice(&text[from..at]);
        from = at + NO_VALUE.len();
    }
    out.extend_from_slice(&text[from..]);
    out.into()
}

fn is_missing(value: &Value) -> bool {
    match value {
        Value::Str(text) => text.is_empty(),
        value => value.is_nil(),
    }
}

/// The value, unless it is nil or an empty string.
fn required(call: &mut Call<'_>) -> Outcome {
    if is_missing(call.arg(1)) {
        return Err(CallError::user_message(call.text(0)));
    }
    Ok(call.arg(1).clone())
}

fn required_or_empty(call: &mut Call<'_>) -> Outcome {
    Ok(if is_missing(call.arg(1)) { Value::str("") } else { call.arg(1).clone() })
}

fn fail(call: &mut Call<'_>) -> Outcome {
    Err(CallError::user_message(call.text(0)))
}
