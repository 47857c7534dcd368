//! Shortcuts for what most of a configuration file is: keys and plain values, one pair or entry a line, in block
//! collections.
//!
//! They read what the long way reads, and no more, so that events, errors and their order stay the same; but they do
//! without tokens. All are taken only while no token is waiting: then there is no candidate for a simple key either
//! that would have to be looked after. Where one cannot be taken, the cursor has moved over white space at most, or the
//! tokens for what has been read wait in the queue.

use super::characters::begins_plain;
use super::runs;
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
    /// A block sequence. Its first `-` is not passed yet.
    Sequence,
    /// A flow sequence, of which the `[` is passed.
    FlowSequence,
    /// A flow mapping, of which the `{` is passed.
    FlowMapping,
}

impl<'a> Scanner<'a> {
    /// The place of the next token, if no token is waiting and a simple key may stand there.
    #[inline(always)]
    pub(super) fn start_of_simple_key(&mut self) -> Option<Mark> {
        if !self.takes_shortcuts() {
            return None;
        }
        self.skip_to_token_in_block();
        self.simple_key_allowed.then(|| self.cursor.mark())
    }

    /// The next key of the innermost block mapping, if it is what stands at `start`.
    #[inline(always)]
    pub(super) fn key_in_line(&mut self, start: Mark) -> Option<KeyInLine<'a>> {
        if i64::from(start.column) != self.indent {
            return None;
        }
        let run = self.run_of_plain(start)?;
        self.pass_key(&run, start)
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
        self.run_of_plain(start).is_some_and(|run| self.is_key(&run))
    }

    /// Goes to a node behind `-` or `:`. Its place, if no token is waiting, and if it is not one that belongs to a
    /// collection further out.
    #[inline(always)]
    pub(super) fn start_of_node(&mut self) -> Option<Mark> {
        if !self.takes_shortcuts() {
            return None;
        }
        if self.cursor.byte() == b' ' {
            self.cursor.skip(1);
        }
        self.skip_to_token_in_block();
        let start = self.cursor.mark();
        let is_inside = !self.simple_key_allowed || i64::from(start.column) > self.indent;
        is_inside.then_some(start)
    }

    /// Whether `run`, at which a node begins, is the first key of a mapping.
    #[inline(always)]
    pub(super) fn is_first_key(&self, run: &Run) -> bool {
        self.simple_key_allowed && self.is_key(run)
    }

    /// A node at `start` that has to be looked at more closely.
    #[inline(never)]
    pub(super) fn node_in_line(&mut self, start: Mark) -> Outcome<Option<NodeInLine<'a>>> {
        if self.simple_key_allowed { self.first_in_line(start) } else { self.value_in_line(start) }
    }

    /// A scalar without properties in the line of its key, behind the `:`.
    fn value_in_line(&mut self, start: Mark) -> Outcome<Option<NodeInLine<'a>>> {
        let token = match self.cursor.byte() {
            b'"' | b'\'' => self.scan_quoted_scalar(start)?,
            b'|' | b'>' => {
                self.simple_key_allowed = true;
                self.scan_block_scalar(start)?
            }
            b'[' | b'{' => return self.flow_start_in_line(start).map(Some),
            byte if begins_plain(byte) => self.scan_plain_scalar(start)?,
            _ => return Ok(None),
        };
        Ok(Some(NodeInLine::Scalar(token)))
    }

    /// What may be a key as well.
    fn first_in_line(&mut self, start: Mark) -> Outcome<Option<NodeInLine<'a>>> {
        if self.is_at_entry() {
            self.indent_to(start)?;
            return Ok(Some(NodeInLine::Sequence));
        }
        if !begins_plain(self.cursor.byte()) {
            return Ok(None);
        }
        self.simple_key_allowed = false;
        let token = self.scan_plain_scalar(start)?;
        if self.cursor.line() != start.line {
            return Ok(Some(NodeInLine::Scalar(token)));
        }
        self.push_candidate(token)?;
        Ok(None)
    }

    /// The run of plain text at `start`, if it begins as a plain scalar does.
    #[inline(always)]
    pub(super) fn run_of_plain(&self, start: Mark) -> Option<Run> {
        if !begins_plain(self.cursor.byte()) {
            return None;
        }
        let end = runs::end_of_plain(self.cursor.bytes(), start.offset);
        let characters = u32::try_from(end - start.offset).ok().filter(|&length| length <= MAX_LENGTH)?;
        let mark = Mark { offset: end, column: start.column + characters, ..start };
        Some(Run { end: mark, stop: self.cursor.byte_at(end - start.offset) })
    }

    /// Passes a run that is a key, with the `:` behind it.
    #[inline(always)]
    fn pass_key(&mut self, run: &Run, start: Mark) -> Option<KeyInLine<'a>> {
        if !self.is_key(run) {
            return None;
        }
        let end = run.end;
        let indicator_end = Mark { offset: end.offset + 1, column: end.column + 1, ..end };
        self.cursor.move_to(indicator_end.offset);
        self.simple_key_allowed = false;
        Some(KeyInLine { name: self.cursor.slice(start.offset, end.offset), start, end, indicator_end })
    }

    /// Passes a run that is a scalar because the line ends with it, and the next line belongs to something else.
    #[inline(always)]
    pub(super) fn pass_plain(&mut self, run: &Run, start: Mark) -> Option<&'a str> {
        if run.stop != b'\n' {
            return None;
        }
        let text = self.cursor.slice(start.offset, run.end.offset);
        self.pass_end_of_plain(run.end.offset).then_some(text)
    }

    /// Whether a run is a key with its `:` behind it.
    #[inline]
    fn is_key(&self, run: &Run) -> bool {
        run.stop == b':' && matches!(self.cursor.bytes().get(run.end.offset + 1), Some(b' ' | b'\n'))
    }
}

/// ASCII characters that stand for themselves in the block context, at most as many as a simple key may have.
pub(super) struct Run {
    pub(super) end: Mark,
    /// The byte behind it.
    stop: u8,
}
