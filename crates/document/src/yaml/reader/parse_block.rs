use super::parser::{NodePlace, Parser, State};
use super::scanner::Outcome;
use super::token::TokenKind;
use crate::yaml::{Event, EventKind};

impl<'a> Parser<'a> {
    pub(super) fn block_sequence_first_entry(&mut self) -> Outcome<Event<'a>> {
        self.enter_collection()?;
        self.block_sequence_entry()
    }

    /// `-` and a node, or the end of the sequence.
    pub(super) fn block_sequence_entry(&mut self) -> Outcome<Event<'a>> {
        match self.peek()?.kind {
            TokenKind::BlockEntry => {
                let mark = self.skip()?;
                match self.peek()?.kind {
                    TokenKind::BlockEntry | TokenKind::BlockEnd => {
                        self.empty_then(State::BlockSequenceEntry, mark)
                    }
                    _ => self.node_then(State::BlockSequenceEntry, NodePlace::Block),
                }
            }
            TokenKind::BlockEnd => self.collection_end(EventKind::SequenceEnd),
            _ => self.unexpected("while parsing a block collection", "did not find expected '-' indicator"),
        }
    }

    /// The same, in a sequence that has the indentation of the mapping around it and no tokens of its own.
    pub(super) fn indentless_sequence_entry(&mut self) -> Outcome<Event<'a>> {
        let token = self.peek()?;
        if !matches!(token.kind, TokenKind::BlockEntry) {
            let mark = token.start;
            self.pop_state();
            return Ok(Event { kind: EventKind::SequenceEnd, start: mark, end: mark });
        }
        let mark = self.skip()?;
        match self.peek()?.kind {
            TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => {
                self.empty_then(State::IndentlessSequenceEntry, mark)
            }
            _ => self.node_then(State::IndentlessSequenceEntry, NodePlace::Block),
        }
    }

    pub(super) fn block_mapping_first_key(&mut self) -> Outcome<Event<'a>> {
        self.enter_collection()?;
        self.block_mapping_key()
    }

    /// A key, or the end of the mapping.
    pub(super) fn block_mapping_key(&mut self) -> Outcome<Event<'a>> {
        match self.peek()?.kind {
            TokenKind::Key => self.node_behind_indicator(State::BlockMappingValue),
            TokenKind::BlockEnd => self.collection_end(EventKind::MappingEnd),
            _ => self.unexpected("while parsing a block mapping", "did not find expected key"),
        }
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
