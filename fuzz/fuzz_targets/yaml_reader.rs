//! Whatever the bytes: the YAML reader does not panic, its events are well nested, its marks go forward, and its
//! comments are comments.
//!
//!     cargo +nightly fuzz run yaml_reader -- -max_total_time=120
#![no_main]

use kapstan_document::yaml::{Comment, Event, EventKind, Mark, Reader, decode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = decode(bytes) {
        read(&text);
    }
});

fn read(text: &str) {
    let mut reader = Reader::new(text).with_comments();
    let mut nesting = Nesting::default();
    let mut comments = Vec::new();
    let mut last = Mark::default();
    loop {
        let outcome = reader.next_event();
        comments.extend(reader.take_comments());
        match outcome {
            Ok(event) => {
                check_marks(text, last, &event);
                last = event.start;
                nesting.add(&event.kind);
                if event.kind == EventKind::StreamEnd {
                    assert!(nesting.open.is_empty(), "something is still open at the end");
                    break;
                }
            }
            Err(error) => {
                assert!(text.is_char_boundary(error.mark.offset), "an error within a character");
                assert_eq!(reader.next_event(), Err(error), "the error stays");
                break;
            }
        }
    }
    check_comments(text, &comments);
}

fn check_marks(text: &str, last: Mark, event: &Event<'_>) {
    let (start, end) = (event.start, event.end);
    assert!(text.is_char_boundary(start.offset) && text.is_char_boundary(end.offset));
    assert!(start.offset <= end.offset, "an event ends before it begins: {event:?}");
    assert!(last.offset <= start.offset, "events go backwards: {event:?}");
    assert!((last.line, last.column) <= (start.line, start.column), "places go backwards: {event:?}");
}

fn check_comments(text: &str, comments: &[Comment]) {
    let mut last = 0;
    for comment in comments {
        assert!(last <= comment.start.offset, "comments go backwards");
        last = comment.end.offset;
        let content = &text[comment.start.offset..comment.end.offset];
        assert!(content.starts_with('#') && !content.contains(['\n', '\r']), "no comment: {content:?}");
    }
}

/// What is open, by the kind of its end.
#[derive(Default)]
struct Nesting {
    open: Vec<&'static str>,
}

impl Nesting {
    fn add(&mut self, kind: &EventKind<'_>) {
        match kind {
            EventKind::StreamStart => self.open.push("stream"),
            EventKind::DocumentStart { .. } => self.open.push("document"),
            EventKind::SequenceStart(_) => self.open.push("sequence"),
            EventKind::MappingStart(_) => self.open.push("mapping"),
            EventKind::StreamEnd => self.close("stream"),
            EventKind::DocumentEnd { .. } => self.close("document"),
            EventKind::SequenceEnd => self.close("sequence"),
            EventKind::MappingEnd => self.close("mapping"),
            EventKind::Alias { .. } | EventKind::Scalar(_) => {}
        }
    }

    fn close(&mut self, kind: &'static str) {
        assert_eq!(self.open.pop(), Some(kind), "not well nested");
    }
}
