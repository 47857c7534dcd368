use super::Call;
use crate::error::{Class, Outcome, raise, type_error, value_error};
use crate::methods;
use crate::ops;
use crate::print;
use crate::run::Bound;
use crate::text;
use crate::value::Value;
use std::collections::VecDeque;

pub(super) fn indent(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let indention = match args.given(1) {
        None => " ".repeat(4),
        Some(width) => match width.as_str() {
            Some(text) => text.to_string(),
            None => {
                let Some(width) = width.as_int() else {
                    if let Value::Undefined(undefined) = width {
                        return undefined.fail();
                    }
                    let kind = width.type_name();
                    return type_error(format!("can't multiply sequence by non-int of type '{kind}'"));
                };
                let width = match width {
                    kapstan_document::Int::Small(width) => ops::count_of(width),
                    kapstan_document::Int::Big(_) => usize::MAX,
                };
                call.run.spend_text(width)?;
                " ".repeat(width)
            }
        },
    };
    let is_first = args.given(2).map_or(Ok(false), ops::is_true)?;
    let blank = args.given(3).map_or(Ok(false), ops::is_true)?;
    // The text gets a line break at its end, which also says what may be indented at all.
    let whole = match value {
        Value::List(_) => value.clone(),
        value => ops::add(call.run, value, &"\n".into()).map_err(|mut error| {
            error.message = error.message.replace("for +:", "for +=:");
            error
        })?,
    };
    let Some(whole) = whole.as_str() else {
        return raise(
            Class::Attribute,
            format!("'{}' object has no attribute 'splitlines'", value.type_name()),
        );
    };
    let lines = text::split_lines(whole, false);
    call.run.spend_text(whole.len() + lines.len().saturating_mul(indention.len()))?;
    let mut out = String::with_capacity(whole.len() + lines.len() * indention.len());
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            out.push('\n');
            if blank || !line.is_empty() {
                out.push_str(&indention);
            }
        }
        out.push_str(line);
    }
    if is_first {
        out.insert_str(0, &indention);
    }
    Ok(if matches!(value, Value::Markup(_)) { Value::Markup(out.into()) } else { out.into() })
}

pub(super) fn truncate(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let length = args.given(1).map_or(Ok(255), methods::index)?;
    let kill_words = args.given(2).map_or(Ok(false), ops::is_true)?;
    let end = args.given(3).map_or(Ok("...".into()), print::str)?;
    let leeway = match args.value(4) {
        Value::None => 5,
        leeway => methods::index(leeway)?,
    };
    let end_length = i64::try_from(text::length(&end)).unwrap_or(i64::MAX);
    if length < end_length {
        return raise(Class::Assertion, format!("expected length >= {end_length}, got {length}"));
    }
    if leeway < 0 {
        return raise(Class::Assertion, format!("expected leeway >= 0, got {leeway}"));
    }
    let size = i64::try_from(call.run.length(value)?).unwrap_or(i64::MAX);
    if size <= length.saturating_add(leeway) {
        return Ok(value.clone());
    }
    let Some(whole) = value.as_str() else {
        return match value {
            Value::List(_) | Value::Tuple(_) | Value::Range(_) => {
                raise(Class::Attribute, format!("'{}' object has no attribute 'rsplit'", value.type_name()))
            }
            Value::Dict(_) => type_error("unhashable type: 'slice'"),
            _ => type_error(format!("'{}' object is not subscriptable", value.type_name())),
        };
    };
    let kept = text::substring(whole, 0, usize::try_from(length - end_length).unwrap_or(0));
    let kept = if kill_words { kept } else { kept.rsplit_once(' ').map_or(kept, |(before, _)| before) };
    let made = format!("{kept}{end}");
    Ok(if matches!(value, Value::Markup(_)) { Value::Markup(made.into()) } else { made.into() })
}

pub(super) fn wordwrap(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let Some(whole) = value.as_str() else {
        if let Value::Undefined(undefined) = value {
            return undefined.fail();
        }
        return raise(
            Class::Attribute,
            format!("'{}' object has no attribute 'splitlines'", value.type_name()),
        );
    };
    let width = args.given(1).map_or(Ok(79), methods::index)?;
    let break_long_words = args.given(2).map_or(Ok(true), ops::is_true)?;
    let separator = match args.value(3) {
        Value::None => "\n".into(),
        separator => print::str(separator)?,
    };
    let on_hyphens = args.given(4).map_or(Ok(true), ops::is_true)?;
    call.run.spend_text(whole.len())?;
    let mut lines = Vec::new();
    for line in text::split_lines(whole, false) {
        lines.push(wrapped(line, width, break_long_words, on_hyphens)?.join(&*separator));
    }
    Ok(lines.join(&*separator).into())
}

fn is_blank(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ')
}

/// The lines that Python's `textwrap.wrap` makes of one line.
fn wrapped(line: &str, width: i64, break_long_words: bool, on_hyphens: bool) -> Outcome<Vec<String>> {
    if width < 1 {
        return value_error(format!("invalid width {width} (must be > 0)"));
    }
    let width = ops::count_of(width);
    let chars: Vec<char> = line.chars().collect();
    let mut chunks: VecDeque<Vec<char>> = chunks(&chars, on_hyphens).into();
    let all_blank = |chunk: &Vec<char>| chunk.iter().all(|c| text::is_space(*c));
    let mut lines = Vec::new();
    while !chunks.is_empty() {
        if !lines.is_empty() && chunks.front().is_some_and(all_blank) {
            chunks.pop_front();
        }
        let mut current: Vec<Vec<char>> = Vec::new();
        let mut length = 0;
        while let Some(chunk) = chunks.pop_front_if(|chunk| length + chunk.len() <= width) {
            length += chunk.len();
            current.push(chunk);
        }
        if chunks.front().is_some_and(|chunk| chunk.len() > width) {
            break_word(&mut chunks, &mut current, width - length, break_long_words, on_hyphens);
        }
        if current.last().is_some_and(all_blank) {
            current.pop();
        }
        if !current.is_empty() {
            lines.push(current.into_iter().flatten().collect());
        }
    }
    Ok(lines)
}

/// Breaks a word that fits on no line.
fn break_word(
    chunks: &mut VecDeque<Vec<char>>,
    current: &mut Vec<Vec<char>>,
    space: usize,
    break_long_words: bool,
    on_hyphens: bool,
) {
    if !break_long_words {
        if current.is_empty() {
            current.extend(chunks.pop_front());
        }
        return;
    }
    let Some(chunk) = chunks.front_mut() else { return };
    let mut end = space.min(chunk.len());
    if on_hyphens && chunk.len() > space {
        let hyphen = chunk[..space].iter().rposition(|c| *c == '-');
        if let Some(hyphen) =
            hyphen.filter(|hyphen| *hyphen > 0 && chunk[..*hyphen].iter().any(|c| *c != '-'))
        {
            end = hyphen + 1;
        }
    }
    let rest = chunk.split_off(end);
    current.push(std::mem::replace(chunk, rest));
}

/// Words and blanks; words also end behind hyphens and before dashes.
fn chunks(chars: &[char], on_hyphens: bool) -> Vec<Vec<char>> {
    let mut chunks = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let blank = is_blank(chars[at]);
        let end = if blank || !on_hyphens {
            (at..chars.len()).find(|end| is_blank(chars[*end]) != blank).unwrap_or(chars.len())
        } else {
            word_end(chars, at)
        };
        chunks.push(chars[at..end].to_vec());
        at = end;
    }
    chunks
}

fn is_letter(c: Option<&char>) -> bool {
    c.is_some_and(|c| text::is_word(*c) && !c.is_numeric())
}

fn joins_dash(c: Option<&char>) -> bool {
    c.is_some_and(|c| text::is_word(*c) || matches!(c, '!' | '"' | '\'' | '&' | '.' | ',' | '?'))
}

/// How many hyphens stand here, if they are a dash between words.
fn dash(chars: &[char], at: usize) -> Option<usize> {
    let count = chars[at..].iter().take_while(|c| **c == '-').count();
    let is_dash = count >= 2 && chars.get(at + count).is_some_and(|c| text::is_word(*c));
    (is_dash && at > 0 && joins_dash(chars.get(at - 1))).then_some(count)
}

fn word_end(chars: &[char], start: usize) -> usize {
    if let Some(count) = dash(chars, start) {
        return start + count;
    }
    let before = |at: usize, back: usize| at.checked_sub(back).and_then(|at| chars.get(at));
    for at in start + 1..chars.len() {
        if is_blank(chars[at]) || dash(chars, at).is_some() {
            return at;
        }
        if chars[at] != '-' {
            continue;
        }
        let two_letters = is_letter(before(at, 1)) && is_letter(before(at, 2));
        let one_letter = joins_dash(before(at, 1)) && before(at, 2) == Some(&'-') && is_letter(before(at, 3));
        let next = at + 1 + usize::from(chars.get(at + 2) == Some(&'-'));
        let goes_on = is_letter(chars.get(at + 1)) && is_letter(chars.get(next + 1));
        if (two_letters || one_letter) && goes_on {
            return at + 1;
        }
    }
    chars.len()
}
