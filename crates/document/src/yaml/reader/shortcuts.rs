//! Shortcuts for what most of a configuration file is: keys and plain values, one pair or entry a line, in block
//! collections.
//!
//! They read what the long way reads, and no more, so that events, errors and their order stay the same; but they do
//! without tokens. All are taken only while no token is waiting: then there is no candidate for a simple key either
//! that would have to be looked after. Where one cannot be taken, the cursor has moved over white space at most, or the
//! tokens for what has been read wait in the queue.

use super::characters::is_ordinary;
use super::scanner::{Outcome, Scanner};
use super::simple_keys::MAX_LENGTH;
use super::token::Token;
use crate::yaml::Mark;

/// A plain key with the `:` behind it.
#[derive(Debug)]
pub(super) struct KeyInLine<'a> {
    pub(super) name: &'a str,
    pub(super) start: Mark,
    pub(super) end: Mark,
    /// Behind the `:`.
    pub(super) indicator_end: Mark,
}

/// A node that needs no token.
pub(super) enum NodeInLine<'a> {
    Scalar(Token<'a>),
    /// The first key of a block mapping.
    Mapping(KeyInLine<'a>),
}

impl<'a> Scanner<'a> {
    /// The next key of the innermost block mapping.
    pub(super) fn key_in_line(&mut self) -> Option<KeyInLine<'a>> {
        let start = self.start_of_simple_key()?;
        if i64::from(start.column) == self.indent { self.scan_key_in_line(start) } else { None }
    }

    /// The `-` of the next entry of a block sequence; the place behind it.
    pub(super) fn entry_in_line(&mut self) -> Option<Mark> {
        let start = self.start_of_simple_key()?;
        let is_entry = self.cursor.byte() == b'-' && self.cursor.byte_at(1) == b' ';
        if !is_entry || i64::from(start.column) != self.indent {
            return None;
        }
        self.cursor.skip(1);
        Some(self.cursor.mark())
    }

    /// A node behind `-` or `:`.
    pub(super) fn node_in_line(&mut self) -> Outcome<Option<NodeInLine<'a>>> {
        if !self.is_queue_empty() || self.in_flow() {
            return Ok(None);
        }
        self.skip_to_token();
        let start = self.cursor.mark();
        if !self.simple_key_allowed {
            return self.value_in_line(start);
        }
        if i64::from(start.column) <= self.indent {
            return Ok(None);
        }
        if let Some(key) = self.scan_key_in_line(start) {
            self.indent_to(start)?;
            return Ok(Some(NodeInLine::Mapping(key)));
        }
        if !begins_plain(self.cursor.byte()) {
            return Ok(None);
        }
        self.simple_key_allowed = false;
        let token = self.scan_plain_scalar(start)?;
        if self.is_simple_key(start) {
            self.push_simple_key(token)?;
        } else if self.cursor.line() != start.line {
            return Ok(Some(NodeInLine::Scalar(token)));
        } else {
            self.save_simple_key_at(start)?;
            self.push_token(token);
        }
        Ok(None)
    }

    /// A scalar without properties in the line of its key, behind the `:`.
    fn value_in_line(&mut self, start: Mark) -> Outcome<Option<NodeInLine<'a>>> {
        let token = match self.cursor.byte() {
            b'"' | b'\'' => self.scan_quoted_scalar(start)?,
            b'|' | b'>' => {
                self.simple_key_allowed = true;
                self.scan_block_scalar(start)?
            }
            byte if begins_plain(byte) => self.scan_plain_scalar(start)?,
            _ => return Ok(None),
        };
        Ok(Some(NodeInLine::Scalar(token)))
    }

    /// The place of the next token, if no token is waiting and a simple key may stand there.
    fn start_of_simple_key(&mut self) -> Option<Mark> {
        if !self.is_queue_empty() || self.in_flow() {
            return None;
        }
        self.skip_to_token();
        self.simple_key_allowed.then(|| self.cursor.mark())
    }

    fn scan_key_in_line(&mut self, start: Mark) -> Option<KeyInLine<'a>> {
        let rest = &self.cursor.bytes()[start.offset..];
        if !rest.first().is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        let length = rest.iter().position(|&byte| !is_ordinary(byte))?;
        let [b':', b' ' | b'\n', ..] = rest[length..] else {
            return None;
        };
        let characters = u32::try_from(length).ok().filter(|&length| length <= MAX_LENGTH)?;
        self.cursor.skip(length + 1);
        self.simple_key_allowed = false;
        let ahead = |bytes: usize, characters: u32| Mark {
            offset: start.offset + bytes,
            column: start.column + characters,
            ..start
        };
        let (end, indicator_end) = (ahead(length, characters), ahead(length + 1, characters + 1));
        Some(KeyInLine { name: self.cursor.slice(start.offset, end.offset), start, end, indicator_end })
    }
}

/// Bytes with which a plain scalar begins, whatever follows. A `.` does not begin a document indicator here: what is in
/// a block collection does not stand in the first column.
fn begins_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_' | b'$' | b'(' | b'+' | b'=' | b'~')
}
