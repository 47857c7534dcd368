use super::{Given, index, view};
use crate::error::{Class, Outcome, index_error, raise, type_error, value_error};
use crate::ops;
use crate::print;
use crate::run::{Args, Run};
use crate::value::{Dict, Entries, Key, List, Value, ViewKind};
use std::rc::Rc;

/// Calls a method of `list`.
pub(super) fn list(run: &Run, list: &Rc<List>, given: Given<'_>) -> Outcome<Value> {
    match given.method {
        "append" => {
            let item = given.one()?.clone();
            run.fits(list.len() + 1)?;
            list.items_mut().push(item);
        }
        "clear" => {
            given.none()?;
            let before = std::mem::take(&mut *list.items_mut());
            drop(before);
        }
        "copy" => {
            given.none()?;
            run.spend(list.len())?;
            return Ok(Value::list(list.items().clone()));
        }
        "extend" => {
            let items = run.items(given.one()?)?;
            run.fits(list.len() + items.len())?;
            list.items_mut().extend(items);
        }
        "insert" => {
            let values = given.between(2, 2)?;
            let at = index(&values[0])?;
            let mut items = list.items_mut();
            let at = clamped(at, items.len());
            items.insert(at, values[1].clone());
        }
        "pop" => {
            let at = given.between(0, 1)?.first().map_or(Ok(-1), index)?;
            let mut items = list.items_mut();
            if items.is_empty() {
                return index_error("pop from empty list");
            }
            let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
            let at = if at < 0 { at + length } else { at };
            return match usize::try_from(at) {
                Ok(at) if at < items.len() => Ok(items.remove(at)),
                _ => index_error("pop index out of range"),
            };
        }
        "remove" => {
            let wanted = given.one()?;
            let items = list.items().clone();
            match position(run, &items, wanted, 0)? {
                Some(at) => drop(list.items_mut().remove(at)),
                None => return value_error("list.remove(x): x not in list"),
            }
        }
        "reverse" => {
            given.none()?;
            list.items_mut().reverse();
        }
        "sort" => sort(run, list, given)?,
        _ => {
            let items = list.items().clone();
            return sequence(run, &items, given);
        }
    }
    Ok(Value::None)
}

fn clamped(at: i64, length: usize) -> usize {
    let signed = i64::try_from(length).unwrap_or(i64::MAX);
    let at = if at < 0 { (at + signed).max(0) } else { at.min(signed) };
    usize::try_from(at).unwrap_or(length)
}

fn sort(run: &Run, list: &List, mut given: Given<'_>) -> Outcome<()> {
    if !given.args.positional.is_empty() {
        return type_error("sort() takes no positional arguments");
    }
    let key = given.args.take("key").filter(|key| !matches!(key, Value::None));
    let reverse = given.args.take("reverse").map_or(Ok(false), |value| ops::is_true(&value))?;
    if let Some((name, _)) = given.args.named.first() {
        return type_error(format!("'{name}' is an invalid keyword argument for sort()"));
    }
    let items = list.items().clone();
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        let by = match &key {
            Some(key) => run.call_plain(key, vec![item.clone()])?,
            None => item.clone(),
        };
        keyed.push((by, item));
    }
    *list.items_mut() = ops::sort_by_keys(run, keyed, reverse)?;
    Ok(())
}

fn position(run: &Run, items: &[Value], wanted: &Value, start: usize) -> Outcome<Option<usize>> {
    for (at, item) in items.iter().enumerate().skip(start) {
        run.spend(1)?;
        if item.is_same(wanted) || ops::equal(run, item, wanted)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Calls a method that lists and tuples share.
pub(super) fn sequence(run: &Run, items: &[Value], given: Given<'_>) -> Outcome<Value> {
    match given.method {
        "index" => {
            let values = given.between(1, 3)?;
            let start = clamped(values.get(1).map_or(Ok(0), index)?, items.len());
            let end = clamped(values.get(2).map_or(Ok(i64::MAX), index)?, items.len());
            match position(run, &items[..end], &values[0], start)? {
                Some(at) => Ok(Value::size(at)),
                None if given.type_name == "list" => {
                    value_error(format!("{} is not in list", print::repr(&values[0])?))
                }
                None => value_error("tuple.index(x): x not in tuple"),
            }
        }
        _ => {
            let wanted = given.one()?;
            let mut count = 0;
            for item in items {
                count += usize::from(item.is_same(wanted) || ops::equal(run, item, wanted)?);
            }
            Ok(Value::size(count))
        }
    }
}

/// Calls a method of `dict`.
pub(super) fn dict(run: &Run, dict: &Rc<Dict>, given: Given<'_>) -> Outcome<Value> {
    Ok(match given.method {
        "get" => {
            let values = given.between(1, 2)?;
            dict.get(&values[0])?.or_else(|| values.get(1).cloned()).unwrap_or(Value::None)
        }
        "items" => {
            given.none()?;
            view(dict, ViewKind::Items)
        }
        "keys" => {
            given.none()?;
            view(dict, ViewKind::Keys)
        }
        "values" => {
            given.none()?;
            view(dict, ViewKind::Values)
        }
        "copy" => {
            given.none()?;
            run.spend(dict.len())?;
            Value::dict(dict.entries()?.clone())
        }
        "clear" => {
            given.none()?;
            let before = std::mem::take(&mut *dict.entries_mut()?);
            drop(before);
            Value::None
        }
        "setdefault" => {
            let values = given.between(1, 2)?;
            if let Some(found) = dict.get(&values[0])? {
                return Ok(found);
            }
            let value = values.get(1).cloned().unwrap_or(Value::None);
            dict.insert(values[0].clone(), value.clone())?;
            value
        }
        "pop" => {
            let values = given.between(1, 2)?;
            let removed = dict.entries_mut()?.shift_remove(&Key::of(&values[0])?);
            match (removed, values.get(1)) {
                (Some((_, value)), _) => value,
                (None, Some(default)) => default.clone(),
                (None, None) => return raise(Class::Key, print::repr(&values[0])?),
            }
        }
        "popitem" => {
            given.none()?;
            let removed = dict.entries_mut()?.pop();
            match removed {
                Some((_, (key, value))) => Value::tuple(vec![key, value]),
                None => return raise(Class::Key, "'popitem(): dictionary is empty'"),
            }
        }
        "fromkeys" => {
            let values = given.between(1, 2)?;
            let value = values.get(1).cloned().unwrap_or(Value::None);
            let made = Dict::new(Entries::default());
            for key in run.items(&values[0])? {
                made.insert(key, value.clone())?;
            }
            Value::Dict(Rc::new(made))
        }
        _ => {
            update(run, dict, "update", given.args)?;
            Value::None
        }
    })
}

/// `dict.update(...)`, which is also what `dict(...)` and `namespace(...)` do with their arguments.
pub(crate) fn update(run: &Run, dict: &Dict, name: &str, args: Args) -> Outcome<()> {
    if args.positional.len() > 1 {
        return type_error(format!("{name} expected at most 1 argument, got {}", args.positional.len()));
    }
    if let Some(source) = args.positional.first() {
        match source {
            Value::Dict(other) => {
                run.spend(other.len())?;
                for (key, value) in other.pairs()? {
                    dict.insert(key, value)?;
                }
            }
            source => update_from_pairs(run, dict, source)?,
        }
    }
    for (key, value) in args.named {
        dict.insert(Value::Str(key), value)?;
    }
    Ok(())
}

fn update_from_pairs(run: &Run, dict: &Dict, source: &Value) -> Outcome<()> {
    for (at, pair) in run.items(source)?.into_iter().enumerate() {
        let items = match run.items(&pair) {
            Err(error) if error.class == Class::Type => {
                return type_error(format!(
                    "cannot convert dictionary update sequence element #{at} to a sequence"
                ));
            }
            items => items?,
        };
        let [key, value] = items.as_slice() else {
            return value_error(format!(
                "dictionary update sequence element #{at} has length {}; 2 is required",
                items.len()
            ));
        };
        dict.insert(key.clone(), value.clone())?;
    }
    Ok(())
}

/// Calls a method of `set`.
pub(super) fn set(run: &Run, set: &Rc<Dict>, given: Given<'_>) -> Outcome<Value> {
    let made = |entries: Entries| Value::Set(Rc::new(Dict::new(entries)));
    let others = |args: &Args| -> Outcome<Entries> {
        let mut entries = Entries::default();
        for other in &args.positional {
            for item in run.items(other)? {
                entries.entry(Key::of(&item)?).or_insert((item, Value::None));
            }
        }
        Ok(entries)
    };
    let mut entries = set.entries()?.clone();
    Ok(match given.method {
        "add" => {
            let item = given.one()?;
            set.entries_mut()?.entry(Key::of(item)?).or_insert((item.clone(), Value::None));
            Value::None
        }
        "discard" => {
            set.entries_mut()?.shift_remove(&Key::of(given.one()?)?);
            Value::None
        }
        "remove" => {
            let item = given.one()?;
            match set.entries_mut()?.shift_remove(&Key::of(item)?) {
                Some(_) => Value::None,
                None => return raise(Class::Key, print::repr(item)?),
            }
        }
        "copy" => made(entries),
        "union" => {
            for (key, entry) in others(&given.args)? {
                entries.entry(key).or_insert(entry);
            }
            made(entries)
        }
        "update" => {
            let more = others(&given.args)?;
            let mut own = set.entries_mut()?;
            for (key, entry) in more {
                own.entry(key).or_insert(entry);
            }
            Value::None
        }
        "difference" => {
            let others = others(&given.args)?;
            entries.retain(|key, _| !others.contains_key(key));
            made(entries)
        }
        "intersection" => {
            let others = others(&given.args)?;
            entries.retain(|key, _| others.contains_key(key));
            made(entries)
        }
        "symmetric_difference" => {
            let others = others(&given.args)?;
            let mut only: Entries = entries.clone();
            only.retain(|key, _| !others.contains_key(key));
            only.extend(others.into_iter().filter(|(key, _)| !entries.contains_key(key)));
            made(only)
        }
        "issubset" => {
            let others = others(&given.args)?;
            Value::Bool(entries.keys().all(|key| others.contains_key(key)))
        }
        _ => Value::Bool(others(&given.args)?.keys().all(|key| entries.contains_key(key))),
    })
}
