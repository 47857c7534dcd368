//! Containers are dropped one after the other instead of one inside the other, so that no depth of nesting overflows
//! the stack.

use super::Value;
use rustc_hash::FxHashSet;

pub(super) fn has_parts(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Map(_) | Value::Object(_))
}

/// Drops values and what only they hold.
pub(super) fn one_by_one(values: Vec<Value>) {
    if !values.iter().any(has_parts) {
        return;
    }
    let mut pending = values;
    while let Some(mut value) = pending.pop() {
        match &mut value {
            Value::List(list) => list.take_parts(&mut pending),
            Value::Map(map) => map.take_parts(&mut pending),
            Value::Object(object) => object.take_parts(&mut pending),
            _ => {}
        }
    }
}

/// Empties every map that can be reached from these values, whoever else holds it, so that maps which a template made
/// contain themselves are freed as well. For the end of a rendering, when nobody looks at its values any more.
pub fn take_apart(values: impl IntoIterator<Item = Value>) {
    let mut pending: Vec<Value> = values.into_iter().collect();
    let mut seen_lists = FxHashSet::default();
    while let Some(mut value) = pending.pop() {
        match &mut value {
            Value::Map(map) => map.take_all_parts(&mut pending),
            Value::List(list) if list.is_shared() && seen_lists.insert(list.address()) => {
                pending.extend(list.iter().filter(|item| has_parts(item)).cloned());
            }
            Value::List(list) => list.take_parts(&mut pending),
            Value::Object(object) => object.take_parts(&mut pending),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Value;

    #[test]
    fn a_deep_value_is_dropped_without_depth() {
        let mut value = Value::Nil;
        for depth in 0..300_000 {
            value = if depth % 2 == 0 { Value::list(vec![value]) } else { Value::map([("a", value)]) };
        }
        drop(value);
    }
}
