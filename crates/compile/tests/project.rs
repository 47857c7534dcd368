//! What `parameters.kapitan` may say, and how it is shown.

use kapstan_compile::project::{OutputType, show_parameters};
use kapstan_diagnostic::{Diagnostic, Sources};
use kapstan_document::yaml::{self, LoadOptions};
use kapstan_document::{Node, Value, python};

fn load(text: &str) -> Node {
    let sources = Sources::new();
    let source = sources.add("t.yml", text.as_bytes());
    yaml::load(text.as_bytes(), source, &LoadOptions::default()).expect("the test's own YAML is right")
}

fn shown(text: &str) -> Node {
    show_parameters(&load(text), &|_| None).expect("nothing is wrong").0
}

fn problems(text: &str) -> Vec<Diagnostic> {
    show_parameters(&load(text), &|_| None).expect_err("something is wrong")
}

#[test]
fn defaults_are_shown_in_kapitans_order() {
    let shown = shown("z: 1\nkapitan: {topics: {t: {}}, labels: {a: b}}\n");
    let keys = |node: &Node| -> Vec<String> {
        let keys = node.as_map().into_iter().flat_map(kapstan_document::Map::keys);
        keys.map(|key| key.as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(keys(&shown), ["kapitan", "_kapitan_", "_reclass_", "z"]);
    let kapitan = shown.get("kapitan").expect("it is always shown");
    let expected =
        ["compile", "vars", "labels", "dependencies", "target_full_path", "secrets", "validate", "topics"];
    assert_eq!(keys(kapitan), expected);
    assert_eq!(python::str(&kapitan.get("vars").expect("shown").value), "{'target': None}");
}

#[test]
fn an_item_has_the_defaults_of_its_type() {
    for (input_type, output_type, prune, ignore_missing) in [
        ("jsonnet", OutputType::Yaml, false, false),
        ("jinja2", OutputType::Plain, true, true),
        ("copy", OutputType::Yaml, true, false),
        ("helm", OutputType::Auto, false, false),
    ] {
        let text =
            format!("kapitan: {{compile: [{{input_type: {input_type}, input_paths: [a], output_path: b}}]}}");
        let (_, project) = show_parameters(&load(&text), &|_| None).expect("nothing is wrong");
        let item = project.expect("kapitan is not null").compile.remove(0);
        assert_eq!((item.output_type, item.prune, item.ignore_missing), (output_type, prune, ignore_missing));
    }
}

#[test]
fn every_problem_is_told_with_its_place() {
    let text = "kapitan:
  labels: {a: 1}
  vars: {target: [x]}
  compile:
    - {input_type: jsonet, input_paths: [a], output_path: b}
    - {input_type: copy, input_paths: a, output_path: b}
    - {input_type: copy, input_paths: [a], output_pth: b}
    - {input_type: copy, input_paths: [a], output_path: b, prune: maybe}
    - nonsense
";
    let messages: Vec<String> = problems(text).iter().map(|problem| problem.message.clone()).collect();
    let expected = [
        "unknown input type `jsonet`",
        "`input_paths` of compile item must be a list of strings, not string",
        "compile item has no `output_path`",
        "compile item has no field `output_pth`",
        "`prune` of compile item must be a boolean, not string",
        "a compile item must be a mapping, not string",
        "`target` of `kapitan.vars` must be a string, not sequence",
        "`labels` of `kapitan` must be a mapping from strings to strings, not integer",
    ];
    assert_eq!(messages, expected);
    assert!(problems(text).iter().all(|problem| problem.span().is_some()));
    assert_eq!(problems(text)[0].hints, ["did you mean `jsonnet`?"]);
}

#[test]
fn booleans_are_lax_and_strings_strict() {
    let item = |prune: &str| {
        let text = format!(
            "kapitan: {{compile: [{{input_type: copy, input_paths: [a], output_path: b, prune: {prune}}}]}}"
        );
        show_parameters(&load(&text), &|_| None).map(|(_, project)| project.expect("shown").compile[0].prune)
    };
    for word in ["yes", "'on'", "'T'", "1", "1.0"] {
        assert_eq!(item(word), Ok(true), "{word}");
    }
    for word in ["no", "'off'", "0", "null"] {
        assert_eq!(item(word), Ok(false), "{word}");
    }
    assert!(item("2").is_err());
}

#[test]
fn vault_settings_come_from_the_environment_too() {
    let parameters = load("kapitan: {secrets: {vaultkv: {auth: token, VAULT_NAMESPACE: n}}}");
    let variable = |name: &str| (name == "VAULT_ADDR").then(|| "https://vault".to_owned());
    let (shown, _) = show_parameters(&parameters, &variable).expect("nothing is wrong");
    let vault = shown.get("kapitan").and_then(|kapitan| kapitan.get("secrets")?.get("vaultkv").cloned());
    let vault = vault.expect("it is shown");
    let text = |name: &str| {
        python::str(&vault.get(name).map_or(Value::Null, |node| node.value.clone())).into_owned()
    };
    assert_eq!(text("addr"), "https://vault");
    assert_eq!(text("namespace"), "n");
    assert_eq!(text("mount"), "secret");
    assert_eq!(text("engine"), "kv-v2");
    assert_eq!(text("skip_verify"), "True");
}

#[test]
fn null_kapitan_has_no_project() {
    let (shown, project) = show_parameters(&load("kapitan: null"), &|_| None).expect("nothing is wrong");
    assert!(project.is_none());
    assert!(shown.get("kapitan").is_some_and(Node::is_null));
}
