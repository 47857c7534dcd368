//! What `toYaml` and `toYamlPretty` write, one rule a row.

use kapstan_document::yaml::go::{self, MAX_WRITE_DEPTH};
use kapstan_document::{Map, Node, json};

fn node(text: &str) -> Node {
    let source = kapstan_diagnostic::Sources::new().add("value", text.as_bytes());
    json::load(text.as_bytes(), source).expect(text)
}

fn written(text: &str) -> String {
    go::write(&node(text), MAX_WRITE_DEPTH).expect(text)
}

fn pretty(text: &str) -> String {
    go::write_pretty(&node(text), MAX_WRITE_DEPTH).expect(text)
}

#[test]
fn structure() {
    for (value, expected) in [
        (r#"{"b": [1, {"x": 1, "y": []}], "a": {}}"#, "a: {}\nb:\n- 1\n- x: 1\n  \"y\": []\n"),
        (r#"[[1, [2]], {"a": [3]}, []]"#, "- - 1\n  - - 2\n- a:\n  - 3\n- []\n"),
        (r#"{"a": {"b": {"c": null}}}"#, "a:\n  b:\n    c: null\n"),
        ("[]", "[]\n"),
        ("{}", "{}\n"),
        ("null", "null\n"),
        (r#""a\nb""#, "|-\n  a\n  b\n"),
    ] {
        assert_eq!(written(value), expected);
    }
    assert_eq!(pretty(r#"{"b": [1, {"x": [2]}], "a": {}}"#), "a: {}\nb:\n  - 1\n  - x:\n      - 2\n");
}

#[test]
fn strings() {
    for (value, expected) in [
        (r#""plain""#, "plain"),
        (r#""""#, "\"\""),
        (r#""yes""#, "\"yes\""),
        (r#""1:30""#, "\"1:30\""),
        (r#""2001-01-02""#, "\"2001-01-02\""),
        (r#""2001-13-02""#, "2001-13-02"),
        (r#""- a""#, "'- a'"),
        (r#""-""#, "'-'"),
        (r##""#a'b""##, "'#a''b'"),
        (r#""a: b""#, "'a: b'"),
        (r#""a:b#c""#, "a:b#c"),
        (r#""<<""#, "<<"),
        (r#"" a""#, "' a'"),
        (r#""a\tb""#, "\"a\\tb\""),
        (r#""é中""#, "é中"),
        (r#""🎉""#, "\"\\U0001F389\""),
        (r#""a\u2028b""#, "'a\u{2028}  b'"),
        (r#""a\u0085b""#, "a b"),
        (r#""a \u0085 \u0085 b""#, "|-\n  a\n  b"),
        (r#""a \nb""#, "\"a \\nb\""),
        (r#"" a\nb\n""#, "|2\n   a\n  b"),
        (r#""a\n\n""#, "|+\n  a\n"),
        (r#""\n""#, "|2+\n"),
    ] {
        assert_eq!(written(value), format!("{expected}\n"), "{value}");
    }
    assert_eq!(pretty(r#""a\tb\nc""#), "|-\n  a\tb\n  c\n");
    assert_eq!(pretty(r#""a\u0085b""#), "\"a\\Nb\"\n");
}

#[test]
fn long_lines_are_folded_at_single_blanks() {
    let words = "word ".repeat(20);
    let text = words.trim_end();
    let value = Node::from(Map::from_iter([("key", Node::from(text))]));
    let expected = format!("key: {}\n  {}\n", "word ".repeat(16).trim_end(), "word ".repeat(4).trim_end());
    assert_eq!(go::write(&value, 10).as_deref(), Ok(expected.as_str()));
    assert_eq!(go::write_pretty(&value, 10), Ok(format!("key: {text}\n")));
    let doubled = text.replace(' ', "  ");
    assert_eq!(go::write(&Node::from(doubled.as_str()), 10), Ok(format!("{doubled}\n")));
    let quoted = format!("{}\t  b c", "a".repeat(90));
    assert_eq!(
        go::write(&Node::from(quoted.as_str()), 10),
        Ok(format!("\"{}\\t\n  \\ b c\"\n", "a".repeat(90)))
    );
}

#[test]
fn numbers() {
    for (value, plain, fancy) in [
        ("1", "1", "1"),
        ("1000000.0", "1000000", "1e+06"),
        ("1234567.5", "1.2345675e+06", "1.2345675e+06"),
        ("1e19", "10000000000000000000", "1e+19"),
        ("-1e19", "-1e+19", "-1e+19"),
        ("1e20", "1e+20", "1e+20"),
        ("18446744073709551615", "18446744073709551615", "18446744073709551615"),
        ("0.0000001", "1e-07", "1e-07"),
        ("-0.0", "0", "-0"),
        ("9223372036854775808.0", "9223372036854776000", "9.223372036854776e+18"),
    ] {
        assert_eq!(written(value), format!("{plain}\n"));
        assert_eq!(pretty(value), format!("{fancy}\n"));
    }
    assert_eq!(
        go::write(&Node::from(f64::NAN), 1).map_err(|error| error.to_string()),
        Err("error marshaling into JSON: json: unsupported value: NaN".to_owned())
    );
    assert_eq!(go::write_pretty(&Node::from(f64::NEG_INFINITY), 1).as_deref(), Ok("-.inf\n"));
}

#[test]
fn keys() {
    let long = "k".repeat(129);
    let key = |key: &str| go::write(&Node::from(Map::from_iter([(key, Node::from(vec![Node::from(1)]))])), 9);
    assert_eq!(key(&long[1..]), Ok(format!("{}:\n- 1\n", &long[1..])));
    assert_eq!(key(&long), Ok(format!("? {long}\n: - 1\n")));
    assert_eq!(key("a\nb").as_deref(), Ok("? |-\n  a\n  b\n: - 1\n"));
    assert_eq!(key("y").as_deref(), Ok("\"y\":\n- 1\n"));
    assert!(key(&"k".repeat(1022)).is_ok());
    let refused = |text: &str| Err(go::WriteError::Unreadable(text.to_owned().into()));
    assert_eq!(key(&"k".repeat(1023)), refused("did not find expected ',' or '}'"));
    assert_eq!(key("a\u{85}b"), refused("line 1: did not find expected ',' or '}'"));
    assert_eq!(key("a\u{7f}b"), refused("control characters are not allowed"));
}

#[test]
fn depth_is_bounded() {
    let deep = |levels| (0..levels).fold(Node::NULL, |inner, _| Node::from(vec![inner]));
    assert!(go::write(&deep(MAX_WRITE_DEPTH), MAX_WRITE_DEPTH).is_ok());
    assert_eq!(go::write(&deep(MAX_WRITE_DEPTH + 1), MAX_WRITE_DEPTH), Err(go::WriteError::TooDeep));
    assert_eq!(go::write_pretty(&deep(3), 2), Err(go::WriteError::TooDeep));
}
