use super::Reader;
use super::characters::is_acceptable;
use super::error::{Character, Error};
use crate::yaml::EventKind;
use std::borrow::Cow;

/// The text in `bytes`: UTF-8, or UTF-16 where the byte order mark says so. A byte order mark stays in the text, as
/// U+FEFF, so that offsets in a UTF-8 text are those of its bytes; [`Reader::new`] passes over it.
///
/// # Errors
///
/// What libyaml's reader reports for the first byte that it cannot decode or that stands for a character which YAML
/// does not allow, with its position in `bytes`. In long inputs a syntax error may come first: libyaml decodes them
/// piece by piece. In UTF-8, characters that are not allowed are left for [`Reader`] to refuse when there is no byte
/// that cannot be decoded.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
    let result = match bytes {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => utf8(bytes),
    };
    result.map_err(Failure::first_in_order)
}

/// Where decoding stopped.
struct Failure<'a> {
    readable: Cow<'a, str>,
    error: Error,
    /// As [`noticed_from`] has it, in the bytes of `readable`.
    noticed_from: usize,
}

impl Failure<'_> {
    /// This failure, or what the reader finds in the text before libyaml would have noticed it.
    fn first_in_order(self) -> Error {
        let mut reader = Reader::new(&self.readable);
        // What the text has in front of the failure is met first.
        if reader.unreadable.is_none() {
            reader.fail_when_looking_at(self.noticed_from, self.error.clone());
        }
        loop {
            match reader.next_event() {
                Err(error) => return error,
                Ok(event) if event.kind == EventKind::StreamEnd => return self.error,
                Ok(_) => {}
            }
        }
    }
}

/// libyaml decodes this many bytes at a time.
const PIECE: usize = 16 * 1024;

/// The place at which libyaml's scanner, having to look there, makes it decode the character at `position`: where the
/// piece begins that this character lies in. Characters are not split: one that does not end in a piece belongs to
/// the next.
pub(super) fn noticed_from(bytes: &[u8], position: usize) -> usize {
    let mut start = 0;
    while start + PIECE <= position {
        let end = (start + PIECE).min(bytes.len());
        start = (end.saturating_sub(3)..=end).rev().find(|&at| is_boundary(bytes, at)).unwrap_or(end);
    }
    start
}

fn is_boundary(bytes: &[u8], position: usize) -> bool {
    bytes.get(position).is_none_or(|byte| byte & 0xC0 != 0x80)
}

fn utf8(bytes: &[u8]) -> Result<Cow<'_, str>, Failure<'_>> {
    let invalid = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(Cow::Borrowed(text)),
        Err(invalid) => invalid,
    };
    let start = invalid.valid_up_to();
    let readable = std::str::from_utf8(&bytes[..start]).unwrap_or_default();
    let problem = why_invalid(&bytes[start..]);
    Err(Failure {
        readable: Cow::Borrowed(readable),
        error: problem.at(start),
        noticed_from: if problem.is_incomplete() { start } else { noticed_from(bytes, start) },
    })
}

/// Why a character cannot be decoded.
struct Problem {
    text: &'static str,
    /// The byte or code unit that is wrong, or [`MISSING`].
    value: i32,
    /// How far behind the start of the character it stands.
    ahead: usize,
}

const MISSING: i32 = -1;

impl Problem {
    fn new(text: &'static str, value: i32, ahead: usize) -> Self {
        Self { text, value, ahead }
    }

    fn incomplete(text: &'static str) -> Self {
        Self::new(text, MISSING, 0)
    }

    /// The input ends too early, which shows only when the end has been reached.
    fn is_incomplete(&self) -> bool {
        self.text.starts_with("incomplete")
    }

    fn at(&self, start: usize) -> Error {
        Error::unreadable(self.text, Character { value: self.value, position: start + self.ahead })
    }
}

/// The problem with the sequence that `bytes` begin with.
fn why_invalid(bytes: &[u8]) -> Problem {
    let lead = bytes[0];
    let width = match lead {
        0x00..=0x7F => 1,
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => return Problem::new("invalid leading UTF-8 octet", i32::from(lead), 0),
    };
    let Some(sequence) = bytes.get(..width) else {
        return Problem::incomplete("incomplete UTF-8 octet sequence");
    };
    if let Some(ahead) = (1..width).find(|&ahead| sequence[ahead] & 0xC0 != 0x80) {
        return Problem::new("invalid trailing UTF-8 octet", i32::from(sequence[ahead]), ahead);
    }
    let lead_bits = i32::from(lead) & (0x7F >> width);
    let value = sequence[1..].iter().fold(lead_bits, |value, byte| value << 6 | i32::from(byte & 0x3F));
    let least = [0, 0, 0x80, 0x800, 0x1_0000][width];
    if value < least {
        return Problem::new("invalid length of a UTF-8 sequence", MISSING, 0);
    }
    Problem::new("invalid Unicode character", value, 0)
}

/// The byte order mark, in UTF-16.
const MARK: usize = 2;

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Cow<'_, str>, Failure<'_>> {
    let mut text = String::with_capacity(bytes.len());
    text.push('\u{FEFF}');
    let mut at = 0;
    while at < bytes.len() {
        match utf16_character(&bytes[at..], unit) {
            Ok(character) => {
                text.push(character);
                at += 2 * character.len_utf16();
            }
            Err(problem) => {
                let start = MARK + at;
                let piece = if problem.is_incomplete() { start } else { start / PIECE * PIECE };
                let noticed_from = if piece == 0 { 0 } else { text_offset(&text, piece) };
                return Err(Failure { readable: Cow::Owned(text), error: problem.at(start), noticed_from });
            }
        }
    }
    Ok(Cow::Owned(text))
}

/// The character that `bytes` begin with.
fn utf16_character(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<char, Problem> {
    let unit_at = |at: usize| bytes.get(at..at + 2).map(|pair| unit([pair[0], pair[1]]));
    let first = unit_at(0).ok_or(Problem::incomplete("incomplete UTF-16 character"))?;
    let code = match first {
        0xDC00..=0xDFFF => {
            return Err(Problem::new("unexpected low surrogate area", i32::from(first), 0));
        }
        0xD800..=0xDBFF => {
            let low = unit_at(2).ok_or(Problem::incomplete("incomplete UTF-16 surrogate pair"))?;
            if !matches!(low, 0xDC00..=0xDFFF) {
                return Err(Problem::new("expected low surrogate area", i32::from(low), 2));
            }
            0x1_0000 + (u32::from(first & 0x3FF) << 10) + u32::from(low & 0x3FF)
        }
        _ => u32::from(first),
    };
    let character = char::from_u32(code).filter(|_| is_acceptable(code));
    // Only units of the first plane can be refused here.
    character.ok_or(Problem::new("control characters are not allowed", i32::from(first), 0))
}

/// Where in the decoded text the byte at `offset` of the UTF-16 input ends up.
fn text_offset(text: &str, offset: usize) -> usize {
    let mut passed = 0;
    // The mark is two bytes in both: U+FEFF counts as one unit.
    let found = text.char_indices().find(|(_, character)| {
        let is_there = passed >= offset;
        passed += 2 * character.len_utf16();
        is_there
    });
    found.map_or(text.len(), |(at, _)| at)
}
