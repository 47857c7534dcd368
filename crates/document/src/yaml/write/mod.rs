//! YAML as PyYAML's emitter writes it, byte for byte, in the ways in which Kapitan sets it up.

mod analysis;
mod anchors;
mod atom;
mod block;
mod flow;
mod options;
mod output;
mod scalar;
mod tree;

pub(super) use analysis::has_indicator;
pub use options::{Aliases, MultilineStyle, WriteOptions};

use crate::write_error::WriteError;
use crate::{Int, Node, Value};
use atom::Atom;
use tree::Writer;

/// Writes one document: Python's `yaml.dump(value, Dumper=...)`.
///
/// Mappings are sorted by key; those whose keys have no order in Python keep theirs. Everything that is not ASCII is
/// escaped; the text ends in a line feed, unless nothing was written. Fails for more than 1000 containers inside each
/// other, for a text of more than 1 GiB, and for integers of more than 4300 digits.
pub fn write(node: &Node, options: &WriteOptions) -> Result<String, WriteError> {
    let mut writer = Writer::new(options);
    writer.document(node)?;
    Ok(writer.finish())
}

/// Writes what an input compiled to, as Kapitan does: a mapping is one document, and anything else is taken for a
/// sequence of documents. A string is one document a character. What Python takes for false (`{}`, `[]`, `0`, `""`,
/// null) makes an empty text.
///
/// Fails as [`write()`] does, and for numbers, booleans and dates, which Python cannot iterate over.
pub fn write_documents(node: &Node, options: &WriteOptions) -> Result<String, WriteError> {
    if !node.value.is_truthy() {
        return Ok(String::new());
    }
    let mut writer = Writer::new(options);
    match &node.value {
        Value::Map(_) => writer.document(node)?,
        Value::Seq(items) => items.iter().try_for_each(|item| writer.document(item))?,
        Value::Set(members) => {
            members.keys().try_for_each(|key| writer.scalar_document(Atom::from(&key.scalar)))?;
        }
        Value::Str(text) => {
            let mut buffer = [0; 4];
            for character in text.chars() {
                writer.scalar_document(Atom::Str(character.encode_utf8(&mut buffer)))?;
            }
        }
        Value::Bytes(bytes) => {
            for byte in bytes.iter() {
                writer.scalar_document(Atom::Int(&Int::Small(i64::from(*byte))))?;
            }
        }
        other => {
            let type_name = other.as_scalar().map_or("object", |scalar| crate::key_order::type_name(&scalar));
            return Err(WriteError::of_type(
                format!(
                    "a {} cannot be written as YAML documents: a mapping or sequence is needed",
                    other.kind()
                ),
                &format!("'{type_name}' object is not iterable"),
                node.span,
            ));
        }
    }
    Ok(writer.finish())
}
