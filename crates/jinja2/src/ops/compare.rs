use crate::ast::CompareOp;
use crate::error::{Outcome, type_error};
use crate::run::Run;
use crate::value::{Object, Value, View, ViewKind};
use kapstan_document::Int;
use std::cmp::Ordering;

/// Python's truth of a value.
pub(crate) fn is_true(value: &Value) -> Outcome<bool> {
    Ok(match value {
        Value::None => false,
        Value::Bool(value) => *value,
        Value::Int(value) => *value != Int::Small(0),
        Value::Float(value) => *value != 0.0,
        Value::Str(text) | Value::Markup(text) => !text.is_empty(),
        Value::Bytes(bytes) => !bytes.is_empty(),
        Value::Tuple(tuple) => !tuple.items.is_empty(),
        Value::List(list) => list.len() > 0,
        Value::Dict(dict) | Value::Set(dict) => dict.len() > 0,
        Value::Range(range) => range.len() > 0,
        Value::Undefined(undefined) => {
            undefined.check()?;
            false
        }
        Value::Object(object) => match &**object {
            Object::View(view) => view.dict.len() > 0,
            Object::TimeDelta(micros) => *micros != 0,
            Object::Loop(state) => state.known_length() > 0,
            _ => true,
        },
        Value::Date(_) | Value::DateTime(_) => true,
    })
}

fn number(value: &Value) -> Option<Result<Int, f64>> {
    match value {
        Value::Float(value) => Some(Err(*value)),
        value => value.as_int().map(Ok),
    }
}

/// How two numbers compare; none where one is not a number.
fn order_numbers(left: &Value, right: &Value) -> Option<Option<Ordering>> {
    Some(match (number(left)?, number(right)?) {
        (Ok(left), Ok(right)) => Some(left.cmp(&right)),
        (Err(left), Err(right)) => left.partial_cmp(&right),
        (Ok(left), Err(right)) => order_int_float(&left, right),
        (Err(left), Ok(right)) => order_int_float(&right, left).map(Ordering::reverse),
    })
}

fn order_int_float(int: &Int, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let whole = Int::from_f64_exact(float.floor())?;
    Some(int.cmp(&whole).then(if float.fract() == 0.0 { Ordering::Equal } else { Ordering::Less }))
}

/// Python's `==`. Fails where an undefined value takes part.
pub(crate) fn equal(run: &Run, left: &Value, right: &Value) -> Outcome<bool> {
    run.stack.check()?;
    if let (Value::Undefined(a), Value::Undefined(b)) = (left, right) {
        a.check()?;
        b.check()?;
        return Ok(true);
    }
    if let Value::Undefined(undefined) = left {
        undefined.check()?;
        return Ok(false);
    }
    if let Value::Undefined(undefined) = right {
        undefined.check()?;
        return Ok(false);
    }
    if let Some(order) = order_numbers(left, right) {
        return Ok(order == Some(Ordering::Equal));
    }
    Ok(match (left, right) {
        (Value::Str(a) | Value::Markup(a), Value::Str(b) | Value::Markup(b)) => a == b,
        (Value::Bytes(a), Value::Bytes(b)) => a == b,
        (Value::Date(a), Value::Date(b)) => a == b,
        (Value::DateTime(_), Value::DateTime(_)) => crate::time::order(left, right)? == Some(Ordering::Equal),
        (Value::Tuple(a), Value::Tuple(b)) => equal_items(run, &a.items, &b.items)?,
        (Value::List(a), Value::List(b)) => {
            if std::rc::Rc::ptr_eq(a, b) && a.len() == 0 {
                return Ok(true);
            }
            let (a, b) = (a.items().clone(), b.items().clone());
            equal_items(run, &a, &b)?
        }
        (Value::Dict(a), Value::Dict(b)) => {
            if a.len() != b.len() {
                return Ok(false);
            }
            let (a, b) = (a.entries()?.clone(), b.entries()?.clone());
            for (key, (_, value)) in &a {
                match b.get(key) {
                    Some((_, other)) if same_or_equal(run, value, other)? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        (Value::Set(a), Value::Set(b)) => {
            a.len() == b.len() && {
                let b = b.entries()?;
                a.entries()?.keys().all(|key| b.contains_key(key))
            }
        }
        (Value::Range(a), Value::Range(b)) => {
            a.len() == b.len() && (a.len() == 0 || a.start == b.start && (a.len() == 1 || a.step == b.step))
        }
        (Value::Object(a), Value::Object(b)) => match (&**a, &**b) {
            (Object::TimeDelta(a), Object::TimeDelta(b)) => a == b,
            (Object::Builtin(a), Object::Builtin(b)) => a == b,
            (Object::View(a), Object::View(b)) if a.kind == ViewKind::Keys && b.kind == ViewKind::Keys => {
                let b = b.dict.entries()?;
                a.dict.len() == b.len() && a.dict.entries()?.keys().all(|key| b.contains_key(key))
            }
            _ => left.is_same(right),
        },
        _ => left.is_same(right),
    })
}

fn same_or_equal(run: &Run, left: &Value, right: &Value) -> Outcome<bool> {
    let is_nan = matches!(left, Value::Float(value) if value.is_nan());
    Ok((!is_nan && left.is_same(right)) || equal(run, left, right)?)
}

fn equal_items(run: &Run, left: &[Value], right: &[Value]) -> Outcome<bool> {
    if left.len() != right.len() {
        return Ok(false);
    }
    for (left, right) in left.iter().zip(right) {
        if !same_or_equal(run, left, right)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Applies a comparison.
pub(crate) fn compare(run: &Run, op: CompareOp, left: &Value, right: &Value) -> Outcome<bool> {
    match op {
        CompareOp::Eq => equal(run, left, right),
        CompareOp::Ne => Ok(!equal(run, left, right)?),
        CompareOp::In => contains(run, right, left),
        CompareOp::NotIn => Ok(!contains(run, right, left)?),
        CompareOp::Lt | CompareOp::LtEq | CompareOp::Gt | CompareOp::GtEq => ordered(run, op, left, right),
    }
}

/// `left < right`.
pub(crate) fn less(run: &Run, left: &Value, right: &Value) -> Outcome<bool> {
    ordered(run, CompareOp::Lt, left, right)
}

fn holds(op: CompareOp, order: Option<Ordering>) -> bool {
    match (op, order) {
        (_, None) => false,
        (CompareOp::Lt, Some(order)) => order.is_lt(),
        (CompareOp::LtEq, Some(order)) => order.is_le(),
        (CompareOp::Gt, Some(order)) => order.is_gt(),
        (_, Some(order)) => order.is_ge(),
    }
}

fn ordered(run: &Run, op: CompareOp, left: &Value, right: &Value) -> Outcome<bool> {
    run.stack.check()?;
    if let Value::Undefined(undefined) = left {
        return undefined.fail();
    }
    if let Value::Undefined(undefined) = right {
        return undefined.fail();
    }
    if let Some(order) = order_numbers(left, right) {
        return Ok(holds(op, order));
    }
    match (left, right) {
        (Value::Str(a) | Value::Markup(a), Value::Str(b) | Value::Markup(b)) => Ok(holds(op, Some(a.cmp(b)))),
        (Value::Bytes(a), Value::Bytes(b)) => Ok(holds(op, Some(a.cmp(b)))),
        (Value::Date(a), Value::Date(b)) => Ok(holds(op, Some(a.cmp(b)))),
        (Value::DateTime(_), Value::DateTime(_)) => Ok(holds(op, crate::time::order(left, right)?)),
        (Value::Tuple(a), Value::Tuple(b)) => ordered_items(run, op, &a.items, &b.items),
        (Value::List(a), Value::List(b)) => {
            let (a, b) = (a.items().clone(), b.items().clone());
            ordered_items(run, op, &a, &b)
        }
        (Value::Set(a), Value::Set(b)) => {
            let (a, b) = (a.entries()?, b.entries()?);
            let is_subset = a.keys().all(|key| b.contains_key(key));
            let is_superset = b.keys().all(|key| a.contains_key(key));
            Ok(match op {
                CompareOp::Lt => is_subset && !is_superset,
                CompareOp::LtEq => is_subset,
                CompareOp::Gt => is_superset && !is_subset,
                _ => is_superset,
            })
        }
        (Value::Object(a), Value::Object(b)) => match (&**a, &**b) {
            (Object::TimeDelta(a), Object::TimeDelta(b)) => Ok(holds(op, Some(a.cmp(b)))),
            _ => not_ordered(op, left, right),
        },
        _ => not_ordered(op, left, right),
    }
}

fn not_ordered<T>(op: CompareOp, left: &Value, right: &Value) -> Outcome<T> {
    let sign = match op {
        CompareOp::Lt => "<",
        CompareOp::LtEq => "<=",
        CompareOp::Gt => ">",
        _ => ">=",
    };
    type_error(format!(
        "'{sign}' not supported between instances of '{}' and '{}'",
        left.type_name(),
        right.type_name()
    ))
}

fn ordered_items(run: &Run, op: CompareOp, left: &[Value], right: &[Value]) -> Outcome<bool> {
    for (a, b) in left.iter().zip(right) {
        if !same_or_equal(run, a, b)? {
            return ordered(run, op, a, b);
        }
    }
    Ok(holds(op, Some(left.len().cmp(&right.len()))))
}

/// `item in container`.
pub(crate) fn contains(run: &Run, container: &Value, item: &Value) -> Outcome<bool> {
    match container {
        Value::Str(text) | Value::Markup(text) => match item {
            Value::Str(part) | Value::Markup(part) => Ok(text.contains(&**part)),
            _ => {
                type_error(format!("'in <string>' requires string as left operand, not {}", item.type_name()))
            }
        },
        Value::Dict(dict) | Value::Set(dict) => dict.contains(item),
        Value::Tuple(tuple) => any_equal(run, &tuple.items, item),
        Value::List(list) => {
            let items = list.items().clone();
            any_equal(run, &items, item)
        }
        Value::Range(range) => match item.as_int() {
            Some(Int::Small(value)) => {
                let offset = i128::from(value) - i128::from(range.start);
                let step = i128::from(range.step);
                Ok(offset % step == 0 && usize::try_from(offset / step).is_ok_and(|at| at < range.len()))
            }
            _ => any_equal_of(run, container, item),
        },
        Value::Undefined(undefined) => undefined.fail(),
        Value::Object(object) => match &**object {
            Object::View(View { kind: ViewKind::Keys, dict }) => dict.contains(item),
            Object::View(_) | Object::Generator(_) | Object::Loop(_) => any_equal_of(run, container, item),
            _ => not_iterable(container),
        },
        _ => not_iterable(container),
    }
}

fn not_iterable<T>(value: &Value) -> Outcome<T> {
    type_error(format!("argument of type '{}' is not iterable", value.type_name()))
}

fn any_equal(run: &Run, items: &[Value], item: &Value) -> Outcome<bool> {
    for candidate in items {
        if same_or_equal(run, candidate, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn any_equal_of(run: &Run, container: &Value, item: &Value) -> Outcome<bool> {
    let mut items = run.iterate(container)?;
    while let Some(candidate) = items.next(run)? {
        if same_or_equal(run, &candidate, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Sorts as Python's `sorted` does, by keys, stable; a comparison that fails ends it.
pub(crate) fn sort_by_keys(run: &Run, mut items: Vec<(Value, Value)>, reverse: bool) -> Outcome<Vec<Value>> {
    run.spend(items.len())?;
    if reverse {
        items.reverse();
    }
    let sorted = merge_sorted(run, items)?;
    let mut values: Vec<Value> = sorted.into_iter().map(|(_, value)| value).collect();
    if reverse {
        values.reverse();
    }
    Ok(values)
}

/// Short lists: the run that is there, then binary insertion, in CPython's order of comparisons, so that the same two
/// values are blamed. Longer ones are halved first.
fn merge_sorted(run: &Run, mut items: Vec<(Value, Value)>) -> Outcome<Vec<(Value, Value)>> {
    if items.len() < 64 {
        insertion_sort(run, &mut items)?;
        return Ok(items);
    }
    let right = items.split_off(items.len() / 2);
    let (left, right) = (merge_sorted(run, items)?, merge_sorted(run, right)?);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let from_right = less(run, &b.0, &a.0)?;
        merged.extend(if from_right { right.next() } else { left.next() });
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}

fn insertion_sort(run: &Run, items: &mut [(Value, Value)]) -> Outcome<()> {
    if items.len() < 2 {
        return Ok(());
    }
    let mut sorted = 2;
    let descending = less(run, &items[1].0, &items[0].0)?;
    while sorted < items.len() && less(run, &items[sorted].0, &items[sorted - 1].0)? == descending {
        sorted += 1;
    }
    if descending {
        items[..sorted].reverse();
    }
    for at in sorted..items.len() {
        let (mut low, mut high) = (0, at);
        while low < high {
            let middle = low + (high - low) / 2;
            if less(run, &items[at].0, &items[middle].0)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        items[low..=at].rotate_right(1);
    }
    Ok(())
}
