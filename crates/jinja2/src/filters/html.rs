use super::Call;
use crate::error::{Class, Outcome, quoted, raise, type_error, value_error};
use crate::markup;
use crate::ops;
use crate::print;
use crate::run::Bound;
use crate::value::Value;

pub(super) fn escape(_call: &Call<'_>, args: &[Value]) -> Outcome<Value> {
    markup::escape(&args[0]).map(Value::Markup)
}

pub(super) fn force_escape(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    Ok(Value::Markup(markup::escaped(&print::str(args.value(0))?).into()))
}

pub(super) fn safe(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    print::str(args.value(0)).map(Value::Markup)
}

pub(super) fn striptags(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    Ok(markup::without_tags(&print::str(args.value(0))?).into())
}

/// Percent-encodes what is not safe in a URL.
fn quote(value: &Value, in_query: bool) -> Outcome<String> {
    let text = print::str(value)?;
    let bytes: &[u8] = if let Value::Bytes(bytes) = value { bytes } else { text.as_bytes() };
    let mut out = String::new();
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'-' | b'~' => {
                out.push(char::from(*byte))
            }
            b'/' if !in_query => out.push('/'),
            b' ' if in_query => out.push('+'),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    Ok(out)
}

pub(super) fn urlencode(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let is_text = value.as_str().is_some();
    if is_text
        || matches!(
            value,
            Value::None
                | Value::Bool(_)
                | Value::Int(_)
                | Value::Float(_)
                | Value::Date(_)
                | Value::DateTime(_)
        )
    {
        return quote(value, false).map(Value::from);
    }
    let pairs = match value {
        Value::Dict(dict) => dict.pairs()?,
        value => call.run.items(value)?.iter().map(|pair| two(call, pair)).collect::<Outcome<_>>()?,
    };
    let mut parts = Vec::with_capacity(pairs.len());
    for (key, value) in pairs {
        parts.push(format!("{}={}", quote(&key, true)?, quote(&value, true)?));
    }
    Ok(parts.join("&").into())
}

fn two(call: &Call<'_>, pair: &Value) -> Outcome<(Value, Value)> {
    let items = match call.run.items(pair) {
        Err(error) if error.class == Class::Type => {
            return type_error(format!("cannot unpack non-iterable {} object", pair.type_name()));
        }
        items => items?,
    };
    match items.as_slice() {
        [key, value] => Ok((key.clone(), value.clone())),
        few if few.len() < 2 => {
            value_error(format!("not enough values to unpack (expected 2, got {})", few.len()))
        }
        _ => value_error("too many values to unpack (expected 2)"),
    }
}

pub(super) fn xmlattr(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let Value::Dict(dict) = value else {
        if let Value::Undefined(undefined) = value {
            return undefined.fail();
        }
        return raise(Class::Attribute, format!("'{}' object has no attribute 'items'", value.type_name()));
    };
    let mut parts = Vec::new();
    for (key, value) in dict.pairs()? {
        if matches!(value, Value::None | Value::Undefined(_)) {
            continue;
        }
        let Some(name) = key.as_str() else {
            return type_error(format!("expected string or bytes-like object, got '{}'", key.type_name()));
        };
        let is_bad = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '/' | '>' | '=');
        if name.contains(is_bad) {
            return value_error(format!("Invalid character in attribute name: {}", quoted(name)));
        }
        parts.push(format!("{}=\"{}\"", markup::escape(&key)?, markup::escape(&value)?));
    }
    let mut text = parts.join(" ");
    if !text.is_empty() && args.given(1).map_or(Ok(true), ops::is_true)? {
        text.insert(0, ' ');
    }
    Ok(if call.context.autoescape.get() { Value::Markup(text.into()) } else { text.into() })
}
