use super::chart_struct;
use crate::Profile;
use crate::chart::{Dependency, Maintainer, Metadata};
use kapstan_document::Node;
use kapstan_gotemplate::value::{Numbers, STRING_MAP};
use kapstan_gotemplate::{Map, Value};

/// `.Chart`: with Helm 4 a map whose keys are the names of Go's fields, with Helm 3 the struct itself.
pub(crate) fn chart(metadata: &Metadata, is_root: bool, profile: Profile) -> Value {
    if profile.is_v3() {
        chart_struct::chart(metadata, is_root)
    } else {
        Value::Map(as_map(metadata, is_root))
    }
}

fn as_map(md: &Metadata, is_root: bool) -> Map {
    Map::from_entries([
        ("Name", text(&md.name)),
        ("Home", text(&md.home)),
        ("Sources", texts(&md.sources)),
        ("Version", text(&md.version)),
        ("Description", text(&md.description)),
        ("Keywords", texts(&md.keywords)),
        ("Maintainers", Value::list(md.maintainers.iter().map(maintainer).collect())),
        ("Icon", text(&md.icon)),
        ("APIVersion", text(&md.api_version)),
        ("Condition", text(&md.condition)),
        ("Tags", text(&md.tags)),
        ("AppVersion", text(&md.app_version)),
        ("Deprecated", Value::Bool(md.deprecated)),
        ("Annotations", Value::Map(annotations(md))),
        ("KubeVersion", text(&md.kube_version)),
        ("Dependencies", Value::list(md.dependencies.iter().flatten().map(dependency).collect())),
        ("Type", text(&md.kind)),
        ("IsRoot", Value::Bool(is_root)),
    ])
}

pub(super) fn text(text: &str) -> Value {
    Value::str(text)
}

fn texts(texts: &[String]) -> Value {
    Value::list(texts.iter().map(Value::str).collect())
}

/// A `map[string]string`, nil where there are none.
pub(super) fn annotations(md: &Metadata) -> Map {
    match &md.annotations {
        None => Map::nil(&STRING_MAP),
        Some(entries) => Map::typed_entries(
            &STRING_MAP,
            entries.iter().map(|(key, value)| (key.as_str(), Value::str(value))),
        ),
    }
}

fn maintainer(maintainer: &Maintainer) -> Value {
    let Maintainer { name, email, url } = maintainer;
    Value::map([("Name", text(name)), ("Email", text(email)), ("URL", text(url))])
}

fn dependency(dependency: &Dependency) -> Value {
    Value::map([
        ("Name", text(&dependency.name)),
        ("Version", text(&dependency.version)),
        ("Repository", text(&dependency.repository)),
        ("Condition", text(&dependency.condition)),
        ("Tags", texts(&dependency.tags)),
        ("Enabled", Value::Bool(dependency.enabled)),
        ("ImportValues", Value::list(import_values(dependency))),
        ("Alias", text(&dependency.alias)),
    ])
}

/// What a dependency's values are taken for: `map[string]string` each, once dependencies are processed.
pub(super) fn import_values(dependency: &Dependency) -> Vec<Value> {
    dependency.import_values.iter().map(import_value).collect()
}

fn import_value(entry: &Node) -> Value {
    let value = Value::from_node(entry, Numbers::Float64).unwrap_or(Value::Nil);
    match value {
        Value::Map(map) => Value::Map(Map::typed_entries(&STRING_MAP, map.snapshot())),
        other => other,
    }
}
