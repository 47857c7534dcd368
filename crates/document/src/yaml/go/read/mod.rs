//! YAML as Helm reads it: go-yaml v2 into untyped values, those into JSON, and that into Go's.

mod build;
mod documents;
mod error;
mod go_syntax;
mod merge;
mod scalar;

pub use documents::{Document, documents};
pub use error::Error;

use crate::json::go as json;
use crate::yaml::Limits;
use crate::yaml::reader::decode;
use crate::{Map, Node, Value};
use build::Builder;
use error::Stage;
use kapstan_diagnostic::SourceId;
use std::borrow::Cow;

/// The value of the first document of a text, or null for a text without any: `yaml.Unmarshal` of `sigs.k8s.io/yaml` 1.6
/// into an `interface{}`.
///
/// Every key is a string, and every key and value has its place in `source`. Integers stay integers, although Go has
/// doubles for them when they come out of JSON. Of equal keys the last one counts. Fails where Go fails, with its words,
/// and beyond the limits.
pub fn load(bytes: &[u8], source: SourceId, limits: Limits) -> Result<Node, Error> {
    load_at(bytes, source, 0, limits)
}

/// The same for a part of a file, whose places are those in the file.
pub fn load_document(document: &Document<'_>, source: SourceId, limits: Limits) -> Result<Node, Error> {
    load_at(&document.text, source, document.offset, limits).map_err(|error| error.moved(document.offset))
}

fn load_at(bytes: &[u8], source: SourceId, offset: usize, limits: Limits) -> Result<Node, Error> {
    let most = limits.bytes.min(u32::MAX as usize / 4);
    if bytes.len() > most {
        return Err(Error::too_large(format!("the text has more than {most} bytes")));
    }
    let text = decode(bytes).map_err(Error::syntax)?;
    let place = matches!(text, Cow::Borrowed(_)).then_some((source, offset));
    let (root, has_infinities) = Builder::new(&text, place, limits).first_document()?;
    if has_infinities && let Err(refused) = json::write(&root, json::Style::Compact, limits.depth) {
        return Err(Error::at_stage(Stage::IntoJson, refused.to_string(), root.span));
    }
    Ok(root)
}

/// Why go-yaml does not read a text of JSON, if it does not.
pub(super) fn refusal(text: &str, depth: usize) -> Option<String> {
    let limits = Limits { depth, ..Limits::default() };
    Builder::new(text, None, limits).first_document().err().map(Error::into_text)
}

/// What Go reads a value as into a type whose kind is a map; null is an empty one. `go_type` is the name of that type, as
/// messages have it: `map[string]interface {}`.
pub fn expect_map(root: Node, go_type: &str) -> Result<Node, Error> {
    match root.value {
        Value::Map(_) => Ok(root),
        Value::Null => Ok(Node::new(Map::new(), root.span)),
        _ => Err(Error::wrong_kind(&root, go_type)),
    }
}

/// The same for a type whose kind is a slice: `[]interface {}`.
pub fn expect_list(root: Node, go_type: &str) -> Result<Node, Error> {
    match root.value {
        Value::Seq(_) => Ok(root),
        Value::Null => Ok(Node::new(Vec::new(), root.span)),
        _ => Err(Error::wrong_kind(&root, go_type)),
    }
}

/// What a number or a boolean becomes where Go wants a string (`version: 1.10` in `Chart.yaml` is `1.1`); nothing for
/// other values.
pub fn as_go_string(value: &Value) -> Option<String> {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
            value.as_scalar().map(|scalar| crate::view::key_text(&scalar).into_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::repr;
    use kapstan_diagnostic::Sources;

    fn loaded(text: &str) -> Result<Node, Error> {
        load(text.as_bytes(), Sources::new().add("values.yaml", text.as_bytes()), Limits::default())
    }

    #[test]
    fn values() {
        for (text, expected) in [
            ("", "None"),
            ("# nothing", "None"),
            ("a: 1\n---\nb: [", "{'a': 1}"),
            ("y: no\non: x\nyes: z", "{'true': 'z'}"),
            ("1: a\n1.5: b\n0.1: c\n1e10: d", "{'1': 'a', '1.5': 'b', '0.1': 'c', '1e+10': 'd'}"),
            ("a: 1\nb: 2\na: 3", "{'a': 3, 'b': 2}"),
            ("a: 2001-01-02", "{'a': '2001-01-02'}"),
            ("a: !!str 5\nb: !!int '5'\nc: !!float 5\nd: !x 5", "{'a': '5', 'b': 5, 'c': 5.0, 'd': '5'}"),
            ("a: !!binary |\n  aG\n  k=", "{'a': 'hi'}"),
            ("x: &x {a: 1, b: 2}\nz: {a: 0, <<: *x, b: 3}", "{'x': {'a': 1, 'b': 2}, 'z': {'a': 1, 'b': 3}}"),
            ("<<: [{a: 1}, {a: 2, b: 3}]", "{'a': 1, 'b': 3}"),
            ("'<<': {a: 1}", "{'<<': {'a': 1}}"),
            ("a: &a 1\nb: *a\nc: &a 2\nd: *a", "{'a': 1, 'b': 1, 'c': 2, 'd': 2}"),
        ] {
            assert_eq!(repr(&loaded(text).expect(text).value), expected, "{text}");
        }
    }

    #[test]
    fn errors_are_go_s() {
        for (text, expected) in [
            ("a: 1\nb: [1\nc: 2", "yaml: line 2: did not find expected ',' or ']'"),
            ("a: b: c", "yaml: mapping values are not allowed in this context"),
            ("x: 1\na: b: c", "yaml: line 2: mapping values are not allowed in this context"),
            ("x: 1\n  y: 1", "yaml: line 2: mapping values are not allowed in this context"),
            ("x: 1\ny", "yaml: line 3: could not find expected ':'"),
            ("x:\n\ty: 1", "yaml: line 2: found character that cannot start any token"),
            ("a: *b", "yaml: unknown anchor 'b' referenced"),
            ("a: &a [*a]", "yaml: anchor 'a' value contains itself"),
            ("? [1, x]\n: 1", "yaml: invalid map key: []interface {}{1, \"x\"}"),
            ("? {1: ~}\n: 1", "yaml: invalid map key: map[interface {}]interface {}{1:interface {}(nil)}"),
            ("a: !!int x", "yaml: cannot decode !!str `x` as a !!int"),
            ("a: !!binary '?'", "yaml: !!binary value contains invalid base64 data"),
            ("<<: 1", "yaml: map merge requires map or sequence of maps as the value"),
            ("~: x", "unsupported map key of type: %!s(<nil>), key: <nil>, value: \"x\""),
            ("a: .nan", "json: unsupported value: NaN"),
            ("a: \u{1}", "yaml: control characters are not allowed"),
        ] {
            let error = loaded(text).expect_err(text).to_string();
            assert_eq!(error, format!("error converting YAML to JSON: {expected}"), "{text}");
        }
        assert_eq!(
            expect_map(Node::from(vec![]), "map[string]interface {}").map_err(|error| error.to_string()),
            Err("error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type \
                 map[string]interface {}"
                .to_owned())
        );
    }

    #[test]
    fn aliases_that_multiply_are_refused() {
        let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..9 {
            let part = format!("*a{}, ", level - 1).repeat(10);
            text += &format!("a{level}: &a{level} [{}]\n", part.trim_end_matches(", "));
        }
        let error = loaded(&text).expect_err("a bomb").to_string();
        assert_eq!(error, "error converting YAML to JSON: yaml: document contains excessive aliasing");
        let mut text = String::from("a0: &a0 [x]\n");
        for level in 1..2000 {
            text += &format!("a{level}: &a{level} [*a{}]\n", level - 1);
        }
        loaded(&text).expect_err("aliases nest too deep");
        loaded(&"[".repeat(9000)).expect_err("too deep");
    }

    #[test]
    fn places_are_those_in_the_file() {
        let file: &[u8] = b"a: 1\n---\nb: &x {c: d}\ne: [\n";
        let source = Sources::new().add("values.yaml", file);
        let documents = documents(file).expect("documents");
        let first = load_document(&documents[0], source, Limits::default()).expect("a mapping");
        let (key, value) = first.as_map().and_then(|map| map.at(0)).expect("an entry");
        assert_eq!((key.span.start(), value.span.start(), value.span.end()), (0, 3, 4));
        let error = load_document(&documents[1], source, Limits::default()).expect_err("unclosed");
        assert!(error.into_diagnostic(source).span().start() >= 24);
    }

    #[test]
    fn numbers_become_strings_where_go_wants_one() {
        for (value, expected) in
            [(Value::Float(1.10), "1.1"), (Value::Int(7.into()), "7"), (Value::Bool(true), "true")]
        {
            assert_eq!(as_go_string(&value).as_deref(), Some(expected));
        }
        assert_eq!(as_go_string(&Value::Null), None);
    }
}
