//! YAML as Helm reads it: YAML 1.1 by go-yaml v2, turned into what JSON can hold.

use kapstan_diagnostic::{Diagnostic, SourceId};
use kapstan_document::yaml::Limits;
use kapstan_document::yaml::go::{self, Document};
use kapstan_document::{Node, Value};

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
    go::load(bytes, source, Limits::default()).map_err(|error| of_reader(error, source))
}

/// The same for a part of a file, whose places are those in the file.
pub(crate) fn read_document(document: &Document<'_>, source: SourceId) -> Result<Node, ReadError> {
    go::load_document(document, source, Limits::default()).map_err(|error| of_reader(error, source))
}

fn of_reader(error: go::Error, source: SourceId) -> ReadError {
    ReadError { text: error.to_string(), diagnostic: error.into_diagnostic(source) }
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
    go::write(node, go::MAX_WRITE_DEPTH).ok()
}
