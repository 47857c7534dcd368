//! Finding values by the patterns of Kapitan's `inventory -p` and `searchvar`.

use crate::{Key, Map, Node, Scalar, Value};

/// The value that a pattern finds: `parameters.mysql.storage_class`, `storage_class`, `storage_*`; none if it finds nothing.
///
/// A key is followed only if its value is truthy. Otherwise a part with `*` takes the first key that contains the rest
/// of the part, in any case; otherwise, as long as no part has been found, every mapping below is searched, to any depth
/// for patterns of one part and one level for others. Fails with a key that a part with `*` meets and that is no string.
/// Behaviour: Kapitan's `deep_get`.
pub fn find(node: &Node, pattern: &str) -> Result<Option<Node>, Key> {
    let parts: Vec<&str> = pattern.split('.').collect();
    deep_get(node, &parts, false)
}

fn deep_get(node: &Node, parts: &[&str], is_found: bool) -> Result<Option<Node>, Key> {
    let (Some((first, rest)), Some(map)) = (parts.split_first(), node.as_map()) else { return Ok(None) };
    let value = map.get(first).filter(|value| !value.is_null());
    if let Some(value) = value.filter(|value| value.value.is_truthy()) {
        return if rest.is_empty() { Ok(Some(value.clone())) } else { deep_get(value, rest, true) };
    }
    if first.contains('*')
        && let Some(value) = first_match(map, first)?
    {
        let value = if rest.is_empty() { Some(value.clone()) } else { deep_get(value, rest, true)? };
        return Ok(value.filter(|value| !value.is_null()));
    }
    if !is_found {
        for below in map.values().filter(|below| below.as_map().is_some()) {
            if let Some(found) = deep_get(below, parts, !rest.is_empty())? {
                return Ok(Some(found));
            }
        }
    }
    Ok(value.cloned())
}

/// The value of the first key that contains what stands beside the stars of a part.
fn first_match<'m>(map: &'m Map, part: &str) -> Result<Option<&'m Node>, Key> {
    let wanted = part.replace('*', "").to_lowercase();
    for (key, value) in map.iter() {
        let name = key.as_str().ok_or_else(|| key.clone())?;
        if name.to_lowercase().contains(&wanted) {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// The mapping with nested mappings joined into one level, keys joined by dots. Empty mappings vanish; lists stay.
///
/// Fails with a key that cannot be joined to those above it because one of them is no string.
/// Behaviour: Kapitan's `inventory --flat`.
pub fn flatten(map: &Map) -> Result<Map, Key> {
    let mut flat = Map::new();
    flatten_into(map, None, &mut flat)?;
    Ok(flat)
}

fn flatten_into(map: &Map, above: Option<&Scalar>, flat: &mut Map) -> Result<(), Key> {
    let above = above.filter(|above| Value::from((*above).clone()).is_truthy());
    for (key, value) in map.iter() {
        let joined = match (above, &key.scalar) {
            (None, own) => own.clone(),
            (Some(Scalar::Str(above)), Scalar::Str(own)) => Scalar::Str(format!("{above}.{own}").into()),
            _ => return Err(key.clone()),
        };
        match &value.value {
            Value::Map(below) => flatten_into(below, Some(&joined), flat)?,
            _ => {
                flat.insert(Key::at(joined, key.span), value.clone());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python;

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
        let found = |pattern: &str| {
            find(&example(), pattern).unwrap().map(|node| python::str(&node.value).into_owned())
        };
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
        let flat = flatten(example().as_map().unwrap()).unwrap();
        let keys: Vec<_> = flat.keys().filter_map(Key::as_str).collect();
        assert_eq!(
            keys,
            ["parameters.mysql.storage_class", "parameters.mysql.replicas", "parameters.name", "classes"]
        );
        let mut below = Map::new();
        below.insert(Key::at(Scalar::Bool(true), crate::Span::NONE), Node::NULL);
        assert!(flatten(&below).is_ok(), "a key with none above it stays as it is");
        assert!(flatten(map(&[("a", below.into())]).as_map().unwrap()).is_err());
    }
}
