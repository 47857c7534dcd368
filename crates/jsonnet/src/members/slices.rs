use super::Member;
use super::arguments::Arguments;
use super::arrays::joined;
use super::items::{Items, part};
use crate::session::runtime_error;
use jrsonnet_evaluator::val::ArrValue;
use jrsonnet_evaluator::{Result, Thunk, Val};

pub(super) const MEMBERS: &[Member] = &[("slice", &["indexable", "index", "end", "step"], slice)];

/// `std.slice`, and `value[from:to:step]`. Bounds may be null, and count from the end where they are negative.
pub(crate) fn slice(given: &Arguments<'_>) -> Result<Val> {
    let value = given.value(0)?;
    let items = Items::of(&value)?;
    let length = f64::from(items.len());
    let from = bound(given, 1)?.map_or(0.0, |from| if from < 0.0 { (length + from).max(0.0) } else { from });
    let to = bound(given, 2)?.map_or(length, |to| if to < 0.0 { length + to } else { to });
    let step = bound(given, 3)?.unwrap_or(1.0);
    if step <= 0.0 {
        return Err(runtime_error(&format!("got [{from}:{to}:{step}] but step must be greater than 0")));
    }
    if !matches!(value, Val::Str(_) | Val::Arr(_)) {
        let kind = value.value_type();
        return Err(runtime_error(&format!("std.slice accepts a string or an array, but got: {kind}")));
    }
    let to = to.min(length);
    if from >= to {
        return part(&value, 0, 0);
    }
    if step.to_bits() == 1.0_f64.to_bits() && from.fract() == 0.0 {
        return part(&value, index(from), index(to.ceil()));
    }
    let mut taken: Vec<Thunk<Val>> = Vec::new();
    let mut at = from;
    while at < to {
        // Of strings the character before a fraction is taken.
        taken.push(match value {
            Val::Arr(_) if at.fract() != 0.0 => Thunk::errored(runtime_error("array index was not integer.")),
            _ => items.lazy(index(at)),
        });
        at += step;
    }
    let taken = ArrValue::new(taken);
    if matches!(value, Val::Str(_)) { joined(&"".into(), &taken) } else { Ok(Val::Arr(taken)) }
}

fn bound(given: &Arguments<'_>, index: usize) -> Result<Option<f64>> {
    match given.value(index)? {
        Val::Null => Ok(None),
        Val::Num(bound) => Ok(Some(bound.get())),
        other => {
            let kind = other.value_type();
            Err(runtime_error(&format!("binary operator < requires matching types, got {kind} and number.")))
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "no more than a length")]
fn index(at: f64) -> u32 {
    at as u32
}
