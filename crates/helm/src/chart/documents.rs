//! The documents of a values file, as Helm 4 separates and merges them.

use crate::Profile;
use crate::yaml::{self, ReadError};
use kapstan_diagnostic::{Diagnostic, SourceId};
use kapstan_document::yaml::go;
use kapstan_document::{Map, Node, Value};

/// Why a values file cannot be read, in Helm's words, and with its place.
#[derive(Debug)]
pub(crate) struct ValuesError {
    pub(crate) text: String,
    pub(crate) diagnostic: Diagnostic,
}

/// The values of a file: of all its documents merged, or with Helm 3 of the first one. A mapping always.
pub(crate) fn read_values(bytes: &[u8], source: SourceId, profile: Profile) -> Result<Node, ValuesError> {
    let mapping = |read: Result<Node, ReadError>| {
        let node = read.map_err(|ReadError { text, diagnostic }| ValuesError { text, diagnostic })?;
        let node = go::expect_map(node, "map[string]interface {}").map_err(|error| ValuesError {
            text: error.to_string(),
            diagnostic: error.into_diagnostic(source),
        })?;
        Ok(yaml::with_doubles(node))
    };
    if profile.is_v3() {
        return mapping(yaml::read(bytes, source));
    }
    let documents = go::documents(bytes).map_err(|problem| {
        let text = format!("error reading yaml document: {problem}");
        ValuesError { diagnostic: Diagnostic::error("helm::document-separator", text.clone()), text }
    })?;
    let mut values = Node::from(Map::new());
    for document in &documents {
        let read = mapping(yaml::read_document(document, source)).map_err(|mut error: ValuesError| {
            error.text = format!("cannot unmarshal yaml document: {}", error.text);
            error
        })?;
        merge(&mut values, read);
    }
    Ok(values)
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
