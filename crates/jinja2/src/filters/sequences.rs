use super::{Call, Getter, select};
use crate::error::{Class, Outcome, raise, type_error};
use crate::methods;
use crate::ops;
use crate::print;
use crate::run::{Bound, Generator, Run, Step};
use crate::value::{Tuple, Undefined, Value};
use std::collections::VecDeque;
use std::rc::Rc;

fn flag(args: &Bound, at: usize) -> Outcome<bool> {
    args.given(at).map_or(Ok(false), ops::is_true)
}

pub(super) fn length(call: &Call<'_>, args: &[Value]) -> Outcome<Value> {
    call.run.length(&args[0]).map(Value::size)
}

pub(super) fn list(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    call.run.items(args.value(0)).map(Value::list)
}

pub(super) fn items(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    Ok(Generator::value(("generator", "do_items"), args.value(0).clone(), Step::Items, call.context))
}

pub(super) fn first(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let next = call.run.iterate(args.value(0))?.next(call.run)?;
    Ok(next.unwrap_or_else(|| Undefined::because("No first item, sequence was empty.")))
}

/// The items from the end, where Python can go that way.
fn reversed(run: &Run, value: &Value) -> Outcome<Option<Vec<Value>>> {
    Ok(match value {
        Value::List(_)
        | Value::Tuple(_)
        | Value::Range(_)
        | Value::Str(_)
        | Value::Markup(_)
        | Value::Dict(_)
        | Value::Bytes(_) => {
            let mut items = run.items(value)?;
            items.reverse();
            Some(items)
        }
        Value::Object(object) if matches!(**object, crate::value::Object::View(_)) => {
            let mut items = run.items(value)?;
            items.reverse();
            Some(items)
        }
        Value::Undefined(undefined) => {
            undefined.check()?;
            Some(Vec::new())
        }
        _ => None,
    })
}

pub(super) fn last(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let found = match value {
        Value::List(list) => list.items().last().cloned(),
        Value::Range(range) => range.at(range.len().wrapping_sub(1)).map(Value::int),
        _ => match reversed(call.run, value)? {
            Some(items) => items.into_iter().next(),
            None => return type_error(format!("'{}' object is not reversible", value.type_name())),
        },
    };
    Ok(found.unwrap_or_else(|| Undefined::because("No last item, sequence was empty.")))
}

pub(super) fn random(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let length = call.run.length(value)?;
    if length == 0 {
        return Ok(Undefined::because("No random item, sequence was empty."));
    }
    let at = usize::try_from(call.run.random() % length as u64).unwrap_or(0);
    ops::item(call.run, value, &Value::size(at))
}

pub(super) fn reverse(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    if let Some(text) = value.as_str() {
        let reversed: String = text.chars().rev().collect();
        return Ok(if matches!(value, Value::Markup(_)) {
            Value::Markup(reversed.into())
        } else {
            reversed.into()
        });
    }
    if let Some(items) = reversed(call.run, value)? {
        let label = match value {
            Value::List(_) => "list_reverseiterator",
            Value::Range(_) => "range_iterator",
            Value::Dict(_) => "dict_reversekeyiterator",
            _ => "reversed",
        };
        return Ok(Generator::value((label, ""), Value::list(items), Step::Plain, call.context));
    }
    match call.run.items(value) {
        Ok(mut items) => {
            items.reverse();
            Ok(Value::list(items))
        }
        Err(error) if error.class == Class::Type => raise(Class::FilterArgument, "argument must be iterable"),
        Err(error) => Err(error),
    }
}

pub(super) fn join(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let run = call.run;
    let mut items = match run.items(args.value(0)) {
        Err(error) if error.class == Class::Type && args.given(2).is_none() => {
            let _ = error;
            return type_error(format!("'{}' object is not iterable", args.value(0).type_name()));
        }
        items => items?,
    };
    if let Some(attribute) = args.given(2).filter(|attribute| !matches!(attribute, Value::None)) {
        let getter = Getter::new(attribute);
        items = items.iter().map(|item| getter.get(run, item)).collect::<Outcome<_>>()?;
    }
    let separator = args.given(1).cloned().unwrap_or_else(|| "".into());
    if call.context.autoescape.get() {
        return joined_escaped(&separator, &items);
    }
    let separator = print::str(&separator)?;
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(&separator);
        }
        print::write_str(item, &mut out)?;
    }
    run.spend_text(out.len())?;
    Ok(out.into())
}

/// With escaping on: HTML among the items makes the whole HTML.
fn joined_escaped(separator: &Value, items: &[Value]) -> Outcome<Value> {
    let has_markup =
        matches!(separator, Value::Markup(_)) || items.iter().any(|item| matches!(item, Value::Markup(_)));
    let text_of = |value: &Value| if has_markup { crate::markup::escape(value) } else { print::str(value) };
    let separator = text_of(separator)?;
    let parts = items.iter().map(text_of).collect::<Outcome<Vec<_>>>()?;
    let text = parts.join(&*separator).into();
    Ok(if has_markup { Value::Markup(text) } else { Value::Str(text) })
}

pub(super) fn batch(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let step = Step::Batch { size: args.value(1).clone(), fill: args.value(2).clone() };
    Ok(Generator::value(("generator", "do_batch"), args.value(0).clone(), step, call.context))
}

pub(super) fn slice(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let step =
        Step::Slice { slices: args.value(1).clone(), fill: args.value(2).clone(), ready: VecDeque::new() };
    Ok(Generator::value(("generator", "sync_do_slice"), args.value(0).clone(), step, call.context))
}

/// The columns that `slice` makes.
pub(crate) fn sliced(run: &Run, value: &Value, slices: &Value, fill: &Value) -> Outcome<Vec<Value>> {
    let items = run.items(value)?;
    let slices = methods::index(slices)?;
    if slices == 0 {
        return raise(Class::ZeroDivision, "integer division or modulo by zero");
    }
    let slices = ops::count_of(slices);
    run.spend(slices)?;
    if slices == 0 {
        return Ok(Vec::new());
    }
    let (each, extra) = (items.len() / slices, items.len() % slices);
    let mut columns = Vec::with_capacity(slices);
    let mut start = 0;
    for number in 0..slices {
        let end = start + each + usize::from(number < extra);
        let mut column = items[start..end].to_vec();
        if !matches!(fill, Value::None) && number >= extra {
            column.push(fill.clone());
        }
        columns.push(Value::list(column));
        start = end;
    }
    Ok(columns)
}

pub(super) fn dictsort(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let by = args.given(2).and_then(Value::as_str).map_or("key", |by| by);
    let by_value = match by {
        "key" => false,
        "value" => true,
        _ => return raise(Class::FilterArgument, "You can only sort by either \"key\" or \"value\""),
    };
    let Value::Dict(dict) = value else {
        if let Value::Undefined(undefined) = value {
            return undefined.fail();
        }
        return raise(Class::Attribute, format!("'{}' object has no attribute 'items'", value.type_name()));
    };
    let case_sensitive = flag(args, 1)?;
    let mut keyed = Vec::new();
    for (key, value) in dict.pairs()? {
        let by = if by_value { &value } else { &key };
        let by = match by.as_str() {
            Some(text) if !case_sensitive => methods::lower(text).into(),
            _ => by.clone(),
        };
        keyed.push((by, Value::tuple(vec![key, value])));
    }
    ops::sort_by_keys(call.run, keyed, flag(args, 3)?).map(Value::list)
}

fn keyed(run: &Run, value: &Value, getter: &Getter) -> Outcome<Vec<(Value, Value)>> {
    run.items(value)?.into_iter().map(|item| Ok((getter.get(run, &item)?, item))).collect()
}

pub(super) fn sort(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let getter = Getter::multiple(args.value(3)).ignoring_case(!flag(args, 2)?);
    let keyed = keyed(call.run, args.value(0), &getter)?;
    ops::sort_by_keys(call.run, keyed, flag(args, 1)?).map(Value::list)
}

pub(super) fn unique(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let getter = Getter::new(args.value(2)).ignoring_case(!flag(args, 1)?);
    Ok(select::unique(call, args.value(0), getter))
}

fn extreme(call: &Call<'_>, args: &Bound, is_max: bool) -> Outcome<Value> {
    let run = call.run;
    let getter = Getter::new(args.value(2)).ignoring_case(!flag(args, 1)?);
    let mut items = run.iterate(args.value(0))?;
    let mut best: Option<(Value, Value)> = None;
    while let Some(item) = items.next(run)? {
        let key = getter.get(run, &item)?;
        let is_better = match &best {
            None => true,
            Some((best, _)) if is_max => ops::compare(run, crate::ast::CompareOp::Gt, &key, best)?,
            Some((best, _)) => ops::less(run, &key, best)?,
        };
        if is_better {
            best = Some((key, item));
        }
    }
    Ok(best.map_or_else(|| Undefined::because("No aggregated item, sequence was empty."), |best| best.1))
}

pub(super) fn max(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    extreme(call, args, true)
}

pub(super) fn min(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    extreme(call, args, false)
}

pub(super) fn groupby(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let run = call.run;
    let ignore_case = !flag(args, 3)?;
    let plain = Getter::new(args.value(1)).with_default(args.value(2));
    let getter = plain.clone().ignoring_case(ignore_case);
    let keyed = keyed(run, args.value(0), &getter)?;
    let sorted = ops::sort_by_keys(run, keyed, false)?;
    let mut groups: Vec<(Value, Vec<Value>)> = Vec::new();
    for item in sorted {
        let key = getter.get(run, &item)?;
        match groups.last_mut() {
            Some((group, items)) if ops::equal(run, group, &key)? => items.push(item),
            _ => groups.push((key, vec![item])),
        }
    }
    let mut out = Vec::with_capacity(groups.len());
    for (key, items) in groups {
        let key = if ignore_case { plain.get(run, &items[0])? } else { key };
        out.push(Value::Tuple(Rc::new(Tuple::group(key, items))));
    }
    Ok(Value::list(out))
}

pub(super) fn sum(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let run = call.run;
    let mut total = args.given(2).cloned().unwrap_or(Value::int(0));
    if total.as_str().is_some() {
        return type_error("sum() can't sum strings [use ''.join(seq) instead]");
    }
    let getter = args.given(1).filter(|attribute| !matches!(attribute, Value::None)).map(Getter::new);
    let mut items = run.iterate(args.value(0))?;
    while let Some(item) = items.next(run)? {
        let item = match &getter {
            Some(getter) => getter.get(run, &item)?,
            None => item,
        };
        total = ops::add(run, &total, &item)?;
    }
    Ok(total)
}
