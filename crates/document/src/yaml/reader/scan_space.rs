//! White space and comments between tokens.

use super::characters::is_visible;
use super::scanner::Scanner;
use crate::yaml::Comment;

impl Scanner<'_> {
    pub(super) fn collect_comments(&mut self) {
        self.comments = Some(Vec::new());
    }

    pub(super) fn take_comments(&mut self) -> Vec<Comment> {
        self.comments.as_mut().map(std::mem::take).unwrap_or_default()
    }

    #[inline]
    pub(super) fn skip_to_token(&mut self) {
        if !is_visible(self.cursor.byte()) {
            self.skip_space_to_token();
        }
    }

    /// The same where no flow collection is open.
    #[inline(always)]
    pub(super) fn skip_to_token_in_block(&mut self) {
        let mut byte = self.cursor.byte();
        if byte == b'\n' {
            let next = self.cursor.line_behind(self.cursor.position());
            byte = next.first;
            self.cursor.enter(next);
            self.simple_key_allowed = true;
        }
        if !is_visible(byte) {
            self.skip_space_to_token();
        }
    }

    #[inline(never)]
    fn skip_space_to_token(&mut self) {
        loop {
            self.cursor.skip_byte_order_mark();
            self.cursor.skip_spaces();
            if self.cursor.byte() == b'\t' && (self.in_flow() || !self.simple_key_allowed) {
                self.cursor.skip_blanks();
            }
            if self.cursor.byte() == b'#' {
                self.skip_comment();
            }
            if !self.cursor.is_at_break() {
                return;
            }
            self.cursor.skip_break();
            if !self.in_flow() {
                self.simple_key_allowed = true;
            }
        }
    }

    /// Moves over a comment, if there is one.
    pub(super) fn skip_comment(&mut self) {
        if self.cursor.byte() != b'#' {
            return;
        }
        if self.comments.is_none() {
            self.cursor.skip_rest_of_line();
            return;
        }
        let start = self.cursor.mark();
        self.cursor.skip_rest_of_line();
        let end = self.cursor.mark();
        self.comments.get_or_insert_default().push(Comment { start, end });
    }
}
