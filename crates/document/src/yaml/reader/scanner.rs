use super::MAX_DEPTH;
use super::characters::Kinds;
use super::cursor::{Cursor, END};
use super::error::Error;
use super::look_ahead::LookAhead;
use super::simple_keys::{SimpleKeys, is_stale};
use super::token::{Token, TokenKind};
use crate::yaml::{Comment, Mark};
use std::borrow::Cow;
use std::collections::VecDeque;

pub(super) type Outcome<T> = Result<T, Error>;

/// Cuts the text into tokens.
///
/// A token waits in the queue as long as it may turn out to be a key: the tokens that say so come before it.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) simple_keys: SimpleKeys,
    /// Whether a key without `?`, or an indicator of a block collection, may stand at the cursor.
    pub(super) simple_key_allowed: bool,
    /// The column of the innermost block collection; -1 outside of all.
    pub(super) indent: i64,
    indents: Vec<i64>,
    tokens: VecDeque<Token<'a>>,
    /// How many tokens have left the queue.
    taken: usize,
    /// Whether the token at the head of the queue is known not to be a key.
    head_is_settled: bool,
    started: bool,
    /// Where the token stands that has been found to close collections and nothing else.
    pub(super) settled_dedent: Option<usize>,
    pub(super) comments: Option<Vec<Comment>>,
    pub(super) look_ahead: Option<LookAhead>,
    /// Whether an empty flow collection is not waited for to become a key.
    pub(super) overlooks_empty_keys: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, kinds: Kinds) -> Self {
        Self {
            cursor: Cursor::new(text, kinds),
            simple_keys: SimpleKeys::new(),
            simple_key_allowed: true,
            indent: -1,
            indents: Vec::new(),
            tokens: VecDeque::with_capacity(16),
            taken: 0,
            head_is_settled: false,
            started: false,
            settled_dedent: None,
            comments: None,
            look_ahead: None,
            overlooks_empty_keys: false,
        }
    }

    /// Whether no token is waiting, so that no token is a candidate for a key either, and nobody wants to know how far
    /// libyaml would have looked.
    pub(super) fn takes_shortcuts(&self) -> bool {
        self.tokens.is_empty() && self.look_ahead.is_none()
    }

    /// The next token, which stays where it is.
    #[inline]
    pub(super) fn peek(&mut self) -> Outcome<&Token<'a>> {
        if !self.head_is_settled {
            self.settle_head()?;
        }
        Ok(&self.tokens[0])
    }

    /// Takes the token that [`Scanner::peek`] has shown.
    pub(super) fn take(&mut self) -> Option<Token<'a>> {
        self.head_is_settled = false;
        self.taken += 1;
        self.tokens.pop_front()
    }

    #[inline(never)]
    fn settle_head(&mut self) -> Outcome<()> {
        loop {
            if !self.tokens.is_empty() {
                let now = self.cursor.mark();
                self.simple_keys.drop_stale(now)?;
                if !self.simple_keys.may_be_key(self.taken) {
                    break;
                }
            }
            self.fetch()?;
        }
        self.head_is_settled = true;
        Ok(())
    }

    #[inline]
    pub(super) fn in_flow(&self) -> bool {
        self.simple_keys.flow_level() > 0
    }

    /// Reads on to the next token and puts it into the queue, behind those that follow from its indentation.
    fn fetch(&mut self) -> Outcome<()> {
        self.note_look(self.cursor.position(), 1);
        if !self.started {
            self.started = true;
            let mark = self.cursor.mark();
            self.push(TokenKind::StreamStart, mark, mark);
            return Ok(());
        }
        self.skip_to_token();
        let mark = self.cursor.mark();
        self.note_look(mark.offset, 1);
        self.simple_keys.drop_stale(mark)?;
        self.close_blocks(i64::from(mark.column), mark);
        self.note_look(mark.offset, 4);
        let outcome = self.fetch_at(mark);
        self.note_token(mark, &outcome);
        outcome
    }

    fn fetch_at(&mut self, mark: Mark) -> Outcome<()> {
        let byte = self.cursor.byte();
        let in_flow = self.in_flow();
        if mark.column == 0 {
            match byte {
                b'%' => return self.fetch_directive(mark),
                b'-' | b'.' if self.cursor.is_at_document_indicator() => {
                    return self.fetch_document_indicator(byte, mark);
                }
                _ => {}
            }
        }
        match byte {
            END => self.fetch_stream_end(),
            b'[' => self.fetch_flow_start(TokenKind::FlowSequenceStart, mark),
            b'{' => self.fetch_flow_start(TokenKind::FlowMappingStart, mark),
            b']' => self.fetch_flow_end(TokenKind::FlowSequenceEnd, mark),
            b'}' => self.fetch_flow_end(TokenKind::FlowMappingEnd, mark),
            b',' => self.fetch_flow_entry(mark),
            b'-' if self.cursor.is_space_at(1) => self.fetch_block_entry(mark),
            b'?' if in_flow || self.cursor.is_space_at(1) => self.fetch_key(mark),
            b':' if in_flow || self.cursor.is_space_at(1) => self.fetch_value(mark),
            b'*' | b'&' => self.fetch_anchor(mark),
            b'!' => self.fetch_tag(mark),
            b'|' | b'>' if !in_flow => self.fetch_block_scalar(mark),
            b'\'' | b'"' => self.fetch_flow_scalar(mark, Self::scan_quoted_scalar),
            b'#' | b'|' | b'>' | b'%' | b'@' | b'`' | b' ' | b'\t' => {
                Err(Error::new("found character that cannot start any token", mark)
                    .within("while scanning for the next token", mark))
            }
            _ => self.fetch_flow_scalar(mark, Self::scan_plain_scalar),
        }
    }

    pub(super) fn push(&mut self, kind: TokenKind<'a>, start: Mark, end: Mark) {
        self.tokens.push_back(Token { kind, start, end });
    }

    /// Puts a token that has been scanned from `start` to the cursor into the queue.
    pub(super) fn push_scanned(&mut self, kind: TokenKind<'a>, start: Mark) {
        let end = self.cursor.mark();
        self.push(kind, start, end);
    }

    /// The token at `mark` may turn out to be a key.
    fn save_simple_key(&mut self, mark: Mark) -> Outcome<()> {
        if !self.simple_key_allowed {
            return Ok(());
        }
        self.save_simple_key_at(mark)
    }

    fn save_simple_key_at(&mut self, mark: Mark) -> Outcome<()> {
        let required = !self.in_flow() && self.indent == i64::from(mark.column);
        self.simple_keys.save(required, self.taken + self.tokens.len(), mark)
    }

    /// Opens a block collection at `mark` if its column is further in than the innermost one. Its token goes before the
    /// one with the number `before`, or to the end.
    fn open_block(&mut self, kind: TokenKind<'a>, before: Option<usize>, mark: Mark) -> Outcome<()> {
        let column = i64::from(mark.column);
        if self.in_flow() || self.indent >= column {
            return Ok(());
        }
        self.indent_to(mark)?;
        let token = Token { kind, start: mark, end: mark };
        match before {
            Some(number) => self.insert(number, token),
            None => self.tokens.push_back(token),
        }
        Ok(())
    }

    /// Puts a token before the one with the number `before`, or to the end where that one has been taken, as go-yaml does.
    fn insert(&mut self, before: usize, token: Token<'a>) {
        let place = before.checked_sub(self.taken).unwrap_or(self.tokens.len());
        self.tokens.insert(place, token);
    }

    /// A block collection begins at `mark`, further in than the one around it.
    pub(super) fn indent_to(&mut self, mark: Mark) -> Outcome<()> {
        self.check_depth(mark)?;
        self.indents.push(self.indent);
        self.indent = i64::from(mark.column);
        Ok(())
    }

    /// Closes the block collections that are further in than `column`.
    fn close_blocks(&mut self, column: i64, mark: Mark) {
        if self.in_flow() {
            return;
        }
        while self.indent > column {
            self.push(TokenKind::BlockEnd, mark, mark);
            self.close_block();
        }
    }

    pub(super) fn close_block(&mut self) {
        self.indent = self.indents.pop().unwrap_or(-1);
    }

    /// Whether one of the block collections around the innermost one has this column.
    pub(super) fn has_block_at(&self, column: i64) -> bool {
        self.indents.iter().rev().any(|&indent| indent == column)
    }

    fn check_depth(&self, mark: Mark) -> Outcome<()> {
        if self.indents.len() + self.simple_keys.flow_level() >= MAX_DEPTH {
            let problem = format!("collections nest deeper than {MAX_DEPTH} levels");
            return Err(Error::new(Cow::Owned(problem), mark));
        }
        Ok(())
    }

    fn fetch_stream_end(&mut self) -> Outcome<()> {
        self.cursor.end_last_line();
        let mark = self.cursor.mark();
        self.close_blocks(-1, mark);
        self.simple_keys.remove(mark)?;
        self.simple_key_allowed = false;
        self.push(TokenKind::StreamEnd, mark, mark);
        Ok(())
    }

    fn fetch_directive(&mut self, mark: Mark) -> Outcome<()> {
        self.close_blocks(-1, mark);
        self.simple_keys.remove(mark)?;
        self.simple_key_allowed = false;
        self.scan_directive(mark)
    }

    fn fetch_document_indicator(&mut self, byte: u8, mark: Mark) -> Outcome<()> {
        self.close_blocks(-1, mark);
        self.simple_keys.remove(mark)?;
        self.simple_key_allowed = false;
        self.cursor.skip(3);
        let kind = if byte == b'-' { TokenKind::DocumentStart } else { TokenKind::DocumentEnd };
        self.push_scanned(kind, mark);
        Ok(())
    }

    fn fetch_flow_start(&mut self, kind: TokenKind<'a>, mark: Mark) -> Outcome<()> {
        self.save_simple_key(mark)?;
        self.enter_flow(mark)?;
        self.push_scanned(kind, mark);
        Ok(())
    }

    /// Passes the bracket at `mark` that opens a flow collection.
    pub(super) fn enter_flow(&mut self, mark: Mark) -> Outcome<()> {
        self.check_depth(mark)?;
        self.simple_keys.open_flow();
        self.simple_key_allowed = true;
        self.cursor.skip(1);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: TokenKind<'a>, mark: Mark) -> Outcome<()> {
        self.simple_keys.remove(mark)?;
        self.simple_keys.close_flow();
        let is_start =
            |kind: &TokenKind<'_>| matches!(kind, TokenKind::FlowSequenceStart | TokenKind::FlowMappingStart);
        if self.overlooks_empty_keys && self.tokens.back().is_some_and(|token| is_start(&token.kind)) {
            self.simple_keys.overlook(self.taken + self.tokens.len() - 1);
        }
        self.simple_key_allowed = false;
        self.cursor.skip(1);
        self.push_scanned(kind, mark);
        Ok(())
    }

    fn fetch_flow_entry(&mut self, mark: Mark) -> Outcome<()> {
        self.simple_keys.remove(mark)?;
        self.simple_key_allowed = true;
        self.cursor.skip(1);
        self.push_scanned(TokenKind::FlowEntry, mark);
        Ok(())
    }

    fn fetch_block_entry(&mut self, mark: Mark) -> Outcome<()> {
        // In the flow context the parser refuses it: it can tell in which collection it stands.
        if !self.in_flow() {
            self.check_allowed("block sequence entries are not allowed in this context", mark)?;
            self.open_block(TokenKind::BlockSequenceStart, None, mark)?;
        }
        self.simple_keys.remove(mark)?;
        self.simple_key_allowed = true;
        self.cursor.skip(1);
        self.push_scanned(TokenKind::BlockEntry, mark);
        Ok(())
    }

    fn fetch_key(&mut self, mark: Mark) -> Outcome<()> {
        if !self.in_flow() {
            self.check_allowed("mapping keys are not allowed in this context", mark)?;
            self.open_block(TokenKind::BlockMappingStart, None, mark)?;
        }
        self.simple_keys.remove(mark)?;
        self.simple_key_allowed = !self.in_flow();
        self.cursor.skip(1);
        self.push_scanned(TokenKind::Key, mark);
        Ok(())
    }

    fn fetch_value(&mut self, mark: Mark) -> Outcome<()> {
        if let Some(key) = self.simple_keys.take_fresh(mark)? {
            let token = Token { kind: TokenKind::Key, start: key.mark, end: key.mark };
            self.insert(key.token_number, token);
            self.open_block(TokenKind::BlockMappingStart, Some(key.token_number), key.mark)?;
            self.simple_key_allowed = false;
        } else {
            if !self.in_flow() {
                self.check_allowed("mapping values are not allowed in this context", mark)?;
                self.open_block(TokenKind::BlockMappingStart, None, mark)?;
            }
            self.simple_key_allowed = !self.in_flow();
        }
        self.cursor.skip(1);
        self.push_scanned(TokenKind::Value, mark);
        Ok(())
    }

    fn check_allowed(&self, problem: &'static str, mark: Mark) -> Outcome<()> {
        if self.simple_key_allowed { Ok(()) } else { Err(Error::new(problem, mark)) }
    }

    /// An error at the cursor, in what began at `start`.
    pub(super) fn error(&mut self, context: &'static str, start: Mark, problem: &'static str) -> Error {
        Error::new(problem, self.cursor.mark()).within(context, start)
    }

    fn fetch_anchor(&mut self, mark: Mark) -> Outcome<()> {
        self.save_simple_key(mark)?;
        self.simple_key_allowed = false;
        self.scan_anchor(mark)
    }

    fn fetch_tag(&mut self, mark: Mark) -> Outcome<()> {
        self.save_simple_key(mark)?;
        self.simple_key_allowed = false;
        self.scan_tag(mark)
    }

    fn fetch_block_scalar(&mut self, mark: Mark) -> Outcome<()> {
        self.simple_keys.remove(mark)?;
        self.simple_key_allowed = true;
        let token = self.scan_block_scalar(mark)?;
        self.tokens.push_back(token);
        Ok(())
    }

    fn fetch_flow_scalar(&mut self, mark: Mark, scan: Scan<'a>) -> Outcome<()> {
        let may_be_key = self.simple_key_allowed;
        if may_be_key {
            self.simple_keys.remove(mark)?;
        }
        self.simple_key_allowed = false;
        let token = scan(self, mark)?;
        if !may_be_key {
            self.tokens.push_back(token);
            return Ok(());
        }
        self.push_candidate(token)
    }

    /// Puts a scalar that may be a key, and ends at the cursor, into the queue.
    pub(super) fn push_candidate(&mut self, token: Token<'a>) -> Outcome<()> {
        if self.look_ahead.is_none() && self.is_simple_key(token.start) {
            // A candidate further out may have become too long with this scalar.
            let now = self.cursor.mark();
            self.simple_keys.drop_stale(now)?;
            return self.push_simple_key(token);
        }
        self.save_simple_key_at(token.start)?;
        self.tokens.push_back(token);
        Ok(())
    }

    /// Whether the scalar that begins at `start` and ends at the cursor is a key.
    pub(super) fn is_simple_key(&mut self, start: Mark) -> bool {
        let is_at_value = self.cursor.byte() == b':' && (self.in_flow() || self.cursor.is_space_at(1));
        is_at_value && !is_stale(start, self.cursor.mark())
    }

    /// Puts a key with a `:` behind it into the queue: what [`Scanner::fetch_value`] does when it finds out later.
    fn push_simple_key(&mut self, token: Token<'a>) -> Outcome<()> {
        self.open_block(TokenKind::BlockMappingStart, None, token.start)?;
        self.push(TokenKind::Key, token.start, token.start);
        self.tokens.push_back(token);
        let mark = self.cursor.mark();
        self.cursor.skip(1);
        self.push_scanned(TokenKind::Value, mark);
        Ok(())
    }
}

/// Scans a scalar that begins at a place.
type Scan<'a> = fn(&mut Scanner<'a>, Mark) -> Outcome<Token<'a>>;
