use super::Member;
use super::arguments::Arguments;
use super::calls::{Two, call_two};
use super::items::Items;
use crate::bounds::check_items;
use crate::operators::{number, plus};
use crate::session::runtime_error;
use jrsonnet_evaluator::val::ArrValue;
use jrsonnet_evaluator::{Result, Thunk, Val};

pub(super) const MEMBERS: &[Member] = &[
    ("foldl", &["func", "arr", "init"], |given| {
        let items = Items::of(&given.value(1)?)?;
        fold(given, items.iter(), call_two)
    }),
    ("foldr", &["func", "arr", "init"], |given| {
        let items = Items::of(&given.value(1)?)?;
        fold(given, items.iter().rev(), |function, running, item| call_two(function, item, running))
    }),
    ("sum", &["arr"], |given| sum(&given.value(0)?)),
    ("avg", &["arr"], super::ordering::average),
    ("flattenArrays", &["arrs"], |given| flattened(&Items::of(&given.value(0)?)?)),
];

/// What runs through is evaluated at each step, but not before it is first asked for; the items are not.
fn fold(
    given: &Arguments<'_>,
    items: impl Iterator<Item = Thunk<Val>>,
    step: impl Fn(&Two, Thunk<Val>, Thunk<Val>) -> Result<Val>,
) -> Result<Val> {
    let mut running = given.lazy(2);
    let mut function = None;
    for item in items {
        let function = match &function {
            Some(function) => function,
            None => function.insert(Two::try_from(callable(&given.value(0)?)?)?),
        };
        running = Thunk::evaluated(step(function, running, item)?);
    }
    running.evaluate()
}

fn callable(value: &Val) -> Result<jrsonnet_evaluator::function::FuncVal> {
    match value {
        Val::Func(function) => Ok(function.clone()),
        other => Err(runtime_error(&format!("only functions can be called, got {}", other.value_type()))),
    }
}

/// All items added up, from zero.
pub(super) fn sum(value: &Val) -> Result<Val> {
    Items::of(value)?.iter().try_fold(number(0.0)?, |sum, item| plus(&sum, &item.evaluate()?))
}

/// All items added up, from an empty array.
pub(super) fn flattened(items: &Items) -> Result<Val> {
    let mut parts: Vec<Thunk<Val>> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match item.evaluate()? {
            Val::Arr(part) => {
                check_items(parts.len() + part.len() as usize)?;
                parts.extend(part.iter_lazy());
            }
            other => {
                let flat = Val::Arr(ArrValue::new(parts));
                let rest = items.iter().skip(index + 1);
                return rest
                    .into_iter()
                    .try_fold(plus(&flat, &other)?, |sum, item| plus(&sum, &item.evaluate()?));
            }
        }
    }
    Ok(Val::Arr(ArrValue::new(parts)))
}
