//! What PyYAML's emitter does with strings, keys, markers and containers, in the ways in which Kapitan uses it.

use kapstan_document::yaml::{Aliases, MultilineStyle, WriteOptions, write, write_documents};
use kapstan_document::{Date, DateTime, Int, Key, Map, Node, Scalar, Span, Value};
use std::sync::Arc;

fn map<const N: usize>(entries: [(&str, Node); N]) -> Node {
    entries.into_iter().collect::<Map>().into()
}

fn seq<const N: usize>(items: [Node; N]) -> Node {
    Vec::from(items).into()
}

fn compiled(node: &Node) -> String {
    write(node, &WriteOptions::compiled(MultilineStyle::Literal, 2)).expect("it can be written")
}

fn plain(node: &Node) -> String {
    write(node, &WriteOptions::plain()).expect("it can be written")
}

/// The text of a string as the value of `k`, with the line feed in front of the next key taken away.
fn value_text(text: &str, options: &WriteOptions) -> String {
    let written =
        write_documents(&map([("k", text.into()), ("z", Node::NULL)]), options).expect("it can be written");
    let value = written
        .strip_prefix("k:")
        .and_then(|rest| rest.strip_suffix("\nz: null\n"))
        .expect("the value stands between the keys");
    value.strip_prefix(' ').unwrap_or(value).to_owned()
}

#[test]
fn strings_are_quoted_where_they_would_be_something_else() {
    let same = "y 1e3 08 =x -a -- :a ?a a,b a'b a!b a\\b x\\ny . ._5 1:99 0o8 2020-1-1 http://x:80/ a- - #";
    let options = WriteOptions::plain();
    for text in same.split(' ').filter(|text| !matches!(*text, "-" | "#")) {
        assert_eq!(value_text(text, &options), text);
    }
    assert_eq!(value_text("a - b", &options), "a - b");
    let quoted = [
        "",
        "yes",
        "on",
        "NO",
        "1",
        "1.5",
        "1_000",
        "0x1f",
        "0b1",
        "0b_",
        "0o17",
        "00",
        "1.",
        ".5",
        "+1",
        "1:20",
        "12:30:45",
        "2020-01-01",
        "2020-13-45",
        "2001-1-1 1:00:00",
        "null",
        "~",
        "NULL",
        "=",
        "<<",
        "- a",
        "-",
        "---",
        "--- a",
        "...",
        "...a",
        "a: b",
        "a:",
        "? a",
        "a #b",
        "#a",
        "\"dq\"",
        " lead",
        "trail ",
        "[a]",
        "{a}",
        "*a",
        "&a",
        "!a",
        "|",
        ">a",
        "%a",
        "@a",
        "`a",
        ",a",
        "]",
        "}",
        ".inf",
        "-.INF",
        ".nan",
    ];
    for text in quoted {
        assert_eq!(value_text(text, &options), format!("'{text}'"));
    }
    assert_eq!(value_text("'q'", &options), "'''q'''");
}

#[test]
fn what_is_not_printable_ascii_is_escaped() {
    let cases = [
        ("a\tb", r#""a\tb""#),
        ("é", r#""\xE9""#),
        ("中", r#""\u4E2D""#),
        ("😀", r#""\U0001F600""#),
        ("\u{a0}\u{85}\u{2028}\u{2029}\u{feff}", r#""\_\N\L\P\uFEFF""#),
        ("\0\x07\x08\x0b\x0c\r\x1b\x7f\x01", r#""\0\a\b\v\f\r\e\x7F\x01""#),
        ("\"\\\t", r#""\"\\\t""#),
        ("a\r\nb", r#""a\r\nb""#),
    ];
    for (text, expected) in cases {
        assert_eq!(value_text(text, &WriteOptions::plain()), expected);
    }
}

#[test]
fn strings_of_several_lines_have_the_style_that_was_asked_for() {
    let style = |style| WriteOptions::compiled(style, 2);
    let literal = [
        ("a\nb", "|-\n  a\n  b"),
        ("a\nb\n", "|\n  a\n  b"),
        ("a\nb\n\n", "|+\n  a\n  b\n"),
        ("\na", "|2-\n\n  a"),
        (" a\nb", "|2-\n   a\n  b"),
        ("\n", "|2+\n"),
        ("\n\n", "|2+\n\n"),
        ("a\n b\n", "|\n  a\n   b"),
        ("a \nb", r#""a \nb""#),
        ("a\nb ", r#""a\nb ""#),
        ("a\tb\nc", r#""a\tb\nc""#),
        ("é\nb", r#""\xE9\nb""#),
    ];
    for (text, expected) in literal {
        assert_eq!(value_text(text, &style(MultilineStyle::Literal)), expected);
    }
    let folded = [
        ("a\nb", ">-\n  a\n\n  b"),
        ("a\n\nb\n", ">\n  a\n\n\n  b"),
        ("a\n b\nc\n", ">\n  a\n   b\n  c"),
        ("\n a\n", ">2\n\n   a"),
    ];
    for (text, expected) in folded {
        assert_eq!(value_text(text, &style(MultilineStyle::Folded)), expected);
    }
    assert_eq!(value_text("a\nb", &style(MultilineStyle::DoubleQuotes)), r#""a\nb""#);
    assert_eq!(value_text("a\nb\n", &style(MultilineStyle::Quoted)), "'a\n\n  b\n\n  '");
    assert_eq!(value_text("a\n b", &style(MultilineStyle::Quoted)), r#""a\n b""#);
    let wide = WriteOptions::compiled(MultilineStyle::Literal, 4);
    assert_eq!(value_text("\na", &wide), "|4-\n\n    a");
    assert_eq!(MultilineStyle::from_name("folded"), MultilineStyle::Folded);
    assert_eq!(MultilineStyle::from_name("unknown"), MultilineStyle::Quoted);
}

#[test]
fn long_lines_are_broken_behind_column_80() {
    let options = WriteOptions::plain();
    let word = "x".repeat(79);
    assert_eq!(value_text(&format!("{word} b c"), &options), format!("{word}\n  b c"));
    assert_eq!(value_text(&format!("{word}  b c"), &options), format!("{word}  b\n  c"));
    let short = "x".repeat(77);
    assert_eq!(value_text(&format!("{short} b c"), &options), format!("{short} b\n  c"));
    assert_eq!(value_text(&format!("{word} b:"), &options), format!("'{word}\n  b:'"));
    assert_eq!(value_text(&format!("{word} b\n"), &WriteOptions::compiled(MultilineStyle::Folded, 2)), {
        format!(">\n  {word}\n  b")
    });
    assert_eq!(value_text(&format!("é{word} b"), &options), format!("\"\\xE9{word}\\\n  \\ b\""));
}

#[test]
fn keys_that_are_long_or_not_on_one_line_stand_behind_a_question_mark() {
    let long = "k".repeat(123);
    let entries = [
        ("", 2i64),
        ("- x", 3),
        ("é", 5),
        (&long, 1),
        (&long[1..], 0),
        ("multi\nline", 4),
        ("sep\u{2028}", 6),
        (
            "with blanks and more than eighty characters, which would be broken if it were not for being a key",
            7,
        ),
    ];
    let node: Node = entries.into_iter().collect::<Map>().into();
    let expected = format!(
        "? ''\n: 2\n'- x': 3\n{}: 0\n? {long}\n: 1\n? |-\n  multi\n  line\n: 4\n? \"sep\\L\"\n: 6\n\
         with blanks and more than eighty characters, which would be broken if it were not for being a key: 7\n\
         \"\\xE9\": 5\n",
        &long[1..]
    );
    assert_eq!(compiled(&node), expected);
    let nested = map([("", seq([map([("", map([("b", Node::NULL)]))])]))]);
    assert_eq!(plain(&nested), "? ''\n: - ? ''\n    : b: null\n");
}

#[test]
fn containers_nest_with_the_indentation_of_the_dumper() {
    let node = map([
        (
            "a",
            seq([1i64.into(), seq([2i64.into(), seq([])]), map([("x", seq([3i64.into()])), ("y", map([]))])]),
        ),
        ("b", map([("c", map([("d", 1i64.into())]))])),
    ]);
    assert_eq!(
        compiled(&node),
        "a:\n  - 1\n  - - 2\n    - []\n  - x:\n      - 3\n    y: {}\nb:\n  c:\n    d: 1\n"
    );
    assert_eq!(plain(&node), "a:\n- 1\n- - 2\n  - []\n- x:\n  - 3\n  y: {}\nb:\n  c:\n    d: 1\n");
    assert_eq!(
        write(&node, &WriteOptions::inventory(4)).unwrap(),
        "a:\n    - 1\n    -   - 2\n        - []\n    -   x:\n            - 3\n        y: {}\nb:\n    c:\n        d: 1\n"
    );
}

#[test]
fn scalars_have_the_text_of_yaml_1_1() {
    let date = Date { year: 2001, month: 12, day: 14 };
    let moment =
        DateTime { date, hour: 21, minute: 59, second: 43, microsecond: 100_000, offset_minutes: Some(-300) };
    let cases: [(Value, &str); 13] = [
        (1e-7.into(), "1.0e-07"),
        (1e20.into(), "1.0e+20"),
        (1.5e300.into(), "1.5e+300"),
        ((-0.0).into(), "-0.0"),
        (f64::NAN.into(), ".nan"),
        (f64::INFINITY.into(), ".inf"),
        (f64::NEG_INFINITY.into(), "-.inf"),
        (true.into(), "true"),
        ((-5i64).into(), "-5"),
        (Value::Date(date), "2001-12-14"),
        (Value::DateTime(Arc::new(moment)), "2001-12-14 21:59:43.100000-05:00"),
        (Value::Bytes(Arc::from(&b"hello"[..])), "!!binary |\n  aGVsbG8="),
        (Value::Bytes(Arc::from(&b""[..])), "!!binary \"\""),
    ];
    for (value, expected) in cases {
        assert_eq!(plain(&map([("k", value.into())])), format!("k: {expected}\n"));
    }
}

#[test]
fn sets_have_a_tag_and_null_values() {
    let members: Map = [("b", Node::NULL), ("a", 1i64.into())].into_iter().collect();
    let set = || Node::from(Value::Set(Arc::new(members.clone())));
    assert_eq!(plain(&map([("s", set())])), "s: !!set\n  a: null\n  b: null\n");
    assert_eq!(plain(&seq([set()])), "- !!set\n  a: null\n  b: null\n");
    assert_eq!(plain(&Value::Set(Arc::default()).into()), "!!set {}\n");
}

#[test]
fn keys_are_sorted_if_they_have_an_order() {
    let mut numbers = Map::new();
    let mut mixed = Map::new();
    for value in [10, 9] {
        let key = Key::at(Scalar::Int(Int::Small(value)), Span::NONE);
        numbers.insert(key.clone(), value);
        mixed.insert(key, value);
    }
    mixed.insert("a", 1i64);
    assert_eq!(plain(&numbers.into()), "9: 9\n10: 10\n");
    assert_eq!(plain(&mixed.into()), "10: 10\n9: 9\na: 1\n");
}

#[test]
fn anything_but_a_mapping_is_a_sequence_of_documents() {
    let options = WriteOptions::compiled(MultilineStyle::Literal, 2);
    let documents = |node: Node| write_documents(&node, &options).unwrap();
    assert_eq!(documents("abc".into()), "a\n--- b\n--- c\n...\n");
    assert_eq!(
        documents(seq([
            map([("a", 1i64.into())]),
            1i64.into(),
            Node::NULL,
            map([]),
            "a\nb".into(),
            seq([2i64.into()])
        ])),
        "a: 1\n--- 1\n--- null\n--- {}\n--- |-\n  a\n  b\n---\n- 2\n"
    );
    for falsy in [map([]), seq([]), 0i64.into(), "".into(), Node::NULL, false.into()] {
        assert_eq!(documents(falsy), "");
    }
    let error = write_documents(&7i64.into(), &options).unwrap_err();
    assert_eq!(error.peer_text(), "TypeError: 'int' object is not iterable");
    let empty = WriteOptions { null_as_empty: true, ..options.clone() };
    let nulls = seq([Node::NULL, Node::NULL, map([("n", Node::NULL), ("l", seq([Node::NULL]))])]);
    assert_eq!(write_documents(&nulls, &empty).unwrap(), "---\n---\nl:\n  -\nn:\n");
    let revealed = write_documents(&seq([map([("a", 1i64.into())])]), &WriteOptions::revealed()).unwrap();
    assert_eq!(revealed, "---\na: 1\n");
}

#[test]
fn a_text_that_could_go_on_is_ended_with_dots() {
    assert_eq!(plain(&"ssd".into()), "ssd\n...\n");
    assert_eq!(plain(&Node::NULL), "null\n...\n");
    assert_eq!(plain(&"1".into()), "'1'\n");
    assert_eq!(compiled(&map([("a", "x\n\n".into())])), "a: |+\n  x\n\n...\n");
    assert_eq!(compiled(&map([("a", "x\n\n".into()), ("b", 1i64.into())])), "a: |+\n  x\n\nb: 1\n");
}

#[test]
fn digits_are_quoted_for_helm() {
    let options = WriteOptions::helm_values();
    for (text, expected) in [("08", "'08'"), ("0x", "0x"), ("1234567", "'1234567'"), ("089a", "089a")] {
        assert_eq!(value_text(text, &options), expected);
    }
    assert_eq!(value_text("08", &WriteOptions::plain()), "08");
}

#[test]
fn shared_values_have_anchors_on_request() {
    let shared = map([("x", 1i64.into())]);
    let list = seq([1i64.into()]);
    let node = map([
        ("a", list.clone()),
        ("b", shared.clone()),
        ("c", seq([shared.clone(), list])),
        ("d", seq([shared])),
    ]);
    let with = |aliases| write(&node, &WriteOptions { aliases, ..WriteOptions::plain() }).unwrap();
    assert_eq!(
        with(Aliases::Always),
        "a: &id002\n- 1\nb: &id001\n  x: 1\nc:\n- *id001\n- *id002\nd:\n- *id001\n"
    );
    assert_eq!(
        with(Aliases::ExceptSequences),
        "a:\n- 1\nb: &id001\n  x: 1\nc:\n- *id001\n- - 1\nd:\n- *id001\n"
    );
    assert!(!with(Aliases::Never).contains('&'));
}

#[test]
fn depth_and_length_are_limited() {
    let nested = |depth: usize| (1..depth).fold(seq([1i64.into()]), |inner, _| seq([inner]));
    for aliases in [Aliases::Never, Aliases::Always] {
        let options = WriteOptions { aliases, ..WriteOptions::plain() };
        assert!(write(&nested(1000), &options).is_ok());
        let error = write(&nested(1001), &options).unwrap_err();
        assert!(error.peer_text().starts_with("RecursionError"));
    }
}
