use super::Call;
use crate::session::runtime_error;
use base64::Engine as _;
use jrsonnet_evaluator::{Result, Val};
use kapstan_document::Node;
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
    let _ = text;
    Err(runtime_error("json"))
}
