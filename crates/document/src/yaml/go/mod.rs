//! YAML as Helm writes and reads it: go-yaml v2 behind JSON, and go-yaml v3.

mod analysis;
mod order;
mod output;
mod quoting;
mod scalar;
mod styles;
mod through_json;
mod tree;

use crate::View;
use crate::write_error::MAX_BYTES;
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
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// A string with a character that YAML does not allow: go-yaml does not read the JSON that it is in.
    ControlCharacter,
    /// A key of more than 1024 characters, or one with a line break: go-yaml does not read the JSON that it is in.
    UnreadableKey,
    /// A string with a line that begins as the end of a document does, behind U+0085.
    DocumentIndicator,
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
    Writer::new(Flavor::V2, depth).document(value)
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
            Self::ControlCharacter => f.write_str("yaml: control characters are not allowed"),
            Self::UnreadableKey => f.write_str("yaml: did not find expected ',' or '}'"),
            Self::DocumentIndicator => f.write_str("yaml: line 1: found unexpected document indicator"),
            Self::TooDeep => f.write_str(
                "error marshaling into JSON: json: unsupported value: encountered a cycle via map[string]interface {}",
            ),
            Self::TooLong => write!(f, "the text would be longer than {} MiB", MAX_BYTES >> 20),
        }
    }
}

impl std::error::Error for WriteError {}
