//! YAML as Helm writes and reads it: go-yaml v2 behind JSON, and go-yaml v3.

mod analysis;
mod order;
mod output;
mod quoting;
mod read;
mod scalar;
mod styles;
mod through_json;
mod tree;

pub use read::{Document, Error, as_go_string, documents, expect_list, expect_map, load, load_document};

use crate::View;
use crate::json::go as json;
use crate::write_error::MAX_BYTES;
use std::borrow::Cow;
use tree::Writer;

/// How deep containers may nest in what is written, unless the caller says otherwise. Writing recurses, and an
/// unoptimized build needs two kilobytes of stack a level.
pub const MAX_WRITE_DEPTH: usize = 500;

/// Which library writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flavor {
    /// `sigs.k8s.io/yaml`: a value becomes JSON, go-yaml v2 reads that and writes it.
    V2,
    /// go-yaml v3 with an indentation of two.
    V3,
}

/// Why a value cannot be written. Displayed as Go displays it.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteError {
    /// A double that JSON has no text for: an infinity, or no number.
    NotFinite(f64),
    /// A type that has no form: to JSON, which `toYaml` goes through, or to go-yaml v3.
    Unknown {
        /// Its name.
        name: &'static str,
        /// Whether it was on its way into JSON.
        to_json: bool,
    },
    /// go-yaml does not read the JSON that the value is on its way: a string has a character that YAML does not allow, or
    /// a key more than 1024 characters. This is what it says.
    Unreadable(Cow<'static, str>),
    /// Containers nest deeper than allowed, as those do that contain themselves.
    TooDeep,
    /// The text would be longer than a gigabyte.
    TooLong,
}

/// Writes a value as `toYaml` does, with the line feed at the end that `toYaml` cuts off: `sigs.k8s.io/yaml` 1.6, which
/// is go-yaml v2 behind `encoding/json`.
///
/// Mappings are sorted in go-yaml's order, sequences stand right below their key, long lines are folded. Fails where
/// Go fails, and for containers that nest deeper than `depth`.
pub fn write<V: View>(value: &V, depth: usize) -> Result<String, WriteError> {
    Writer::new(Flavor::V2, depth).document(value).map_err(|error| match error {
        WriteError::Unreadable(_) => first_error(value, depth).unwrap_or(error),
        error => error,
    })
}

/// What the peer comes to first: it writes all of the JSON, in its order, before go-yaml reads any of it.
#[cold]
fn first_error<V: View>(value: &V, depth: usize) -> Option<WriteError> {
    match json::write(value, json::Style::Compact, depth) {
        Ok(text) => read::refusal(&text, depth).map(|text| WriteError::Unreadable(text.into())),
        Err(json::WriteError::NotFinite(value)) => Some(WriteError::NotFinite(value)),
        Err(json::WriteError::Unknown(name)) => Some(WriteError::Unknown { name, to_json: true }),
        Err(json::WriteError::TooDeep) => Some(WriteError::TooDeep),
        Err(json::WriteError::TooLong) => Some(WriteError::TooLong),
    }
}

/// Writes a value as `toYamlPretty` does, with the line feed at the end that it cuts off: go-yaml v3 with an
/// indentation of two.
///
/// Sequences are indented, lines are not folded; doubles keep their exponents. Fails for containers that nest deeper
/// than `depth`, where Go's stack overflows.
pub fn write_pretty<V: View>(value: &V, depth: usize) -> Result<String, WriteError> {
    Writer::new(Flavor::V3, depth).document(value)
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite(value) => {
                let mut text = String::new();
                crate::go_float::push_general(&mut text, *value);
                write!(f, "error marshaling into JSON: json: unsupported value: {text}")
            }
            Self::Unknown { name, to_json: true } => {
                write!(f, "error marshaling into JSON: json: unsupported type: {name}")
            }
            Self::Unknown { name, to_json: false } => write!(f, "cannot marshal type: {name}"),
            Self::Unreadable(text) => write!(f, "yaml: {text}"),
            Self::TooDeep => f.write_str(
                "error marshaling into JSON: json: unsupported value: encountered a cycle via map[string]interface {}",
            ),
            Self::TooLong => write!(f, "the text would be longer than {} MiB", MAX_BYTES >> 20),
        }
    }
}

impl std::error::Error for WriteError {}
