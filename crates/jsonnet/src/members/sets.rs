use super::Member;
use super::arguments::Arguments;
use super::calls::Key;
use super::items::{Items, length, part};
use super::ordering::{compare, sorted};
use crate::operators::{equals, plus};
use jrsonnet_evaluator::{Result, Thunk, Val};
use std::cmp::Ordering;

pub(super) const MEMBERS: &[Member] = &[
    ("uniq", &["arr", "keyF?"], |given| uniq(&given.value(0)?, &Key::new(given.optional(1)))),
    ("set", &["arr", "keyF?"], |given| {
        let key = Key::new(given.optional(1));
        uniq(&sorted(&given.value(0)?, &key)?, &key)
    }),
    ("setMember", &["x", "arr", "keyF?"], |given| {
        let one = Val::arr(vec![given.lazy(0)]);
        let found = walk(&one, &given.value(1)?, &Key::new(given.optional(2)), [false, true, false])?;
        Ok(Val::Bool(!found.kept.is_empty()))
    }),
    ("setInter", &["a", "b", "keyF?"], |given| Ok(Val::arr(both(given, [false, true, false])?.kept))),
    ("setUnion", &["a", "b", "keyF?"], |given| {
        let (a, b) = (given.value(0)?, given.value(1)?);
        let walked = both(given, [true, true, true])?;
        let rest = if walked.left >= length(&a)? {
            part(&b, walked.right, u32::MAX)?
        } else {
            part(&a, walked.left, u32::MAX)?
        };
        plus(&Val::arr(walked.kept), &rest)
    }),
    ("setDiff", &["a", "b", "keyF?"], |given| {
        let a = given.value(0)?;
        let walked = both(given, [true, false, false])?;
        let kept = Val::arr(walked.kept);
        if walked.left >= length(&a)? { Ok(kept) } else { plus(&kept, &part(&a, walked.left, u32::MAX)?) }
    }),
];

fn uniq(value: &Val, key: &Key<'_>) -> Result<Val> {
    let mut kept: Vec<Thunk<Val>> = Vec::new();
    let mut last: Option<Val> = None;
    for item in Items::of(value)?.iter() {
        if let Some(previous) = kept.last() {
            let previous = match last.take() {
                Some(key) => key,
                None => key.of(previous.clone())?,
            };
            let found = key.of(item.clone())?;
            let is_new = !equals(&previous, &found)?;
            last = Some(if is_new { found } else { previous });
            if !is_new {
                continue;
            }
        }
        kept.push(item);
    }
    Ok(Val::arr(kept))
}

/// Two sets after one of them came to its end.
struct Walked {
    kept: Vec<Thunk<Val>>,
    left: u32,
    right: u32,
}

fn both(given: &Arguments<'_>, wanted: [bool; 3]) -> Result<Walked> {
    walk(&given.value(0)?, &given.value(1)?, &Key::new(given.optional(2)), wanted)
}

/// Goes through two sets in step, and keeps what is wanted of what is in the left one only, in both, in the right one
/// only.
fn walk(left: &Val, right: &Val, key: &Key<'_>, wanted: [bool; 3]) -> Result<Walked> {
    let (left, right) = (Items::of(left)?, Items::of(right)?);
    let mut walked = Walked { kept: Vec::new(), left: 0, right: 0 };
    let mut keys = (None, None);
    while walked.left < left.len() && walked.right < right.len() {
        let (first, second) = (left.lazy(walked.left), right.lazy(walked.right));
        let first_key = keys.0.take().map_or_else(|| key.of(first.clone()), Ok)?;
        let second_key = keys.1.take().map_or_else(|| key.of(second.clone()), Ok)?;
        let order = if equals(&first_key, &second_key)? {
            Ordering::Equal
        } else {
            compare(&first_key, &second_key)?
        };
        let (is_wanted, item) = match order {
            Ordering::Less => (wanted[0], first),
            Ordering::Equal => (wanted[1], first),
            Ordering::Greater => (wanted[2], second),
        };
        if is_wanted {
            walked.kept.push(item);
        }
        match order {
            Ordering::Less => keys.1 = Some(second_key),
            Ordering::Greater => keys.0 = Some(first_key),
            Ordering::Equal => {}
        }
        walked.left += u32::from(order != Ordering::Greater);
        walked.right += u32::from(order != Ordering::Less);
    }
    Ok(walked)
}
