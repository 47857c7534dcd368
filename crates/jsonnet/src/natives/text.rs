use super::Call;
use crate::deflate::gzip;
use crate::session::runtime_error;
use base64::Engine as _;
use jrsonnet_evaluator::{Result, Val};
use kapstan_diagnostic::{SourceId, Sources, Span};
use kapstan_document::{Key, Map, Node, Value, json};
use sha2::Digest as _;
use std::fmt::Write as _;

pub(super) fn sha256_string(call: &Call<'_>) -> Result<Val> {
    let mut digest = String::with_capacity(64);
    for byte in sha2::Sha256::digest(call.text(0)?.as_bytes()) {
        let _ = write!(digest, "{byte:02x}");
    }
    Ok(digest.into())
}

/// Python's `gzip` at level 9 without a time, in base64.
pub(super) fn gzip_b64(call: &Call<'_>) -> Result<Val> {
    Ok(base64::engine::general_purpose::STANDARD.encode(gzip(call.text(0)?.as_bytes())).into())
}

/// `json.loads`. The text was made by jsonnet, so that its places mean nothing to anyone.
pub(super) fn load_json(text: &str) -> Result<Node> {
    let node =
        json::load(text.as_bytes(), scratch_source()).map_err(|error| runtime_error(&error.to_string()))?;
    Ok(without_places(&node))
}

/// The identity of a source that nobody will look at.
pub(super) fn scratch_source() -> SourceId {
    Sources::new().add("", [])
}

fn without_places(node: &Node) -> Node {
    match &node.value {
        Value::Seq(items) => items.iter().map(without_places).collect::<Vec<_>>().into(),
        Value::Map(map) => {
            let mut bare = Map::with_capacity(map.len());
            for (key, value) in map.iter() {
                bare.insert(Key::at(key.scalar.clone(), Span::NONE), without_places(value));
            }
            bare.into()
        }
        _ => node.value.clone().into(),
    }
}
