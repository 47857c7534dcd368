use super::Member;
use super::arguments::Arguments;
use super::calls::{One, call_one, later_one, later_two};
use super::folds::flattened;
use super::items::{Items, length};
use super::strings::occurrences;
use crate::bounds::{check_items, check_text};
use crate::operators::{equals, number, plus};
use crate::session::runtime_error;
use jrsonnet_evaluator::function::FuncVal;
use jrsonnet_evaluator::val::ArrValue;
use jrsonnet_evaluator::{Result, Thunk, Val, ensure_sufficient_stack};

pub(super) const MEMBERS: &[Member] = &[
    ("makeArray", &["sz", "func"], make_array),
    ("range", &["from", "to"], range),
    ("repeat", &["what", "count"], repeat),
    ("map", &["func", "arr"], |given| mapped(given, 1)),
    ("mapWithIndex", &["func", "arr"], map_with_index),
    ("filter", &["func", "arr"], |given| filtered(&given.function(0)?, &given.array(1)?).map(array)),
    ("filterMap", &["filter_func", "map_func", "arr"], filter_map),
    ("flatMap", &["func", "arr"], flat_map),
    ("join", &["sep", "arr"], |given| joined(&given.value(0)?, &given.array(1)?)),
    ("lines", &["arr"], |given| {
        let lines = plus(&given.value(0)?, &array(vec![Thunk::evaluated("".into())]))?;
        let Val::Arr(lines) = lines else {
            return Err(runtime_error("join second parameter should be array"));
        };
        joined(&"\n".into(), &lines)
    }),
    ("deepJoin", &["arr"], |given| {
        let mut text = String::new();
        deep_join(&given.value(0)?, &mut text)?;
        Ok(text.into())
    }),
    ("reverse", &["arr"], |given| Ok(array(Items::of(&given.value(0)?)?.iter().rev().collect()))),
    ("stringChars", &["str"], |given| {
        check_items(length(&given.value(0)?)? as usize)?;
        Ok(array(Items::of(&given.value(0)?)?.iter().collect()))
    }),
    ("isEmpty", &["str"], |given| Ok(Val::Bool(length(&given.value(0)?)? == 0))),
    ("member", &["arr", "x"], |given| is_member(&given.value(0)?, &given.value(1)?).map(Val::Bool)),
    ("count", &["arr", "x"], |given| number(f64::from(found(&given.array(0)?, &given.value(1)?)?.len_u32()))),
    ("find", &["value", "arr"], |given| {
        let indexes = found(&given.array(1)?, &given.value(0)?)?;
        Ok(array(indexes.0.into_iter().map(|index| Thunk::evaluated(Val::Num(index.into()))).collect()))
    }),
    ("contains", &["arr", "elem"], contains),
    ("any", &["arr"], |given| decide(&given.array(0)?, true)),
    ("all", &["arr"], |given| decide(&given.array(0)?, false)),
    ("remove", &["arr", "elem"], remove),
    ("removeAt", &["arr", "at"], |given| remove_at(&given.value(0)?, &given.value(1)?)),
    ("flattenDeepArray", &["value"], |given| {
        let mut items = Vec::new();
        flatten(given.lazy(0), &mut items)?;
        Ok(array(items))
    }),
];

fn array(items: Vec<Thunk<Val>>) -> Val {
    Val::Arr(ArrValue::new(items))
}

/// A number of items, cut to a whole one.
#[expect(clippy::cast_possible_truncation, reason = "checked")]
fn size(count: f64) -> Result<u32> {
    let count = times(count)?;
    check_items(count)?;
    Ok(count as u32)
}

/// How often, cut to a whole number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn times(count: f64) -> Result<usize> {
    if count <= -1.0 {
        return Err(runtime_error(&format!("makeArray requires size >= 0, got {}", count.trunc())));
    }
    Ok(count as usize)
}

fn make_array(given: &Arguments<'_>) -> Result<Val> {
    let (count, function) = (size(given.number(0)?)?, given.function(1)?);
    let parameters = function.params().len();
    if parameters != 1 {
        return Err(runtime_error(&format!("makeArray function must take 1 param, got: {parameters}")));
    }
    let item = |index: u32| later_one(&function, Thunk::evaluated(Val::Num(index.into())));
    Ok(array((0..count).map(item).collect()))
}

fn range(given: &Arguments<'_>) -> Result<Val> {
    let (from, to) = (given.number(0)?.trunc(), given.number(1)?.trunc());
    let count = size((to - from + 1.0).max(0.0))?;
    let items = (0..count).map(|index| number(f64::from(index) + from));
    Ok(Val::Arr(ArrValue::new(items.collect::<Result<Vec<Val>>>()?)))
}

fn repeat(given: &Arguments<'_>) -> Result<Val> {
    let what = given.value(0)?;
    let (empty, length) = match &what {
        Val::Str(text) => (Val::from(""), text.len()),
        Val::Arr(items) => (array(Vec::new()), items.len() as usize),
        _ => return Err(runtime_error("std.repeat first argument must be an array or a string")),
    };
    let count = given.number(1)?;
    if length == 0 && count > -1.0 {
        return Ok(empty);
    }
    if let Val::Str(text) = &what {
        let count = times(count)?;
        check_text(length.saturating_mul(count))?;
        return Ok(text.into_flat().repeat(count).into());
    }
    joined(&empty, &ArrValue::new(vec![what; size(count)? as usize]))
}

/// The function is the first argument; what it maps may be a string too.
fn mapped(given: &Arguments<'_>, index: usize) -> Result<Val> {
    let function = given.function(0)?;
    Ok(array(sequence(given, index)?.iter().map(|item| later_one(&function, item)).collect()))
}

fn map_with_index(given: &Arguments<'_>) -> Result<Val> {
    let function = given.function(0)?;
    let index = |index: usize| Thunk::evaluated(Val::Num(u32::try_from(index).unwrap_or(u32::MAX).into()));
    let items = sequence(given, 1)?;
    let items = items.iter().enumerate().map(|(at, item)| later_two(&function, index(at), item));
    Ok(array(items.collect()))
}

fn sequence(given: &Arguments<'_>, index: usize) -> Result<Items> {
    match given.value(index)? {
        value @ (Val::Arr(_) | Val::Str(_)) => Items::of(&value),
        other => {
            let kind = other.value_type();
            Err(runtime_error(&format!("std.map second param must be array / string, got {kind}")))
        }
    }
}

fn filtered(function: &FuncVal, items: &ArrValue) -> Result<Vec<Thunk<Val>>> {
    if function.params().len() != 1 {
        return Err(runtime_error("filter function takes 1 parameter."));
    }
    let function = One::try_from(function.clone())?;
    let mut kept = Vec::new();
    for item in items.iter_lazy() {
        match call_one(&function, item.clone())? {
            Val::Bool(true) => kept.push(item),
            Val::Bool(false) => {}
            other => {
                let problem = format!("filter function must return boolean, got: {}", other.value_type());
                return Err(runtime_error(&problem));
            }
        }
    }
    Ok(kept)
}

fn filter_map(given: &Arguments<'_>) -> Result<Val> {
    let (filter, map, items) = (given.function(0)?, given.function(1)?, given.array(2)?);
    Ok(array(filtered(&filter, &items)?.into_iter().map(|item| later_one(&map, item)).collect()))
}

fn flat_map(given: &Arguments<'_>) -> Result<Val> {
    given.function(0)?;
    let is_text = matches!(given.value(1)?, Val::Str(_));
    let Val::Arr(parts) = mapped(given, 1)? else { return Ok(Val::Null) };
    if is_text { joined(&"".into(), &parts) } else { flattened(&Items::Array(parts)) }
}

/// `std.join`: nulls are left out, everything else has to be of the separator's kind.
pub(super) fn joined(separator: &Val, items: &ArrValue) -> Result<Val> {
    let kind = separator.value_type();
    if !matches!(separator, Val::Str(_) | Val::Arr(_)) {
        return Err(runtime_error(&format!("join first parameter should be string or array, got {kind}")));
    }
    let (mut text, mut list, mut is_first) = (String::new(), Vec::new(), true);
    for (index, item) in items.iter().enumerate() {
        let item = item?;
        let is_between = !is_first;
        is_first &= matches!(item, Val::Null);
        match (separator, &item) {
            (_, Val::Null) => {}
            (Val::Str(separator), Val::Str(item)) => {
                if is_between {
                    separator.chunks(&mut |part| text.push_str(part));
                }
                check_text(text.len() + item.len())?;
                item.chunks(&mut |part| text.push_str(part));
            }
            (Val::Arr(separator), Val::Arr(item)) => {
                check_items(list.len() + separator.len() as usize + item.len() as usize)?;
                if is_between {
                    list.extend(separator.iter_lazy());
                }
                list.extend(item.iter_lazy());
            }
            _ => {
                let found = item.value_type();
                return Err(runtime_error(&format!("expected {kind} but arr[{index}] was {found} ")));
            }
        }
    }
    Ok(if matches!(separator, Val::Str(_)) { text.into() } else { array(list) })
}

fn deep_join(value: &Val, text: &mut String) -> Result<()> {
    match value {
        Val::Str(part) => {
            check_text(text.len() + part.len())?;
            text.push_str(&part.into_flat());
        }
        Val::Arr(items) => {
            ensure_sufficient_stack(|| items.iter().try_for_each(|item| deep_join(&item?, text)))?;
        }
        other => {
            return Err(runtime_error(&format!("Expected string or array, got {}", other.value_type())));
        }
    }
    Ok(())
}

/// Whether an array has an item, or a string a part.
pub(super) fn is_member(value: &Val, wanted: &Val) -> Result<bool> {
    match (value, wanted) {
        (Val::Arr(items), _) => Ok(!found(items, wanted)?.0.is_empty()),
        (Val::Str(text), Val::Str(part)) => Ok(!occurrences(&part.into_flat(), &text.into_flat()).is_empty()),
        (Val::Str(_), other) => {
            let kind = other.value_type();
            Err(runtime_error(&format!("findSubstr first parameter should be a string, got {kind}")))
        }
        _ => Err(runtime_error("std.member first argument must be an array or a string")),
    }
}

/// Where items are that equal a value.
struct Found(Vec<u32>);

impl Found {
    fn len_u32(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

fn found(items: &ArrValue, wanted: &Val) -> Result<Found> {
    let mut indexes = Vec::new();
    for (index, item) in (0..).zip(items.iter()) {
        if equals(&item?, wanted)? {
            indexes.push(index);
        }
    }
    Ok(Found(indexes))
}

fn contains(given: &Arguments<'_>) -> Result<Val> {
    let items = given.array(0)?;
    for item in items.iter() {
        if equals(&item?, &given.value(1)?)? {
            return Ok(Val::Bool(true));
        }
    }
    Ok(Val::Bool(false))
}

/// Looks at booleans until one of them decides.
fn decide(items: &ArrValue, deciding: bool) -> Result<Val> {
    for item in items.iter() {
        match item? {
            Val::Bool(value) if value == deciding => return Ok(Val::Bool(deciding)),
            Val::Bool(_) => {}
            other => {
                let problem = format!("element of type {} is not a boolean", other.value_type());
                return Err(runtime_error(&problem));
            }
        }
    }
    Ok(Val::Bool(!deciding))
}

fn remove(given: &Arguments<'_>) -> Result<Val> {
    let items = given.array(0)?;
    match found(&items, &given.value(1)?)?.0.first() {
        Some(index) => remove_at(&Val::Arr(items), &Val::Num((*index).into())),
        None => Ok(Val::Arr(items)),
    }
}

/// All items but one; an index that is no number, or none of theirs, removes nothing.
fn remove_at(value: &Val, at: &Val) -> Result<Val> {
    let items = Items::of(value)?;
    let mut kept = Vec::new();
    for (index, item) in (0_u32..).zip(items.iter()) {
        if !equals(&Val::Num(index.into()), at)? {
            kept.push(item);
        }
    }
    Ok(array(kept))
}

fn flatten(value: Thunk<Val>, out: &mut Vec<Thunk<Val>>) -> Result<()> {
    match value.evaluate()? {
        Val::Arr(items) => {
            ensure_sufficient_stack(|| items.iter_lazy().try_for_each(|item| flatten(item, out)))
        }
        _ => {
            out.push(value);
            Ok(())
        }
    }
}
