//! Nodes: their anchors and tags, and what follows them.

use super::error::Error;
use super::parser::{NodePlace, Parser, State};
use super::scanner::Outcome;
use super::shortcuts::NodeInLine;
use super::token::{Tag, Token, TokenKind};
use crate::yaml::{CollectionEvent, Event, EventKind, Mark, Properties, ScalarEvent, ScalarStyle};
use std::borrow::Cow;

impl<'a> Parser<'a> {
    /// A node at `start` that has been read without a token, to go on with `then` behind it.
    pub(super) fn node_without_token(&mut self, node: NodeInLine<'a>, start: Mark, then: State) -> Event<'a> {
        let behind = Mark { offset: start.offset + 1, column: start.column + 1, ..start };
        match node {
            NodeInLine::Scalar(token) => {
                self.state = then;
                token_event(token)
            }
            NodeInLine::Sequence => {
                self.collection_without_token(State::BlockSequenceEntry, start, start, then)
            }
            NodeInLine::FlowSequence => {
                self.collection_without_token(State::FlowSequenceFirstEntryInLine, start, behind, then)
            }
            NodeInLine::FlowMapping => {
                self.collection_without_token(State::FlowMappingFirstKeyInLine, start, behind, then)
            }
        }
    }

    /// The start of a collection that goes on with `state`.
    pub(super) fn collection_without_token(
        &mut self,
        state: State,
        start: Mark,
        end: Mark,
        then: State,
    ) -> Event<'a> {
        self.states.push(then);
        self.starts.push(start);
        self.state = state;
        bare_collection_start(state, start, end)
    }

    /// The node at hand: an alias, a scalar, or the start of a collection.
    pub(super) fn node(&mut self, place: NodePlace) -> Outcome<Event<'a>> {
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
        let front = if matches!(kind, TokenKind::Anchor(_) | TokenKind::Tag(_)) {
            self.properties(start)?
        } else {
            Front::bare(start)
        };
        self.content(place, front)
    }

    /// An anchor, a tag, or both in either order.
    fn properties(&mut self, start: Mark) -> Outcome<Front<'a>> {
        let mut properties = Properties::default();
        let mut tag: Option<(Box<Tag<'a>>, Mark)> = None;
        let mut behind = start;
        loop {
            match self.peek()?.kind {
                TokenKind::Anchor(name) if properties.anchor.is_none() => properties.anchor = Some(name),
                TokenKind::Tag(_) if tag.is_none() => {}
                _ => break,
            }
            if let Some(Token { kind, start, end }) = self.scanner.take() {
                behind = end;
                if let TokenKind::Tag(found) = kind {
                    tag = Some((found, start));
                }
            }
        }
        if let Some((tag, mark)) = tag {
            properties.tag = Some(self.resolve_tag(*tag, start, mark)?);
        }
        Ok(Front { properties: Some(Box::new(properties)), start, end: behind })
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
    fn content(&mut self, place: NodePlace, front: Front<'a>) -> Outcome<Event<'a>> {
        let is_block = place != NodePlace::Flow;
        let Token { ref kind, start, end } = *self.peek()?;
        let collection = match kind {
            TokenKind::Scalar(..) => return self.scalar(front),
            TokenKind::BlockEntry if place == NodePlace::BlockOrIndentlessSequence => {
                State::IndentlessSequenceEntry
            }
            TokenKind::FlowSequenceStart => State::FlowSequenceFirstEntry,
            TokenKind::FlowMappingStart => State::FlowMappingFirstKey,
            TokenKind::BlockSequenceStart if is_block => State::BlockSequenceFirstEntry,
            TokenKind::BlockMappingStart if is_block => State::BlockMappingFirstKey,
            _ if front.properties.is_some() => {
                self.pop_state();
                let end = front.end;
                return Ok(empty_scalar(front, end));
            }
            _ => {
                let context =
                    if is_block { "while parsing a block node" } else { "while parsing a flow node" };
                let error = Error::new("did not find expected node content", start);
                return Err(error.within(context, front.start));
            }
        };
        self.state = collection;
        Ok(collection_start(collection, front, end))
    }

    fn scalar(&mut self, front: Front<'a>) -> Outcome<Event<'a>> {
        self.peek()?;
        self.pop_state();
        match self.scanner.take() {
            Some(Token { kind: TokenKind::Scalar(value, style), end, .. }) => {
                Ok(scalar_event(front, value, style, end))
            }
            _ => Ok(empty_scalar(front, Mark::default())),
        }
    }
}

/// What stands before the content of a node.
struct Front<'a> {
    properties: Option<Box<Properties<'a>>>,
    /// Where the node begins.
    start: Mark,
    /// Where the properties end.
    end: Mark,
}

impl<'a> Front<'a> {
    fn bare(mark: Mark) -> Self {
        Self { properties: None, start: mark, end: mark }
    }

    fn tag(&self) -> Option<&str> {
        self.properties.as_ref()?.tag.as_deref()
    }
}

fn scalar_event<'a>(front: Front<'a>, value: Cow<'a, str>, style: ScalarStyle, end: Mark) -> Event<'a> {
    let is_plain = style == ScalarStyle::Plain;
    let plain_implicit = front.tag().map_or(is_plain, |tag| tag == "!");
    let quoted_implicit = front.tag().is_none() && !is_plain;
    let Front { properties, start, .. } = front;
    let event = ScalarEvent { properties, value, style, plain_implicit, quoted_implicit };
    Event { kind: EventKind::Scalar(event), start, end }
}

/// A scalar without properties. Written in one go: most events come from here.
#[inline(always)]
pub(super) fn token_event(token: Token<'_>) -> Event<'_> {
    let Token { kind: TokenKind::Scalar(value, style), start, end } = token else {
        return empty_scalar(Front::bare(token.start), token.end);
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
        properties: None,
        value,
        style,
        plain_implicit: is_plain,
        quoted_implicit: !is_plain,
    });
    Event { kind, start, end }
}

/// A scalar that has properties and nothing else.
fn empty_scalar(front: Front<'_>, end: Mark) -> Event<'_> {
    let plain_implicit = front.tag().is_none_or(str::is_empty);
    let Front { properties, start, .. } = front;
    let value = Cow::Borrowed("");
    let event =
        ScalarEvent { properties, value, style: ScalarStyle::Plain, plain_implicit, quoted_implicit: false };
    Event { kind: EventKind::Scalar(event), start, end }
}

/// The start of a collection without properties.
#[inline(always)]
pub(super) fn bare_collection_start<'a>(state: State, start: Mark, end: Mark) -> Event<'a> {
    collection_start(state, Front::bare(start), end)
}

#[inline]
fn collection_start(state: State, front: Front<'_>, end: Mark) -> Event<'_> {
    let implicit = front.tag().is_none_or(str::is_empty);
    let Front { properties, start, .. } = front;
    let is_block_mapping = matches!(state, State::BlockMappingFirstKey | State::BlockMappingKey);
    let is_flow_mapping = matches!(state, State::FlowMappingFirstKey | State::FlowMappingFirstKeyInLine);
    let is_flow_sequence =
        matches!(state, State::FlowSequenceFirstEntry | State::FlowSequenceFirstEntryInLine);
    let is_mapping = is_block_mapping || is_flow_mapping;
    let flow = is_flow_mapping || is_flow_sequence;
    let event = CollectionEvent { properties, implicit, flow };
    let kind = if is_mapping { EventKind::MappingStart(event) } else { EventKind::SequenceStart(event) };
    Event { kind, start, end }
}
