//! Finding values by the patterns of Kapitan's `inventory -p` and `searchvar`.

use crate::{Key, Map, Node, Value, python};
use std::sync::Arc;

/// The value that a pattern finds: `parameters.mysql.storage_class`, `storage_class`, `storage_*`; none if it finds nothing.
///
/// A key is followed only if its value is truthy. Otherwise a part with `*` takes the first key that contains the rest
/// of the part, in any case; otherwise, as long as no part has been found, every mapping below is searched, to any depth
/// for patterns of one part and one level for others. Behaviour: Kapitan's `deep_get`.
pub fn find(node: &Node, pattern: &str) -> Option<Node> {
    let parts: Vec<&str> = pattern.split('.').collect();
    deep_get(node, &parts, false)
}

fn deep_get(node: &Node, parts: &[&str], is_found: bool) -> Option<Node> {
    let (first, rest) = parts.split_first()?;
    let map = node.as_map()?;
    let value = map.get(first).filter(|value| !value.is_null());
    if let Some(value) = value.filter(|value| value.value.is_truthy()) {
        return if rest.is_empty() { Some(value.clone()) } else { deep_get(value, rest, true) };
    }
    if first.contains('*') {
        let wanted = first.replace('*', "").to_lowercase();
        let matches =
            |key: &Key| python::str(&Value::from(key.scalar.clone())).to_lowercase().contains(&wanted);
        if let Some((_, value)) = map.iter().find(|(key, _)| matches(key)) {
            let value = if rest.is_empty() { Some(value.clone()) } else { deep_get(value, rest, true) };
            return value.filter(|value| !value.is_null());
        }
    }
    if !is_found {
        let below = map.values().filter(|below| below.as_map().is_some());
        let found = below.filter_map(|below| deep_get(below, parts, !rest.is_empty())).next();
        if found.is_some() {
            return found;
        }
    }
    value.cloned()
}

/// The mapping with nested mappings joined into one level, keys joined by dots. Empty mappings vanish; lists stay.
///
/// Behaviour: Kapitan's `inventory --flat`.
pub fn flatten(map: &Map) -> Map {
    let mut flat = Map::new();
    flatten_into(map, "", &mut flat);
    flat
}

fn flatten_into(map: &Map, above: &str, flat: &mut Map) {
    for (key, value) in map.iter() {
        let own = python::str(&Value::from(key.scalar.clone())).into_owned();
        let joined = if above.is_empty() { own } else { format!("{above}.{own}") };
        match &value.value {
            Value::Map(below) => flatten_into(below, &joined, flat),
            _ => {
                flat.insert(Key::new(Arc::from(joined)), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: &[(&str, Node)]) -> Node {
        entries.iter().map(|(key, value)| (*key, value.clone())).collect::<Map>().into()
    }

    fn example() -> Node {
        let mysql =
            map(&[("storage_class", "ssd".into()), ("replicas", 0i64.into()), ("empty", Map::new().into())]);
        map(&[("parameters", map(&[("mysql", mysql), ("name", "x".into())])), ("classes", Vec::new().into())])
    }

    #[test]
    fn patterns_find_what_kapitan_finds() {
        let found =
            |pattern: &str| find(&example(), pattern).map(|node| python::str(&node.value).into_owned());
        assert_eq!(found("parameters.mysql.storage_class").as_deref(), Some("ssd"));
        assert_eq!(found("storage_class").as_deref(), Some("ssd"));
        assert_eq!(found("STORAGE_*").as_deref(), Some("ssd"));
        assert_eq!(found("storage_*").as_deref(), Some("ssd"));
        assert_eq!(found("parameters.mysql.storage_*").as_deref(), Some("ssd"));
        assert_eq!(found("mysql.storage_class").as_deref(), Some("ssd"));
        assert_eq!(found("parameters.mysql.replicas").as_deref(), Some("0"));
        assert_eq!(found("parameters.name.x"), None);
        assert_eq!(found("classes").as_deref(), Some("[]"));
        assert_eq!(found("nothing"), None);
    }

    #[test]
    fn flat_keys_are_joined_by_dots() {
        let flat = flatten(example().as_map().unwrap());
        let keys: Vec<_> = flat.keys().filter_map(Key::as_str).collect();
        assert_eq!(
            keys,
            ["parameters.mysql.storage_class", "parameters.mysql.replicas", "parameters.name", "classes"]
        );
    }
}
