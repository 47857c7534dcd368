//! Text that is HTML already: markupsafe, as far as Jinja2 shows it.

use crate::error::{Outcome, type_error};
use crate::methods::Given;
use crate::print;
use crate::run::Run;
use crate::value::Value;
use kapstan_document::Text;

/// `escape(text)`.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&#34;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// `escape(value)`: what is HTML already stays as it is.
pub(crate) fn escape(value: &Value) -> Outcome<Text> {
    match value {
        Value::Markup(text) => Ok(text.clone()),
        value => Ok(escaped(&print::str(value)?).into()),
    }
}

/// `left + right` where one of them is HTML.
pub(crate) fn added(left: &Value, right: &Value) -> Outcome<String> {
    if left.as_str().is_none() || right.as_str().is_none() {
        return type_error(format!(
            "unsupported operand type(s) for +: '{}' and '{}'",
            left.type_name(),
            right.type_name()
        ));
    }
    Ok(format!("{}{}", escape(left)?, escape(right)?))
}

/// `a ~ b ~ c` where one of them is HTML.
pub(crate) fn joined(values: &[Value]) -> Outcome<Value> {
    let mut out = String::new();
    for value in values {
        out.push_str(&escape(value)?);
    }
    Ok(Value::Markup(out.into()))
}

/// Text without tags and comments, blanks joined, entities resolved.
pub(crate) fn without_tags(text: &str) -> String {
    let mut text = text.to_owned();
    for (open, close) in [("<!--", "-->"), ("<", ">")] {
        let mut from = 0;
        while let Some(start) = text[from..].find(open).map(|at| at + from) {
            let Some(end) = text[start..].find(close).map(|at| at + start) else { break };
            text.replace_range(start..end + close.len(), "");
            from = start;
        }
    }
    let words: Vec<&str> = text.split(crate::text::is_space).filter(|word| !word.is_empty()).collect();
    unescaped(&words.join(" "))
}

/// Entities resolved: numbers, and the names that occur in practice.
pub(crate) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match rest.find(';').and_then(|end| Some((entity(&rest[1..end])?, end))) {
            Some((c, end)) => {
                out.push(c);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

fn entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        "copy" => '©',
        "reg" => '®',
        "hellip" => '…',
        "ndash" => '–',
        "mdash" => '—',
        "laquo" => '«',
        "raquo" => '»',
        "euro" => '€',
        "times" => '×',
        _ => return None,
    })
}

/// Calls a method of HTML text: arguments are escaped, results are HTML.
pub(crate) fn call(run: &Run, text: &Text, mut given: Given<'_>) -> Outcome<Value> {
    match given.method {
        "striptags" => return Ok(without_tags(text).into()),
        "unescape" => return Ok(unescaped(text).into()),
        "__html__" => return Ok(Value::Markup(text.clone())),
        "join" => {
            let items = run.items(given.one()?)?;
            let parts = items.iter().map(escape).collect::<Outcome<Vec<_>>>()?;
            return Ok(Value::Markup(parts.join(&**text).into()));
        }
        "replace" | "format" | "ljust" | "rjust" | "center" => {
            for value in
                given.args.positional.iter_mut().chain(given.args.named.iter_mut().map(|named| &mut named.1))
            {
                if value.as_str().is_some() || given.method == "format" {
                    *value = Value::Markup(escape(value)?);
                }
            }
        }
        _ => {}
    }
    let method = given.method;
    let result = crate::methods::text_method(run, text, given)?;
    Ok(match result {
        Value::Str(text) => Value::Markup(text),
        Value::List(list) if matches!(method, "split" | "rsplit" | "splitlines") => {
            Value::list(list.items().iter().map(as_markup).collect())
        }
        Value::Tuple(tuple) => Value::tuple(tuple.items.iter().map(as_markup).collect()),
        other => other,
    })
}

fn as_markup(value: &Value) -> Value {
    match value {
        Value::Str(text) => Value::Markup(text.clone()),
        other => other.clone(),
    }
}
