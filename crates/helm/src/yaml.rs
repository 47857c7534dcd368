//! YAML as Helm reads it: YAML 1.1 by go-yaml v2, turned into what JSON can hold.

use kapstan_diagnostic::{Diagnostic, SourceId, Span};
use kapstan_document::yaml::{Dialect, LoadOptions, load_all};
use kapstan_document::{Key, Map, Node, Scalar, Value};

/// A text that cannot be read.
#[derive(Debug)]
pub(crate) struct ReadError {
    /// Helm's text: `error converting YAML to JSON: yaml: line 3: ...`.
    pub(crate) text: String,
    /// The problem with its place.
    pub(crate) diagnostic: Diagnostic,
}

/// The first document of a text, or null where there is none. Numbers stay as written, keys become strings.
pub(crate) fn read(bytes: &[u8], source: SourceId) -> Result<Node, ReadError> {
    let options = LoadOptions { dialect: Dialect::GoYamlV2, ..LoadOptions::default() };
    let documents = load_all(bytes, source, &options).map_err(|error| {
        let text =
            format!("error converting YAML to JSON: yaml: line {}: {}", error.mark.line + 1, error.problem);
        ReadError { text, diagnostic: error.into_diagnostic(source) }
    })?;
    let node = documents.into_iter().next().unwrap_or(Node::NULL);
    as_json(node).map_err(|(problem, span)| ReadError {
        diagnostic: Diagnostic::error("helm::not-json", problem.clone()).at(span),
        text: format!("error converting YAML to JSON: {problem}"),
    })
}

/// The same value with strings for keys; fails for what JSON cannot hold.
fn as_json(mut node: Node) -> Result<Node, (String, Span)> {
    match &mut node.value {
        Value::Float(number) if !number.is_finite() => {
            let shown = if number.is_nan() {
                "NaN"
            } else if *number > 0.0 {
                "+Inf"
            } else {
                "-Inf"
            };
            return Err((format!("json: unsupported value: {shown}"), node.span));
        }
        Value::Bytes(bytes) => node.value = Value::Str(String::from_utf8_lossy(bytes).into()),
        Value::Seq(items) => {
            let items = std::sync::Arc::make_mut(items);
            for item in items {
                *item = as_json(std::mem::replace(item, Node::NULL))?;
            }
        }
        Value::Map(map) => {
            let map = std::sync::Arc::make_mut(map);
            let mut renamed = Map::with_capacity(map.len());
            for (key, value) in map.iter() {
                renamed.insert(key_of(key, value)?, as_json(value.clone())?);
            }
            *map = renamed;
        }
        _ => {}
    }
    Ok(node)
}

fn key_of(key: &Key, _value: &Node) -> Result<Key, (String, Span)> {
    let text = match &key.scalar {
        Scalar::Str(_) => return Ok(key.clone()),
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Float(value) => crate::go::float32(*value),
        _ => {
            let text = "unsupported map key of type: %!s(<nil>), key: <nil>, value: \"\"".to_owned();
            return Err((text, key.span));
        }
    };
    Ok(Key::at(Scalar::Str(text.into()), key.span))
}

/// The same value with doubles for all numbers, as what went through JSON has them.
pub(crate) fn with_doubles(mut node: Node) -> Node {
    match &mut node.value {
        Value::Int(number) => node.value = Value::Float(number.to_f64()),
        Value::Seq(items) => {
            for item in std::sync::Arc::make_mut(items) {
                *item = with_doubles(std::mem::replace(item, Node::NULL));
            }
        }
        Value::Map(map) => {
            for (_, value) in std::sync::Arc::make_mut(map).iter_mut() {
                *value = with_doubles(std::mem::replace(value, Node::NULL));
            }
        }
        _ => {}
    }
    node
}

/// The text of a value as `toYaml` writes it; none where it cannot be written.
pub(crate) fn write(node: &Node) -> Option<String> {
    let text = write_document(node)?;
    Some(text.strip_suffix('\n').map_or_else(|| text.clone(), str::to_owned))
}

/// The same with its last line feed.
pub(crate) fn write_document(node: &Node) -> Option<String> {
    kapstan_document::yaml::go::write(node, kapstan_document::yaml::go::MAX_WRITE_DEPTH).ok()
}
