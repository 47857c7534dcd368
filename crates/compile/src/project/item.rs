use super::field::{as_member, nearest, read_fields, text_entries, text_items, text_of};
use super::input_type::{INPUT_TYPES, InputType, InputTypeRow};
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Map, Node, Span, Text, Value};

/// How an output file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputType {
    /// JSON, `.json` appended.
    Json,
    /// YAML, `.yaml` appended.
    Yaml,
    /// YAML, `.yml` appended.
    Yml,
    /// The string as it is.
    Plain,
    /// TOML, `.toml` appended.
    Toml,
    /// By the name's own suffix.
    Auto,
}

/// An entry of `parameters.kapitan.compile`, checked and complete.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is made from.
    pub input_type: InputType,
    /// Where it stands in the inventory.
    pub span: Span,
    /// Paths and globs, searched in the search paths.
    pub input_paths: Vec<(Text, Span)>,
    /// The folder below the target's own that it writes to.
    pub output_path: Text,
    /// Where the output path stands.
    pub output_path_span: Span,
    /// How files are written.
    pub output_type: OutputType,
    /// Empty members are removed first.
    pub prune: bool,
    /// An input path without a match is no error.
    pub ignore_missing: bool,
    /// An error of this item is a message, and the run goes on.
    pub continue_on_compile_error: bool,
    /// Which Helm is followed, where the item says that; Kapitan has no such field.
    pub helm_compat: Option<Node>,
    /// All fields with their defaults, as Kapitan shows them.
    pub shown: Node,
}

impl OutputType {
    /// The type of a name in `output_type:`.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "json" => Self::Json,
            "yaml" => Self::Yaml,
            "yml" => Self::Yml,
            "plain" => Self::Plain,
            "toml" => Self::Toml,
            "auto" => Self::Auto,
            _ => return None,
        })
    }
}

impl Item {
    /// Reads an entry of `compile`. Everything that is wrong is added to `problems`; none then.
    pub(super) fn read(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Self> {
        let Some(given) = node.as_map() else {
            let message = format!("a compile item must be a mapping, not {}", node.value.kind());
            problems.push(Diagnostic::error("compile::wrong-type", message).at(node.span));
            return None;
        };
        let row = input_type_of(given, node.span, problems)?;
        let before = problems.len();
        let helm_compat = given.get(HELM_COMPAT).filter(|_| row.input_type == InputType::Helm).cloned();
        let given = if helm_compat.is_some() { &without(given, HELM_COMPAT) } else { given };
        let mut shown = read_fields("compile item", &row.fields(), given, node.span, problems);
        if row.input_type == InputType::Helm {
            shown.insert("output_type", "auto");
        }
        if problems.len() > before {
            return None;
        }
        as_member(&mut shown, "input_type", "InputTypes");
        as_member(&mut shown, "output_type", "OutputType");
        Some(Self { helm_compat, ..Self::from_shown(row.input_type, node.span, shown) })
    }

    fn from_shown(input_type: InputType, span: Span, shown: Map) -> Self {
        let flag = |name: &str| shown.get(name).is_some_and(|value| value.value.is_truthy());
        let output_type = shown.get("output_type").and_then(Node::as_str).and_then(OutputType::named);
        Self {
            input_type,
            span,
            input_paths: text_items(shown.get("input_paths")),
            output_path: shown.get("output_path").and_then(text_of).unwrap_or_default(),
            output_path_span: shown.get("output_path").map_or(span, |path| path.span.or(span)),
            output_type: output_type.unwrap_or(OutputType::Plain),
            prune: flag("prune"),
            ignore_missing: flag("ignore_missing"),
            continue_on_compile_error: flag("continue_on_compile_error"),
            helm_compat: None,
            shown: Node::new(shown, span),
        }
    }

    /// A field of the input type, as shown.
    pub fn field(&self, name: &str) -> &Node {
        self.shown.get(name).unwrap_or(&Node::NULL)
    }

    /// A string field of the input type; none for null.
    pub fn text(&self, name: &str) -> Option<Text> {
        text_of(self.field(name))
    }

    /// Whether a boolean field of the input type is set.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.field(name).value, Value::Bool(true))
    }

    /// A field that is a list of strings.
    pub fn texts(&self, name: &str) -> Vec<Text> {
        text_items(Some(self.field(name))).into_iter().map(|(text, _)| text).collect()
    }

    /// A field that is a mapping from strings to strings.
    pub fn text_entries(&self, name: &str) -> Vec<(Text, Text)> {
        self.field(name).as_map().map(text_entries).unwrap_or_default()
    }
}

/// A field that Kapitan does not have.
const HELM_COMPAT: &str = "helm_compat";

fn without(map: &Map, name: &str) -> Map {
    map.iter()
        .filter(|(key, _)| key.as_str() != Some(name))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

fn input_type_of(given: &Map, place: Span, problems: &mut Vec<Diagnostic>) -> Option<&'static InputTypeRow> {
    let names = || INPUT_TYPES.iter().map(|row| row.name);
    let list = || names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let Some(node) = given.get("input_type") else {
        let problem =
            Diagnostic::error("compile::missing-field", "compile item has no `input_type`").at(place);
        problems.push(problem.with_hint(format!("input types are {}", list())));
        return None;
    };
    let found = node.as_str().and_then(InputTypeRow::named);
    if found.is_none() {
        let name = kapstan_document::python::str(&node.value);
        let problem =
            Diagnostic::error("compile::unknown-input-type", format!("unknown input type `{name}`"));
        problems.push(problem.at(node.span.or(place)).with_hint(match nearest(&name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("input types are {}", list()),
        }));
    }
    found
}
