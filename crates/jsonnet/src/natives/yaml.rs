use super::Call;
use super::files::{find, last_tried};
use super::text::{load_json, scratch_source};
use crate::imports::{read_text, universal_newlines};
use crate::session::runtime_error;
use jrsonnet_evaluator::{Result, Val};
use kapstan_diagnostic::{Diagnostic, SourceId};
use kapstan_document::{Node, Value, json, yaml};

/// `yaml.safe_dump` of one value.
pub(super) fn yaml_dump(call: &Call<'_>) -> Result<Val> {
    let value = load_json(&call.json(0)?)?;
    let text = yaml::write(&value, &yaml::WriteOptions::plain());
    text.map(Val::from).map_err(|error| runtime_error(without_class(error.peer_text())))
}

/// `yaml.safe_dump_all` of what Python iterates over: items, or the keys of a mapping, or the characters of a string.
pub(super) fn yaml_dump_stream(call: &Call<'_>) -> Result<Val> {
    let documents = load_json(&call.json(0)?)?;
    let documents = match &documents.value {
        Value::Map(map) => {
            map.keys().map(|key| Value::from(key.scalar.clone()).into()).collect::<Vec<Node>>().into()
        }
        _ => documents,
    };
    if documents.as_seq().is_some_and(<[Node]>::is_empty) || documents.as_str() == Some("") {
        return Ok(String::new().into());
    }
    if documents.is_null() {
        return Err(runtime_error("'NoneType' object is not iterable"));
    }
    let text = yaml::write_documents(&documents, &yaml::WriteOptions::plain());
    text.map(Val::from).map_err(|error| runtime_error(without_class(error.peer_text())))
}

/// The one document of a file as JSON text.
pub(super) fn yaml_load(call: &Call<'_>) -> Result<Val> {
    load(call, |bytes, source| yaml::load(bytes, source, &yaml::LoadOptions::default()))
}

/// The documents of a file as a JSON array.
pub(super) fn yaml_load_stream(call: &Call<'_>) -> Result<Val> {
    load(call, |bytes, source| yaml::load_all(bytes, source, &yaml::LoadOptions::default()).map(Node::from))
}

fn load(call: &Call<'_>, parse: impl Fn(&[u8], SourceId) -> Result<Node, yaml::Error>) -> Result<Val> {
    let (session, name) = (&call.session, call.path(0)?);
    let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    let Some(path) = find(session, &name).filter(|_| is_yaml) else {
        let tried = last_tried(session, &name);
        return Err(runtime_error(&format!("could not find any input yaml file: {tried}")));
    };
    let fail = |problem: Diagnostic| {
        let reason = problem.peer_text.as_deref().unwrap_or(&problem.message);
        let text = format!("Parse yaml failed to parse {path}: {}", without_class(reason));
        session.fail(Diagnostic { peer_text: Some(text), ..problem })
    };
    let text =
        read_text(session, &path).map_err(|error| fail(Diagnostic::error("jsonnet::yaml-load", error)))?;
    let text = universal_newlines(text);
    // A first try without the source, so that only texts with an error stay in memory.
    let node = match parse(text.as_bytes(), scratch_source()) {
        Ok(node) => node,
        Err(error) => {
            let source = session.sources.add(path.clone(), text.as_bytes());
            return Err(fail(error.into_diagnostic(source)));
        }
    };
    let options = json::WriteOptions { indent: None, sort_keys: false };
    json::write_with(&node, options).map(Val::from).map_err(|error| fail(error.into_diagnostic()))
}

/// `str(exception)`: the text of a traceback's last line without the class of the exception.
fn without_class(text: &str) -> &str {
    match text.split_once(": ") {
        Some((class, rest)) if class.ends_with("Error") && !class.contains(' ') => rest,
        _ => text,
    }
}
