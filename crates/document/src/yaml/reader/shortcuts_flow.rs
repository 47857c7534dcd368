//! Shortcuts for flow collections: entries and pairs whose scalars are followed by what shows at once that they are
//! keys or that they are none. What `shortcuts` says of its own holds for them too.

use super::characters::begins_plain;
use super::scanner::{Outcome, Scanner};
use super::shortcuts::NodeInLine;
use super::token::Token;
use crate::yaml::Mark;

impl<'a> Scanner<'a> {
    /// Passes a `,`. Says whether there was one, or whether the collection ends here and needs none.
    pub(super) fn flow_entry_in_line(&mut self, closing: u8) -> bool {
        let Some(_) = self.start_in_flow() else { return false };
        let byte = self.cursor.byte();
        if byte == b',' {
            self.cursor.skip(1);
            self.simple_key_allowed = true;
        }
        byte == b',' || byte == closing
    }

    /// Passes the bracket that closes the collection, if it stands here; its place and the one behind it.
    pub(super) fn flow_end_in_line(&mut self, closing: u8) -> Option<(Mark, Mark)> {
        let start = self.start_in_flow()?;
        if self.cursor.byte() != closing {
            return None;
        }
        self.simple_keys.close_flow();
        self.simple_key_allowed = false;
        self.cursor.skip(1);
        Some((start, self.cursor.mark()))
    }

    /// A scalar that is an entry of a sequence.
    pub(super) fn flow_item_in_line(&mut self) -> Outcome<Option<Token<'a>>> {
        let Some(token) = self.flow_candidate()? else { return Ok(None) };
        if matches!(self.cursor.byte(), b',' | b']') {
            return Ok(Some(token));
        }
        self.push_candidate(token)?;
        Ok(None)
    }

    /// A scalar that is a key, with the `:` behind it.
    pub(super) fn flow_key_in_line(&mut self) -> Outcome<Option<Token<'a>>> {
        let Some(token) = self.flow_candidate()? else { return Ok(None) };
        if self.is_simple_key(token.start) {
            self.cursor.skip(1);
            return Ok(Some(token));
        }
        self.push_candidate(token)?;
        Ok(None)
    }

    /// The value behind a `:` that has been passed without a token.
    pub(super) fn flow_value_in_line(&mut self) -> Outcome<Option<(NodeInLine<'a>, Mark)>> {
        let Some(start) = self.start_in_flow() else { return Ok(None) };
        if self.simple_key_allowed {
            return Ok(None);
        }
        let node = match self.cursor.byte() {
            b'[' | b'{' => Some(self.flow_start_in_line(start)?),
            _ => self.flow_scalar(start)?.map(NodeInLine::Scalar),
        };
        Ok(node.map(|node| (node, start)))
    }

    /// Passes the bracket at the cursor. It must not begin a key.
    pub(super) fn flow_start_in_line(&mut self, start: Mark) -> Outcome<NodeInLine<'a>> {
        let is_sequence = self.cursor.byte() == b'[';
        self.enter_flow(start)?;
        Ok(if is_sequence { NodeInLine::FlowSequence } else { NodeInLine::FlowMapping })
    }

    /// Goes to the next token, if no token is waiting and a flow collection is open.
    #[inline]
    fn start_in_flow(&mut self) -> Option<Mark> {
        if !self.takes_shortcuts() || !self.in_flow() {
            return None;
        }
        self.skip_to_token();
        Some(self.cursor.mark())
    }

    /// A scalar that may be a key.
    #[inline]
    fn flow_candidate(&mut self) -> Outcome<Option<Token<'a>>> {
        match self.start_in_flow() {
            Some(start) if self.simple_key_allowed => self.flow_scalar(start),
            _ => Ok(None),
        }
    }

    #[inline]
    fn flow_scalar(&mut self, start: Mark) -> Outcome<Option<Token<'a>>> {
        let byte = self.cursor.byte();
        if byte == b'"' || byte == b'\'' {
            self.simple_key_allowed = false;
            return self.scan_quoted_scalar(start).map(Some);
        }
        if !begins_plain(byte) {
            return Ok(None);
        }
        self.simple_key_allowed = false;
        self.scan_plain_scalar(start).map(Some)
    }
}
