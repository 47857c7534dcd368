use super::field::{others, refuse_other_keys, text_entries, wrong_type};
use super::{Item, dependency, secrets};
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Map, Node, Span, Text, Value};

/// What a target's `parameters.kapitan` says.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// `vars.target`: names the target's folder in the output.
    pub target: Option<Text>,
    /// Where `vars.target` stands.
    pub target_span: Span,
    /// `vars`, all of it: globals of templates.
    pub vars: Map,
    /// `labels`, to choose targets by.
    pub labels: Vec<(Text, Text)>,
    /// `compile`, in order.
    pub compile: Vec<Item>,
    /// Where `kapitan` stands.
    pub span: Span,
}

/// Fields of `parameters.kapitan`, in the order in which Kapitan shows them.
const KAPITAN: &[&str] =
    &["compile", "vars", "labels", "dependencies", "target_full_path", "secrets", "validate"];

/// The parameters of a target as Kapitan's templates and its `inventory` command see them, and what they say of the
/// target itself; no project where `kapitan` is null.
///
/// Defaults are filled in; `kapitan`, `_kapitan_` and `_reclass_` come first. `variable` tells a variable of the environment.
/// Fails with everything that is wrong in `kapitan`.
pub fn show_parameters(
    parameters: &Node,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<(Node, Option<Project>), Vec<Diagnostic>> {
    let empty = Map::new();
    let given = parameters.as_map().unwrap_or(&empty);
    let mut problems = Vec::new();
    refuse_other_keys("`parameters`", given, &mut problems);
    let mut shown = Map::with_capacity(given.len() + 3);
    let nothing = Node::new(Map::new(), parameters.span);
    let kapitan = given.get("kapitan").unwrap_or(&nothing);
    let project = if kapitan.is_null() {
        shown.insert("kapitan", Node::NULL);
        None
    } else {
        let (node, project) = show_kapitan(kapitan, variable, &mut problems);
        shown.insert("kapitan", node);
        Some(project)
    };
    for name in ["_kapitan_", "_reclass_"] {
        shown.insert(name, show_metadata(name, given.get(name), &mut problems));
    }
    for (key, value) in others(given, &["kapitan", "_kapitan_", "_reclass_"]) {
        shown.insert(key.clone(), value.clone());
    }
    if problems.is_empty() { Ok((Node::new(shown, parameters.span), project)) } else { Err(problems) }
}

fn show_kapitan(
    kapitan: &Node,
    variable: &dyn Fn(&str) -> Option<String>,
    problems: &mut Vec<Diagnostic>,
) -> (Node, Project) {
    let mut project = Project { span: kapitan.span, ..Project::default() };
    let Some(given) = kapitan.as_map() else {
        problems.push(wrong_type("`parameters`", "kapitan", "a mapping", kapitan, kapitan.span));
        return (Node::NULL, project);
    };
    let mut shown = Map::with_capacity(given.len() + KAPITAN.len());
    refuse_other_keys("`kapitan`", given, problems);
    let items = list(given, "compile", kapitan.span, problems);
    project.compile = items.iter().filter_map(|item| Item::read(item, problems)).collect();
    let shown_items: Vec<Node> = project.compile.iter().map(|item| item.shown.clone()).collect();
    shown.insert("compile", shown_items);

    project.vars = show_vars(given, &mut project, problems);
    shown.insert("vars", project.vars.clone());

    let labels = mapping(given, "labels", kapitan.span, problems);
    project.labels = text_entries(&labels);
    if project.labels.len() != labels.len() {
        let node = given.get("labels").unwrap_or(kapitan);
        let wrong =
            node.as_map().and_then(|map| map.values().find(|value| value.as_str().is_none())).unwrap_or(node);
        problems.push(wrong_type(
            "`kapitan`",
            "labels",
            "a mapping from strings to strings",
            wrong,
            node.span,
        ));
    }
    shown.insert("labels", labels);

    let dependencies = match given.get("dependencies") {
        Some(null) if null.is_null() => Node::NULL,
        _ => {
            let entries = list(given, "dependencies", kapitan.span, problems);
            entries.iter().filter_map(|entry| dependency::read(entry, problems)).collect::<Vec<_>>().into()
        }
    };
    shown.insert("dependencies", dependencies);

    let full_path = given.get("target_full_path").cloned().unwrap_or_else(|| "".into());
    if full_path.as_str().is_none() {
        problems.push(wrong_type("`kapitan`", "target_full_path", "a string", &full_path, kapitan.span));
    }
    shown.insert("target_full_path", full_path);

    let secrets = match given.get("secrets") {
        None => Node::NULL,
        Some(null) if null.is_null() => Node::NULL,
        Some(given) => secrets::read(given, variable, problems).unwrap_or(Node::NULL),
    };
    shown.insert("secrets", secrets);

    let validate = list(given, "validate", kapitan.span, problems);
    if let Some(wrong) = validate.iter().find(|entry| entry.as_map().is_none()) {
        problems.push(wrong_type("`kapitan`", "validate", "a list of mappings", wrong, kapitan.span));
    }
    shown.insert("validate", validate);

    for (key, value) in others(given, KAPITAN) {
        shown.insert(key.clone(), value.clone());
    }
    (Node::new(shown, kapitan.span), project)
}

fn show_vars(given: &Map, project: &mut Project, problems: &mut Vec<Diagnostic>) -> Map {
    let vars = mapping(given, "vars", project.span, problems);
    refuse_other_keys("`kapitan.vars`", &vars, problems);
    let target = vars.get("target").cloned().unwrap_or(Node::NULL);
    project.target_span = target.span.or(given.get("vars").map_or(project.span, |vars| vars.span));
    match &target.value {
        Value::Str(name) => project.target = Some(name.clone()),
        Value::Null => {}
        _ => problems.push(wrong_type("`kapitan.vars`", "target", "a string", &target, project.span)),
    }
    let mut shown = Map::with_capacity(vars.len() + 1);
    shown.insert("target", target);
    for (key, value) in others(&vars, &["target"]) {
        shown.insert(key.clone(), value.clone());
    }
    shown
}

/// `_reclass_` and `_kapitan_`: the name's fields in Kapitan's order, everything else as it is.
fn show_metadata(what: &str, given: Option<&Node>, problems: &mut Vec<Diagnostic>) -> Node {
    let Some(node) = given.filter(|node| !node.is_null()) else { return Node::NULL };
    let Some(map) = node.as_map() else {
        problems.push(wrong_type("`parameters`", what, "a mapping", node, node.span));
        return Node::NULL;
    };
    refuse_other_keys(&format!("`{what}`"), map, problems);
    let mut shown = Map::with_capacity(map.len());
    let name = match map.get("name").filter(|name| !name.is_null()) {
        Some(name) => show_metadata_name(what, name, problems),
        None => Node::NULL,
    };
    shown.insert("name", name);
    for (key, value) in others(map, &["name"]) {
        shown.insert(key.clone(), value.clone());
    }
    Node::new(shown, node.span)
}

fn show_metadata_name(what: &str, name: &Node, problems: &mut Vec<Diagnostic>) -> Node {
    let mut shown = Map::with_capacity(4);
    for field in ["short", "full", "path", "parts"] {
        let value = name.get(field).cloned().unwrap_or(Node::NULL);
        let is_right = match field {
            "parts" => value.as_seq().is_some_and(|parts| parts.iter().all(|part| part.as_str().is_some())),
            _ => value.as_str().is_some(),
        };
        if !is_right {
            let expected = if field == "parts" { "a list of strings" } else { "a string" };
            problems.push(wrong_type(&format!("`{what}.name`"), field, expected, &value, name.span));
        }
        shown.insert(field, value);
    }
    Node::new(shown, name.span)
}

fn list(given: &Map, name: &str, place: Span, problems: &mut Vec<Diagnostic>) -> Vec<Node> {
    match given.get(name) {
        None => Vec::new(),
        Some(node) => node.as_seq().map(<[Node]>::to_vec).unwrap_or_else(|| {
            problems.push(wrong_type("`kapitan`", name, "a list", node, place));
            Vec::new()
        }),
    }
}

fn mapping(given: &Map, name: &str, place: Span, problems: &mut Vec<Diagnostic>) -> Map {
    match given.get(name) {
        None => Map::new(),
        Some(node) => node.as_map().cloned().unwrap_or_else(|| {
            problems.push(wrong_type("`kapitan`", name, "a mapping", node, place));
            Map::new()
        }),
    }
}
