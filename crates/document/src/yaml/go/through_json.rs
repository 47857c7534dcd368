//! What becomes of a string on its way through JSON and go-yaml v2's reader.

use super::WriteError;
use crate::json::go::{MOST_CHARACTERS, quoted_len, valid};
use memchr::memmem;
use std::borrow::Cow;

/// How many characters of JSON a key may have in front of its `:`.
const LONGEST_KEY: usize = 1024;

/// The string that comes out for a value: bytes that are no UTF-8 are U+FFFD, and U+0085 is a line break in YAML, which
/// double quotes fold. Fails where go-yaml refuses a character.
pub(super) fn value(bytes: &[u8]) -> Result<Cow<'_, str>, WriteError> {
    let text = valid(bytes);
    if bytes.iter().all(|byte| *byte < 0x7f) {
        return Ok(text);
    }
    if text.contains(
        |character| matches!(character, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}'),
    ) {
        return Err(WriteError::Unreadable("control characters are not allowed".into()));
    }
    Ok(if text.contains('\u{85}') { fold(&text)?.into() } else { text })
}

/// The same for a key, which has to stay on its line.
pub(super) fn key(bytes: &[u8]) -> Result<Cow<'_, str>, WriteError> {
    let text = value(bytes)?;
    if !bytes.is_ascii() && memmem::find(bytes, "\u{85}".as_bytes()).is_some() {
        return Err(WriteError::Unreadable("did not find expected ',' or '}'".into()));
    }
    if bytes.len() * MOST_CHARACTERS + 2 > LONGEST_KEY && quoted_len(bytes) > LONGEST_KEY {
        return Err(WriteError::Unreadable("did not find expected ',' or '}'".into()));
    }
    Ok(text)
}

/// The folding of a double-quoted scalar that has no other breaks than U+0085: one is a blank, of several the first is
/// dropped and the others are line feeds; blanks around them go. Tabs and line feeds are escapes in JSON, and stay.
fn fold(text: &str) -> Result<String, WriteError> {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split('\u{85}').peekable();
    out.push_str(lines.next().unwrap_or_default());
    let mut breaks = 0;
    while let Some(line) = lines.next() {
        breaks += 1;
        if breaks == 1 {
            out.truncate(out.trim_end_matches(' ').len());
        }
        let indicator = line.strip_prefix("---").or_else(|| line.strip_prefix("..."));
        if indicator.is_some_and(|rest| rest.starts_with(' ') || rest.is_empty() && lines.peek().is_some()) {
            return Err(WriteError::Unreadable("found unexpected document indicator".into()));
        }
        let line = line.trim_start_matches(' ');
        if !line.is_empty() {
            push_breaks(&mut out, breaks);
            out.push_str(line);
            breaks = 0;
        }
    }
    push_breaks(&mut out, breaks);
    Ok(out)
}

fn push_breaks(out: &mut String, breaks: usize) {
    match breaks {
        0 => {}
        1 => out.push(' '),
        _ => out.extend(std::iter::repeat_n('\n', breaks - 1)),
    }
}
