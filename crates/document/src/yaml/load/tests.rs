use super::{LoadOptions, load, load_all};
use crate::python::repr;
use crate::yaml::Error;
use crate::{Node, Value};
use kapstan_diagnostic::{Sources, Span};
use std::sync::Arc;

fn loaded(text: &str) -> Result<Node, Error> {
    let source = Sources::new().add("a.yml", text.as_bytes());
    load(text.as_bytes(), source, &LoadOptions::default())
}

fn value(text: &str) -> String {
    repr(&loaded(text).expect(text).value)
}

fn error(text: &str) -> String {
    loaded(text).expect_err(text).text("f")
}

#[test]
fn documents() {
    assert_eq!(value(""), "None");
    assert_eq!(value("# only a comment\n"), "None");
    assert_eq!(value("---\n...\n"), "None");
    assert_eq!(value("\u{feff}a: [1, x, ~]\r\nb:\r\n"), "{'a': [1, 'x', None], 'b': None}");
    assert_eq!(
        error("a: 1\n---\nb: 1"),
        "expected a single document in the stream\n  in \"f\", line 1, column 1\n\
         but found another document\n  in \"f\", line 2, column 1"
    );
    let source = Sources::new().add("a.yml", &b""[..]);
    let all =
        load_all(b"a: 1\n---\n--- !!set {x}\n", source, &LoadOptions::default()).expect("three documents");
    assert_eq!(repr(&all.into()), "[{'a': 1}, None, {'x'}]");
}

#[test]
fn keys_follow_python() {
    assert_eq!(value("{1: a, true: b, 1.0: c}"), "{1: 'c'}");
    assert_eq!(value("{a: 1, b: 2, a: 3}"), "{'a': 3, 'b': 2}");
    assert_eq!(value("{~: 1, 2020-01-01: 2, =: 3}"), "{None: 1, datetime.date(2020, 1, 1): 2, '=': 3}");
    let text = "while constructing a mapping\n  in \"f\", line 1, column 1\nfound unhashable key\n  in \"f\", line 1, column 4";
    assert_eq!(error("{? [a] : b}"), text);
}

#[test]
fn merge_keys() {
    let base = "x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\n";
    for (entry, expected) in [
        ("z: {b: 0, <<: *x}", "{'a': 1, 'b': 0}"),
        ("z: {d: 0, <<: [*x, *y]}", "{'b': 2, 'c': 4, 'a': 1, 'd': 0}"),
        ("z: {<<: *x, <<: *y}", "{'a': 1, 'b': 3, 'c': 4}"),
        ("z: {<<: {<<: *x, a: 9}}", "{'a': 9, 'b': 2}"),
        ("z: {'<<': *x}", "{'<<': {'a': 1, 'b': 2}}"),
    ] {
        assert_eq!(
            repr(&loaded(&format!("{base}{entry}")).expect(entry).get("z").expect("z").value),
            expected
        );
    }
    assert!(
        error("{<<: a}").contains("expected a mapping or list of mappings for merging, but found scalar")
    );
    assert!(error("{<<: [{}, a]}").contains("expected a mapping for merging, but found scalar"));
    assert!(error("<<").contains("could not determine a constructor for the tag 'tag:yaml.org,2002:merge'"));
}

#[test]
fn tags() {
    for (text, expected) in [
        ("!!str 1", "'1'"),
        ("! '12'", "12"),
        ("!!int ' 31 '", "31"),
        ("!!float 1", "1.0"),
        ("!!null x", "None"),
        ("!!binary aGk=", "b'hi'"),
        ("!!binary 'a G-k=='", "b'hi'"),
        ("!!timestamp 2020-1-1", "datetime.date(2020, 1, 1)"),
        ("!!omap [a: 1, b: {}]", "[['a', 1], ['b', {}]]"),
        ("!!pairs [a: 1, a: 2]", "[['a', 1], ['a', 2]]"),
        ("!!str {a: 1, =: x}", "'x'"),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    for (text, expected) in [
        ("a: !x 1", "could not determine a constructor for the tag '!x'\n  in \"f\", line 1, column 4"),
        ("!!int [1]", "expected a scalar node, but found sequence\n  in \"f\", line 1, column 1"),
        ("!!map a", "expected a mapping node, but found scalar\n  in \"f\", line 1, column 1"),
        ("!!seq {}", "expected a sequence node, but found mapping\n  in \"f\", line 1, column 1"),
        ("!!int x", "invalid literal for int() with base 10: 'x'"),
        ("2020-13-45", "month must be in 1..12"),
        (
            "!!binary a",
            "failed to decode base64 data: Invalid base64-encoded string: number of data characters (1) \
                        cannot be 1 more than a multiple of 4\n  in \"f\", line 1, column 1",
        ),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
}

/// PyYAML fills containers level by level, so what is higher up is found first although it stands further down.
#[test]
fn the_first_error_is_the_peers_first() {
    assert!(error("[[!x 1], !y 2]").contains("'!y'"));
    assert!(error("[{? [] : !x 1}, [!y 2], {<<: 1}]").contains("unhashable"));
}

#[test]
fn aliases_share() {
    let node = loaded("a: &a {x: 1}\nb: *a\nc: {<<: {d: *a}}").expect("a document");
    let map = |node: Option<&Node>| match node.map(|node| &node.value) {
        Some(Value::Map(map)) => map.clone(),
        other => panic!("{other:?}"),
    };
    let anchored = map(node.get("a"));
    assert!(Arc::ptr_eq(&anchored, &map(node.get("b"))));
    assert!(Arc::ptr_eq(&anchored, &map(node.get("c").and_then(|c| c.get("d")))));
    assert!(error("*a").contains("found undefined alias"));
    assert!(
        error("[&a 1, &a 2]")
            .starts_with("found duplicate anchor; first occurrence\n  in \"f\", line 1, column 2\n")
    );
}

#[test]
fn what_contains_itself_is_refused() {
    for text in ["&a [*a]", "&a {b: {c: *a}}", "&a {<<: *a}", "&a {b: {<<: *a}}", "&a !!str {=: *a}"] {
        loaded(text).expect_err(text);
    }
}

#[test]
fn deep_texts_do_not_exhaust_the_stack() {
    let deep = |levels: usize| format!("{}{}", "{a: [".repeat(levels / 2), "]}".repeat(levels / 2));
    assert_eq!(value(&deep(500)).matches("'a'").count(), 250);
    assert!(error(&deep(502)).contains("deeper than 500 levels"));
    let merges = format!("{}{}", "{<<: ".repeat(500), "}".repeat(500));
    assert!(error(&merges).contains("merge keys nest deeper than 100 levels"));
    assert_eq!(value(&format!("{}{{}}{}", "{<<: ".repeat(90), "}".repeat(90))), "{}");
}

#[test]
fn hostile_texts_are_refused() {
    let limits = super::Limits { depth: 50, expanded_nodes: 10_000, bytes: 100_000 };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    let source = Sources::new().add("a.yml", &b""[..]);
    let code = |text: &str| load(text.as_bytes(), source, &options).expect_err("too much").code;
    let levels = |line: fn(usize) -> String| (1..60).map(line).collect::<String>();
    assert_eq!(code(&"[".repeat(60)), "yaml::too-deep");
    assert_eq!(
        code(&format!("- &a0 [x]\n{}", levels(|n| format!("- &a{n} [*a{}]\n", n - 1)))),
        "yaml::too-deep"
    );
    let bomb = (1..30).map(|n| format!("- &a{n} [*a{0}, *a{0}]\n", n - 1)).collect::<String>();
    assert_eq!(code(&format!("- &a0 [x]\n{bomb}")), "yaml::too-large");
    let bomb = (1..30).map(|n| format!("- &a{n} {{<<: [*a{0}, *a{0}]}}\n", n - 1)).collect::<String>();
    assert_eq!(code(&format!("- &a0 {{x: 1}}\n{bomb}")), "yaml::too-large");
    assert_eq!(code(&"x".repeat(100_001)), "yaml::too-large");
}

#[test]
fn places_are_those_of_the_file() {
    let text = "\u{feff}é: 'a'\nb:\n  - x\n  - {c: d}\ne: 1\n";
    let source = Sources::new().add("a.yml", text.as_bytes());
    let node = load(text.as_bytes(), source, &LoadOptions::default()).expect("a document");
    let at = |span: Span| &text[span.start()..span.end()];
    let map = node.as_map().expect("a mapping");
    let (key, quoted) = map.get_entry("é").expect("é");
    assert_eq!((at(key.span), at(quoted.span)), ("é", "'a'"));
    let items = map.get("b").expect("b");
    assert_eq!(at(items.span), "- x\n  - {c: d}");
    assert_eq!(at(items.as_seq().expect("a sequence")[1].span), "{c: d}");
    assert_eq!(at(node.span), &text["\u{feff}".len()..text.len() - 1]);
}

#[test]
fn diagnostics() {
    let sources = Sources::new();
    let text = "a: [1,\nb: 'x";
    let source = sources.add("a.yml", text.as_bytes());
    let problem = |text: &str| {
        load(text.as_bytes(), source, &LoadOptions::default()).expect_err(text).into_diagnostic(source)
    };
    let syntax = problem("a: b: c");
    assert_eq!(syntax.code, "yaml::syntax");
    assert_eq!(syntax.message, "mapping values are not allowed in this context");
    assert_eq!(syntax.span().start(), 4);
    let anchor = problem("[&a 1, &a 2]");
    assert_eq!(anchor.code, "yaml::duplicate-anchor");
    assert_eq!(anchor.labels.iter().map(|label| label.span.start()).collect::<Vec<_>>(), [7, 1]);
    let tag = problem("!x 1");
    assert_eq!(tag.message, "could not determine a constructor for the tag `!x`");
    let day = problem("- 2020-13-01");
    assert_eq!(day.peer_text.as_deref(), Some("ValueError: month must be in 1..12"));
    assert_eq!(day.span().start(), 2);
}

#[test]
fn the_go_dialect_has_its_own_scalars() {
    let text = "{y: N, a: 0XB, b: 1e3, c: 2020-13-01, d: 'y', e: 1:30}";
    let source = Sources::new().add("a.yml", text.as_bytes());
    let options = LoadOptions { dialect: crate::yaml::Dialect::GoYamlV2, ..LoadOptions::default() };
    let node = load(text.as_bytes(), source, &options).expect("a document");
    let expected = "{True: False, 'a': 11, 'b': 1000.0, 'c': '2020-13-01', 'd': 'y', 'e': '1:30'}";
    assert_eq!(repr(&node.value), expected);
}
