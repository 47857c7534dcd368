//! What Python's toml 0.10.2 writes, with its habits.

use kapstan_document::{Int, Key, Map, Node, Scalar, Span, toml};

fn map<const N: usize>(entries: [(&str, Node); N]) -> Node {
    entries.into_iter().collect::<Map>().into()
}

fn seq<const N: usize>(items: [Node; N]) -> Node {
    Vec::from(items).into()
}

#[test]
fn values_come_before_arrays_of_tables_and_these_before_tables() {
    let node = map([
        ("a.b", map([("x", 1i64.into())])),
        ("e", map([])),
        ("l", seq([1i64.into(), 2i64.into()])),
        (
            "lst",
            seq([map([("a", 1i64.into()), ("b", map([("c", 2i64.into())]))]), map([("a", 2i64.into())])]),
        ),
        ("n", Node::NULL),
        ("z", 1i64.into()),
    ]);
    assert_eq!(
        toml::write(&node).unwrap(),
        "l = [ 1, 2,]\nz = 1\n[[lst]]\na = 1\n\n[lst.b]\nc = 2\n[[lst]]\na = 2\n\n[\"a.b\"]\nx = 1\n\n[e]\n"
    );
}

#[test]
fn empty_lines_follow_the_original() {
    let one = || Node::from(1i64);
    let cases = [
        (map([("a", seq([map([])]))]), "[[a]]\n\n"),
        (map([("a", map([("b", map([]))]))]), "[a.b]\n"),
        (map([("a", seq([map([("b", seq([map([("c", one())])]))])]))]), "[[a]]\n\n[[a.b]]\nc = 1\n\n"),
        (map([("a", map([("b", map([("c", one())])), ("d", 2i64.into())]))]), "[a]\nd = 2\n\n[a.b]\nc = 1\n"),
        (map([("a", seq([map([]), "".into(), seq([])]))]), "[[a]]\n\n[[a]]\n\n[[a]]\n\n"),
        (map([]), ""),
        ("".into(), ""),
    ];
    for (node, expected) in cases {
        assert_eq!(toml::write(&node).unwrap(), expected);
    }
}

#[test]
fn scalars() {
    let cases: [(Node, &str); 11] = [
        (1e-7.into(), "1e-7"),
        (1e20.into(), "1e+20"),
        (f64::NAN.into(), "nan"),
        (true.into(), "true"),
        ("é\"'\\\n".into(), r#""é\"'\\\n""#),
        ("it's".into(), r#""it's""#),
        ("\u{2028}".into(), r#""\u2028""#),
        ("a\x01".into(), r#""ax01""#),
        ("a\\\\\x01".into(), r#""a\\u0001""#),
        (seq([]), "[]"),
        (seq([Node::NULL, seq([map([("k", Node::NULL)])])]), r#"[ "None", [ [ "k",],],]"#),
    ];
    for (value, expected) in cases {
        assert_eq!(toml::write(&map([("k", value)])).unwrap(), format!("k = {expected}\n"));
    }
}

#[test]
fn what_python_raises_is_an_error() {
    let mut numbered = Map::new();
    numbered.insert(Key::at(Scalar::Int(Int::Small(1)), Span::NONE), 1i64);
    let cases: [(Node, &str); 6] = [
        (seq([1i64.into()]), "TypeError: list indices must be integers or slices, not str"),
        ("text".into(), "TypeError: string indices must be integers, not 'str'"),
        (1i64.into(), "TypeError: 'int' object is not iterable"),
        (map([("a", seq([map([]), 1i64.into()]))]), "TypeError: 'int' object is not iterable"),
        (map([("a", "\x01".into())]), "IndexError: list index out of range"),
        (numbered.into(), "KeyError: '1'"),
    ];
    for (node, expected) in cases {
        assert_eq!(toml::write(&node).unwrap_err().peer_text(), expected);
    }
}

#[test]
fn depth_is_limited() {
    let nested = (0..100_000).fold(seq([]), |inner, _| seq([inner]));
    let error = toml::write(&map([("a", nested.clone())])).unwrap_err();
    assert!(error.peer_text().starts_with("RecursionError"));
    // Dropping what is nested so deeply recurses.
    std::mem::forget(nested);
}
