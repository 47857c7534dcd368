//! The same results as gtmpl, on what it can run. docs/decisions/0003-gotemplate-engine.md says what it cannot.

use kapstan_gotemplate::{Functions, Options, Set, Value};
use std::collections::HashMap;

const CASES: &[&str] = &[
    "plain",
    "a {{- \" b \" -}} c",
    "a{{/* comment */}}b",
    "{{ .name }} {{ .inner.deep }}",
    "{{ if .on }}yes{{ else }}no{{ end }}{{ if .off }}yes{{ else if .name }}name{{ end }}",
    "{{ with .inner }}{{ .deep }}{{ end }}{{ with .off }}{{ . }}{{ else }}else{{ end }}",
    "{{ $x := .name }}{{ $x }}{{ with .inner }}{{ $x }}{{ end }}",
    "{{ range .items }}<{{ . }}>{{ end }}",
    "{{ range $i, $x := .items }}{{ $i }}{{ $x }} {{ end }}",
    "{{ define \"T\" }}[{{ . }}]{{ end }}{{ template \"T\" .name }}",
    "{{ printf \"%s-%s\" .name .inner.deep }}",
    "{{ .name | printf \"%s!\" | len }}",
    "{{ len .items }}{{ len \"abc\" }}",
    "{{ index .items 1 }}",
    "{{ eq .name \"kapstan\" }}{{ ne .name \"x\" }}{{ lt 1 2 }}{{ ge 2 2 }}",
    "{{ not .off }}{{ not .on }}",
    "{{ (index .items 0) | printf \"%s\" }}",
];

fn ours(template: &str) -> String {
    let mut set = Set::new("page", Functions::builtins());
    set.parse("page", template).expect("it parses");
    let items = Value::list(vec!["a".into(), "b".into()]);
    let data = Value::map([
        ("name", "kapstan".into()),
        ("on", true.into()),
        ("off", false.into()),
        ("items", items),
        ("inner", Value::map([("deep", Value::str("value"))])),
    ]);
    set.execute("page", data, &Options::default()).expect("it executes").to_string()
}

fn theirs(template: &str) -> String {
    let items = gtmpl::Value::Array(vec!["a".into(), "b".into()]);
    let inner: HashMap<String, gtmpl::Value> = [("deep".to_owned(), "value".into())].into();
    let data: HashMap<String, gtmpl::Value> = [
        ("name".to_owned(), "kapstan".into()),
        ("on".to_owned(), true.into()),
        ("off".to_owned(), false.into()),
        ("items".to_owned(), items),
        ("inner".to_owned(), gtmpl::Value::Map(inner)),
    ]
    .into();
    gtmpl::template(template, gtmpl::Value::Map(data)).expect("gtmpl runs it")
}

#[test]
fn results_are_those_of_gtmpl_where_it_has_any() {
    for template in CASES {
        assert_eq!(ours(template), theirs(template), "{template}");
    }
}
