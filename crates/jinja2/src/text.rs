//! Characters as Python classifies them, and strings as Python writes them.

use std::borrow::Cow;

/// Python's `str.isspace` for one character, which is also `\s` of its regular expressions.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// `\w` of Python's regular expressions.
pub(crate) fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Where Python's `str.splitlines` breaks a line.
pub(crate) fn is_line_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}' | '\u{1d}' | '\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Python's `str.splitlines`.
pub(crate) fn split_lines(text: &str, keep_ends: bool) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !is_line_break(c) {
            continue;
        }
        let mut end = at + c.len_utf8();
        if c == '\r' && chars.next_if(|(_, next)| *next == '\n').is_some() {
            end += 1;
        }
        lines.push(&text[start..if keep_ends { end } else { at }]);
        start = end;
    }
    if start < text.len() {
        lines.push(&text[start..]);
    }
    lines
}

/// How many characters a string has.
pub(crate) fn length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// The characters `start..end` of a string.
pub(crate) fn substring(text: &str, start: usize, end: usize) -> &str {
    if text.is_ascii() {
        return &text[start.min(text.len())..end.min(text.len()).max(start.min(text.len()))];
    }
    let byte_of = |index: usize| text.char_indices().nth(index).map_or(text.len(), |(at, _)| at);
    let from = byte_of(start);
    &text[from..byte_of(end).max(from)]
}

/// `\r\n` and `\r` become `\n`, as Jinja2 reads templates and string literals.
pub(crate) fn normal_newlines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Writes a string as Python's `repr` does.
pub(crate) fn repr_str(text: &str, out: &mut String) {
    out.push_str(&kapstan_document::python::repr_str(text));
}

/// Python's text of a double.
pub(crate) fn float(value: f64) -> String {
    kapstan_document::python::float_repr(value)
}
