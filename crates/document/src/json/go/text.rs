//! Strings as JSON text.

use std::borrow::Cow;

/// How many characters a byte of a string makes at most.
pub(crate) const MOST_CHARACTERS: usize = 6;

/// A string of Go as text: every byte that is no part of a character becomes U+FFFD.
pub(crate) fn valid(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Cow::Owned(text)
}

/// How many characters a string has in quotes, with what means something to HTML escaped.
pub(crate) fn quoted_len(bytes: &[u8]) -> usize {
    let len = |character| escape(character, true).map_or(1, |escape| escape.len());
    let chunk_len = |chunk: std::str::Utf8Chunk<'_>| {
        chunk.valid().chars().map(len).sum::<usize>() + chunk.invalid().len() * MOST_CHARACTERS
    };
    bytes.utf8_chunks().map(chunk_len).sum::<usize>() + 2
}

/// Appends a string in quotes.
pub(super) fn push_quoted(out: &mut String, bytes: &[u8], escape_html: bool) {
    out.push('"');
    if let Ok(text) = std::str::from_utf8(bytes) {
        push_escaped(out, text, escape_html);
    } else {
        for chunk in bytes.utf8_chunks() {
            push_escaped(out, chunk.valid(), escape_html);
            chunk.invalid().iter().for_each(|_| out.push_str("\\ufffd"));
        }
    }
    out.push('"');
}

fn push_escaped(out: &mut String, text: &str, escape_html: bool) {
    // Of the bytes beyond ASCII only the first one of U+2028 and U+2029 needs a look.
    let needs_look = |byte: u8| {
        matches!(byte, 0..0x20 | b'"' | b'\\' | 0xe2) || escape_html && matches!(byte, b'<' | b'>' | b'&')
    };
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !needs_look(byte) {
            continue;
        }
        let Some(character) = text[at..].chars().next() else { break };
        if let Some(escape) = escape(character, escape_html) {
            out.push_str(&text[written..at]);
            out.push_str(escape.as_str());
            written = at + character.len_utf8();
        }
    }
    out.push_str(&text[written..]);
}

/// An escape of two or six characters.
struct Escape {
    text: [u8; MOST_CHARACTERS],
    len: usize,
}

impl Escape {
    fn len(&self) -> usize {
        self.len
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.text[..self.len]).unwrap_or_default()
    }
}

fn escape(character: char, escape_html: bool) -> Option<Escape> {
    let short = match character {
        '"' | '\\' => character as u8,
        '\u{8}' => b'b',
        '\u{c}' => b'f',
        '\n' => b'n',
        '\r' => b'r',
        '\t' => b't',
        '\0'..' ' | '\u{2028}' | '\u{2029}' => return Some(long(character)),
        '<' | '>' | '&' if escape_html => return Some(long(character)),
        _ => return None,
    };
    Some(Escape { text: [b'\\', short, 0, 0, 0, 0], len: 2 })
}

fn long(character: char) -> Escape {
    let code = u32::from(character);
    let digit = |shift: u32| b"0123456789abcdef"[(code >> shift & 15) as usize];
    Escape { text: [b'\\', b'u', digit(12), digit(8), digit(4), digit(0)], len: MOST_CHARACTERS }
}
