//! Values checked against `values.schema.json`, of a chart and of its subcharts.

use super::schema_text::{error_text, loading_text};
use crate::dependencies::Tree;
use crate::error::{Error, Result};
use boon::{CompileError, Compiler, Schemas, UrlLoader};
use kapstan_diagnostic::Diagnostic;
use kapstan_gotemplate::{Map, Value};
use serde_json::Value as Json;

/// Where schemas are said to lie.
const PLACE: &str = "file:///values.schema.json";

/// Refuses values that a schema of the chart or of a subchart does not allow. Schemas refer to nothing outside
/// themselves: neither the disk nor the network is asked.
pub(crate) fn check_schemas(tree: &Tree<'_>, values: &Map) -> Result<()> {
    let mut found = Vec::new();
    check_chart(tree, values, &mut found);
    if found.is_empty() {
        return Ok(());
    }
    let texts: String = found.iter().map(|problem| problem.text.as_str()).collect();
    let peer_text =
        format!("values don't meet the specifications of the schema(s) in the following chart(s):\n{texts}");
    let names: Vec<String> = found.iter().map(|problem| format!("`{}`", problem.chart)).collect();
    let message = format!("values are not what the schema of chart {} asks for", names.join(", "));
    let mut diagnostic = Diagnostic::error("helm::schema", message);
    for problem in &found {
        diagnostic = diagnostic.with_hint(problem.text.trim_end());
    }
    Err(Error::with_peer(diagnostic, peer_text))
}

struct Problem {
    chart: String,
    text: String,
}

fn check_chart(tree: &Tree<'_>, values: &Map, found: &mut Vec<Problem>) {
    let name = &tree.metadata.name;
    let schema = tree.chart.schema.as_ref();
    if let Some(problem) = schema.and_then(|schema| schema_problem(&schema.data, values)) {
        found.push(Problem { chart: name.clone(), text: format!("{name}:\n{problem}") });
    }
    for subchart in &tree.dependencies {
        let name = &subchart.metadata.name;
        match values.get(name) {
            None | Some(Value::Nil | Value::Absent) => {}
            Some(Value::Map(values)) => check_chart(subchart, &values, found),
            Some(other) => {
                let found_type = other.type_name();
                let text =
                    format!("{name}:\ninvalid type for values: expected object (map), got {found_type}\n");
                found.push(Problem { chart: name.clone(), text });
            }
        }
    }
}

/// What a schema has against values, in the words of Helm's validator.
pub(crate) fn schema_problem(schema: &[u8], values: &Map) -> Option<String> {
    let schema: Json = match serde_json::from_slice(schema) {
        Ok(schema) => schema,
        Err(error) if error.is_eof() => return Some("unexpected EOF".to_owned()),
        Err(error) => return Some(error.to_string()),
    };
    let mut compiler = Compiler::new();
    compiler.use_loader(Box::new(Nothing));
    if let Err(error) = compiler.add_resource(PLACE, schema) {
        return Some(loading_text(&error));
    }
    let mut schemas = Schemas::new();
    let index = match compiler.compile(PLACE, &mut schemas) {
        Ok(index) => index,
        Err(error) => return Some(loading_text(&error)),
    };
    let values = json_of(&Value::Map(values.clone()));
    let error = schemas.validate(&values, index).err()?;
    Some(format!("{}\n", error_text(&error)))
}

/// Finds no document but those of the standard, and takes unknown names for schemas that allow everything.
struct Nothing;

impl UrlLoader for Nothing {
    fn load(&self, url: &str) -> std::result::Result<Json, Box<dyn std::error::Error>> {
        if url.starts_with("urn:") {
            return Ok(Json::Bool(true));
        }
        match url.strip_prefix("file://") {
            Some(place) => {
                // What lies before the first slash is the name of a machine, and no part of the path.
                let path = place.find('/').map_or("", |start| &place[start..]);
                Err(format!("open {path}: no such file or directory").into())
            }
            None if url.starts_with("http") => Err("schemas are not fetched".into()),
            None => Err(CompileError::UnsupportedUrlScheme { url: url.to_owned() }.into()),
        }
    }
}

/// Values as JSON; whole numbers as integers, so that they equal those of schemas.
fn json_of(value: &Value) -> Json {
    match value {
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(value) | Value::Int64(value) => Json::from(*value),
        Value::Uint64(value) => Json::from(*value),
        Value::Float64(value) => number_of(*value),
        Value::Str(text) => Json::String(text.to_string()),
        Value::List(list) => Json::Array(list.iter().map(json_of).collect()),
        Value::Map(map) => {
            Json::Object(map.entries().iter().map(|(key, value)| (key.to_string(), json_of(value))).collect())
        }
        _ => Json::Null,
    }
}

fn number_of(value: f64) -> Json {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole and small enough, as the line above says"
        )]
        return Json::from(value as i64);
    }
    Json::from(value)
}
