//! Tables: what Helm calls mappings of values, as templates will see them (by reference).

use kapstan_document::Node;
use kapstan_gotemplate::value::{Numbers, TooDeep};
use kapstan_gotemplate::{List, Map, Value};

/// A value as a table.
pub(crate) fn as_table(value: &Value) -> Option<&Map> {
    value.as_map()
}

/// A document as a value; integers stay integers.
pub(crate) fn value_of(node: &Node) -> Result<Value, TooDeep> {
    Value::from_node(node, Numbers::Typed)
}

/// A mapping of a document as a new table; integers stay integers, for only assignments make any.
pub(crate) fn table_of(node: &Node) -> Result<Map, TooDeep> {
    match Value::from_node(node, Numbers::Typed)? {
        Value::Map(map) => Ok(map),
        _ => Ok(Map::new()),
    }
}

/// A copy that shares no table and no list with the original. Values come from documents, whose depth is bounded.
pub(crate) fn deep_copy(map: &Map) -> Map {
    Map::from_entries(map.entries().iter().map(|(key, value)| (key.clone(), copy_value(value))))
}

fn copy_value(value: &Value) -> Value {
    match value {
        Value::Map(map) => Value::Map(deep_copy(map)),
        Value::List(list) => Value::List(List::new(list.iter().map(copy_value).collect())),
        other => other.clone(),
    }
}

/// The table at a path of names with dots between them.
///
/// Fails with the name at which there is none.
pub(crate) fn table_at(values: &Map, path: &str) -> Result<Map, String> {
    let mut table = values.clone();
    for name in path.split('.') {
        let next = table.get(name).and_then(|value| as_table(&value).cloned());
        table = next.ok_or_else(|| format!("{} is not a table", crate::go::quote(name)))?;
    }
    Ok(table)
}

/// The value at a path; none where there is nothing, or a table.
pub(crate) fn value_at(values: &Map, path: &str) -> Option<Value> {
    let (table, name) = match path.rsplit_once('.') {
        Some((folder, name)) => (table_at(values, folder).ok()?, name),
        None => (values.clone(), path),
    };
    table.get(name).filter(|value| as_table(value).is_none())
}

/// Takes nulls out, of tables within it too.
pub(crate) fn remove_nulls(map: &Map) {
    for (key, value) in map.snapshot() {
        match value {
            Value::Nil => {
                map.remove(&key);
            }
            Value::Map(inner) => remove_nulls(&inner),
            _ => {}
        }
    }
}
