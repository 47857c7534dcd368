//! JSON on the command line: numbers are doubles, the last of equal keys counts.

use kapstan_document::{Map, Node};
use serde_json::{Deserializer, Value};

/// The first value of a text, and how many bytes it takes with the blanks before it.
pub(super) fn first(text: &str) -> Result<(Node, usize), String> {
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => Ok((node(value), values.byte_offset())),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("EOF".to_owned()),
    }
}

/// The value that a text is.
pub(super) fn whole(text: &str) -> Result<Node, String> {
    serde_json::from_str(text).map(node).map_err(|error| error.to_string())
}

/// The reader above bounds the depth.
fn node(value: Value) -> Node {
    match value {
        Value::Null => Node::NULL,
        Value::Bool(value) => Node::from(value),
        Value::Number(number) => Node::from(number.as_f64().unwrap_or_default()),
        Value::String(text) => Node::from(text),
        Value::Array(items) => Node::from(items.into_iter().map(node).collect::<Vec<_>>()),
        Value::Object(entries) => {
            let mut map = Map::with_capacity(entries.len());
            for (key, value) in entries {
                map.insert(key.as_str(), node(value));
            }
            Node::from(map)
        }
    }
}
