use super::characters::Kinds;
use super::error::Error;
use super::scanner::{Outcome, Scanner};
use super::shortcuts::{KeyInLine, NodeInLine};
use super::token::{Tag, TagDirective, Token, TokenKind};
use crate::yaml::{CollectionEvent, Comment, Event, EventKind, Mark, ScalarEvent, ScalarStyle};
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
    tag_directives: Vec<TagDirective>,
    /// For [`State::BlockMappingValueInLine`]: where the `:` ends.
    pub(super) indicator_end: Mark,
    /// For [`State::BlockMappingFirstKeyInLine`].
    pub(super) first_key: Option<KeyInLine<'a>>,
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
    /// The key has been read together with its `:`, without a token.
    BlockMappingFirstKeyInLine,
    BlockMappingKey,
    BlockMappingValue,
    /// The same for a `:`.
    BlockMappingValueInLine,
    FlowSequenceFirstEntry,
    FlowSequenceEntry,
    FlowSequenceEntryMappingKey,
    FlowSequenceEntryMappingValue,
    FlowSequenceEntryMappingEnd,
    FlowMappingFirstKey,
    FlowMappingKey,
    FlowMappingValue,
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
            first_key: None,
        }
    }

    pub(super) fn collect_comments(&mut self) {
        self.scanner.collect_comments();
    }

    pub(super) fn take_comments(&mut self) -> Vec<Comment> {
        self.scanner.take_comments()
    }

    /// Whether fewer than this many characters are left before a place in the text.
    pub(super) fn looks_at(&self, place: usize, characters: usize) -> bool {
        self.scanner.cursor.characters_before(place).is_none_or(|count| count < characters)
    }

    pub(super) fn next_event(&mut self) -> Outcome<Event<'a>> {
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
            State::BlockMappingFirstKeyInLine => self.block_mapping_first_key_in_line(),
            State::BlockMappingKey => self.block_mapping_key(),
            State::BlockMappingValue => self.block_mapping_value(),
            State::BlockMappingValueInLine => self.block_mapping_value_in_line(),
            State::FlowSequenceFirstEntry => self.flow_sequence_entry(true),
            State::FlowSequenceEntry => self.flow_sequence_entry(false),
            State::FlowSequenceEntryMappingKey => self.flow_sequence_entry_mapping_key(),
            State::FlowSequenceEntryMappingValue => self.flow_sequence_entry_mapping_value(),
            State::FlowSequenceEntryMappingEnd => self.flow_sequence_entry_mapping_end(),
            State::FlowMappingFirstKey => self.flow_mapping_key(true),
            State::FlowMappingKey => self.flow_mapping_key(false),
            State::FlowMappingValue => self.flow_mapping_value(),
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

    /// A node that has been read without a token, to go on with `then` behind it.
    pub(super) fn node_in_line(&mut self, node: NodeInLine<'a>, then: State) -> Event<'a> {
        match node {
            NodeInLine::Scalar(token) => {
                self.state = then;
                token_event(token)
            }
            NodeInLine::Mapping(key) => {
                let start = key.start;
                self.states.push(then);
                self.starts.push(start);
                self.first_key = Some(key);
                let state = State::BlockMappingFirstKeyInLine;
                self.state = state;
                bare_collection_start(state, start, start)
            }
            NodeInLine::Sequence(start) => {
                self.states.push(then);
                self.starts.push(start);
                let state = State::BlockSequenceEntry;
                self.state = state;
                bare_collection_start(state, start, start)
            }
        }
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

    /// The end of a collection at `mark`, found without a token.
    pub(super) fn collection_end_at(&mut self, mark: Mark, kind: EventKind<'a>) -> Event<'a> {
        self.pop_state();
        self.starts.pop();
        Event { kind, start: mark, end: mark }
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

    /// The node at hand: an alias, a scalar, or the start of a collection.
    fn node(&mut self, place: NodePlace) -> Outcome<Event<'a>> {
        if matches!(self.peek()?.kind, TokenKind::Scalar(..))
            && let Some(token) = self.scanner.take()
        {
            self.pop_state();
            return Ok(token_event(token));
        }
        let Token { ref kind, start, end } = *self.peek()?;
        if let TokenKind::Alias(anchor) = *kind {
            self.skip()?;
            self.pop_state();
            return Ok(Event { kind: EventKind::Alias { anchor }, start, end });
        }
        let properties = if matches!(kind, TokenKind::Anchor(_) | TokenKind::Tag(_)) {
            self.properties(start)?
        } else {
            Properties::none(start)
        };
        self.content(place, properties)
    }

    /// An anchor, a tag, or both in either order.
    fn properties(&mut self, start: Mark) -> Outcome<Properties<'a>> {
        let mut properties = Properties::none(start);
        let mut tag: Option<(Box<Tag<'a>>, Mark)> = None;
        loop {
            match self.peek()?.kind {
                TokenKind::Anchor(name) if properties.anchor.is_none() => properties.anchor = Some(name),
                TokenKind::Tag(_) if tag.is_none() => {}
                _ => break,
            }
            if let Some(Token { kind, start, end }) = self.scanner.take() {
                properties.end = end;
                if let TokenKind::Tag(found) = kind {
                    tag = Some((found, start));
                }
            }
        }
        if let Some((tag, mark)) = tag {
            properties.tag = Some(self.resolve_tag(*tag, start, mark)?);
        }
        Ok(properties)
    }

    fn resolve_tag(&self, tag: Tag<'a>, node: Mark, mark: Mark) -> Outcome<Cow<'a, str>> {
        if tag.handle.is_empty() {
            return Ok(tag.suffix);
        }
        let defined = self.tag_directives.iter().find(|known| known.handle == tag.handle);
        let prefix = match (defined, tag.handle) {
            (Some(directive), _) => Some(directive.prefix.as_str()),
            (None, "!") => Some("!"),
            (None, "!!") => Some("tag:yaml.org,2002:"),
            (None, _) => None,
        };
        match prefix {
            Some(prefix) => Ok(Cow::Owned(format!("{prefix}{}", tag.suffix))),
            None => Err(Error::new("found undefined tag handle", mark).within("while parsing a node", node)),
        }
    }

    /// What follows the properties of a node.
    fn content(&mut self, place: NodePlace, properties: Properties<'a>) -> Outcome<Event<'a>> {
        let is_block = place != NodePlace::Flow;
        let Token { ref kind, start, end } = *self.peek()?;
        let collection = match kind {
            TokenKind::Scalar(..) => return self.scalar(properties),
            TokenKind::BlockEntry if place == NodePlace::BlockOrIndentlessSequence => {
                State::IndentlessSequenceEntry
            }
            TokenKind::FlowSequenceStart => State::FlowSequenceFirstEntry,
            TokenKind::FlowMappingStart => State::FlowMappingFirstKey,
            TokenKind::BlockSequenceStart if is_block => State::BlockSequenceFirstEntry,
            TokenKind::BlockMappingStart if is_block => State::BlockMappingFirstKey,
            _ if properties.anchor.is_some() || properties.tag.is_some() => {
                self.pop_state();
                let end = properties.end;
                return Ok(empty_scalar(properties, end));
            }
            _ => {
                let context =
                    if is_block { "while parsing a block node" } else { "while parsing a flow node" };
                let error = Error::new("did not find expected node content", start);
                return Err(error.within(context, properties.start));
            }
        };
        self.state = collection;
        Ok(collection_start(collection, properties, end))
    }

    fn scalar(&mut self, properties: Properties<'a>) -> Outcome<Event<'a>> {
        self.peek()?;
        self.pop_state();
        match self.scanner.take() {
            Some(Token { kind: TokenKind::Scalar(value, style), end, .. }) => {
                Ok(scalar_event(properties, value, style, end))
            }
            _ => Ok(empty_scalar(properties, Mark::default())),
        }
    }
}

/// What may stand before the content of a node.
struct Properties<'a> {
    anchor: Option<&'a str>,
    tag: Option<Cow<'a, str>>,
    /// Where the node begins.
    start: Mark,
    /// Where the properties end.
    end: Mark,
}

impl Properties<'_> {
    fn none(mark: Mark) -> Self {
        Self { anchor: None, tag: None, start: mark, end: mark }
    }

    fn is_tag_implicit(&self) -> bool {
        self.tag.as_ref().is_none_or(|tag| tag.is_empty())
    }
}

fn scalar_event<'a>(
    properties: Properties<'a>,
    value: Cow<'a, str>,
    style: ScalarStyle,
    end: Mark,
) -> Event<'a> {
    let Properties { anchor, tag, start, .. } = properties;
    let is_plain = style == ScalarStyle::Plain;
    let plain_implicit = tag.as_ref().map_or(is_plain, |tag| tag == "!");
    let quoted_implicit = tag.is_none() && !is_plain;
    let event = ScalarEvent { anchor, tag, value, style, plain_implicit, quoted_implicit };
    Event { kind: EventKind::Scalar(event), start, end }
}

/// A scalar without properties. Written in one go: most events come from here.
#[inline(always)]
fn token_event(token: Token<'_>) -> Event<'_> {
    let Token { kind: TokenKind::Scalar(value, style), start, end } = token else {
        return empty_scalar(Properties::none(token.start), token.end);
    };
    bare_scalar_event(value, style, start, end)
}

/// A scalar without properties.
#[inline(always)]
pub(super) fn bare_scalar_event<'a>(
    value: Cow<'a, str>,
    style: ScalarStyle,
    start: Mark,
    end: Mark,
) -> Event<'a> {
    let is_plain = style == ScalarStyle::Plain;
    let kind = EventKind::Scalar(ScalarEvent {
        anchor: None,
        tag: None,
        value,
        style,
        plain_implicit: is_plain,
        quoted_implicit: !is_plain,
    });
    Event { kind, start, end }
}

/// A scalar that has properties and nothing else.
fn empty_scalar(properties: Properties<'_>, end: Mark) -> Event<'_> {
    let plain_implicit = properties.is_tag_implicit();
    let Properties { anchor, tag, start, .. } = properties;
    let value = Cow::Borrowed("");
    let event =
        ScalarEvent { anchor, tag, value, style: ScalarStyle::Plain, plain_implicit, quoted_implicit: false };
    Event { kind: EventKind::Scalar(event), start, end }
}

/// The start of a collection without properties.
pub(super) fn bare_collection_start<'a>(state: State, start: Mark, end: Mark) -> Event<'a> {
    collection_start(state, Properties::none(start), end)
}

fn collection_start(state: State, properties: Properties<'_>, end: Mark) -> Event<'_> {
    let implicit = properties.is_tag_implicit();
    let Properties { anchor, tag, start, .. } = properties;
    let flow = matches!(state, State::FlowSequenceFirstEntry | State::FlowMappingFirstKey);
    let is_mapping = matches!(
        state,
        State::BlockMappingFirstKey | State::BlockMappingFirstKeyInLine | State::FlowMappingFirstKey
    );
    let event = CollectionEvent { anchor, tag, implicit, flow };
    let kind = if is_mapping { EventKind::MappingStart(event) } else { EventKind::SequenceStart(event) };
    Event { kind, start, end }
}
