//! From the YAML of a chart's own files to fields, with what Go's JSON decoder says where the kinds do not fit.

use kapstan_document::yaml::go::as_go_string;
use kapstan_document::{Map, Node, Value};

/// Collects the first thing that does not fit; decoding goes on behind it, as in Go.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    problem: Option<String>,
    /// Whether fields that nobody knows are a problem.
    is_strict: bool,
}

/// Where a value goes: the innermost Go struct, and the path of fields that leads there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'t> {
    /// The struct whose field it is; empty for one without a name.
    pub(crate) structure: &'t str,
    /// The fields from the outermost struct on, joined by dots; empty for that struct itself.
    pub(crate) path: &'t str,
}

impl Decoder {
    /// One that takes no fields but known ones.
    pub(crate) fn strict() -> Self {
        Self { is_strict: true, ..Self::default() }
    }

    /// Notes a field that nobody knows.
    pub(crate) fn unknown(&mut self, key: &str) {
        if self.is_strict {
            self.problem.get_or_insert_with(|| format!("json: unknown field {}", crate::go::quote(key)));
        }
    }

    /// What did not fit first, if anything: `json: cannot unmarshal ...`.
    pub(crate) fn finish(self) -> Result<(), String> {
        match self.problem {
            Some(problem) => Err(format!("error unmarshaling JSON: while decoding JSON: {problem}")),
            None => Ok(()),
        }
    }

    /// Says that a value is not of a Go type.
    pub(crate) fn mismatch(&mut self, node: &Node, target: Target<'_>, go_type: &str) {
        let kind = json_kind(&node.value);
        self.problem.get_or_insert_with(|| {
            if target.path.is_empty() {
                return format!("json: cannot unmarshal {kind} into Go value of type {go_type}");
            }
            let Target { structure, path } = target;
            format!("json: cannot unmarshal {kind} into Go struct field {structure}.{path} of type {go_type}")
        });
    }

    /// The entries of a struct in the order in which Go meets them; none where the value is no mapping.
    pub(crate) fn fields<'n>(
        &mut self,
        node: &'n Node,
        target: Target<'_>,
        go_type: &str,
    ) -> Vec<(&'n str, &'n Node)> {
        match &node.value {
            Value::Map(map) => sorted(map),
            Value::Null => Vec::new(),
            _ => {
                self.mismatch(node, target, go_type);
                Vec::new()
            }
        }
    }

    /// A string; numbers and booleans become one. Null and what does not fit leave the field as it was.
    pub(crate) fn string(&mut self, node: &Node, target: Target<'_>, field: &mut String) {
        match &node.value {
            Value::Null => {}
            Value::Str(text) => text.as_ref().clone_into(field),
            value => match as_go_string(value) {
                Some(text) => *field = text,
                None => self.mismatch(node, target, "string"),
            },
        }
    }

    /// A boolean.
    pub(crate) fn boolean(&mut self, node: &Node, target: Target<'_>, field: &mut bool) {
        match &node.value {
            Value::Null => {}
            Value::Bool(value) => *field = *value,
            _ => self.mismatch(node, target, "bool"),
        }
    }

    /// A list of strings.
    pub(crate) fn strings(&mut self, node: &Node, target: Target<'_>, field: &mut Vec<String>) {
        match &node.value {
            Value::Null => field.clear(),
            Value::Seq(items) => {
                field.clear();
                for item in items.iter() {
                    let mut text = String::new();
                    self.string(item, target, &mut text);
                    field.push(text);
                }
            }
            _ => self.mismatch(node, target, "[]string"),
        }
    }

    /// A mapping from strings to strings, added to what is there.
    pub(crate) fn string_map(
        &mut self,
        node: &Node,
        target: Target<'_>,
        field: &mut Option<Vec<(String, String)>>,
    ) {
        match &node.value {
            Value::Null => *field = None,
            Value::Map(map) => {
                let entries = field.get_or_insert_default();
                for (key, value) in sorted(map) {
                    let mut text = String::new();
                    self.string(value, target, &mut text);
                    match entries.binary_search_by(|(known, _)| known.as_str().cmp(key)) {
                        Ok(at) => entries[at].1 = text,
                        Err(at) => entries.insert(at, (key.to_owned(), text)),
                    }
                }
            }
            _ => self.mismatch(node, target, "map[string]string"),
        }
    }
}

/// The entries of a mapping by key, as Go's JSON writer orders them.
fn sorted(map: &Map) -> Vec<(&str, &Node)> {
    let mut entries: Vec<_> = map.iter().filter_map(|(key, value)| Some((key.as_str()?, value))).collect();
    entries.sort_by(|left, right| left.0.cmp(right.0));
    entries
}

/// The field that a key means: spelled the same, or else in other case.
pub(crate) fn field_of<'f>(fields: &[&'f str], key: &str) -> Option<&'f str> {
    let exact = fields.iter().find(|field| **field == key);
    exact.or_else(|| fields.iter().find(|field| field.to_lowercase() == key.to_lowercase())).copied()
}

fn json_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Int(_) | Value::Float(_) => "number",
        Value::Seq(_) => "array",
        Value::Map(_) | Value::Set(_) => "object",
        Value::Str(_) | Value::Date(_) | Value::DateTime(_) | Value::Bytes(_) => "string",
    }
}
