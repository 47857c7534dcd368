//! The four styles of a scalar, with the places where go-yaml breaks its lines.

use super::analysis::{is_break, is_printable};
use super::output::Output;
use crate::yaml::escape::escape;
use memchr::{memchr, memchr3};

/// Behind which column go-yaml v2 breaks lines.
const WIDTH: usize = 80;

/// How a scalar is laid out.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// Where its further lines begin.
    pub(super) indent: usize,
    /// Whether blanks may become line breaks.
    pub(super) folds: bool,
}

/// Writes a text of one line as it is.
pub(super) fn write_plain(out: &mut Output, text: &str, layout: Layout) {
    if !layout.folds || out.column_in_bytes() + text.len() <= WIDTH {
        out.push(text);
        return;
    }
    let mut rest = text;
    while let Some(end) = memchr(b' ', rest.as_bytes()) {
        out.push(&rest[..end]);
        rest = &rest[end..];
        let blanks = blanks_at_front(rest);
        if blanks == 1 && out.column() > WIDTH {
            out.next_line(layout.indent);
        } else {
            out.push(&rest[..blanks]);
        }
        rest = &rest[blanks..];
    }
    out.push(rest);
}

/// Writes a text without line feeds in single quotes.
pub(super) fn write_single(out: &mut Output, text: &str, layout: Layout) {
    // The first byte of U+2028 and U+2029, which are the line breaks that there can be.
    const BREAK: u8 = 0xe2;
    out.push("'");
    let mut at = 0;
    while let Some(next) = memchr3(b'\'', b' ', BREAK, &text.as_bytes()[at..]) {
        out.push(&text[at..at + next]);
        at += next;
        let rest = &text[at..];
        at += if rest.starts_with('\'') {
            out.push("''");
            1
        } else if rest.starts_with(' ') {
            let blanks = blanks_at_front(rest);
            let is_inside = at > 0 && rest.len() > 1;
            if layout.folds && blanks == 1 && is_inside && out.column() > WIDTH {
                out.next_line(layout.indent);
            } else {
                out.push(&rest[..blanks]);
            }
            blanks
        } else {
            write_break_or_character(out, rest, layout.indent)
        };
    }
    out.push(&text[at..]);
    out.push("'");
}

/// The character at the front, and the indentation of the line that it may begin. Returns its length.
fn write_break_or_character(out: &mut Output, text: &str, indent: usize) -> usize {
    let Some(character) = text.chars().next() else { return 0 };
    let len = character.len_utf8();
    if is_break(character) {
        out.break_line(&text[..len]);
        if text[len..].chars().next().is_some_and(|next| !is_break(next)) {
            out.next_line(indent);
        }
    } else {
        out.push(&text[..len]);
    }
    len
}

/// Writes any text in double quotes.
pub(super) fn write_double(out: &mut Output, text: &str, layout: Layout) {
    // Behind a byte order mark go-yaml takes every character for one.
    let escapes_all = text.starts_with('\u{feff}');
    out.push("\"");
    let mut written = 0;
    let mut behind_blank = false;
    for (at, character) in text.char_indices() {
        let next = at + character.len_utf8();
        if escapes_all || !is_printable(character) || is_break(character) || matches!(character, '"' | '\\') {
            out.push(&text[written..at]);
            out.push(&escape(character));
            written = next;
            behind_blank = false;
        } else if character == ' ' {
            if layout.folds && !behind_blank && at > 0 && next < text.len() {
                out.push(&text[written..at]);
                written = at;
                if out.column() > WIDTH {
                    out.next_line(layout.indent);
                    if text[next..].starts_with(' ') {
                        out.push("\\");
                    }
                    written = next;
                }
            }
            behind_blank = true;
        } else {
            behind_blank = false;
        }
    }
    out.push(&text[written..]);
    out.push("\"");
}

/// Writes a text of several lines as a literal block.
pub(super) fn write_literal(out: &mut Output, text: &str, indent: usize) {
    out.push("|");
    if text.starts_with(|first| first == ' ' || is_break(first)) {
        out.push("2");
    }
    let mut from_end = text.chars().rev().map(is_break);
    match (from_end.next(), from_end.next()) {
        (Some(true), None | Some(true)) => out.push("+"),
        (Some(true), Some(false)) => {}
        _ => out.push("-"),
    }
    out.break_line("\n");
    for line in text.split_inclusive(is_break) {
        let content = line.trim_end_matches(is_break);
        if !content.is_empty() {
            out.next_line(indent);
            out.push(content);
        }
        if content.len() < line.len() {
            out.break_line(&line[content.len()..]);
        }
    }
}

fn blanks_at_front(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b' ').count()
}
