//! Array comprehensions and slices as C++ jsonnet has them: neither what they go through nor what they give is evaluated
//! before it is needed, where jrsonnet tries both at once.

use crate::members::calls::{One, call_one, later_one};
use crate::members::{Member, slice};
use crate::session::runtime_error;
use jrsonnet_evaluator::val::ArrValue;
use jrsonnet_evaluator::{Result, Thunk, Val};

/// `kapstan__each(array, function)`: `[function(x) for x in array]`.
pub(crate) const EACH: &str = "kapstan__each";

/// `kapstan__all(array, function)`: the items of all the arrays that the function gives.
pub(crate) const ALL: &str = "kapstan__all";

/// `kapstan__slice(value, from, to, step)`: `value[from:to:step]`.
pub(crate) const SLICE: &str = "kapstan__slice";

pub(crate) const FUNCTIONS: &[Member] = &[
    (EACH, &["array", "function"], |given| {
        let (items, function) = (iterated(given.value(0)?)?, given.function(1)?);
        Ok(Val::arr(items.iter_lazy().map(|item| later_one(&function, item)).collect::<Vec<_>>()))
    }),
    (ALL, &["array", "function"], |given| {
        let (items, function) = (iterated(given.value(0)?)?, One::try_from(given.function(1)?)?);
        let mut all: Vec<Thunk<Val>> = Vec::new();
        for item in items.iter_lazy() {
            if let Val::Arr(part) = call_one(&function, item)? {
                all.extend(part.iter_lazy());
            }
        }
        Ok(Val::arr(all))
    }),
    (SLICE, &["indexable", "index", "end", "step"], slice),
];

fn iterated(value: Val) -> Result<ArrValue> {
    match value {
        Val::Arr(items) => Ok(items),
        other => {
            let kind = other.value_type();
            Err(runtime_error(&format!("In comprehension, can only iterate over array, got {kind}")))
        }
    }
}
