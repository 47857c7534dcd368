//! Scalars inside a line: plain, in single quotes, in double quotes; with the places where PyYAML breaks them.

use super::output::Output;
use crate::yaml::escape::escape;
use memchr::{memchr, memchr3};

/// How a scalar is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Where its further lines begin.
    pub(super) indent: usize,
    /// Whether it may be broken: keys in front of `:` may not.
    pub(super) split: bool,
}

/// Writes a text of one line without quotes.
pub(super) fn write_plain(out: &mut Output, text: &str, layout: Layout) {
    if text.is_empty() {
        return;
    }
    out.blank();
    out.whitespace = false;
    out.indention = false;
    if !layout.split || out.column + text.len() <= out.width {
        out.push(text);
        return;
    }
    let mut rest = text;
    while let Some(end) = memchr(b' ', rest.as_bytes()) {
        out.push(&rest[..end]);
        let blanks = run(&rest[end..], b' ');
        if blanks == 1 && out.column > out.width {
            out.fold(layout.indent);
        } else {
            out.push(&rest[end..end + blanks]);
        }
        rest = &rest[end + blanks..];
    }
    out.push(rest);
}

/// Writes a text of printable ASCII and line feeds in single quotes.
pub(super) fn write_single_quoted(out: &mut Output, text: &str, layout: Layout) {
    out.indicator("'");
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < text.len() {
        // While a line is short nothing but quotes and line feeds needs care.
        let fits = !layout.split || out.column + (text.len() - at) <= out.width;
        let next = if fits {
            memchr::memchr2(b'\'', b'\n', &bytes[at..])
        } else {
            memchr3(b'\'', b'\n', b' ', &bytes[at..])
        };
        let end = next.map_or(text.len(), |next| at + next);
        out.push(&text[at..end]);
        at = end;
        match bytes.get(at) {
            Some(b'\'') => {
                out.push("''");
                at += 1;
            }
            Some(b'\n') => {
                let feeds = run(&text[at..], b'\n');
                (0..=feeds).for_each(|_| out.line_break());
                out.go_to(layout.indent);
                at += feeds;
            }
            Some(_) => {
                let blanks = run(&text[at..], b' ');
                let inside = at != 0 && at + blanks != text.len();
                if blanks == 1 && inside && layout.split && out.column > out.width {
                    out.go_to(layout.indent);
                } else {
                    out.push(&text[at..at + blanks]);
                }
                at += blanks;
            }
            None => {}
        }
    }
    out.closing("'");
}

/// Writes any text in double quotes, in ASCII.
pub(super) fn write_double_quoted(out: &mut Output, text: &str, layout: Layout) {
    out.indicator("\"");
    // Text that is not yet written begins at `start`; right behind an escape that is one character ahead of `at`.
    let mut start = 0;
    for (at, character) in text.char_indices() {
        let next = at + character.len_utf8();
        let escaped = !matches!(character, ' '..='~') || matches!(character, '"' | '\\');
        if escaped {
            out.push(&text[start.min(at)..at]);
            out.push(&escape(character));
            start = next;
        } else if character != ' ' && start < at {
            continue;
        }
        let inside = at > 0 && next < text.len();
        let column = if start > at { out.column - 1 } else { out.column + (at - start) };
        if inside && layout.split && column > out.width {
            if start < at {
                out.push(&text[start..at]);
                start = at;
            }
            out.push("\\");
            out.fold(layout.indent);
            if text.as_bytes()[start] == b' ' {
                out.push("\\");
            }
        }
    }
    out.push(&text[start..]);
    out.closing("\"");
}

/// How many times the byte stands at the front.
pub(super) fn run(text: &str, byte: u8) -> usize {
    text.bytes().take_while(|candidate| *candidate == byte).count()
}
