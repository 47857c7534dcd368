use super::parse_node::{bare_collection_start, bare_scalar_event};
use super::parser::{NodePlace, Parser, State};
use super::scanner::Outcome;
use super::shortcuts::KeyInLine;
use super::token::TokenKind;
use crate::yaml::{Event, EventKind, Mark, ScalarStyle};
use std::borrow::Cow;

impl<'a> Parser<'a> {
    pub(super) fn block_sequence_first_entry(&mut self) -> Outcome<Event<'a>> {
        self.enter_collection()?;
        self.block_sequence_entry()
    }

    /// `-` and a node, or the end of the sequence.
    pub(super) fn block_sequence_entry(&mut self) -> Outcome<Event<'a>> {
        if let Some(start) = self.scanner.start_of_simple_key() {
            if let Some(mark) = self.scanner.entry_in_line(start) {
                return self.entry_behind(mark, State::BlockSequenceEntry);
            }
            if self.scanner.dedent_in_line(start) {
                return Ok(self.collection_end_at(start, start, EventKind::SequenceEnd));
            }
        }
        match self.peek()?.kind {
            TokenKind::BlockEntry => {
                let mark = self.skip()?;
                self.entry_behind(mark, State::BlockSequenceEntry)
            }
            TokenKind::BlockEnd => self.collection_end(EventKind::SequenceEnd),
            _ => self.unexpected("while parsing a block collection", "did not find expected '-' indicator"),
        }
    }

    /// The same, in a sequence that has the indentation of the mapping around it and no tokens of its own.
    pub(super) fn indentless_sequence_entry(&mut self) -> Outcome<Event<'a>> {
        if let Some(start) = self.scanner.start_of_simple_key() {
            if let Some(mark) = self.scanner.entry_in_line(start) {
                return self.entry_behind(mark, State::IndentlessSequenceEntry);
            }
            if self.scanner.is_end_of_indentless(start) {
                self.pop_state();
                return Ok(Event { kind: EventKind::SequenceEnd, start, end: start });
            }
        }
        let token = self.peek()?;
        if !matches!(token.kind, TokenKind::BlockEntry) {
            let mark = token.start;
            self.pop_state();
            return Ok(Event { kind: EventKind::SequenceEnd, start: mark, end: mark });
        }
        let mark = self.skip()?;
        self.entry_behind(mark, State::IndentlessSequenceEntry)
    }

    /// The entry behind a `-` that ends at `mark`.
    fn entry_behind(&mut self, mark: Mark, then: State) -> Outcome<Event<'a>> {
        self.node_in_line(mark, then, Self::entry_by_token)
    }

    fn entry_by_token(&mut self, mark: Mark, then: State) -> Outcome<Event<'a>> {
        match self.peek()?.kind {
            TokenKind::BlockEntry | TokenKind::BlockEnd => self.empty_then(then, mark),
            TokenKind::Key | TokenKind::Value if then == State::IndentlessSequenceEntry => {
                self.empty_then(then, mark)
            }
            _ => self.node_then(then, NodePlace::Block),
        }
    }

    /// A node behind the indicator that ends at `mark`, without tokens if that is possible.
    #[inline(always)]
    fn node_in_line(
        &mut self,
        mark: Mark,
        then: State,
        by_token: fn(&mut Self, Mark, State) -> Outcome<Event<'a>>,
    ) -> Outcome<Event<'a>> {
        let Some(start) = self.scanner.start_of_node() else { return by_token(self, mark, then) };
        if let Some(run) = self.scanner.run_of_plain(start) {
            if self.scanner.is_first_key(&run) {
                self.scanner.indent_to(start)?;
                return Ok(self.collection_without_token(State::BlockMappingKey, start, start, then));
            }
            if let Some(text) = self.scanner.pass_plain(&run, start) {
                self.state = then;
                return Ok(bare_scalar_event(Cow::Borrowed(text), ScalarStyle::Plain, start, run.end));
            }
        }
        match self.scanner.node_in_line(start)? {
            Some(node) => Ok(self.node_without_token(node, start, then)),
            None => by_token(self, mark, then),
        }
    }

    pub(super) fn block_mapping_first_key(&mut self) -> Outcome<Event<'a>> {
        self.enter_collection()?;
        self.block_mapping_key()
    }

    /// A key, or the end of the mapping.
    #[inline(always)]
    pub(super) fn block_mapping_key(&mut self) -> Outcome<Event<'a>> {
        if let Some(start) = self.scanner.start_of_simple_key() {
            if let Some(key) = self.scanner.key_in_line(start) {
                return Ok(self.key_in_line(key));
            }
            if self.scanner.dedent_in_line(start) {
                return Ok(self.collection_end_at(start, start, EventKind::MappingEnd));
            }
        }
        self.block_mapping_key_by_token()
    }

    #[inline(never)]
    fn block_mapping_key_by_token(&mut self) -> Outcome<Event<'a>> {
        match self.peek()?.kind {
            TokenKind::Key => self.node_behind_indicator(State::BlockMappingValue),
            TokenKind::BlockEnd => self.collection_end(EventKind::MappingEnd),
            _ => self.unexpected("while parsing a block mapping", "did not find expected key"),
        }
    }

    #[inline(always)]
    fn key_in_line(&mut self, key: KeyInLine<'a>) -> Event<'a> {
        let KeyInLine { name, start, end, indicator_end } = key;
        self.state = State::BlockMappingValueInLine;
        self.indicator_end = indicator_end;
        bare_scalar_event(Cow::Borrowed(name), ScalarStyle::Plain, start, end)
    }

    /// The value of a key that has been read together with its `:`.
    #[inline(always)]
    pub(super) fn block_mapping_value_in_line(&mut self) -> Outcome<Event<'a>> {
        self.node_behind(self.indicator_end, State::BlockMappingKey)
    }

    /// `:` and a node. Both may be missing.
    pub(super) fn block_mapping_value(&mut self) -> Outcome<Event<'a>> {
        let token = self.peek()?;
        if matches!(token.kind, TokenKind::Value) {
            return self.node_behind_indicator(State::BlockMappingKey);
        }
        let mark = token.start;
        self.empty_then(State::BlockMappingKey, mark)
    }

    /// The key or value behind the indicator at hand.
    fn node_behind_indicator(&mut self, then: State) -> Outcome<Event<'a>> {
        let mark = self.skip()?;
        self.node_behind(mark, then)
    }

    /// The key or value behind an indicator that ends at `mark`.
    #[inline(always)]
    fn node_behind(&mut self, mark: Mark, then: State) -> Outcome<Event<'a>> {
        self.node_in_line(mark, then, Self::node_by_token)
    }

    fn node_by_token(&mut self, mark: Mark, then: State) -> Outcome<Event<'a>> {
        if let Some(start) = self.scanner.indentless_sequence_in_line() {
            self.states.push(then);
            self.state = State::IndentlessSequenceEntry;
            let behind = Mark { offset: start.offset + 1, column: start.column + 1, ..start };
            return Ok(bare_collection_start(State::IndentlessSequenceEntry, start, behind));
        }
        match self.peek()?.kind {
            TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => self.empty_then(then, mark),
            _ => self.node_then(then, NodePlace::BlockOrIndentlessSequence),
        }
    }

    /// Passes the token that begins a collection, and remembers its place for errors.
    pub(super) fn enter_collection(&mut self) -> Outcome<()> {
        let start = self.peek()?.start;
        self.starts.push(start);
        self.skip()?;
        Ok(())
    }
}
