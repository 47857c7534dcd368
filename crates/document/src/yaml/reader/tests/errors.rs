use super::refusal;

/// Texts and their errors: context, problem and the places of both, counted from 1.
const ERRORS: &[(&str, &str)] = &[
    ("a: b: c", "mapping values are not allowed in this context @1:5"),
    ("- a: - b", "block sequence entries are not allowed in this context @1:6"),
    ("a: - b", "block sequence entries are not allowed in this context @1:4"),
    ("? a: b: c", "mapping values are not allowed in this context @1:7"),
    ("a: 'b", "while scanning a quoted scalar @1:4 / found unexpected end of stream @1:6"),
    ("a: \"b\n--- c\"", "while scanning a quoted scalar @1:4 / found unexpected document indicator @2:1"),
    ("'a\n... ", "while scanning a quoted scalar @1:1 / found unexpected document indicator @2:1"),
    ("\"a\n---\n\"", "while scanning a quoted scalar @1:1 / found unexpected document indicator @2:1"),
    ("a:\n\tb: c", "while scanning for the next token / found character that cannot start any token @2:1"),
    ("a: @b", "while scanning for the next token / found character that cannot start any token @1:4"),
    ("a: `b", "while scanning for the next token / found character that cannot start any token @1:4"),
    ("% a", "while scanning a directive @1:1 / could not find expected directive name @1:2"),
    ("a: %b", "while scanning for the next token / found character that cannot start any token @1:4"),
    ("[a, |\n b]", "while scanning for the next token / found character that cannot start any token @1:5"),
    ("a: b\nc", "while scanning a simple key @2:1 / could not find expected ':' @3:1"),
    ("a: b\n\"c\"\nd: e", "while scanning a simple key @2:1 / could not find expected ':' @3:1"),
    ("[a: b\n", "while parsing a flow sequence @1:1 / did not find expected ',' or ']' @2:1"),
    ("a: [b,\n... \n]", "while parsing a flow node / did not find expected node content @2:1"),
    ("a: {b: c,\n--- d}", "while parsing a flow node / did not find expected node content @2:1"),
    ("a: ['b' 'c']", "while parsing a flow sequence @1:4 / did not find expected ',' or ']' @1:9"),
    ("a: {b: 'c' d}", "while parsing a flow mapping @1:4 / did not find expected ',' or '}' @1:12"),
    ("a: {b: [c}", "while parsing a flow sequence @1:8 / did not find expected ',' or ']' @1:10"),
    ("{a: b", "while parsing a flow mapping @1:1 / did not find expected ',' or '}' @2:1"),
    ("[a b: c", "while parsing a flow sequence @1:1 / did not find expected ',' or ']' @2:1"),
    ("a: [b]]\nc: d", "while parsing a block mapping @1:1 / did not find expected key @1:7"),
    ("{a: b]", "while parsing a flow mapping @1:1 / did not find expected ',' or '}' @1:6"),
    ("[a}", "while parsing a flow sequence @1:1 / did not find expected ',' or ']' @1:3"),
    ("[a:,b]", "while scanning a plain scalar @1:2 / found unexpected ':' @1:3"),
    ("{a:}", "while scanning a plain scalar @1:2 / found unexpected ':' @1:3"),
    ("[a:?]", "while scanning a plain scalar @1:2 / found unexpected ':' @1:3"),
    ("a: |x", "while scanning a block scalar @1:4 / did not find expected comment or line break @1:5"),
    ("a: |0", "while scanning a block scalar @1:4 / found an indentation indicator equal to 0 @1:5"),
    ("a: |+0", "while scanning a block scalar @1:4 / found an indentation indicator equal to 0 @1:6"),
    ("a: >1 b", "while scanning a block scalar @1:4 / did not find expected comment or line break @1:7"),
    (
        "a: |\n\t  b",
        "while scanning a block scalar @1:4 / found a tab character where an indentation space is expected @2:1",
    ),
    (
        "a: |\n\n \tb",
        "while scanning a block scalar @1:4 / found a tab character where an indentation space is expected @3:2",
    ),
    (
        "a:\n  b\n\tc",
        "while scanning a plain scalar @2:3 / found a tab character that violates indentation @3:1",
    ),
    ("- &\n", "while scanning an anchor @1:3 / did not find expected alphabetic or numeric character @1:4"),
    ("- &a! b", "while scanning an anchor @1:3 / did not find expected alphabetic or numeric character @1:5"),
    ("- *\n", "while scanning an alias @1:3 / did not find expected alphabetic or numeric character @1:4"),
    ("*a&: b", "while scanning an alias @1:1 / did not find expected alphabetic or numeric character @1:3"),
    ("- &a *b", "while parsing a block collection @1:1 / did not find expected '-' indicator @1:6"),
    ("!<a", "while scanning a tag @1:1 / did not find the expected '>' @1:4"),
    ("!<> b", "while parsing a tag @1:1 / did not find expected tag URI @1:3"),
    ("!a!b c", "while parsing a node / found undefined tag handle @1:1"),
    ("!a%4 b", "while parsing a tag @1:1 / did not find URI escaped octet @1:3"),
    ("!%ff b", "while parsing a tag @1:1 / found an incorrect leading UTF-8 octet @1:2"),
    ("!%c3x b", "while parsing a tag @1:1 / did not find URI escaped octet @1:5"),
    ("!%c3%41 b", "while parsing a tag @1:1 / found an incorrect trailing UTF-8 octet @1:5"),
    ("!a{b: c}", "while scanning a tag @1:1 / did not find expected whitespace or line break @1:3"),
    ("!!", "while parsing a tag @1:1 / did not find expected tag URI @1:3"),
    ("%YAML 1.3\n---\na", "found incompatible YAML document @1:1"),
    (
        "%YAML 1\n---",
        "while scanning a %YAML directive @1:1 / did not find expected digit or '.' character @1:8",
    ),
    ("%YAML 1.\n---", "while scanning a %YAML directive @1:1 / did not find expected version number @1:9"),
    ("%YAML .1\n---", "while scanning a %YAML directive @1:1 / did not find expected version number @1:7"),
    (
        "%YAML 1.1234567890\n---",
        "while scanning a %YAML directive @1:1 / found extremely long version number @1:18",
    ),
    ("%YAML 1.1\n%YAML 1.1\n---", "found duplicate %YAML directive @2:1"),
    ("%TAG ! a\n%TAG ! b\n---", "found duplicate %TAG directive @2:1"),
    ("%TAG a b\n---", "while scanning a tag directive @1:1 / did not find expected '!' @1:6"),
    ("%TAG !a b\n---", "while parsing a tag directive @1:1 / did not find expected '!' @1:8"),
    ("%TAG !a! \n---", "while parsing a %TAG directive @1:1 / did not find expected tag URI @1:10"),
    ("%TAG !a!b\n---", "while scanning a %TAG directive @1:1 / did not find expected whitespace @1:9"),
    (
        "%TAG !a! b{\n---",
        "while scanning a %TAG directive @1:1 / did not find expected whitespace or line break @1:11",
    ),
    ("%FOO a\n---", "while scanning a directive @1:1 / found unknown directive name @1:5"),
    ("% YAML 1.1\n---", "while scanning a directive @1:1 / could not find expected directive name @1:2"),
    ("%YAML-a! b", "while scanning a directive @1:1 / found unexpected non-alphabetical character @1:8"),
    (
        "%YAML 1.1 a\n---",
        "while scanning a directive @1:1 / did not find expected comment or line break @1:11",
    ),
    ("%YAML 1.1\na", "did not find expected <document start> @2:1"),
    ("a\n... b", "did not find expected <document start> @2:5"),
    ("\"\\q\"", "while parsing a quoted scalar @1:1 / found unknown escape character @1:2"),
    ("\"\\xg1\"", "while parsing a quoted scalar @1:1 / did not find expected hexdecimal number @1:4"),
    ("\"\\u12\"", "while parsing a quoted scalar @1:1 / did not find expected hexdecimal number @1:4"),
    ("\"\\ud800\"", "while parsing a quoted scalar @1:1 / found invalid Unicode character escape code @1:4"),
    (
        "\"\\U00110000\"",
        "while parsing a quoted scalar @1:1 / found invalid Unicode character escape code @1:4",
    ),
    ("\"\\'\"", "while parsing a quoted scalar @1:1 / found unknown escape character @1:2"),
    ("- a\nb: c", "while parsing a block collection @1:1 / did not find expected '-' indicator @2:1"),
    ("a:\n- b\nc", "while scanning a simple key @3:1 / could not find expected ':' @4:1"),
    ("a:\n  - b\n  c: d", "while parsing a block collection @2:3 / did not find expected '-' indicator @3:3"),
    ("a: b\n c: d", "mapping values are not allowed in this context @2:3"),
    ("a: &x\n- b\n  - c: d\n - e", "mapping values are not allowed in this context @3:6"),
    ("---\n- a\n--- b: c", "mapping values are not allowed in this context @3:6"),
    ("[\n- a]", "while parsing a flow node / did not find expected node content @2:1"),
    ("{? a, - b}", "while parsing a flow node / did not find expected node content @1:7"),
    ("a: 'b' c", "while parsing a block mapping @1:1 / did not find expected key @1:8"),
    ("a: \"b\" \"c\"", "while parsing a block mapping @1:1 / did not find expected key @1:8"),
    ("a: [b] c", "while parsing a block mapping @1:1 / did not find expected key @1:8"),
    ("[a]: b: c", "mapping values are not allowed in this context @1:7"),
    ("- [a\n- b", "while parsing a flow sequence @1:3 / did not find expected ',' or ']' @3:1"),
    ("a: {b\nc: d}\ne", "while parsing a flow mapping @1:4 / did not find expected ',' or '}' @2:2"),
    ("a: !b,c d", "while scanning a tag @1:4 / did not find expected whitespace or line break @1:6"),
    ("a\u{7}", "unacceptable character #x0007: control characters are not allowed @1"),
    ("a: \u{7F}", "unacceptable character #x007f: control characters are not allowed @3"),
    ("a\u{80}", "unacceptable character #x0080: control characters are not allowed @1"),
    ("\u{1}", "unacceptable character #x0001: control characters are not allowed @0"),
    ("a: b\n\n\n  \u{1B}", "unacceptable character #x001b: control characters are not allowed @9"),
    ("[a, b\n c: d", "while parsing a flow sequence @1:1 / did not find expected ',' or ']' @2:3"),
    ("!x!y", "while parsing a node / found undefined tag handle @1:1"),
];

#[test]
fn errors_have_libyamls_texts_and_places() {
    for (text, expected) in ERRORS {
        let found = refusal(text).replace("\n  in \"f\", line ", " @").replace(", column ", ":");
        let found = found.replace("\n  in \"f\", position ", " @").replace('\n', " / ");
        assert_eq!(found, *expected, "{text:?}");
    }
}

#[test]
fn a_simple_key_has_at_most_1024_characters() {
    let key = |length: usize| format!("{}: v", "\u{e4}".repeat(length));
    assert!(super::read(&key(1024)).is_ok());
    assert_eq!(
        refusal(&key(1025)),
        "mapping values are not allowed in this context\n  in \"f\", line 1, column 1026"
    );
    assert!(super::read(&format!("? {}\n: v", "k".repeat(5000))).is_ok());
    // In a mapping nothing else can stand there.
    assert_eq!(
        refusal(&format!("a: b\n{}", key(1025))),
        "while scanning a simple key\n  in \"f\", line 2, column 1\ncould not find expected ':'\n  in \"f\", line 2, column 1026"
    );
}

#[test]
fn depth_is_bounded() {
    let too_deep = super::super::MAX_DEPTH + 1;
    for text in ["[".repeat(too_deep), "{a: ".repeat(too_deep), "- ".repeat(too_deep), "? ".repeat(too_deep)]
    {
        let error = refusal(&text);
        assert!(error.contains("collections nest deeper than 10000 levels"), "{error}");
    }
    let deep = super::super::MAX_DEPTH;
    assert!(super::read(&format!("{}{}", "[".repeat(deep), "]".repeat(deep))).is_ok());
}
