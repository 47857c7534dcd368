//! The functions of Helm that need the engine, and its two ways to word an error.

use kapstan_gotemplate::functions::helm;
use kapstan_gotemplate::{
    Error, Functions, HelmForm, LARGE_STACK, Limits, Map, MissingKey, Options, Set, Value, on_large_stack,
};

fn set(files: &[(&str, &str)]) -> Set {
    let mut set = Set::new("gotpl", Functions::builtins().with(helm::ROWS));
    for (name, text) in files {
        set.parse(*name, *text).expect("the templates of these tests parse");
    }
    set
}

fn options() -> Options {
    Options { missing_key: MissingKey::Zero, ..Options::default() }
}

fn run(files: &[(&str, &str)]) -> Result<String, Error> {
    let data = Value::map([("a", "x".into()), ("n", Value::Float64(1.0)), ("m", Map::new().into())]);
    set(files).execute(files[0].0, data, &options()).map(|text| text.to_string())
}

#[test]
fn include_gives_text_with_fresh_variables() {
    let out = run(&[
        ("c/t/x.yaml", r#"{{ $x := 1 }}{{ include "name" . | printf "<%s>" }}{{ $x }}"#),
        ("c/t/_h.tpl", r#"{{ define "name" }}{{ $x := 2 }}{{ $.a }}{{ $x }}{{ end }}"#),
    ]);
    assert_eq!(out.unwrap(), "<x2>1");
}

#[test]
fn definitions_of_tpl_end_with_it_but_hold_inside() {
    let text = r#"{{ tpl "{{ define \"d\" }}in{{ end }}{{ include \"d\" . }}{{ .a }}{{ .m.q }}" . }}|{{ include "d" . }}"#;
    let out = run(&[("x", text), ("h", r#"{{ define "d" }}out{{ end }}"#)]);
    assert_eq!(out.unwrap(), "inx|out");
}

#[test]
fn tpl_inside_of_tpl_sees_what_is_around_it() {
    let text = r#"{{ tpl "{{ define \"e\" }}E{{ end }}{{ tpl `{{ include \"e\" . }}{{ include \"d\" . }}` . }}" . }}"#;
    let out = run(&[("x", text), ("h", r#"{{ define "d" }}D{{ end }}"#)]);
    assert_eq!(out.unwrap(), "ED");
}

#[test]
fn changes_of_maps_are_seen_everywhere() {
    let map = Map::new();
    let functions = Functions::builtins().with(helm::ROWS).with_closure(
        kapstan_gotemplate::Function::new("mark", &[], kapstan_gotemplate::Type::String, |_| {
            Ok(Value::str(""))
        }),
        {
            let map = map.clone();
            move |_| {
                map.insert("seen", Value::Bool(true));
                Ok(Value::str(""))
            }
        },
    );
    let mut set = Set::new("gotpl", functions);
    set.parse("x", r#"{{ .m.seen }}{{ tpl "{{ mark }}" . }}{{ .m.seen }}"#).unwrap();
    let out = set.execute("x", Value::map([("m", map.into())]), &options()).unwrap();
    assert_eq!(out, "<no value>true");
}

#[test]
fn a_later_definition_replaces_unless_it_is_blank() {
    let out = run(&[
        ("x", r#"{{ include "a" . }}{{ include "b" . }}"#),
        ("1", r#"{{ define "a" }}a1{{ end }}{{ define "b" }}b1{{ end }}"#),
        ("2", r#"{{ define "a" }}a2{{ end }}{{ define "b" }} {{/* blank */}} {{ end }}"#),
    ]);
    assert_eq!(out.unwrap(), "a2b1");
}

#[test]
fn required_and_fail_say_only_what_they_are_told() {
    for (call, message) in [
        (r#"{{ required "need it" .m.q }}"#, "need it"),
        (r#"{{ required "need it" "" }}"#, "need it"),
        (r#"{{ fail "stop: here" }}"#, "stop: here"),
        (r#"{{ tpl "{{ fail `deep` }}" . }}"#, "deep"),
    ] {
        let define = format!("{{{{ define \"h\" }}}}{call}{{{{ end }}}}");
        let error = run(&[("c/x.yaml", "a: b\nc: {{ include \"h\" . }}\n"), ("h", &define)]).unwrap_err();
        let expected = format!("execution error at (c/x.yaml:2:6): {message}");
        assert_eq!(error.helm_text(HelmForm::Line), expected);
        assert_eq!(error.helm_text(HelmForm::Frames), expected);
        assert_eq!(error.user_message().unwrap(), message);
    }
    assert_eq!(run(&[("x", r#"{{ required "a" false }}{{ required "b" 0 }}"#)]).unwrap(), "false0");
}

#[test]
fn nested_errors_are_one_line_or_paragraphs() {
    let files = [
        ("c/x.yaml", "{{ include \"a\" . }}"),
        (
            "c/_h.tpl",
            "{{ define \"a\" }}\n  {{- include \"b\" .m }}{{ end }}\n{{ define \"b\" }}{{ .q.r.s }}{{ end }}",
        ),
    ];
    let error = run(&files).unwrap_err();
    assert_eq!(
        error.helm_text(HelmForm::Line),
        "template: c/x.yaml:1:3: executing \"c/x.yaml\" at <include \"a\" .>: error calling include: \
         template: c/_h.tpl:2:6: executing \"a\" at <include \"b\" .m>: error calling include: \
         template: c/_h.tpl:3:21: executing \"b\" at <.q.r.s>: nil pointer evaluating interface {}.r"
    );
    assert_eq!(
        error.helm_text(HelmForm::Frames),
        "c/x.yaml:1:3\n  executing \"c/x.yaml\" at <include \"a\" .>:\n    error calling include:\n\
         c/_h.tpl:2:6\n  executing \"a\" at <include \"b\" .m>:\n    error calling include:\n\
         c/_h.tpl:3:21\n  executing \"b\" at <.q.r.s>:\n    nil pointer evaluating interface {}.r"
    );
    assert_eq!(error.frames().count(), 3);
    assert_eq!(error.message(), "nil pointer evaluating interface {}.r");
}

#[test]
fn an_error_that_is_not_go_s_keeps_the_line() {
    let error = run(&[("x", "{{ index .a 9 }}")]).unwrap_err();
    let line = "template: x:1:3: executing \"x\" at <index .a 9>: error calling index: index out of range: 9";
    assert_eq!(error.helm_text(HelmForm::Frames), line);
    let error = run(&[("x", r#"{{ include "none" . }}"#)]).unwrap_err();
    assert_eq!(
        error.helm_text(HelmForm::Frames),
        "x:1:3\n  executing \"x\" at <include \"none\" .>:\n    error calling include:\n\
         template: no template \"none\" associated with template \"gotpl\""
    );
}

#[test]
fn errors_of_tpl_show_its_text() {
    let error = run(&[("x", r#"{{ tpl "{{ .a" . }}"#)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "template: x:1:3: executing \"x\" at <tpl \"{{ .a\" .>: error calling tpl: \
         cannot parse template \"{{ .a\": template: gotpl:1: unclosed action"
    );
    let error = run(&[("x", r#"{{ tpl "{{ .a.b }}" . }}"#)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "template: x:1:3: executing \"x\" at <tpl \"{{ .a.b }}\" .>: error calling tpl: \
         error during tpl function execution for \"{{ .a.b }}\": \
         template: gotpl:1:5: executing \"gotpl\" at <.a.b>: can't evaluate field b in type interface {}"
    );
}

#[test]
fn what_never_ends_is_an_error() {
    for (text, expected) in [
        (
            r#"{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}"#,
            "rendering template has a nested reference name: a",
        ),
        (
            r#"{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}"#,
            "exceeded maximum template depth (100000)",
        ),
        (
            r#"{{ define "a" }}{{ tpl .a . }}{{ end }}{{ include "a" . }}"#,
            "exceeded maximum template depth (100000)",
        ),
        ("{{ range 1000000000 }}{{ end }}", "execution takes more than 1000000 steps"),
        ("{{ range 100000 }}0123456789{{ end }}", "output is longer than 100000 bytes"),
    ] {
        let error = on_large_stack(LARGE_STACK, || {
            let limits = Limits { output: 100_000, steps: 1_000_000, stack: LARGE_STACK / 2 };
            let data = Value::map([("a", r#"{{ tpl .a . }}"#.into())]);
            let options = Options { limits, ..options() };
            set(&[("x", text)]).execute("x", data, &options).unwrap_err().to_string()
        })
        .unwrap();
        assert!(error.contains(expected), "{text}: {}", &error[error.len().saturating_sub(200)..]);
    }
}

#[test]
fn depth_is_bounded_on_a_small_stack_too() {
    let nested = format!("{}1{}", "(".repeat(9000), ")".repeat(9000));
    let mut set = set(&[]);
    let error = set.parse("x", format!("{{{{ {nested} }}}}")).unwrap_err();
    assert_eq!(error.to_string(), "template: x:1: max expression depth exceeded");
    let blocks = format!("{}{}", "{{ if 1 }}".repeat(9000), "{{ end }}".repeat(9000));
    assert_eq!(set.parse("x", blocks).unwrap_err().message, "max expression depth exceeded");
    let cycle = Map::new();
    cycle.insert("self", cycle.clone().into());
    set.parse("x", "{{ .self }}").unwrap();
    let error = set.execute("x", cycle.clone().into(), &options()).unwrap_err();
    assert_eq!(error.message(), "the value is too deep or too long to be printed");
    cycle.remove("self");
}
