mod errors;
mod events;

use super::{Reader, decode};
use crate::yaml::{Error, Event, EventKind};

/// Reads to the end or to an error.
fn read(text: &str) -> Result<Vec<Event<'_>>, Error> {
    let mut reader = Reader::new(text);
    let mut events = Vec::new();
    loop {
        let event = reader.next_event()?;
        let is_end = event.kind == EventKind::StreamEnd;
        events.push(event);
        if is_end {
            return Ok(events);
        }
    }
}

/// The text of the error that reading ends with.
fn refusal(text: &str) -> String {
    read(text).expect_err(text).text("f")
}

#[test]
fn bytes_are_decoded() {
    let ill_formed =
        |bytes: &[u8]| decode(bytes).map_err(|error| error.text("f")).expect_err("it is refused");
    assert_eq!(decode(b"a: \xC3\xA4").as_deref(), Ok("a: \u{e4}"));
    assert_eq!(decode(b"\xFF\xFEa\0:\0").as_deref(), Ok("\u{FEFF}a:"));
    assert_eq!(decode(b"\xFE\xFF\0a\0:").as_deref(), Ok("\u{FEFF}a:"));
    assert_eq!(decode(b"\xFF\xFE\x3D\xD8\x00\xDE").as_deref(), Ok("\u{FEFF}\u{1F600}"));
    for (bytes, expected) in [
        (b"ab\xFF".as_slice(), "#x00ff: invalid leading UTF-8 octet\n  in \"f\", position 2"),
        (b"a\xC3(b", "#x0028: invalid trailing UTF-8 octet\n  in \"f\", position 2"),
        (b"a\xE2\x98", "#x-001: incomplete UTF-8 octet sequence\n  in \"f\", position 1"),
        (b"\xC0\x80", "#x-001: invalid length of a UTF-8 sequence\n  in \"f\", position 0"),
        (b"a\xED\xA0\x80", "#xd800: invalid Unicode character\n  in \"f\", position 1"),
        (b"\x07\xFF", "#x0007: control characters are not allowed\n  in \"f\", position 0"),
        (b"\xFF\xFEa\0b", "#x-001: incomplete UTF-16 character\n  in \"f\", position 4"),
        (b"\xFF\xFE\x00\xD8", "#x-001: incomplete UTF-16 surrogate pair\n  in \"f\", position 2"),
        (b"\xFF\xFE\x00\xDCa\0", "#xdc00: unexpected low surrogate area\n  in \"f\", position 2"),
        (b"\xFE\xFF\xD8\x00\0a", "#x0061: expected low surrogate area\n  in \"f\", position 4"),
        (b"\xFF\xFEa\0\x07\0", "#x0007: control characters are not allowed\n  in \"f\", position 4"),
    ] {
        assert_eq!(ill_formed(bytes), format!("unacceptable character {expected}"), "{bytes:?}");
    }
}

#[test]
fn a_syntax_error_comes_before_bytes_that_are_decoded_later() {
    let mut bytes = b"a: b: c\n".to_vec();
    bytes.resize(20_000, b'#');
    bytes.push(0xFF);
    let error = decode(&bytes).expect_err("it is refused");
    assert_eq!(error.problem, "mapping values are not allowed in this context");
    bytes[3] = b'\n';
    bytes[4] = b'#';
    let error = decode(&bytes).expect_err("it is refused");
    assert_eq!(error.problem, "invalid leading UTF-8 octet");
}

/// libyaml asks for four characters where a token or a word in quotes begins, for fewer further on.
#[test]
fn an_error_comes_before_an_incomplete_character_that_is_not_looked_at() {
    for (bytes, is_first) in [
        (b"--- |10\n\xE2".as_slice(), true),
        (b"--- |10\xE2", false),
        (b"a #\n...\n\xC2", false),
        (b"#\n...\n\xC2", true),
        (b"'a' 'b'\n\xC2", false),
        (b"\"\\q\xC2", false),
        (b"\"abc\\q\xC2", true),
        (b"\"abc \\q\xC2", false),
        (b"!aaaa%fz\xC2", true),
        (b"!aaaa%f\xC2", false),
    ] {
        let error = decode(bytes).expect_err("it is refused");
        assert_eq!(error.character.is_none(), is_first, "{} {error}", bytes.escape_ascii());
    }
}

#[test]
fn an_error_stays() {
    let mut reader = Reader::new("'");
    let first = loop {
        if let Err(error) = reader.next_event() {
            break error;
        }
    };
    assert_eq!(reader.next_event(), Err(first));
}

#[test]
fn the_end_stays() {
    let mut reader = Reader::new("a");
    let mut kinds = std::iter::from_fn(|| reader.next_event().ok()).map(|event| event.kind);
    assert_eq!(kinds.position(|kind| kind == EventKind::StreamEnd), Some(4));
    assert_eq!(reader.next_event().map(|event| event.kind), Ok(EventKind::StreamEnd));
}

#[test]
fn comments_are_told_with_their_places() {
    let text = "# one\n%YAML 1.1 # two\n--- # three\na: b # f\u{fc}nf\nc: | # six\n  # text\n# seven\nd: [e, # eight\n  'f # g']#no\n";
    let text = text.replace("#no", "");
    let mut reader = Reader::new(&text).with_comments();
    let mut comments = Vec::new();
    while reader.next_event().expect("it is YAML").kind != EventKind::StreamEnd {
        comments.extend(reader.take_comments());
    }
    let found: Vec<_> = comments
        .iter()
        .map(|comment| {
            let content = &text[comment.start.offset..comment.end.offset];
            format!("{}:{}-{} {content}", comment.start.line, comment.start.column, comment.end.column)
        })
        .collect();
    assert_eq!(
        found,
        [
            "0:0-5 # one",
            "1:10-15 # two",
            "2:4-11 # three",
            "3:5-11 # f\u{fc}nf",
            "4:5-10 # six",
            "6:0-7 # seven",
            "7:7-14 # eight",
        ]
    );
}
