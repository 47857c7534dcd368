use super::{Given, index};
use crate::error::{Class, Outcome, type_error, value_error};
use crate::ops::count_of;
use crate::run::Run;
use crate::text::{self, is_space};
use crate::value::Value;
use kapstan_document::{Int, Text};

/// Calls a method of `str`.
pub(crate) fn call(run: &Run, text: &Text, given: Given<'_>) -> Outcome<Value> {
    run.spend(1 + text.len() / 64)?;
    Ok(match given.method {
        "upper" => plain(&given, || text.to_uppercase())?,
        "lower" | "casefold" => plain(&given, || lower(text))?,
        "capitalize" => plain(&given, || capitalize(text))?,
        "title" => plain(&given, || title(text))?,
        "swapcase" => plain(&given, || swap_case(text))?,
        "strip" | "lstrip" | "rstrip" => strip(text, &given)?,
        "split" | "rsplit" => split(text, given)?,
        "splitlines" => {
            let [keep] = given.named(["keepends"])?;
            let keep = keep.as_ref().map_or(Ok(false), crate::ops::is_true)?;
            list(text::split_lines(text, keep))
        }
        "join" => joined(run, text, given.one()?)?,
        "replace" => replaced(run, text, &given)?,
        "startswith" | "endswith" => Value::Bool(has_affix(text, &given)?),
        "removeprefix" => {
            let part = given.text(given.one()?)?;
            text.strip_prefix(&**part).unwrap_or(text).into()
        }
        "removesuffix" => {
            let part = given.text(given.one()?)?;
            text.strip_suffix(&**part).unwrap_or(text).into()
        }
        "translate" => translated(text, given.one()?)?,
        "find" | "rfind" | "index" | "rindex" | "count" => search(text, &given)?,
        "partition" | "rpartition" => partition(text, &given)?,
        "center" | "ljust" | "rjust" => justified(run, text, &given)?,
        "zfill" => zero_filled(run, text, index(given.one()?)?)?,
        "expandtabs" => {
            let [size] = given.named(["tabsize"])?;
            expand_tabs(text, size.as_ref().map_or(Ok(8), index)?).into()
        }
        "format" => crate::format::format(run, text, &given.args)?.into(),
        "format_map" => {
            let mapping = given.one()?.clone();
            crate::format::format_map(run, text, &mapping)?.into()
        }
        "encode" => {
            let [_encoding, _errors] = given.named(["encoding", "errors"])?;
            Value::Bytes(text.as_bytes().into())
        }
        _ => {
            given.none()?;
            Value::Bool(is(text, given.method))
        }
    })
}

/// `str.translate` with a dict: from the numbers of characters to what they become, null for nothing.
fn translated(text: &str, table: &Value) -> Outcome<Value> {
    let Value::Dict(table) = table else {
        return type_error(format!("'{}' object is not a table of characters", table.type_name()));
    };
    let mut made = String::with_capacity(text.len());
    for character in text.chars() {
        match table.get(&Value::int(i64::from(u32::from(character))))? {
            None => made.push(character),
            Some(Value::None) => {}
            Some(Value::Str(other) | Value::Markup(other)) => made.push_str(&other),
            Some(Value::Int(Int::Small(number))) => {
                let other = u32::try_from(number).ok().and_then(char::from_u32);
                let Some(other) = other else {
                    return value_error("character mapping must be in range(0x110000)");
                };
                made.push(other);
            }
            Some(_) => return type_error("character mapping must return integer, None or str"),
        }
    }
    Ok(made.into())
}

fn plain(given: &Given<'_>, make: impl FnOnce() -> String) -> Outcome<Value> {
    given.none()?;
    Ok(make().into())
}

fn list(parts: Vec<&str>) -> Value {
    Value::list(parts.into_iter().map(Value::from).collect())
}

/// Python's `str.lower`: a sigma at the end of a word is the final one, as in Rust.
pub(crate) fn lower(text: &str) -> String {
    text.to_lowercase()
}

fn title_char(c: char) -> String {
    // Digraphs such as `ǆ` have a form of their own for titles.
    match c {
        'ǆ' | 'Ǆ' | 'ǅ' => "ǅ".to_owned(),
        'ǉ' | 'Ǉ' | 'ǈ' => "ǈ".to_owned(),
        'ǌ' | 'Ǌ' | 'ǋ' => "ǋ".to_owned(),
        'ǳ' | 'Ǳ' | 'ǲ' => "ǲ".to_owned(),
        'ß' => "Ss".to_owned(),
        'ﬁ' => "Fi".to_owned(),
        'ﬂ' => "Fl".to_owned(),
        'ﬀ' => "Ff".to_owned(),
        _ => c.to_uppercase().collect(),
    }
}

/// Python's `str.capitalize`.
pub(crate) fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => title_char(first) + &lower(chars.as_str()),
        None => String::new(),
    }
}

fn is_cased(c: char) -> bool {
    c.is_lowercase() || c.is_uppercase()
}

/// Python's `str.title`.
fn title(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_word = false;
    for c in text.chars() {
        if in_word {
            out.extend(c.to_lowercase());
        } else {
            out.push_str(&title_char(c));
        }
        in_word = is_cased(c);
    }
    out
}

fn swap_case(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_uppercase() {
            out.extend(c.to_lowercase());
        } else {
            out.extend(c.to_uppercase());
        }
    }
    out
}

fn strip(text: &str, given: &Given<'_>) -> Outcome<Value> {
    let chars = match given.between(0, 1)? {
        [] | [Value::None] => None,
        [chars, ..] => match chars.as_str() {
            Some(chars) => Some(chars.clone()),
            None => return type_error(format!("{} arg must be None or str", given.method)),
        },
    };
    Ok(stripped(text, chars.as_deref(), given.method != "rstrip", given.method != "lstrip").into())
}

/// Python's `strip`, on the sides asked for.
pub(crate) fn stripped<'a>(text: &'a str, chars: Option<&str>, left: bool, right: bool) -> &'a str {
    let unwanted = |c: char| chars.map_or_else(|| is_space(c), |chars| chars.contains(c));
    let text = if left { text.trim_start_matches(unwanted) } else { text };
    if right { text.trim_end_matches(unwanted) } else { text }
}

fn split(text: &str, given: Given<'_>) -> Outcome<Value> {
    let from_right = given.method == "rsplit";
    let [separator, limit] = given.named(["sep", "maxsplit"])?;
    let limit = limit.as_ref().map_or(Ok(-1), index)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let separator = match &separator {
        None | Some(Value::None) => None,
        Some(value) => match value.as_str() {
            Some(text) if text.is_empty() => return value_error("empty separator"),
            Some(text) => Some(text.clone()),
            None => {
                if let Value::Undefined(undefined) = value {
                    return undefined.fail();
                }
                return type_error(format!("must be str or None, not {}", value.type_name()));
            }
        },
    };
    let mut parts: Vec<&str> = match (&separator, from_right) {
        (Some(separator), false) => text.splitn(limit.saturating_add(1), &**separator).collect(),
        (Some(separator), true) => text.rsplitn(limit.saturating_add(1), &**separator).collect(),
        (None, false) => words(text, limit),
        (None, true) => words_from_right(text, limit),
    };
    if from_right {
        parts.reverse();
    }
    Ok(list(parts))
}

fn words(text: &str, limit: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    while !rest.is_empty() {
        if parts.len() == limit {
            parts.push(rest.trim_end_matches(is_space));
            break;
        }
        let end = rest.find(is_space).unwrap_or(rest.len());
        parts.push(&rest[..end]);
        rest = rest[end..].trim_start_matches(is_space);
    }
    parts
}

/// From the right, last word first.
fn words_from_right(text: &str, limit: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim_end_matches(is_space);
    while !rest.is_empty() {
        if parts.len() == limit {
            parts.push(rest.trim_start_matches(is_space));
            break;
        }
        let start =
            rest.char_indices().rev().find(|(_, c)| is_space(*c)).map_or(0, |(at, c)| at + c.len_utf8());
        parts.push(&rest[start..]);
        rest = rest[..start].trim_end_matches(is_space);
    }
    parts
}

/// `separator.join(items)`.
fn joined(run: &Run, separator: &str, items: &Value) -> Outcome<Value> {
    let items = match run.items(items) {
        Err(error) if error.class == Class::Type => return type_error("can only join an iterable"),
        items => items?,
    };
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(separator);
        }
        match item.as_str() {
            Some(text) => out.push_str(text),
            None => {
                return type_error(format!(
                    "sequence item {at}: expected str instance, {} found",
                    item.type_name()
                ));
            }
        }
    }
    run.spend_text(out.len())?;
    Ok(out.into())
}

fn replaced(run: &Run, text: &str, given: &Given<'_>) -> Outcome<Value> {
    let values = given.between(2, 3)?;
    for (at, value) in values.iter().take(2).enumerate() {
        if value.as_str().is_none() {
            let kind = value.type_name();
            return type_error(format!("replace() argument {} must be str, not {kind}", at + 1));
        }
    }
    let (old, new) = (given.text(&values[0])?, given.text(&values[1])?);
    let count = values.get(2).map_or(Ok(-1), index)?;
    replace(run, text, old, new, count).map(Value::from)
}

/// `text.replace(old, new, count)`; all where the count is negative.
pub(crate) fn replace(run: &Run, text: &str, old: &str, new: &str, count: i64) -> Outcome<String> {
    let found = if old.is_empty() { text::length(text) + 1 } else { text.len() / old.len() };
    run.spend_text(text.len().saturating_add(found.saturating_mul(new.len())))?;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if count == 0 {
        return Ok(text.to_owned());
    }
    if old.is_empty() {
        let mut out = String::new();
        for (at, c) in text.chars().enumerate() {
            if at < count {
                out.push_str(new);
            }
            out.push(c);
        }
        if text::length(text) < count {
            out.push_str(new);
        }
        return Ok(out);
    }
    Ok(text.replacen(old, new, count))
}

/// The part of a string between two optional bounds, and where it begins in characters; none for bounds that cross.
fn between<'a>(text: &'a str, bounds: &[Value]) -> Outcome<Option<(&'a str, usize)>> {
    let length = i64::try_from(text::length(text)).unwrap_or(i64::MAX);
    let place = |bound: Option<&Value>, default: i64| -> Outcome<i64> {
        Ok(match bound {
            None | Some(Value::None) => default,
            Some(value) => match value.as_int() {
                Some(Int::Small(at)) if at < 0 => (at + length).max(0),
                Some(Int::Small(at)) => at,
                Some(Int::Big(_)) => length + 1,
                None => {
                    return type_error("slice indices must be integers or None or have an __index__ method");
                }
            },
        })
    };
    let (start, end) = (place(bounds.first(), 0)?, place(bounds.get(1), length)?.min(length));
    if start > end {
        return Ok(None);
    }
    let start = usize::try_from(start).unwrap_or(0);
    let end = usize::try_from(end).unwrap_or(0);
    Ok(Some((text::substring(text, start, end), start)))
}

fn has_affix(text: &str, given: &Given<'_>) -> Outcome<bool> {
    let values = given.between(1, 3)?;
    let method = given.method;
    let part = between(text, &values[1..])?.map(|found| found.0);
    let test = |affix: &Value| -> Outcome<bool> {
        let Some(affix) = affix.as_str() else {
            return type_error(format!(
                "{method} first arg must be str or a tuple of str, not {}",
                affix.type_name()
            ));
        };
        Ok(part.is_some_and(|part| {
            if method == "startswith" { part.starts_with(&**affix) } else { part.ends_with(&**affix) }
        }))
    };
    match &values[0] {
        Value::Undefined(undefined) => undefined.fail(),
        Value::Tuple(tuple) => {
            for affix in &tuple.items {
                if test(affix)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        affix => test(affix),
    }
}

fn search(text: &str, given: &Given<'_>) -> Outcome<Value> {
    let values = given.between(1, 3)?;
    let wanted = given.text(&values[0])?;
    let part = between(text, &values[1..])?;
    if given.method == "count" {
        let count = part.map_or(0, |(part, _)| {
            if wanted.is_empty() { text::length(part) + 1 } else { part.matches(&**wanted).count() }
        });
        return Ok(Value::size(count));
    }
    let found = part.and_then(|(part, start)| {
        let at = if given.method.starts_with('r') { part.rfind(&**wanted) } else { part.find(&**wanted) }?;
        Some(start + text::length(&part[..at]))
    });
    match found {
        Some(at) => Ok(Value::size(at)),
        None if given.method.ends_with("find") => Ok(Value::int(-1)),
        None => value_error("substring not found"),
    }
}

fn partition(text: &str, given: &Given<'_>) -> Outcome<Value> {
    let separator = given.text(given.one()?)?;
    if separator.is_empty() {
        return value_error("empty separator");
    }
    let from_right = given.method == "rpartition";
    let found = if from_right { text.rsplit_once(&**separator) } else { text.split_once(&**separator) };
    let parts = match found {
        Some((before, after)) => [before, &**separator, after],
        None if from_right => ["", "", text],
        None => [text, "", ""],
    };
    Ok(Value::tuple(parts.into_iter().map(Value::from).collect()))
}

fn justified(run: &Run, text: &str, given: &Given<'_>) -> Outcome<Value> {
    let values = given.between(1, 2)?;
    let width = index(&values[0])?;
    let fill = match values.get(1) {
        None => ' ',
        Some(fill) => match fill.as_str().map(|fill| (fill.chars().next(), text::length(fill))) {
            Some((Some(fill), 1)) => fill,
            Some(_) => return type_error("The fill character must be exactly one character long"),
            None => {
                return type_error(format!(
                    "The fill character must be a unicode character, not {}",
                    fill.type_name()
                ));
            }
        },
    };
    let width = count_of(width);
    run.spend_text(width)?;
    Ok(match given.method {
        "ljust" => padded(text, width, fill, 0.0),
        "rjust" => padded(text, width, fill, 1.0),
        _ => center(text, width, fill),
    }
    .into())
}

fn padded(text: &str, width: usize, fill: char, left_share: f64) -> String {
    let missing = width.saturating_sub(text::length(text));
    let left = if left_share > 0.5 { missing } else { 0 };
    pad(text, left, missing - left, fill)
}

fn pad(text: &str, left: usize, right: usize, fill: char) -> String {
    let fill_of = |count| std::iter::repeat_n(fill, count);
    fill_of(left).chain(text.chars()).chain(fill_of(right)).collect()
}

/// Python's `str.center`: the odd blank goes to the left where the width is odd.
pub(crate) fn center(text: &str, width: usize, fill: char) -> String {
    let missing = width.saturating_sub(text::length(text));
    let left = missing / 2 + (missing & width & 1);
    pad(text, left, missing - left, fill)
}

fn zero_filled(run: &Run, text: &str, width: i64) -> Outcome<Value> {
    let width = count_of(width);
    run.spend_text(width)?;
    let zeros = "0".repeat(width.saturating_sub(text::length(text)));
    let sign = text.chars().next().filter(|c| matches!(c, '+' | '-'));
    Ok(match sign {
        Some(sign) => format!("{sign}{zeros}{}", &text[1..]),
        None => format!("{zeros}{text}"),
    }
    .into())
}

fn expand_tabs(text: &str, size: i64) -> String {
    let size = count_of(size).min(1 << 16);
    let mut out = String::new();
    let mut column = 0;
    for c in text.chars() {
        match c {
            '\t' => {
                let blanks = if size == 0 { 0 } else { size - column % size };
                out.extend(std::iter::repeat_n(' ', blanks));
                column += blanks;
            }
            _ => {
                out.push(c);
                column = if matches!(c, '\n' | '\r') { 0 } else { column + 1 };
            }
        }
    }
    out
}

/// `str.isupper` and its kin.
pub(crate) fn is(text: &str, method: &str) -> bool {
    let all = |test: &dyn Fn(char) -> bool| !text.is_empty() && text.chars().all(test);
    match method {
        "isalnum" => all(&char::is_alphanumeric),
        "isalpha" => all(&char::is_alphabetic),
        "isascii" => text.is_ascii(),
        "isdecimal" | "isdigit" => all(&|c| c.is_ascii_digit() || !c.is_ascii() && is_decimal(c)),
        "isnumeric" => all(&char::is_numeric),
        "isidentifier" => {
            let first = text.chars().next().is_some_and(|c| c == '_' || c.is_alphabetic());
            first && text.chars().all(text::is_word)
        }
        "islower" => text.chars().any(char::is_lowercase) && !text.chars().any(char::is_uppercase),
        "isupper" => text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase),
        "isprintable" => crate::error::quoted(text).len() >= text.len() && is_printable(text),
        "isspace" => all(&is_space),
        "istitle" => is_title(text),
        _ => false,
    }
}

/// Digits of any script come in runs of ten that begin with a zero.
fn is_decimal(c: char) -> bool {
    kapstan_document::python::parse_int(c.encode_utf8(&mut [0; 4]), 10).is_ok()
}

fn is_printable(text: &str) -> bool {
    text.chars().all(|c| c == '\\' || c == '\'' || !crate::error::quoted(&c.to_string()).contains('\\'))
}

fn is_title(text: &str) -> bool {
    let (mut in_word, mut found) = (false, false);
    for c in text.chars() {
        if c.is_uppercase() {
            if in_word {
                return false;
            }
            (in_word, found) = (true, true);
        } else if c.is_lowercase() {
            if !in_word {
                return false;
            }
            found = true;
        } else {
            in_word = false;
        }
    }
    found
}
