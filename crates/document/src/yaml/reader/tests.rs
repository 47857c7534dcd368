use super::{Reader, decode};
use crate::yaml::{Error, EventKind};

/// Reads to the end or to an error.
fn read(text: &str) -> Result<Vec<EventKind<'_>>, Error> {
    let mut reader = Reader::new(text);
    let mut kinds = Vec::new();
    loop {
        let event = reader.next_event()?;
        kinds.push(event.kind.clone());
        if event.kind == EventKind::StreamEnd {
            return Ok(kinds);
        }
    }
}

/// The text of the error that reading ends with.
fn refusal(text: &str) -> String {
    read(text).expect_err(text).text("f")
}

/// The values of the scalars.
fn scalars(text: &str) -> Vec<String> {
    let kinds = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    kinds
        .into_iter()
        .filter_map(|kind| match kind {
            EventKind::Scalar(scalar) => Some(scalar.value.into_owned()),
            _ => None,
        })
        .collect()
}

#[test]
fn scalars_have_their_content() {
    for (text, expected) in [
        ("plain", vec!["plain"]),
        ("a: b c # d", vec!["a", "b c"]),
        ("a: b\n   c\n\n   d", vec!["a", "b c\nd"]),
        ("a: b#c", vec!["a", "b#c"]),
        ("[a, b c]", vec!["a", "b c"]),
        ("'it''s'", vec!["it's"]),
        ("'a  \n\n  b'", vec!["a\nb"]),
        (r#""a\tb\x41\u263a""#, vec!["a\tbA\u{263a}"]),
        ("\"a \\\n  b\"", vec!["a b"]),
        ("|\n a\n  b\n\n", vec!["a\n b\n"]),
        ("|+\n a\n\n", vec!["a\n\n"]),
        ("|-\n a\n\n", vec!["a"]),
        (">\n a\n b\n\n c\n  d\n e\n", vec!["a b\nc\n d\ne\n"]),
        ("a: |2\n    b\n", vec!["a", "  b\n"]),
        ("|\r\n a\r\n b\r", vec!["a\nb\n"]),
        ("? a\n: b", vec!["a", "b"]),
        ("a:", vec!["a", ""]),
        ("\u{FEFF}a: b", vec!["a", "b"]),
    ] {
        assert_eq!(scalars(text), expected, "{text:?}");
    }
}

#[test]
fn errors_have_libyamls_text() {
    for (text, expected) in [
        ("a: b: c", "mapping values are not allowed in this context\n  in \"f\", line 1, column 5"),
        (
            "a: 'b",
            "while scanning a quoted scalar\n  in \"f\", line 1, column 4\nfound unexpected end of stream\n  in \"f\", line 1, column 6",
        ),
        (
            "a:\n\tb: c",
            "while scanning for the next token\nfound character that cannot start any token\n  in \"f\", line 2, column 1",
        ),
        (
            "a: b\nc",
            "while scanning a simple key\n  in \"f\", line 2, column 1\ncould not find expected ':'\n  in \"f\", line 3, column 1",
        ),
        (
            "a\u{7}",
            "unacceptable character #x0007: control characters are not allowed\n  in \"f\", position 1",
        ),
    ] {
        assert_eq!(refusal(text), expected, "{text:?}");
    }
}

#[test]
fn bytes_are_decoded() {
    assert_eq!(decode(b"a: \xC3\xA4").as_deref(), Ok("a: \u{e4}"));
    assert_eq!(decode(b"\xFF\xFEa\0:\0").as_deref(), Ok("\u{FEFF}a:"));
    assert_eq!(decode(b"\xFE\xFF\0a\0:").as_deref(), Ok("\u{FEFF}a:"));
    assert_eq!(
        decode(b"ab\xFF").map_err(|error| error.text("f")),
        Err("unacceptable character #x00ff: invalid leading UTF-8 octet\n  in \"f\", position 2".to_owned())
    );
}
