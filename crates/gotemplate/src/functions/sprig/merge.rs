//! Merging maps as dario.cat/mergo does, with what follows from its order of steps.

use super::values::{is_empty, too_deep};
use crate::functions::CallError;
use crate::value::{Kind, MAX_DEPTH, Map, Type, Value};

/// Merges `source` into `target`, for everyone who holds it; maps of `source` are put in as they are, not copied.
///
/// Fills what is missing or empty in `target`; where it overwrites, takes all but that an empty map does not clear one
/// that has entries. Gives false where the two do not fit together, which ends the merge half way.
pub(super) fn merge(target: &Map, source: &Map, overwrites: bool) -> Result<bool, CallError> {
    merge_maps(target, source, overwrites, MAX_DEPTH)
}

fn merge_maps(target: &Map, source: &Map, overwrites: bool, depth: usize) -> Result<bool, CallError> {
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    if target.is_nil() {
        return Ok(true);
    }
    for (key, value) in source.snapshot() {
        if value.is_nil() {
            if overwrites {
                put(target, &key, value, source)?;
            }
            continue;
        }
        let before = target.get(&key);
        let fits = match (&before, &value) {
            (Some(Value::Map(inner)), Value::Map(own)) => merge_maps(inner, own, overwrites, depth)?,
            (Some(before), Value::Map(_) | Value::Object(_)) => overwrites || !refuses(before, &value),
            _ => true,
        };
        if !fits {
            return Ok(false);
        }
        // Whether it is empty is asked after its merge.
        let has_content = before.as_ref().is_some_and(|before| !is_empty(before));
        let is_list = matches!(value, Value::List(_) | Value::Bytes(_));
        let both_maps = matches!((&before, &value), (Some(Value::Map(_)), Value::Map(_)));
        if has_content && (both_maps || is_list && !overwrites) {
            continue;
        }
        if overwrites || !has_content {
            put(target, &key, value, source)?;
        }
    }
    Ok(true)
}

/// A pointer takes no map or struct.
fn refuses(before: &Value, value: &Value) -> bool {
    before.kind() == Kind::Pointer && value.kind() != Kind::Pointer
}

/// Sets a key, if a map of that type can hold what comes from the other.
fn put(target: &Map, key: &crate::value::Text, value: Value, source: &Map) -> Result<(), CallError> {
    let (wanted, given) = (target.map_type().element, source.map_type().element);
    if !matches!(wanted, Type::Any) && given.name() != wanted.name() {
        return Err(format!(
            "reflect.Value.SetMapIndex: value of type {} is not assignable to type {}",
            given.name(),
            wanted.name()
        )
        .into());
    }
    target.insert(key, value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: &[(&'static str, Value)]) -> Map {
        Map::from_entries(entries.iter().cloned())
    }

    #[test]
    fn fills_what_is_missing_or_empty() {
        let source = map(&[
            ("nil", Value::Nil),
            ("zero", Value::Int(5)),
            ("kept", Value::Int(5)),
            ("new", Value::Int(5)),
            ("inner", Value::map([("a", Value::Int(5)), ("b", Value::Int(5))])),
            ("list", Value::list(vec![Value::Int(5)])),
        ]);
        let target = map(&[
            ("zero", Value::Int(0)),
            ("kept", Value::Int(1)),
            ("inner", Value::map([("a", Value::Int(1))])),
            ("list", Value::list(vec![Value::Int(1)])),
        ]);
        assert!(merge(&target, &source, false).unwrap());
        let number = |map: &Map, key: &str| matches!(map.get(key), Some(Value::Int(number)) if number == 5);
        assert!(number(&target, "zero") && number(&target, "new") && !number(&target, "kept"));
        assert!(!target.contains("nil"));
        let inner = target.get("inner").unwrap();
        let inner = inner.as_map().unwrap();
        assert!(!number(inner, "a") && number(inner, "b"));
    }

    #[test]
    fn puts_maps_in_by_reference() {
        let inner = map(&[("a", Value::Int(1))]);
        let source = map(&[("inner", inner.clone().into())]);
        let target = Map::new();
        assert!(merge(&target, &source, true).unwrap());
        assert!(target.get("inner").unwrap().as_map().unwrap().ptr_eq(&inner));
    }

    #[test]
    fn an_empty_map_does_not_clear_but_nil_does() {
        let target = map(&[("inner", Value::map([("a", Value::Int(1))])), ("x", Value::Int(1))]);
        let source = map(&[("inner", Map::new().into()), ("x", Value::Nil)]);
        assert!(merge(&target, &source, true).unwrap());
        assert_eq!(target.get("inner").unwrap().as_map().unwrap().len(), 1);
        assert!(target.get("x").unwrap().is_nil());
    }

    #[test]
    fn maps_that_contain_themselves_are_refused() {
        let target = Map::new();
        target.insert("self", target.clone().into());
        let source = Map::new();
        source.insert("self", source.clone().into());
        assert!(merge(&target, &source, true).is_err());
        target.remove("self");
        source.remove("self");
    }
}
