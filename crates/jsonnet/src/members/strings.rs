use super::Member;
use super::arguments::Arguments;
use super::arrays::is_member;
use super::items::{Items, length, part};
use crate::bounds::{check_items, check_text};
use crate::operators::{equals, number};
use crate::session::runtime_error;
use jrsonnet_evaluator::{Result, Val};

pub(super) const MEMBERS: &[Member] = &[
    ("substr", &["str", "from", "len"], |given| {
        Ok(substring(&given.text(0)?, given.number(1)?, given.number(2)?)?.into())
    }),
    ("startsWith", &["a", "b"], |given| ends_meet(given, |_, _| 0)),
    ("endsWith", &["a", "b"], |given| ends_meet(given, |all, part| all - part)),
    ("lstripChars", &["str", "chars"], |given| strip_left(&given.value(0)?, given)),
    ("rstripChars", &["str", "chars"], |given| strip_right(&given.value(0)?, given)),
    ("stripChars", &["str", "chars"], |given| strip_left(&strip_right(&given.value(0)?, given)?, given)),
    ("trim", &["str"], trim),
    ("split", &["str", "c"], |given| split(given, -1.0)),
    ("splitLimit", &["str", "c", "maxsplits"], |given| split(given, given.number(2)?)),
    ("splitLimitR", &["str", "c", "maxsplits"], split_from_right),
    ("strReplace", &["str", "from", "to"], |given| {
        let (text, from, to) = (given.text(0)?, given.text(1)?, given.text(2)?);
        if from.is_empty() {
            return Err(runtime_error("'from' string must not be zero length."));
        }
        let longer = text.matches(&*from).count().saturating_mul(to.len());
        check_text(longer.saturating_add(text.len()))?;
        Ok(text.replace(&*from, &to).into())
    }),
    ("findSubstr", &["pat", "str"], |given| {
        let places = occurrences(&given.text(0)?, &given.text(1)?);
        Ok(Val::arr(places.into_iter().map(|place| Val::Num(place.into())).collect::<Vec<_>>()))
    }),
    ("equalsIgnoreCase", &["str1", "str2"], |given| {
        Ok(Val::Bool(given.text(0)?.eq_ignore_ascii_case(&given.text(1)?)))
    }),
    ("parseInt", &["str"], |given| match given.text(0)?.strip_prefix('-') {
        Some(digits) => natural(digits, 10).and_then(|value| number(-value)),
        None => natural(&given.text(0)?, 10).and_then(number),
    }),
    ("parseOctal", &["str"], |given| natural(&given.text(0)?, 8).and_then(number)),
    ("parseHex", &["str"], |given| natural(&given.text(0)?, 16).and_then(number)),
    ("resolvePath", &["f", "r"], resolve_path),
];

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates, as far as strings reach"
)]
fn substring(text: &str, from: f64, length: f64) -> Result<String> {
    if from < 0.0 {
        return Err(runtime_error("substr second parameter should be greater than zero"));
    }
    if length < 0.0 {
        return Err(runtime_error("substr third parameter should be greater than zero"));
    }
    Ok(text.chars().skip(from as usize).take(length as usize).collect())
}

/// Whether a part of the first argument equals the second one. What is too short is never looked into.
fn ends_meet(given: &Arguments<'_>, from: impl Fn(u32, u32) -> u32) -> Result<Val> {
    let (all, part) = (given.value(0)?, given.value(1)?);
    let (all_length, part_length) = (length(&all)?, length(&part)?);
    if all_length < part_length {
        return Ok(Val::Bool(false));
    }
    let text = given.text(0)?;
    let from = from(all_length, part_length);
    let found = substring(&text, from.into(), part_length.into())?;
    equals(&found.into(), &part).map(Val::Bool)
}

fn strip_left(value: &Val, given: &Arguments<'_>) -> Result<Val> {
    let items = Items::of(value)?;
    let mut from = 0;
    while from < items.len() && is_member(&given.value(1)?, &items.get(from)?)? {
        from += 1;
    }
    if from == 0 { Ok(value.clone()) } else { part(value, from, u32::MAX) }
}

fn strip_right(value: &Val, given: &Arguments<'_>) -> Result<Val> {
    let items = Items::of(value)?;
    let mut to = items.len();
    while to > 0 && is_member(&given.value(1)?, &items.get(to - 1)?)? {
        to -= 1;
    }
    if to == items.len() { Ok(value.clone()) } else { part(value, 0, to) }
}

fn trim(given: &Arguments<'_>) -> Result<Val> {
    let blanks = jrsonnet_evaluator::Thunk::evaluated(" \t\n\u{c}\r\u{85}\u{a0}".into());
    let both = [Some(given.lazy(0)), Some(blanks)];
    let given = Arguments::new("trim", &both);
    strip_left(&strip_right(&given.value(0)?, &given)?, &given)
}

/// At most so many cuts; negative numbers stand for all.
fn split(given: &Arguments<'_>, most: f64) -> Result<Val> {
    let (text, separator) = (given.text(0)?, given.text(1)?);
    check_separator(&separator)?;
    check_items(text.matches(&*separator).take(limit(most)).count())?;
    let parts: Vec<Val> = text.splitn(limit(most), &*separator).map(Val::from).collect();
    Ok(Val::arr(parts))
}

fn split_from_right(given: &Arguments<'_>) -> Result<Val> {
    let (text, separator, most) = (given.text(0)?, given.text(1)?, given.number(2)?);
    check_separator(&separator)?;
    if most <= -1.0 {
        return split(given, most);
    }
    check_items(text.matches(&*separator).take(limit(most)).count())?;
    let mut parts: Vec<Val> = text.rsplitn(limit(most), &*separator).map(Val::from).collect();
    parts.reverse();
    Ok(Val::arr(parts))
}

fn check_separator(separator: &str) -> Result<()> {
    let problem = "std.split second parameter must have length 1 or greater, got 0";
    if separator.is_empty() { Err(runtime_error(problem)) } else { Ok(()) }
}

/// How many parts so many cuts leave. Fractions of a cut do not count.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn limit(most: f64) -> usize {
    if most <= -1.0 { usize::MAX } else { (most as usize).saturating_add(1) }
}

/// Where a part begins in a text, counted in characters. The places may overlap.
pub(super) fn occurrences(part: &str, text: &str) -> Vec<u32> {
    if part.is_empty() {
        return Vec::new();
    }
    let starts = (0..).zip(text.char_indices());
    starts.filter(|(_, (at, _))| text[*at..].starts_with(part)).map(|(place, _)| place).collect()
}

/// The number that digits stand for. Characters between the digits and the letters count on from nine.
fn natural(text: &str, base: u32) -> Result<f64> {
    let problem = || runtime_error(&format!("{text} is not a base {base} integer"));
    if text.is_empty() {
        return Err(problem());
    }
    let mut value = 0.0;
    for character in text.chars() {
        let code = u32::from(character);
        let digit = match code {
            97.. => code - 97 + 10,
            65.. => code - 65 + 10,
            _ => code.checked_sub(48).ok_or_else(problem)?,
        };
        if digit >= base {
            return Err(problem());
        }
        value = f64::from(base) * value + f64::from(digit);
    }
    Ok(value)
}

/// A path beside a file. A null path leaves the folder.
fn resolve_path(given: &Arguments<'_>) -> Result<Val> {
    let file = given.text(0)?;
    let folder = file.rsplit_once('/').map(|(folder, _)| folder);
    match (folder, given.value(1)?) {
        (None, Val::Str(path)) => Ok(Val::Str(path)),
        (Some(folder), Val::Str(path)) => Ok(format!("{folder}/{}", path.into_flat()).into()),
        (folder, Val::Null) => Ok(folder.unwrap_or_default().into()),
        (_, other) => Err(runtime_error(&format!("expected string but arr[0] was {} ", other.value_type()))),
    }
}
