//! YAML and JSON around secrets. Nothing here puts the text into the run's sources or into an error.

use crate::error::{Error, Raised};
use crate::python::type_name;
use kapstan_diagnostic::{SourceId, Sources};
use kapstan_document::{Map, Node, Value, WriteError, json, yaml};

/// A source id that leads nowhere: secrets have no source that could be drawn.
fn nowhere() -> SourceId {
    Sources::new().add("", Vec::new())
}

/// Reads YAML as Kapitan does. The error says where it is wrong, but not what stands there.
pub(crate) fn load_bytes(text: &[u8]) -> Result<Node, Error> {
    yaml::load(text, nowhere(), &yaml::LoadOptions::default()).map_err(|error| {
        let mark = error.mark;
        let place = format!("line {}, column {}", mark.line + 1, mark.column + 1);
        Error::new("refs::malformed-yaml", format!("broken YAML at {place}"))
            .hint("the text is not shown, because it is a secret")
            .raised(Raised::Yaml, "")
    })
}

/// Reads the YAML in a secret. Fails for what is neither text nor bytes, and for broken YAML.
pub(crate) fn load(secret: &Value) -> Result<Node, Error> {
    match secret {
        Value::Str(text) => load_bytes(text.as_bytes()),
        Value::Bytes(bytes) => load_bytes(bytes),
        other => {
            let kind = type_name(other);
            Err(Error::new("refs::not-a-string", format!("the secret is of type `{kind}`, not YAML text"))
                .raised(Raised::Type, "a string or stream input is required"))
        }
    }
}

/// Reads a JSON object out of a payload.
pub(crate) fn load_json(text: &[u8]) -> Result<Node, Error> {
    json::load(text, nowhere()).map_err(|_| {
        Error::new("refs::malformed-payload", "the payload of the embedded reference is not JSON")
            .raised(Raised::Value, "")
    })
}

/// The value at a path of keys joined by `.`; none where a mapping lacks a key.
///
/// Fails where the path leads into something that is no mapping, with Python's text.
pub(crate) fn descend(secret: &Node, path: &str) -> Result<Option<Value>, Error> {
    let mut at = secret;
    for key in path.split('.') {
        let Some(map) = at.as_map() else { return Err(not_subscriptable(&at.value, key)) };
        match map.get(key) {
            Some(value) => at = value,
            None => return Ok(None),
        }
    }
    Ok(Some(at.value.clone()))
}

fn not_subscriptable(value: &Value, key: &str) -> Error {
    let kind = type_name(value);
    let peer_text = match value {
        Value::Str(_) => "string indices must be integers, not 'str'".to_owned(),
        Value::Bytes(_) => "byte indices must be integers or slices, not str".to_owned(),
        Value::Seq(_) => "list indices must be integers or slices, not str".to_owned(),
        _ => format!("'{kind}' object is not subscriptable"),
    };
    let message =
        format!("the sub-variable leads to `{key}` in a value of type `{kind}`, which is no mapping");
    Error::new("refs::sub-variable", message).raised(Raised::Type, peer_text)
}

/// A ref file's text: block style, sorted keys.
pub(crate) fn ref_file(fields: &Map) -> Result<String, Error> {
    yaml::write(&Node::from(fields.clone()), &yaml::WriteOptions::plain()).map_err(unwritable)
}

/// JSON on one line as Python writes it: `, ` and `: ` between, ASCII only, entries in their order.
pub(crate) fn json_line(fields: &Map) -> Result<String, Error> {
    let options = json::WriteOptions { indent: None, sort_keys: false };
    json::write_with(&Node::from(fields.clone()), options).map_err(unwritable)
}

/// What can not be written is named by its type only, so the text is fit for errors.
pub(crate) fn unwritable(error: WriteError) -> Error {
    let peer_text = error.peer_text();
    let peer_text = peer_text.strip_prefix("TypeError: ").unwrap_or(peer_text);
    Error::new("refs::unwritable", error.to_string()).raised(Raised::Type, peer_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_are_written_as_python_writes_them() {
        let list = vec![Node::from(1), Node::from(1.5), Node::NULL, Node::from(true), Node::from(1e300)];
        let map = Map::from_iter([("b", Node::from(list)), ("a", Node::from("é\"\\\n\u{7f}😀/"))]);
        assert_eq!(
            json_line(&map).unwrap(),
            r#"{"b": [1, 1.5, null, true, 1e+300], "a": "\u00e9\"\\\n\u007f\ud83d\ude00/"}"#
        );
    }
}
