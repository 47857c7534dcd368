use super::characters::Kinds;
use super::error::Error;
use super::parse_node::bare_scalar_event;
use super::scanner::{Outcome, Scanner};
use super::token::{TagDirective, Token, TokenKind};
use crate::yaml::{Comment, Event, EventKind, Mark, ScalarStyle};
use std::borrow::Cow;

/// Turns tokens into events. A state machine with a stack of its own: the depth of the text never becomes depth of the
/// call stack.
#[derive(Debug)]
pub(super) struct Parser<'a> {
    pub(super) scanner: Scanner<'a>,
    pub(super) state: State,
    /// Where to go on when the node at hand is complete.
    pub(super) states: Vec<State>,
    /// Where the collections around the node at hand begin.
    pub(super) starts: Vec<Mark>,
    pub(super) tag_directives: Vec<TagDirective>,
    /// For [`State::BlockMappingValueInLine`]: where the `:` ends.
    pub(super) indicator_end: Mark,
}

/// What the parser expects next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    StreamStart,
    ImplicitDocumentStart,
    DocumentStart,
    DocumentContent,
    DocumentEnd,
    BlockNode,
    BlockSequenceFirstEntry,
    BlockSequenceEntry,
    IndentlessSequenceEntry,
    BlockMappingFirstKey,
    BlockMappingKey,
    BlockMappingValue,
    /// The key has been read together with its `:`, without a token.
    BlockMappingValueInLine,
    FlowSequenceFirstEntry,
    /// The `[` has been passed, without a token.
    FlowSequenceFirstEntryInLine,
    FlowSequenceEntry,
    FlowSequenceEntryMappingKey,
    FlowSequenceEntryMappingValue,
    FlowSequenceEntryMappingEnd,
    FlowMappingFirstKey,
    /// The `{` has been passed, without a token.
    FlowMappingFirstKeyInLine,
    FlowMappingKey,
    FlowMappingValue,
    /// The key has been read together with its `:`, without a token.
    FlowMappingValueInLine,
    FlowMappingEmptyValue,
    End,
}

/// Which collections may stand where a node is expected.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NodePlace {
    Block,
    /// In a block mapping: a sequence may have the indentation of its key.
    BlockOrIndentlessSequence,
    Flow,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, kinds: Kinds) -> Self {
        Self {
            scanner: Scanner::new(text, kinds),
            state: State::StreamStart,
            states: Vec::new(),
            starts: Vec::new(),
            tag_directives: Vec::new(),
            indicator_end: Mark::default(),
        }
    }

    pub(super) fn collect_comments(&mut self) {
        self.scanner.collect_comments();
    }

    pub(super) fn take_comments(&mut self) -> Vec<Comment> {
        self.scanner.take_comments()
    }

    /// The states of block collections come first: nearly all events of a configuration file come from them.
    #[inline(always)]
    pub(super) fn next_event(&mut self) -> Outcome<Event<'a>> {
        match self.state {
            State::BlockMappingKey => self.block_mapping_key(),
            State::BlockMappingValueInLine => self.block_mapping_value_in_line(),
            _ => self.next_event_of_others(),
        }
    }

    #[inline(never)]
    fn next_event_of_others(&mut self) -> Outcome<Event<'a>> {
        match self.state {
            State::StreamStart => self.stream_start(),
            State::ImplicitDocumentStart => self.document_start(true),
            State::DocumentStart => self.document_start(false),
            State::DocumentContent => self.document_content(),
            State::DocumentEnd => self.document_end(),
            State::BlockNode => self.node(NodePlace::Block),
            State::BlockSequenceFirstEntry => self.block_sequence_first_entry(),
            State::BlockSequenceEntry => self.block_sequence_entry(),
            State::IndentlessSequenceEntry => self.indentless_sequence_entry(),
            State::BlockMappingFirstKey => self.block_mapping_first_key(),
            State::BlockMappingKey => self.block_mapping_key(),
            State::BlockMappingValue => self.block_mapping_value(),
            State::BlockMappingValueInLine => self.block_mapping_value_in_line(),
            State::FlowSequenceFirstEntry => self.flow_sequence_first_entry(),
            State::FlowSequenceFirstEntryInLine => self.flow_sequence_entry(),
            State::FlowSequenceEntry => self.flow_sequence_next_entry(),
            State::FlowSequenceEntryMappingKey => self.flow_sequence_entry_mapping_key(),
            State::FlowSequenceEntryMappingValue => self.flow_sequence_entry_mapping_value(),
            State::FlowSequenceEntryMappingEnd => self.flow_sequence_entry_mapping_end(),
            State::FlowMappingFirstKey => self.flow_mapping_first_key(),
            State::FlowMappingFirstKeyInLine => self.flow_mapping_key(),
            State::FlowMappingKey => self.flow_mapping_next_key(),
            State::FlowMappingValue => self.flow_mapping_value(),
            State::FlowMappingValueInLine => self.flow_mapping_value_in_line(),
            State::FlowMappingEmptyValue => self.flow_mapping_empty_value(),
            State::End => {
                let mark = self.scanner.cursor.mark();
                Ok(Event { kind: EventKind::StreamEnd, start: mark, end: mark })
            }
        }
    }

    #[inline]
    pub(super) fn peek(&mut self) -> Outcome<&Token<'a>> {
        self.scanner.peek()
    }

    /// Takes the token at hand away. Returns its end.
    pub(super) fn skip(&mut self) -> Outcome<Mark> {
        let end = self.peek()?.end;
        self.scanner.take();
        Ok(end)
    }

    /// The node is complete: goes on with what surrounds it.
    pub(super) fn pop_state(&mut self) {
        self.state = self.states.pop().unwrap_or(State::End);
    }

    /// Reads a node, to go on with `then` when it is complete.
    pub(super) fn node_then(&mut self, then: State, place: NodePlace) -> Outcome<Event<'a>> {
        self.states.push(then);
        self.node(place)
    }

    /// A node is missing: tells an empty scalar, and goes on with `then`.
    pub(super) fn empty_then(&mut self, then: State, mark: Mark) -> Outcome<Event<'a>> {
        self.state = then;
        Ok(bare_scalar_event(Cow::Borrowed(""), ScalarStyle::Plain, mark, mark))
    }

    /// The end of a collection, at the token at hand.
    pub(super) fn collection_end(&mut self, kind: EventKind<'a>) -> Outcome<Event<'a>> {
        let start = self.peek()?.start;
        let end = self.skip()?;
        self.pop_state();
        self.starts.pop();
        Ok(Event { kind, start, end })
    }

    /// The end of a collection, found without a token.
    pub(super) fn collection_end_at(&mut self, start: Mark, end: Mark, kind: EventKind<'a>) -> Event<'a> {
        self.pop_state();
        self.starts.pop();
        Event { kind, start, end }
    }

    /// The token at hand cannot go on with the collection.
    pub(super) fn unexpected(&mut self, context: &'static str, problem: &'static str) -> Outcome<Event<'a>> {
        let mark = self.peek()?.start;
        let start = self.starts.pop().unwrap_or_default();
        Err(Error::new(problem, mark).within(context, start))
    }

    fn stream_start(&mut self) -> Outcome<Event<'a>> {
        let mark = self.peek()?.start;
        self.skip()?;
        self.state = State::ImplicitDocumentStart;
        Ok(Event { kind: EventKind::StreamStart, start: mark, end: mark })
    }

    fn document_start(&mut self, may_be_implicit: bool) -> Outcome<Event<'a>> {
        while !may_be_implicit && matches!(self.peek()?.kind, TokenKind::DocumentEnd) {
            self.skip()?;
        }
        let Token { ref kind, start, end } = *self.peek()?;
        match kind {
            TokenKind::StreamEnd => {
                self.state = State::End;
                self.skip()?;
                Ok(Event { kind: EventKind::StreamEnd, start, end })
            }
            TokenKind::VersionDirective(..) | TokenKind::TagDirective(_) | TokenKind::DocumentStart => {
                self.explicit_document_start(start)
            }
            _ if may_be_implicit => {
                self.states.push(State::DocumentEnd);
                self.state = State::BlockNode;
                let kind = EventKind::DocumentStart { explicit: false, version: None, tags: Vec::new() };
                Ok(Event { kind, start, end: start })
            }
            _ => self.explicit_document_start(start),
        }
    }

    fn explicit_document_start(&mut self, start: Mark) -> Outcome<Event<'a>> {
        let (version, tags) = self.directives()?;
        let token = self.peek()?;
        if !matches!(token.kind, TokenKind::DocumentStart) {
            return Err(Error::new("did not find expected <document start>", token.start));
        }
        let end = self.skip()?;
        self.states.push(State::DocumentEnd);
        self.state = State::DocumentContent;
        Ok(Event { kind: EventKind::DocumentStart { explicit: true, version, tags }, start, end })
    }

    #[expect(clippy::type_complexity, reason = "the two fields of the event that it fills")]
    fn directives(&mut self) -> Outcome<(Option<(u32, u32)>, Vec<(String, String)>)> {
        let mut version = None;
        let mut tags = Vec::new();
        loop {
            let Token { ref kind, start, .. } = *self.peek()?;
            let refused = |problem| Err(Error::new(problem, start));
            match kind {
                TokenKind::VersionDirective(major, minor) => {
                    if version.is_some() {
                        return refused("found duplicate %YAML directive");
                    }
                    if !matches!((major, minor), (1, 1 | 2)) {
                        return refused("found incompatible YAML document");
                    }
                    version = Some((*major, *minor));
                }
                TokenKind::TagDirective(directive) => {
                    let directive = TagDirective::clone(directive);
                    if self.tag_directives.iter().any(|known| known.handle == directive.handle) {
                        return refused("found duplicate %TAG directive");
                    }
                    tags.push((directive.handle.clone(), directive.prefix.clone()));
                    self.tag_directives.push(directive);
                }
                _ => break,
            }
            self.skip()?;
        }
        Ok((version, tags))
    }

    fn document_content(&mut self) -> Outcome<Event<'a>> {
        let token = self.peek()?;
        match token.kind {
            TokenKind::VersionDirective(..)
            | TokenKind::TagDirective(_)
            | TokenKind::DocumentStart
            | TokenKind::DocumentEnd
            | TokenKind::StreamEnd => {
                let mark = token.start;
                let then = self.states.pop().unwrap_or(State::End);
                self.empty_then(then, mark)
            }
            _ => self.node(NodePlace::Block),
        }
    }

    fn document_end(&mut self) -> Outcome<Event<'a>> {
        let token = self.peek()?;
        let (start, mut end) = (token.start, token.start);
        let explicit = matches!(token.kind, TokenKind::DocumentEnd);
        if explicit {
            end = self.skip()?;
        }
        self.tag_directives.clear();
        self.state = State::DocumentStart;
        Ok(Event { kind: EventKind::DocumentEnd { explicit }, start, end })
    }
}
