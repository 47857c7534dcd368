use super::field::{Absent, Field, Shape, as_member, field, nullable, read_fields, wrong_type};
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Map, Node};

const TYPE: Field = field("type", Shape::Text, Absent::Required);
const SOURCE: Field = field("source", Shape::Text, Absent::Required);
const OUTPUT_PATH: Field = field("output_path", Shape::Text, Absent::Required);
const FORCE_FETCH: Field = nullable("force_fetch", Shape::Flag, Absent::Flag(false));

const HELM: &[Field] = &[
    TYPE,
    SOURCE,
    OUTPUT_PATH,
    FORCE_FETCH,
    field("chart_name", Shape::Text, Absent::Required),
    nullable("version", Shape::Text, Absent::Null),
    nullable("helm_path", Shape::Text, Absent::Null),
];
const HTTP: &[Field] =
    &[TYPE, SOURCE, OUTPUT_PATH, FORCE_FETCH, field("unpack", Shape::Flag, Absent::Flag(false))];
const GIT: &[Field] = &[
    TYPE,
    SOURCE,
    OUTPUT_PATH,
    FORCE_FETCH,
    nullable("ref", Shape::Text, Absent::Null),
    nullable("subdir", Shape::Text, Absent::Null),
    nullable("submodules", Shape::Flag, Absent::Flag(false)),
];
const OCI: &[Field] = &[
    TYPE,
    SOURCE,
    OUTPUT_PATH,
    FORCE_FETCH,
    nullable("subpath", Shape::Text, Absent::Null),
    nullable("media_type", Shape::Text, Absent::Null),
    field("insecure", Shape::Flag, Absent::Flag(false)),
    field("tls_verify", Shape::FlagOrText, Absent::Flag(true)),
];

const TYPES: &[(&str, &[Field])] =
    &[("helm", HELM), ("https", HTTP), ("http", HTTP), ("git", GIT), ("oci", OCI)];

/// Reads an entry of `dependencies`, as Kapitan shows it.
pub(super) fn read(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Node> {
    let Some(given) = node.as_map() else {
        problems.push(wrong_type("`kapitan`", "dependencies", "a list of mappings", node, node.span));
        return None;
    };
    let wanted = given.get("type").and_then(Node::as_str);
    let Some((name, fields)) = TYPES.iter().find(|(name, _)| wanted == Some(*name)) else {
        let names: Vec<String> = TYPES.iter().map(|(name, _)| format!("`{name}`")).collect();
        let place = given.get("type").map_or(node.span, |found| found.span.or(node.span));
        let message = format!("`type` of a dependency must be one of {}", names.join(", "));
        problems.push(Diagnostic::error("compile::unknown-dependency-type", message).at(place));
        return None;
    };
    let mut read = read_fields(&format!("{name} dependency"), fields, given, node.span, problems);
    if *name == "oci" {
        check_oci(&read, problems);
    }
    as_member(&mut read, "type", "KapitanDependencyTypes");
    Some(Node::new(read, node.span))
}

fn check_oci(read: &Map, problems: &mut Vec<Diagnostic>) {
    if let Some(source) = read.get("source")
        && let Some(text) = source.as_str()
        && let Some(scheme) =
            ["https://", "http://", "oci://"].iter().find(|scheme| text.starts_with(**scheme))
    {
        let message = format!("`source` of an oci dependency is written without `{scheme}`");
        problems.push(Diagnostic::error("compile::wrong-source", message).at(source.span));
    }
    if let Some(media_type) = read.get("media_type")
        && media_type.as_str().is_some_and(|text| !text.contains('/'))
    {
        let message = "`media_type` of an oci dependency must have the form `type/subtype`";
        problems.push(Diagnostic::error("compile::wrong-media-type", message).at(media_type.span));
    }
}
