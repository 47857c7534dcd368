//! Scalars in lines of their own: literal and folded blocks. Their text is printable ASCII and line feeds, with no blank
//! before a line feed or at the end.

use super::flow::run;
use super::output::Output;
use memchr::{memchr, memchr2};

/// Writes a literal block: the lines as they are.
pub(super) fn write_literal(out: &mut Output, text: &str, indent: usize, best_indent: usize) {
    write_header(out, '|', text, best_indent);
    let mut rest = text;
    loop {
        let feeds = run(rest, b'\n');
        (0..feeds).for_each(|_| out.line_break());
        rest = &rest[feeds..];
        if rest.is_empty() {
            return;
        }
        out.go_to(indent);
        let end = memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        out.text.push_str(&rest[..end]);
        rest = &rest[end..];
        if rest.is_empty() {
            out.line_break();
            return;
        }
    }
}

/// Writes a folded block: long lines are broken, and a line feed becomes two, except beside lines that begin with a
/// blank.
pub(super) fn write_folded(out: &mut Output, text: &str, indent: usize, best_indent: usize) {
    write_header(out, '>', text, best_indent);
    let mut after_indented = true;
    let mut rest = text;
    loop {
        let feeds = run(rest, b'\n');
        rest = &rest[feeds..];
        let indented = rest.starts_with(' ');
        if !after_indented && !indented && !rest.is_empty() {
            out.line_break();
        }
        after_indented = indented;
        (0..feeds).for_each(|_| out.line_break());
        if rest.is_empty() {
            return;
        }
        out.go_to(indent);
        let end = memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        write_line(out, &rest[..end], indent);
        rest = &rest[end..];
        if rest.is_empty() {
            out.line_break();
            return;
        }
    }
}

fn write_line(out: &mut Output, line: &str, indent: usize) {
    let mut rest = line;
    while !rest.is_empty() {
        let blanks = run(rest, b' ');
        if blanks == 1 && out.column > out.width {
            out.go_to(indent);
        } else {
            out.push(&rest[..blanks]);
        }
        rest = &rest[blanks..];
        let end = memchr2(b' ', b'\n', rest.as_bytes()).unwrap_or(rest.len());
        out.push(&rest[..end]);
        rest = &rest[end..];
    }
}

/// The sign, the indentation where the first line would hide it, and what becomes of the line feeds at the end.
fn write_header(out: &mut Output, sign: char, text: &str, best_indent: usize) {
    let mut header = String::from(sign);
    if text.starts_with([' ', '\n']) {
        header.push_str(&best_indent.to_string());
    }
    let keeps = text == "\n" || text.ends_with("\n\n");
    if keeps {
        header.push('+');
    } else if !text.ends_with('\n') {
        header.push('-');
    }
    out.indicator(&header);
    out.open_ended = keeps;
    out.line_break();
}
