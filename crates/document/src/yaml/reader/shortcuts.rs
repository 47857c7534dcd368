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
    /// The place of the first `-` of a block sequence, which is not passed yet.
    Sequence(Mark),
}

impl<'a> Scanner<'a> {
    /// The place of the next token, if no token is waiting and a simple key may stand there.
    #[inline]
    pub(super) fn start_of_simple_key(&mut self) -> Option<Mark> {
        if !self.is_queue_empty() || self.in_flow() {
            return None;
        }
        self.skip_to_token();
        self.simple_key_allowed.then(|| self.cursor.mark())
    }

    /// The next key of the innermost block mapping, if it is what stands at `start`.
    #[inline]
    pub(super) fn key_in_line(&mut self, start: Mark) -> Option<KeyInLine<'a>> {
        if i64::from(start.column) == self.indent { self.scan_key_in_line(start) } else { None }
    }

    /// Passes the `-` of the next entry of a block sequence, if it is what stands at `start`; the place behind it.
    #[inline]
    pub(super) fn entry_in_line(&mut self, start: Mark) -> Option<Mark> {
        if !self.is_at_entry() || i64::from(start.column) != self.indent {
            return None;
        }
        self.cursor.skip(1);
        Some(self.cursor.mark())
    }

    /// The place of the first entry of a sequence that has the indentation of the mapping around it.
    pub(super) fn indentless_sequence_in_line(&mut self) -> Option<Mark> {
        let start = self.start_of_simple_key()?;
        (self.is_at_entry() && i64::from(start.column) == self.indent).then_some(start)
    }

    /// Whether a sequence without indentation ends at `start`: at the next key of the mapping around it, or with that
    /// mapping.
    pub(super) fn is_end_of_indentless(&mut self, start: Mark) -> bool {
        let is_next_key = i64::from(start.column) == self.indent && self.is_at_key(start);
        is_next_key || self.is_at_dedent(start)
    }

    /// Closes the innermost block collection if a key or an entry of one further out stands at `start`, or the next
    /// document. Says whether it did.
    pub(super) fn dedent_in_line(&mut self, start: Mark) -> bool {
        let closes = self.is_at_dedent(start);
        if closes {
            self.close_block();
        }
        closes
    }

    /// Whether the token at `start` closes a collection and goes on with one further out. That token must be sound,
    /// because the long way would have read it.
    fn is_at_dedent(&mut self, start: Mark) -> bool {
        let is_at_indicator = start.column == 0 && self.cursor.is_at_document_indicator();
        let column = if is_at_indicator { -1 } else { i64::from(start.column) };
        if column >= self.indent {
            return false;
        }
        if self.settled_dedent == Some(start.offset) {
            return true;
        }
        let is_sound = is_at_indicator || self.is_at_entry() || self.is_at_key(start);
        if is_sound && self.has_block_at(column) {
            self.settled_dedent = Some(start.offset);
            return true;
        }
        false
    }

    fn is_at_entry(&self) -> bool {
        self.cursor.byte() == b'-' && self.cursor.byte_at(1) == b' '
    }

    fn is_at_key(&self, start: Mark) -> bool {
        self.length_of_key(start).is_some()
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
        if self.is_at_entry() {
            self.indent_to(start)?;
            return Ok(Some(NodeInLine::Sequence(start)));
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

    fn scan_key_in_line(&mut self, start: Mark) -> Option<KeyInLine<'a>> {
        let (length, characters) = self.length_of_key(start)?;
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

    /// The length of the key at `start`, in bytes and in characters, if there is one with its `:` behind it.
    fn length_of_key(&self, start: Mark) -> Option<(usize, u32)> {
        let rest = &self.cursor.bytes()[start.offset..];
        if !rest.first().is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        let length = rest.iter().position(|&byte| !is_ordinary(byte))?;
        let [b':', b' ' | b'\n', ..] = rest[length..] else {
            return None;
        };
        let characters = u32::try_from(length).ok().filter(|&length| length <= MAX_LENGTH)?;
        Some((length, characters))
    }
}

/// Bytes with which a plain scalar begins, whatever follows. A `.` does not begin a document indicator here: what is in
/// a block collection does not stand in the first column.
fn begins_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_' | b'$' | b'(' | b'+' | b'=' | b'~')
}
