//! Functions over maps. `set`, `unset` and the merges change the map they are given.

use super::give;
use super::merge::merge;
use super::values::{string_of, too_deep};
use super::versions::{is_version, no_version};
use crate::functions::{Call, CallError, Function, Outcome};
use crate::value::{ANY_LIST, ANY_MAP, List, MAX_DEPTH, Map, STRING_LIST, Text, Type, Value};
use Type::{Any, Bool, String as Str};

const MAPS: Type = Type::Map(&ANY_MAP);
const LISTS: Type = Type::List(&ANY_LIST);
const STRINGS: Type = Type::List(&STRING_LIST);

pub(super) const ROWS: &[Function] = &[
    Function::variadic("dict", &[], Any, MAPS, dict),
    Function::new("get", &[MAPS, Str], Any, |call| {
        Ok(call.map(0).get(call.text(1)).unwrap_or_else(|| Value::str("")))
    }),
    Function::new("set", &[MAPS, Str, Any], MAPS, set),
    Function::new("unset", &[MAPS, Str], MAPS, |call| {
        let map = plain(call);
        map.remove(call.text(1));
        give(map)
    }),
    Function::new("hasKey", &[MAPS, Str], Bool, |call| give(call.map(0).contains(call.text(1)))),
    Function::variadic("pluck", &[Str], MAPS, LISTS, |call| {
        let found = (1..call.args().len()).filter_map(|index| call.map(index).get(call.text(0)));
        Ok(found.collect::<List>().into())
    }),
    Function::variadic("keys", &[], MAPS, STRINGS, |call| {
        let keys = (0..call.args().len()).flat_map(|index| call.map(index).keys());
        Ok(List::strings(keys).into())
    }),
    Function::new("values", &[MAPS], LISTS, |call| {
        Ok(call.map(0).snapshot().into_iter().map(|(_, value)| value).collect::<List>().into())
    }),
    Function::variadic("pick", &[MAPS], Str, MAPS, pick),
    Function::variadic("omit", &[MAPS], Str, MAPS, omit),
    Function::variadic("dig", &[], Any, Any, dig),
    Function::variadic("merge", &[MAPS], MAPS, Any, |call| merge_all(call, false, false)),
    Function::variadic("mustMerge", &[MAPS], MAPS, Any, |call| merge_all(call, false, true)),
    Function::variadic("mergeOverwrite", &[MAPS], MAPS, Any, |call| merge_all(call, true, false)),
    Function::variadic("mustMergeOverwrite", &[MAPS], MAPS, Any, |call| merge_all(call, true, true)),
    Function::new("deepCopy", &[Any], Any, deep_copy),
    Function::new("mustDeepCopy", &[Any], Any, deep_copy),
];

/// The first argument, as the type that the function returns it in.
fn plain(call: &Call<'_>) -> Map {
    call.map(0).with_type(&ANY_MAP)
}

/// A map that can be written to; what Go says where it is nil.
pub(super) fn writable(map: Map) -> Result<Map, CallError> {
    if map.is_nil() { Err("assignment to entry in nil map".into()) } else { Ok(map) }
}

fn dict(call: &mut Call<'_>) -> Outcome {
    let map = Map::new();
    for pair in call.args().chunks(2) {
        let value = pair.get(1).cloned().unwrap_or_else(|| Value::str(""));
        map.insert(string_of(&pair[0])?, value);
    }
    give(map)
}

fn set(call: &mut Call<'_>) -> Outcome {
    let map = writable(plain(call))?;
    map.insert(call.text(1), call.arg(2).clone());
    give(map)
}

fn pick(call: &mut Call<'_>) -> Outcome {
    let (map, picked) = (call.map(0), Map::new());
    for key in call.rest(1).iter().filter_map(Value::as_text) {
        if let Some(value) = map.get(key) {
            picked.insert(key, value);
        }
    }
    give(picked)
}

fn omit(call: &mut Call<'_>) -> Outcome {
    let kept = call.map(0).shallow_copy().with_type(&ANY_MAP);
    for key in call.rest(1).iter().filter_map(Value::as_text) {
        kept.remove(key);
    }
    give(kept)
}

/// The map, where the type is exactly `map[string]interface {}`.
fn plain_map(value: &Value) -> Result<&Map, CallError> {
    match value {
        Value::Map(map) if map.map_type().name == ANY_MAP.name => Ok(map),
        value => Err(not_a(value, ANY_MAP.name)),
    }
}

fn not_a(value: &Value, wanted: &str) -> CallError {
    let found = if value.is_nil() { "nil" } else { value.type_name() };
    format!("interface conversion: interface {{}} is {found}, not {wanted}").into()
}

fn dig(call: &mut Call<'_>) -> Outcome {
    let [keys @ .., default, map] = call.args() else {
        return Err("dig needs at least three arguments".into());
    };
    if keys.is_empty() {
        return Err("dig needs at least three arguments".into());
    }
    let mut map = plain_map(map)?.clone();
    let keys: Vec<&Text> =
        keys.iter().map(|key| key.as_text().ok_or_else(|| not_a(key, "string"))).collect::<Result<_, _>>()?;
    for (place, key) in keys.iter().enumerate() {
        let Some(found) = map.get(key) else { return Ok(default.clone()) };
        if place + 1 == keys.len() {
            return Ok(found);
        }
        map = plain_map(&found)?.clone();
    }
    Ok(default.clone())
}

/// Later maps into the first. Where that fails the forgiving form gives nothing at all.
fn merge_all(call: &Call<'_>, overwrites: bool, fails: bool) -> Outcome {
    let first = plain(call);
    let sources: Vec<Map> = (1..call.args().len()).map(|index| call.map(index)).collect();
    // A nil map is replaced by a new one as soon as there is something to put in.
    let target =
        if first.is_nil() && sources.iter().any(|source| !source.is_nil()) { Map::new() } else { first };
    for source in sources {
        match merge(&target, &source, overwrites) {
            Ok(true) => {}
            Ok(false) if fails => return Err("src and dst must be of same type".into()),
            Ok(false) => return give(""),
            Err(error) => return Err(error),
        }
    }
    give(target)
}

fn deep_copy(call: &mut Call<'_>) -> Outcome {
    if call.arg(0).is_nil() {
        return Err("reflect: call of reflect.Value.Type on zero Value".into());
    }
    copied(call.arg(0), MAX_DEPTH)
}

fn copied(value: &Value, depth: usize) -> Outcome {
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    Ok(match value {
        Value::List(list) if !list.is_nil() => {
            let items = list.iter().map(|item| copied(item, depth)).collect::<Result<_, _>>()?;
            List::typed(list.list_type(), items).into()
        }
        Value::Map(map) if !map.is_nil() => {
            let entries: Vec<_> = map
                .entries()
                .iter()
                .map(|(key, value)| Ok((key.clone(), copied(value, depth)?)))
                .collect::<Result<_, CallError>>()?;
            Map::typed_entries(map.map_type(), entries).into()
        }
        // The original does not see the fields of a version, and copies none of them.
        value if is_version(value) => no_version(),
        value => value.clone(),
    })
}
