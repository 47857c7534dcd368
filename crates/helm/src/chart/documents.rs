//! The documents of a values file, as Helm 4 separates and merges them.

use super::decode::{Decoder, Target};
use crate::Profile;
use crate::yaml;
use kapstan_diagnostic::{Diagnostic, SourceId};
use kapstan_document::{Map, Node, Span, Value};
use std::borrow::Cow;

/// Why a values file cannot be read, in Helm's words, and with its place.
#[derive(Debug)]
pub(crate) struct ValuesError {
    pub(crate) text: String,
    pub(crate) diagnostic: Diagnostic,
}

/// The values of a file: of all its documents merged, or with Helm 3 of the first one. A mapping always.
pub(crate) fn read_values(bytes: &[u8], source: SourceId, profile: Profile) -> Result<Node, ValuesError> {
    let empty = || Node::new(Value::from(Map::new()), Span::NONE);
    if profile.is_v3() {
        let read = mapping(bytes, source)?;
        return Ok(if read.is_null() { empty() } else { read });
    }
    let documents = separate(bytes).map_err(|problem| {
        let text = format!("error reading yaml document: invalid Yaml document separator: {problem}");
        ValuesError { diagnostic: Diagnostic::error("helm::document-separator", text.clone()), text }
    })?;
    let mut values = empty();
    for document in documents {
        let read = mapping(&document, source).map_err(|mut error| {
            error.text = format!("cannot unmarshal yaml document: {}", error.text);
            error
        })?;
        if !read.is_null() {
            merge(&mut values, read);
        }
    }
    Ok(values)
}

fn mapping(bytes: &[u8], source: SourceId) -> Result<Node, ValuesError> {
    let node = yaml::read(bytes, source)
        .map_err(|error| ValuesError { text: error.text, diagnostic: error.diagnostic })?;
    let mut decoder = Decoder::default();
    decoder.fields(&node, Target { structure: "", path: "" }, "map[string]interface {}");
    decoder.finish().map_err(|text| ValuesError {
        diagnostic: Diagnostic::error(
            "helm::values-not-a-mapping",
            format!("values must be a mapping, not a {}", node.value.kind()),
        )
        .at(node.span),
        text,
    })?;
    Ok(yaml::with_doubles(node))
}

/// Lays the mapping `over` onto another one: mappings merge, everything else is replaced.
pub(crate) fn merge(values: &mut Node, over: Node) {
    let (Some(values), Value::Map(over)) = (values.as_map_mut(), over.value) else { return };
    for (key, value) in over.iter() {
        let Some(name) = key.as_str() else { continue };
        match values.get_mut(name) {
            Some(known) if known.as_map().is_some() && value.as_map().is_some() => {
                merge(known, value.clone())
            }
            _ => {
                values.insert(key.clone(), value.clone());
            }
        }
    }
}

/// The texts of the documents; of each but the first without its separator, but with blank lines before it, so that its
/// lines count as in the file. Fails with what stands behind a separator.
fn separate(bytes: &[u8]) -> Result<Vec<Cow<'_, [u8]>>, String> {
    let is_separator = |line: &[u8]| line.starts_with(b"---");
    if !bytes.split(|byte| *byte == b'\n').any(is_separator) {
        return Ok(if bytes.is_empty() { Vec::new() } else { vec![Cow::Borrowed(bytes)] });
    }
    let mut documents: Vec<Cow<'_, [u8]>> = Vec::new();
    let (mut current, mut has_lines) = (Vec::new(), false);
    for (number, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        if is_separator(line) {
            let rest = String::from_utf8_lossy(&line[3..]);
            let rest = rest.trim();
            if !rest.is_empty() && !rest.starts_with('#') {
                return Err(rest.to_owned());
            }
            if has_lines {
                documents.push(Cow::Owned(std::mem::take(&mut current)));
                current = vec![b'\n'; number + 1];
                has_lines = false;
                continue;
            }
        }
        has_lines = true;
        current.extend_from_slice(line);
    }
    if has_lines {
        documents.push(Cow::Owned(current));
    }
    Ok(documents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kapstan_diagnostic::Sources;
    use kapstan_document::json;

    fn read(text: &str, profile: Profile) -> Result<String, String> {
        let sources = Sources::new();
        let source = sources.add("values.yaml", text.as_bytes());
        let node = read_values(text.as_bytes(), source, profile).map_err(|error| error.text)?;
        Ok(json::write(&node, 0).unwrap().replace(['\n', ' '], ""))
    }

    #[test]
    fn documents_merge_in_helm_4_and_the_first_counts_in_helm_3() {
        let text = "a: {x: 1, z: 2}\nb: 1\n---\na: {x: 3}\n--- # c\nb: null\n";
        assert_eq!(read(text, Profile::V4_2).unwrap(), r#"{"a":{"x":3.0,"z":2.0},"b":null}"#);
        assert_eq!(read(text, Profile::V3).unwrap(), r#"{"a":{"x":1.0,"z":2.0},"b":1.0}"#);
        assert_eq!(read("---\n---\na: 1\n", Profile::V4_2).unwrap(), r#"{"a":1.0}"#);
        assert_eq!(read("", Profile::V4_2).unwrap(), "{}");
        assert_eq!(
            read("a: 1\n--- x\n", Profile::V4_2).unwrap_err(),
            "error reading yaml document: invalid Yaml document separator: x"
        );
        assert_eq!(
            read("[a]", Profile::V4_2).unwrap_err(),
            "cannot unmarshal yaml document: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal \
             array into Go value of type map[string]interface {}"
        );
    }
}
