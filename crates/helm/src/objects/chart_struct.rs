//! `.Chart` of Helm 3: a Go struct, so that a field which it does not have is an error.

use super::chart::{annotations, import_values, text};
use crate::chart::{Dependency, Maintainer, Metadata};
use kapstan_gotemplate::value::{Json, ObjectRef, STRING_LIST};
use kapstan_gotemplate::{List, ListType, Object, Type, Value};

pub(super) fn chart(metadata: &Metadata, is_root: bool) -> Value {
    Value::object(Chart { metadata: ObjectRef::new(Fields(metadata.clone())), is_root })
}

static MAINTAINERS: ListType =
    ListType { name: "[]*chart.Maintainer", element: Type::Object("*chart.Maintainer"), methods: &[] };
static DEPENDENCIES: ListType =
    ListType { name: "[]*chart.Dependency", element: Type::Object("*chart.Dependency"), methods: &[] };

/// The struct around the metadata, whose fields are as good as its own.
struct Chart {
    metadata: ObjectRef,
    is_root: bool,
}

impl Object for Chart {
    fn type_name(&self) -> &'static str {
        "struct { chart.Metadata; IsRoot bool }"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("Metadata", Value::Object(self.metadata.clone())), ("IsRoot", Value::Bool(self.is_root))]
    }

    fn field(&self, name: &str) -> Option<Value> {
        match name {
            "Metadata" => Some(Value::Object(self.metadata.clone())),
            "IsRoot" => Some(Value::Bool(self.is_root)),
            _ => self.metadata.field(name),
        }
    }

    fn json(&self) -> Json {
        let mut json = self.metadata.json();
        if let Json::Struct(fields) = &mut json {
            fields.push(("IsRoot".into(), Value::Bool(self.is_root)));
        }
        json
    }
}

struct Fields(Metadata);

impl Object for Fields {
    fn type_name(&self) -> &'static str {
        "chart.Metadata"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let md = &self.0;
        vec![
            ("Name", text(&md.name)),
            ("Home", text(&md.home)),
            ("Sources", strings(&md.sources)),
            ("Version", text(&md.version)),
            ("Description", text(&md.description)),
            ("Keywords", strings(&md.keywords)),
            ("Maintainers", objects(&MAINTAINERS, md.maintainers.iter().cloned().map(OneMaintainer))),
            ("Icon", text(&md.icon)),
            ("APIVersion", text(&md.api_version)),
            ("Condition", text(&md.condition)),
            ("Tags", text(&md.tags)),
            ("AppVersion", text(&md.app_version)),
            ("Deprecated", Value::Bool(md.deprecated)),
            ("Annotations", Value::Map(annotations(md))),
            ("KubeVersion", text(&md.kube_version)),
            (
                "Dependencies",
                objects(&DEPENDENCIES, md.dependencies.iter().flatten().cloned().map(OneDependency)),
            ),
            ("Type", text(&md.kind)),
        ]
    }

    fn json(&self) -> Json {
        by_json_names(self, &[])
    }
}

struct OneMaintainer(Maintainer);

impl Object for OneMaintainer {
    fn type_name(&self) -> &'static str {
        "*chart.Maintainer"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let Maintainer { name, email, url } = &self.0;
        vec![("Name", text(name)), ("Email", text(email)), ("URL", text(url))]
    }

    fn json(&self) -> Json {
        by_json_names(self, &[])
    }
}

struct OneDependency(Dependency);

impl Object for OneDependency {
    fn type_name(&self) -> &'static str {
        "*chart.Dependency"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let dependency = &self.0;
        vec![
            ("Name", text(&dependency.name)),
            ("Version", text(&dependency.version)),
            ("Repository", text(&dependency.repository)),
            ("Condition", text(&dependency.condition)),
            ("Tags", strings(&dependency.tags)),
            ("Enabled", Value::Bool(dependency.enabled)),
            ("ImportValues", Value::list(import_values(dependency))),
            ("Alias", text(&dependency.alias)),
        ]
    }

    fn json(&self) -> Json {
        by_json_names(self, &["Name", "Repository"])
    }
}

/// A `[]string`; one that nobody wrote is nil.
fn strings(texts: &[String]) -> Value {
    Value::List(if texts.is_empty() { List::nil(&STRING_LIST) } else { List::strings(texts) })
}

fn objects<T: Object>(list_type: &'static ListType, items: impl Iterator<Item = T>) -> Value {
    let items: Vec<Value> = items.map(Value::object).collect();
    Value::List(if items.is_empty() { List::nil(list_type) } else { List::typed(list_type, items) })
}

/// The fields under the names that `Chart.yaml` has for them, without empty ones but for those that are always there.
fn by_json_names(object: &dyn Object, always: &[&str]) -> Json {
    let name_of = |field: &'static str| match field {
        "APIVersion" => "apiVersion".to_owned(),
        "URL" => "url".to_owned(),
        "ImportValues" => "import-values".to_owned(),
        _ => field[..1].to_lowercase() + &field[1..],
    };
    let kept =
        object.fields().into_iter().filter(|(field, value)| value.is_truthy() || always.contains(field));
    Json::of_struct(kept.map(|(field, value)| (name_of(field), value)))
}
