use super::Call;
use crate::session::runtime_error;
use base64::Engine as _;
use jrsonnet_evaluator::{Result, Val};
use kapstan_diagnostic::{SourceId, Sources};
use kapstan_document::{Map, Node};
use sha2::Digest as _;
use std::fmt::Write as _;
use std::io::Write as _;

pub(super) fn sha256_string(call: &Call<'_>) -> Result<Val> {
    let mut digest = String::with_capacity(64);
    for byte in sha2::Sha256::digest(call.text(0)?.as_bytes()) {
        let _ = write!(digest, "{byte:02x}");
    }
    Ok(digest.into())
}

/// Python's `gzip` at level 9 without a time, in base64.
pub(super) fn gzip_b64(call: &Call<'_>) -> Result<Val> {
    let text = call.text(0)?;
    let compressed = compress(text.as_bytes()).map_err(|error| runtime_error(&error.to_string()))?;
    Ok(base64::engine::general_purpose::STANDARD.encode(compressed).into())
}

/// The header is Python's: best compression, operating system unknown.
fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let header = flate2::GzBuilder::new().mtime(0).operating_system(255);
    let mut encoder = header.write(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// `json.loads`.
pub(super) fn load_json(text: &str) -> Result<Node> {
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| runtime_error(&error.to_string()))?;
    Ok(node(&value))
}

fn node(value: &serde_json::Value) -> Node {
    match value {
        serde_json::Value::Null => Node::NULL,
        serde_json::Value::Bool(value) => (*value).into(),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => integer.into(),
            (None, Some(float)) => {
                kapstan_document::Int::from_f64_exact(float).map_or(Node::from(float), Node::from)
            }
            (None, None) => Node::NULL,
        },
        serde_json::Value::String(text) => text.as_str().into(),
        serde_json::Value::Array(items) => items.iter().map(node).collect::<Vec<_>>().into(),
        serde_json::Value::Object(members) => {
            let mut map = Map::with_capacity(members.len());
            for (key, value) in members {
                map.insert(key.as_str(), node(value));
            }
            map.into()
        }
    }
}

/// The identity of a source that nobody will look at.
pub(super) fn scratch_source() -> SourceId {
    Sources::new().add("", [])
}
