//! Functions over strings. Lengths and places are in bytes.

use super::give;
use super::values::{printed, string_of};
use crate::functions::{Call, CallError, Function, Outcome};
use crate::standard::strings;
use crate::value::{List, Map, STRING_LIST, STRING_MAP, Text, Type, Value};
use Type::{Any, Bool, Int, String as Str};

const STRINGS: Type = Type::List(&STRING_LIST);
const STRING_MAPS: Type = Type::Map(&STRING_MAP);

/// No text that a function makes is longer: what a template asks for must not take all memory.
pub(super) const MAX_TEXT: usize = 1 << 28;

pub(super) const ROWS: &[Function] = &[
    Function::new("hello", &[], Str, |_| give("Hello!")),
    Function::new("trim", &[Str], Str, |call| give(strings::trim_space(call.text(0)))),
    Function::new("trimAll", &[Str, Str], Str, trim_all),
    Function::new("trimall", &[Str, Str], Str, trim_all),
    Function::new("trimPrefix", &[Str, Str], Str, trim_prefix),
    Function::new("trimSuffix", &[Str, Str], Str, trim_suffix),
    Function::new("upper", &[Str], Str, |call| give(strings::to_upper(call.text(0)))),
    Function::new("lower", &[Str], Str, |call| give(strings::to_lower(call.text(0)))),
    Function::new("title", &[Str], Str, |call| give(strings::title(call.text(0)))),
    Function::new("contains", &[Str, Str], Bool, contains),
    Function::new("hasPrefix", &[Str, Str], Bool, has_prefix),
    Function::new("hasSuffix", &[Str, Str], Bool, has_suffix),
    Function::new("replace", &[Str, Str, Str], Str, replace),
    Function::new("repeat", &[Int, Str], Str, |call| give(repeat(call.text(1), call.int(0))?)),
    Function::new("trunc", &[Int, Str], Str, trunc),
    Function::new("substr", &[Int, Int, Str], Str, substr),
    Function::new("indent", &[Int, Str], Str, |call| give(indent(call.int(0), call.text(1))?)),
    Function::new("nindent", &[Int, Str], Str, nindent),
    Function::new("plural", &[Str, Str, Int], Str, plural),
    Function::variadic("quote", &[], Any, Str, quote),
    Function::variadic("squote", &[], Any, Str, squote),
    Function::variadic("cat", &[], Any, Str, cat),
    Function::new("toString", &[Any], Str, |call| give(string_of(call.arg(0))?)),
    Function::new("toStrings", &[Any], STRINGS, |call| Ok(List::strings(string_list(call.arg(0))?).into())),
    Function::new("join", &[Str, Any], Str, join),
    Function::new("sortAlpha", &[Any], STRINGS, sort_alpha),
    Function::new("split", &[Str, Str], STRING_MAPS, split),
    Function::new("splitn", &[Str, Int, Str], STRING_MAPS, splitn),
    Function::new("splitList", &[Str, Str], STRINGS, split_list),
];

fn trim_all(call: &mut Call<'_>) -> Outcome {
    give(strings::trim_set(call.text(1), call.text(0)))
}

fn trim_prefix(call: &mut Call<'_>) -> Outcome {
    let text = call.text(1);
    give(text.strip_prefix(call.text(0)).unwrap_or(text))
}

fn trim_suffix(call: &mut Call<'_>) -> Outcome {
    let text = call.text(1);
    give(text.strip_suffix(call.text(0)).unwrap_or(text))
}

fn contains(call: &mut Call<'_>) -> Outcome {
    give(strings::index(call.text(1), call.text(0)).is_some())
}

fn has_prefix(call: &mut Call<'_>) -> Outcome {
    give(call.text(1).starts_with(call.text(0)))
}

fn has_suffix(call: &mut Call<'_>) -> Outcome {
    give(call.text(1).ends_with(call.text(0)))
}

fn replace(call: &mut Call<'_>) -> Outcome {
    let (old, new, text) = (call.text(0), call.text(1), call.text(2));
    let places = if old.is_empty() { text.len() + 1 } else { text.len() / old.len() };
    check_size(places.saturating_mul(new.len()))?;
    give(strings::replace(text, old, new))
}

/// `strings.Repeat`.
pub(super) fn repeat(text: &[u8], count: i64) -> Result<Vec<u8>, CallError> {
    let count = usize::try_from(count).map_err(|_| "strings: negative Repeat count")?;
    let size = text.len().checked_mul(count).filter(|size| i64::try_from(*size).is_ok());
    check_size(size.ok_or("strings: Repeat output length overflow")?)?;
    Ok(text.repeat(count))
}

/// Fails where a text would be too long to make.
pub(super) fn check_size(size: usize) -> Result<(), CallError> {
    if size > MAX_TEXT {
        return Err(format!("the result would be longer than {MAX_TEXT} bytes").into());
    }
    Ok(())
}

fn trunc(call: &mut Call<'_>) -> Outcome {
    let (count, text) = (call.int(0), call.text(1));
    let size = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
    if size >= text.len() {
        return give(text);
    }
    give(if count < 0 { &text[text.len() - size..] } else { &text[..size] })
}

fn substr(call: &mut Call<'_>) -> Outcome {
    let (start, end, text) = (call.int(0), call.int(1), call.text(2));
    let length = text.len();
    let as_length = i64::try_from(length).unwrap_or(i64::MAX);
    let (low, high) = if start < 0 {
        if end < 0 || end > as_length {
            return Err(out_of_range(end, length));
        }
        (0, end)
    } else if end < 0 || end > as_length {
        if start > as_length {
            return Err(format!("runtime error: slice bounds out of range [{start}:{length}]").into());
        }
        (start, as_length)
    } else {
        if start > end {
            return Err(format!("runtime error: slice bounds out of range [{start}:{end}]").into());
        }
        (start, end)
    };
    let place = |at: i64| usize::try_from(at).unwrap_or(length);
    give(text.get(place(low)..place(high)).unwrap_or_default())
}

fn out_of_range(end: i64, length: usize) -> CallError {
    let text = if end < 0 {
        format!("runtime error: slice bounds out of range [:{end}]")
    } else {
        format!("runtime error: slice bounds out of range [:{end}] with length {length}")
    };
    text.into()
}

/// Every line, empty ones too, with blanks in front.
pub(super) fn indent(spaces: i64, text: &[u8]) -> Result<Vec<u8>, CallError> {
    let pad = repeat(b" ", spaces)?;
    let lines = memchr::memchr_iter(b'\n', text).count() + 1;
    check_size(lines.saturating_mul(pad.len()))?;
    let mut out = Vec::with_capacity(text.len() + lines * pad.len());
    for (place, line) in text.split(|byte| *byte == b'\n').enumerate() {
        if place > 0 {
            out.push(b'\n');
        }
        out.extend_from_slice(&pad);
        out.extend_from_slice(line);
    }
    Ok(out)
}

fn nindent(call: &mut Call<'_>) -> Outcome {
    let mut out = indent(call.int(0), call.text(1))?;
    out.insert(0, b'\n');
    give(out)
}

fn plural(call: &mut Call<'_>) -> Outcome {
    give(if call.int(2) == 1 { call.text(0) } else { call.text(1) })
}

fn quote(call: &mut Call<'_>) -> Outcome {
    join_quoted(call, |value| Ok(crate::format::quote(&string_of(value)?).into_bytes()))
}

fn squote(call: &mut Call<'_>) -> Outcome {
    join_quoted(call, |value| Ok([b"'", printed(value)?.as_bytes(), b"'"].concat()))
}

fn join_quoted(call: &Call<'_>, quoted: impl Fn(&Value) -> Result<Vec<u8>, CallError>) -> Outcome {
    let pieces: Vec<_> =
        call.rest(0).iter().filter(|value| !value.is_nil()).map(quoted).collect::<Result<_, _>>()?;
    give(strings::join(pieces, b" "))
}

fn cat(call: &mut Call<'_>) -> Outcome {
    let pieces: Vec<_> =
        call.rest(0).iter().filter(|value| !value.is_nil()).map(printed).collect::<Result<_, _>>()?;
    give(strings::join(pieces, b" "))
}

/// What `join` and its kin make of a value: the texts of a list's items without nils, or that of the value itself.
pub(super) fn string_list(value: &Value) -> Result<Vec<Text>, CallError> {
    match value {
        Value::Nil | Value::Absent => Ok(Vec::new()),
        Value::List(list) => list.iter().filter(|item| !item.is_nil()).map(string_of).collect(),
        Value::Bytes(bytes) => Ok(bytes.iter().map(|byte| Text::from(byte.to_string())).collect()),
        value => Ok(vec![string_of(value)?]),
    }
}

fn join(call: &mut Call<'_>) -> Outcome {
    let pieces = string_list(call.arg(1))?;
    check_size(pieces.len().saturating_mul(call.text(0).len()))?;
    give(strings::join(pieces, call.text(0)))
}

fn sort_alpha(call: &mut Call<'_>) -> Outcome {
    let mut texts = match call.arg(0) {
        value @ (Value::List(_) | Value::Bytes(_)) => string_list(value)?,
        value => vec![string_of(value)?],
    };
    texts.sort();
    Ok(List::strings(texts).into())
}

fn split(call: &mut Call<'_>) -> Outcome {
    give(numbered(strings::split(call.text(1), call.text(0), -1)))
}

fn splitn(call: &mut Call<'_>) -> Outcome {
    give(numbered(strings::split(call.text(2), call.text(0), call.int(1))))
}

fn numbered(pieces: Vec<&[u8]>) -> Map {
    let entries = pieces.into_iter().enumerate().map(|(at, piece)| (format!("_{at}"), Value::str(piece)));
    Map::typed_entries(&STRING_MAP, entries)
}

fn split_list(call: &mut Call<'_>) -> Outcome {
    give(List::strings(strings::split(call.text(1), call.text(0), -1)))
}
