use super::arguments::Arguments;
use super::calls::Key;
use super::items::{Items, length};
use super::{Member, folds};
use crate::operators::{mismatch_text, number};
use crate::session::runtime_error;
use jrsonnet_evaluator::{Result, Thunk, Val, ensure_sufficient_stack};
use std::cmp::Ordering;

pub(super) const MEMBERS: &[Member] = &[
    ("sort", &["arr", "keyF?"], |given| sorted(&given.value(0)?, &Key::new(given.optional(1)))),
    ("minArray", &["arr", "keyF?", "onEmpty?"], |given| extreme(given, Ordering::Greater)),
    ("maxArray", &["arr", "keyF?", "onEmpty?"], |given| extreme(given, Ordering::Less)),
    ("clamp", &["x", "minVal", "maxVal"], clamp),
    ("__compare", &["v1", "v2"], |given| {
        number(f64::from(compare(&given.value(0)?, &given.value(1)?)? as i8))
    }),
];

/// The order of two values of a kind: numbers, strings by code points, arrays item by item.
pub(crate) fn compare(left: &Val, right: &Val) -> Result<Ordering> {
    Ok(match (left, right) {
        (Val::Num(left), Val::Num(right)) => left.get().partial_cmp(&right.get()).unwrap_or(Ordering::Equal),
        (Val::Str(left), Val::Str(right)) => left.into_flat().as_str().cmp(right.into_flat().as_str()),
        (Val::Arr(left), Val::Arr(right)) => ensure_sufficient_stack(|| {
            for (left, right) in left.iter().zip(right.iter()) {
                match compare(&left?, &right?)? {
                    Ordering::Equal => {}
                    different => return Ok(different),
                }
            }
            Ok::<_, jrsonnet_evaluator::Error>(left.len().cmp(&right.len()))
        })?,
        _ => {
            let (left, right) = (left.value_type().to_string(), right.value_type().to_string());
            return Err(runtime_error(&mismatch_text("<", &left, &right)));
        }
    })
}

/// What is too short to be sorted comes back as it is, whatever it is.
pub(super) fn sorted(value: &Val, key: &Key<'_>) -> Result<Val> {
    if length(value)? <= 1 {
        return Ok(value.clone());
    }
    let with_key = |item: Thunk<Val>| Ok((key.of(item.clone())?, item));
    let items = Items::of(value)?.iter().map(with_key).collect::<Result<Vec<_>>>()?;
    Ok(Val::arr(merge_sort(items)?.into_iter().map(|(_, item)| item).collect::<Vec<_>>()))
}

/// Equal keys keep their order. The standard sort cannot be stopped by a comparison that fails.
fn merge_sort(mut items: Vec<(Val, Thunk<Val>)>) -> Result<Vec<(Val, Thunk<Val>)>> {
    if items.len() <= 1 {
        return Ok(items);
    }
    let right = merge_sort(items.split_off(items.len() / 2))?;
    let left = merge_sort(items)?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some((first, _)), Some((second, _))) = (left.peek(), right.peek()) {
        let next = if compare(first, second)? == Ordering::Greater { right.next() } else { left.next() };
        merged.extend(next);
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}

/// The first of the items that no other one beats. The first item is compared with itself, which some kinds refuse.
fn extreme(given: &Arguments<'_>, worse: Ordering) -> Result<Val> {
    let arr = given.value(0)?;
    if length(&arr)? == 0 {
        let nothing = || Err(runtime_error("Expected at least one element in array. Got none"));
        return given.optional(2).map_or_else(nothing, Thunk::evaluate);
    }
    let (items, key) = (Items::of(&arr)?, Key::new(given.optional(1)));
    let mut best = items.lazy(0);
    let mut best_key = key.of(best.clone())?;
    for item in items.iter() {
        let item_key = key.of(item.clone())?;
        if compare(&best_key, &item_key)? == worse {
            (best, best_key) = (item, item_key);
        }
    }
    best.evaluate()
}

fn clamp(given: &Arguments<'_>) -> Result<Val> {
    let (value, least) = (given.value(0)?, given.value(1)?);
    if compare(&value, &least)? == Ordering::Less {
        return Ok(least);
    }
    let most = given.value(2)?;
    Ok(if compare(&value, &most)? == Ordering::Greater { most } else { value })
}

/// `std.sum` divided by the number of items.
pub(super) fn average(given: &Arguments<'_>) -> Result<Val> {
    let arr = given.value(0)?;
    let count = length(&arr)?;
    if count == 0 {
        return Err(runtime_error("Cannot calculate average of an empty array."));
    }
    match folds::sum(&arr)? {
        Val::Num(sum) => number(sum.get() / f64::from(count)),
        other => {
            let text = mismatch_text("/", &other.value_type().to_string(), "number");
            Err(runtime_error(&text))
        }
    }
}
