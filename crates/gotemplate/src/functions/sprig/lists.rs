//! Functions over lists: each makes a new one, none changes what it was given.

use super::give;
use super::values::{deep_equal, is_empty, to_int};
use crate::functions::{Body, Call, CallError, Function, Outcome};
use crate::value::{ANY_LIST, LIST_LIST, List, Type, Value};
use Type::{Any, Bool, Int};

const LISTS: Type = Type::List(&ANY_LIST);
const CHUNKS: Type = Type::List(&LIST_LIST);

const fn over_list(name: &'static str, result: Type, body: Body) -> Function {
    Function::new(name, &[Any], result, body)
}

pub(super) const ROWS: &[Function] = &[
    Function::variadic("list", &[], Any, LISTS, list),
    Function::variadic("tuple", &[], Any, LISTS, list),
    Function::new("append", &[Any, Any], LISTS, push),
    Function::new("push", &[Any, Any], LISTS, push),
    Function::new("mustAppend", &[Any, Any], LISTS, push),
    Function::new("mustPush", &[Any, Any], LISTS, push),
    Function::new("prepend", &[Any, Any], LISTS, prepend),
    Function::new("mustPrepend", &[Any, Any], LISTS, prepend),
    Function::variadic("concat", &[], Any, Any, concat),
    over_list("first", Any, first),
    over_list("mustFirst", Any, first),
    over_list("last", Any, last),
    over_list("mustLast", Any, last),
    over_list("rest", LISTS, rest),
    over_list("mustRest", LISTS, rest),
    over_list("initial", LISTS, initial),
    over_list("mustInitial", LISTS, initial),
    over_list("reverse", LISTS, reverse),
    over_list("mustReverse", LISTS, reverse),
    over_list("uniq", LISTS, uniq),
    over_list("mustUniq", LISTS, uniq),
    over_list("compact", LISTS, compact),
    over_list("mustCompact", LISTS, compact),
    Function::variadic("without", &[Any], Any, LISTS, without),
    Function::variadic("mustWithout", &[Any], Any, LISTS, without),
    Function::new("has", &[Any, Any], Bool, has),
    Function::new("mustHas", &[Any, Any], Bool, has),
    Function::variadic("slice", &[Any], Any, Any, slice),
    Function::variadic("mustSlice", &[Any], Any, Any, slice),
    Function::new("chunk", &[Int, Any], CHUNKS, chunk),
    Function::new("mustChunk", &[Int, Any], CHUNKS, chunk),
];

/// What Go says where the type of nil is asked for.
const NIL_TYPE: &str = "runtime error: invalid memory address or nil pointer dereference";

/// The items of a list. What is none is refused in the function's own words, with its kind.
fn items(value: &Value, refused: impl Fn(&str) -> String) -> Result<List, CallError> {
    match value {
        Value::List(list) => Ok(list.clone()),
        Value::Bytes(bytes) => Ok(bytes.iter().map(|byte| Value::Byte(*byte)).collect()),
        Value::Nil | Value::Absent => Err(NIL_TYPE.into()),
        value => Err(refused(value.kind().name()).into()),
    }
}

fn searched(call: &Call<'_>, what: &str, index: usize) -> Result<List, CallError> {
    items(call.arg(index), |kind| format!("Cannot find {what} on type {kind}"))
}

fn list(call: &mut Call<'_>) -> Outcome {
    Ok(Value::list(call.args().to_vec()))
}

fn push(call: &mut Call<'_>) -> Outcome {
    let mut all = items(call.arg(0), |kind| format!("Cannot push on type {kind}"))?.to_vec();
    all.push(call.arg(1).clone());
    Ok(Value::list(all))
}

fn prepend(call: &mut Call<'_>) -> Outcome {
    let before = items(call.arg(0), |kind| format!("Cannot prepend on type {kind}"))?;
    Ok(std::iter::once(call.arg(1)).chain(before.iter()).cloned().collect::<List>().into())
}

fn concat(call: &mut Call<'_>) -> Outcome {
    let mut all = Vec::new();
    for list in call.args() {
        all.extend_from_slice(&items(list, |kind| format!("Cannot concat type {kind} as list"))?);
    }
    Ok(if all.is_empty() { List::nil(&ANY_LIST).into() } else { Value::list(all) })
}

fn first(call: &mut Call<'_>) -> Outcome {
    Ok(searched(call, "first", 0)?.first().cloned().unwrap_or(Value::Nil))
}

fn last(call: &mut Call<'_>) -> Outcome {
    Ok(searched(call, "last", 0)?.last().cloned().unwrap_or(Value::Nil))
}

fn rest(call: &mut Call<'_>) -> Outcome {
    Ok(match searched(call, "rest", 0)?.split_first() {
        Some((_, rest)) => Value::list(rest.to_vec()),
        None => List::nil(&ANY_LIST).into(),
    })
}

fn initial(call: &mut Call<'_>) -> Outcome {
    Ok(match searched(call, "initial", 0)?.split_last() {
        Some((_, initial)) => Value::list(initial.to_vec()),
        None => List::nil(&ANY_LIST).into(),
    })
}

fn reverse(call: &mut Call<'_>) -> Outcome {
    Ok(searched(call, "reverse", 0)?.iter().rev().cloned().collect::<List>().into())
}

fn uniq(call: &mut Call<'_>) -> Outcome {
    let mut kept: Vec<Value> = Vec::new();
    for item in &*searched(call, "uniq", 0)? {
        if !is_in(&kept, item)? {
            kept.push(item.clone());
        }
    }
    Ok(Value::list(kept))
}

fn is_in(list: &[Value], wanted: &Value) -> Result<bool, CallError> {
    for item in list {
        if deep_equal(wanted, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn compact(call: &mut Call<'_>) -> Outcome {
    let list = items(call.arg(0), |kind| format!("Cannot compact on type {kind}"))?;
    Ok(list.iter().filter(|item| !is_empty(item)).cloned().collect::<List>().into())
}

fn without(call: &mut Call<'_>) -> Outcome {
    let mut kept = Vec::new();
    for item in &*searched(call, "without", 0)? {
        if !is_in(call.rest(1), item)? {
            kept.push(item.clone());
        }
    }
    Ok(Value::list(kept))
}

fn has(call: &mut Call<'_>) -> Outcome {
    if call.arg(1).is_nil() {
        return give(false);
    }
    give(is_in(&searched(call, "has", 1)?, call.arg(0))?)
}

fn slice(call: &mut Call<'_>) -> Outcome {
    let list = items(call.arg(0), |kind| format!("list should be type of slice or array but {kind}"))?;
    if list.is_empty() {
        return Ok(Value::Nil);
    }
    let place = |index: usize| call.args().get(index).map(to_int).map(usize::try_from);
    let start = place(1).unwrap_or(Ok(0));
    let end = place(2).unwrap_or(Ok(list.len()));
    let part = start.ok().zip(end.ok()).and_then(|(start, end)| list.get(start..end));
    let part = part.ok_or("reflect.Value.Slice: slice index out of bounds")?.to_vec();
    Ok(match call.arg(0) {
        Value::List(list) => List::typed(list.list_type(), part).into(),
        _ => Value::Bytes(part.iter().map(|byte| to_int(byte).to_le_bytes()[0]).collect()),
    })
}

fn chunk(call: &mut Call<'_>) -> Outcome {
    let size = call.int(0);
    let list = items(call.arg(1), |kind| format!("Cannot chunk type {kind}"))?;
    // The original counts in floats, so that odd sizes have their own results.
    let (length, width) = (list.len() as f64, size as f64);
    let count = crate::standard::number::float_to_int(((length - 1.0) / width).floor() + 1.0);
    let too_long = "runtime error: makeslice: len out of range";
    let count = usize::try_from(count).map_err(|_| too_long)?;
    let mut chunks = Vec::new();
    for place in 0..count {
        let mut taken = size;
        if place + 1 == count {
            taken = crate::standard::number::float_to_int((length % width).floor());
            if taken == 0 {
                taken = size;
            }
        }
        let taken = usize::try_from(taken).map_err(|_| too_long)?;
        let start = place * usize::try_from(size).unwrap_or(0);
        let part = list.get(start..start + taken).ok_or("reflect: slice index out of range")?;
        chunks.push(Value::list(part.to_vec()));
    }
    Ok(List::typed(&LIST_LIST, chunks).into())
}
