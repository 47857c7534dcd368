//! Python's `re`, over a Rust engine.

mod pattern;

use crate::error::{Class, Outcome, RenderError, index_error, raise, type_error, value_error};
use crate::filters::Call;
use crate::ops;
use crate::run::{Args, Bound, Run};
use crate::value::Value;
use fancy_regex::{Captures, Regex};
use kapstan_document::Text;
use pattern::{Flags, compiled};
use std::rc::Rc;

/// The text that an expression is looked for in.
pub(super) fn subject(value: &Value) -> Outcome<&Text> {
    match value.as_str() {
        Some(text) => Ok(text),
        None => type_error(format!("expected string or bytes-like object, got '{}'", type_of(value))),
    }
}

fn type_of(value: &Value) -> &'static str {
    value.type_name()
}

fn regex_of(pattern: &Value, flags: Flags) -> Outcome<Rc<Regex>> {
    match pattern.as_str() {
        Some(text) => compiled(text, flags),
        None if matches!(pattern, Value::List(_) | Value::Dict(_)) => {
            type_error(format!("unhashable type: '{}'", pattern.type_name()))
        }
        None => type_error("first argument must be string or compiled pattern"),
    }
}

fn flag(value: Option<&Value>) -> Outcome<bool> {
    value.map_or(Ok(false), ops::is_true)
}

/// Every match from the left. As in Python, an empty match may follow a match that was not empty.
fn each_match(
    run: &Run,
    regex: &Regex,
    text: &str,
    mut found: impl FnMut(&Captures<'_>, usize) -> Outcome<()>,
) -> Outcome<()> {
    let mut at = 0;
    let mut written = 0;
    while at <= text.len() {
        run.spend(1)?;
        let captures = regex.captures_from_pos(text, at).map_err(|error| too_hard(&error))?;
        let Some(captures) = captures else { break };
        let Some(whole) = captures.get(0) else { break };
        found(&captures, written)?;
        written = whole.end();
        at = if whole.end() > whole.start() {
            whole.end()
        } else {
            whole.end() + text[whole.end()..].chars().next().map_or(1, char::len_utf8)
        };
    }
    Ok(())
}

fn too_hard(error: &fancy_regex::Error) -> Box<RenderError> {
    RenderError::new(Class::Budget, format!("the regular expression takes too long: {error}"))
}

pub(super) fn replace(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let empty = Value::from("");
    let or_empty = |at: usize| args.given(at).unwrap_or(&empty);
    let flags = Flags { ignore_case: flag(args.given(3))?, multiline: false };
    let regex = regex_of(or_empty(1), flags)?;
    let text = subject(or_empty(0))?;
    let Some(replacement) = or_empty(2).as_str() else {
        return type_error(format!(
            "decoding to str: need a bytes-like object, {} found",
            or_empty(2).type_name()
        ));
    };
    let template = pattern::template(replacement, &regex)?;
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    each_match(call.run, &regex, text, |captures, written| {
        if let Some(whole) = captures.get(0) {
            out.push_str(&text[written..whole.start()]);
            template.expand(captures, &mut out);
            end = whole.end();
        }
        call.run.spend_text(out.len())
    })?;
    out.push_str(&text[end..]);
    Ok(out.into())
}

pub(super) fn escape(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let Some(text) = value.as_str() else {
        return type_error(format!("decoding to str: need a bytes-like object, {} found", value.type_name()));
    };
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "()[]{}?*+-|^$\\.&~# \t\n\r\u{b}\u{c}".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    Ok(out.into())
}

/// A group that the caller of `regex_search` wants: by number or by name.
enum Wanted {
    Number(usize),
    Name(String),
}

fn wanted(argument: &Value) -> Outcome<Wanted> {
    if let Value::Undefined(undefined) = argument {
        return undefined.fail();
    }
    let Some(text) = argument.as_str() else {
        return raise(
            Class::Attribute,
            format!("'{}' object has no attribute 'startswith'", argument.type_name()),
        );
    };
    let no_match = || RenderError::new(Class::Attribute, "'NoneType' object has no attribute 'group'");
    if let Some(name) = text.strip_prefix("\\g") {
        let name = name.strip_prefix('<').and_then(|name| {
            let end = name.find(crate::text::is_space).unwrap_or(name.len());
            let close = name[..end].rfind('>').filter(|close| *close > 0)?;
            Some(&name[..close])
        });
        return name.map(|name| Wanted::Name(name.to_owned())).ok_or_else(no_match);
    }
    if let Some(number) = text.strip_prefix('\\') {
        let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        return number[..end].parse().map(Wanted::Number).map_err(|_| no_match());
    }
    raise(Class::Compile, "Unknown argument")
}

pub(super) fn search(call: &Call<'_>, mut args: Args) -> Outcome<Value> {
    let value = take(&mut args, "value")?;
    let pattern = take(&mut args, "regex")?;
    let groups = args.positional.iter().map(wanted).collect::<Outcome<Vec<_>>>()?;
    let flags = Flags {
        ignore_case: flag(args.take("ignorecase").as_ref())?,
        multiline: flag(args.take("multiline").as_ref())?,
    };
    let regex = regex_of(&pattern, flags)?;
    let text = subject(&value)?;
    call.run.spend(1 + text.len() / 64)?;
    let Some(captures) = regex.captures(text).map_err(|error| too_hard(&error))? else {
        return Ok(Value::None);
    };
    if groups.is_empty() {
        return Ok(captures.get(0).map_or("", |whole| whole.as_str()).into());
    }
    let mut found = Vec::new();
    for group in groups {
        let exists = match &group {
            Wanted::Number(number) => *number < captures.len(),
            Wanted::Name(name) => regex.capture_names().flatten().any(|known| known == name),
        };
        if !exists {
            return index_error("no such group");
        }
        let part = match &group {
            Wanted::Number(number) => captures.get(*number),
            Wanted::Name(name) => captures.name(name),
        };
        found.push(part.map_or(Value::None, |part| part.as_str().into()));
    }
    Ok(Value::list(found))
}

fn take(args: &mut Args, name: &str) -> Outcome<Value> {
    if !args.positional.is_empty() {
        return Ok(args.positional.remove(0));
    }
    match args.take(name) {
        Some(value) => Ok(value),
        None => type_error(format!("regex_search() missing 1 required positional argument: '{name}'")),
    }
}

pub(super) fn findall(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let flags = Flags { multiline: flag(args.given(2))?, ignore_case: flag(args.given(3))? };
    let regex = regex_of(args.value(1), flags)?;
    let text = subject(args.value(0))?;
    let mut found = Vec::new();
    each_match(call.run, &regex, text, |captures, _| {
        let part = |at: usize| Value::from(captures.get(at).map_or("", |part| part.as_str()));
        found.push(match captures.len() {
            1 => part(0),
            2 => part(1),
            count => Value::tuple((1..count).map(part).collect()),
        });
        Ok(())
    })?;
    Ok(Value::list(found))
}

/// Python's error for a pattern or template that it cannot read.
fn bad<T>(message: impl Into<String>) -> Outcome<T> {
    value_error(message)
}
