//! `lookup`, answered from objects that are given along.

use kapstan_gotemplate::value::ANY_MAP;
use kapstan_gotemplate::{Call, Function, Map, Outcome, Type, Value};

/// What it takes: API version, kind, namespace and name.
pub(super) const LOOKUP: Function = Function::new(
    "lookup",
    &[Type::String, Type::String, Type::String, Type::String],
    Type::Map(&ANY_MAP),
    |_| Ok(Value::Map(Map::new())),
);

/// The object of that name; without a name a list of all of the kind; an empty map where there is none.
#[expect(clippy::unnecessary_wraps, reason = "the signature of functions of templates")]
pub(super) fn lookup(objects: &[Value], call: &Call<'_>) -> Outcome {
    let (api_version, kind, namespace, name) = (call.str(0), call.str(1), call.str(2), call.str(3));
    let is_meant = |object: &&Value| {
        text_at(object, "apiVersion") == api_version
            && text_at(object, "kind") == kind
            && (namespace.is_empty() || metadata(object, "namespace") == namespace)
    };
    let mut found = objects.iter().filter(is_meant);
    if !name.is_empty() {
        let one = found.find(|object| metadata(object, "name") == name);
        return Ok(one.cloned().unwrap_or_else(|| Value::Map(Map::new())));
    }
    let items: Vec<Value> = found.cloned().collect();
    if items.is_empty() {
        return Ok(Value::Map(Map::new()));
    }
    Ok(Value::map([
        ("apiVersion", Value::str(&*api_version)),
        ("kind", Value::str(format!("{kind}List"))),
        ("metadata", Value::Map(Map::new())),
        ("items", Value::list(items)),
    ]))
}

fn text_at(object: &Value, key: &str) -> String {
    let value = object.as_map().and_then(|map| map.get(key));
    value.and_then(|value| value.as_text().map(ToString::to_string)).unwrap_or_default()
}

fn metadata(object: &Value, key: &str) -> String {
    let metadata = object.as_map().and_then(|map| map.get("metadata"));
    metadata.map(|metadata| text_at(&metadata, key)).unwrap_or_default()
}
