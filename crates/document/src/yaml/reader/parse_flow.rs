use super::parse_node::token_event;
use super::parser::{NodePlace, Parser, State};
use super::scanner::Outcome;
use super::token::{Token, TokenKind};
use crate::yaml::{CollectionEvent, Event, EventKind};

impl<'a> Parser<'a> {
    pub(super) fn flow_sequence_first_entry(&mut self) -> Outcome<Event<'a>> {
        self.enter_collection()?;
        self.flow_sequence_entry()
    }

    pub(super) fn flow_sequence_next_entry(&mut self) -> Outcome<Event<'a>> {
        if !self.scanner.flow_entry_in_line(b']')
            && !matches!(self.peek()?.kind, TokenKind::FlowSequenceEnd)
            && !self.skip_flow_entry()?
        {
            return self.unexpected("while parsing a flow sequence", "did not find expected ',' or ']'");
        }
        self.flow_sequence_entry()
    }

    /// An entry, or the end of the sequence.
    pub(super) fn flow_sequence_entry(&mut self) -> Outcome<Event<'a>> {
        if let Some((start, end)) = self.scanner.flow_end_in_line(b']') {
            return Ok(self.collection_end_at(start, end, EventKind::SequenceEnd));
        }
        if let Some(token) = self.scanner.flow_item_in_line()? {
            self.state = State::FlowSequenceEntry;
            return Ok(token_event(token));
        }
        let Token { ref kind, start, end } = *self.peek()?;
        match kind {
            TokenKind::FlowSequenceEnd => self.collection_end(EventKind::SequenceEnd),
            TokenKind::Key => {
                self.skip()?;
                self.state = State::FlowSequenceEntryMappingKey;
                let event = CollectionEvent { properties: None, implicit: true, flow: true };
                Ok(Event { kind: EventKind::MappingStart(event), start, end })
            }
            _ => self.node_then(State::FlowSequenceEntry, NodePlace::Flow),
        }
    }

    /// The key of a pair that stands in a sequence without braces.
    pub(super) fn flow_sequence_entry_mapping_key(&mut self) -> Outcome<Event<'a>> {
        match self.peek()?.kind {
            TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowSequenceEnd => {
                // libyaml passes over the token, whatever it is: `[? : a]` has no value, and `[?]` no end.
                let mark = self.skip()?;
                self.empty_then(State::FlowSequenceEntryMappingValue, mark)
            }
            _ => self.node_then(State::FlowSequenceEntryMappingValue, NodePlace::Flow),
        }
    }

    pub(super) fn flow_sequence_entry_mapping_value(&mut self) -> Outcome<Event<'a>> {
        let then = State::FlowSequenceEntryMappingEnd;
        if matches!(self.peek()?.kind, TokenKind::Value) {
            self.skip()?;
            if !matches!(self.peek()?.kind, TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
                return self.node_then(then, NodePlace::Flow);
            }
        }
        let mark = self.peek()?.start;
        self.empty_then(then, mark)
    }

    pub(super) fn flow_sequence_entry_mapping_end(&mut self) -> Outcome<Event<'a>> {
        let mark = self.peek()?.start;
        self.state = State::FlowSequenceEntry;
        Ok(Event { kind: EventKind::MappingEnd, start: mark, end: mark })
    }

    pub(super) fn flow_mapping_first_key(&mut self) -> Outcome<Event<'a>> {
        self.enter_collection()?;
        self.flow_mapping_key()
    }

    pub(super) fn flow_mapping_next_key(&mut self) -> Outcome<Event<'a>> {
        if !self.scanner.flow_entry_in_line(b'}')
            && !matches!(self.peek()?.kind, TokenKind::FlowMappingEnd)
            && !self.skip_flow_entry()?
        {
            return self.unexpected("while parsing a flow mapping", "did not find expected ',' or '}'");
        }
        self.flow_mapping_key()
    }

    /// A key, or the end of the mapping.
    pub(super) fn flow_mapping_key(&mut self) -> Outcome<Event<'a>> {
        if let Some((start, end)) = self.scanner.flow_end_in_line(b'}') {
            return Ok(self.collection_end_at(start, end, EventKind::MappingEnd));
        }
        if let Some(token) = self.scanner.flow_key_in_line()? {
            self.state = State::FlowMappingValueInLine;
            return Ok(token_event(token));
        }
        match self.peek()?.kind {
            TokenKind::FlowMappingEnd => self.collection_end(EventKind::MappingEnd),
            TokenKind::Key => {
                self.skip()?;
                let Token { ref kind, start, .. } = *self.peek()?;
                match kind {
                    TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMappingEnd => {
                        self.empty_then(State::FlowMappingValue, start)
                    }
                    _ => self.node_then(State::FlowMappingValue, NodePlace::Flow),
                }
            }
            _ => self.node_then(State::FlowMappingEmptyValue, NodePlace::Flow),
        }
    }

    pub(super) fn flow_mapping_value(&mut self) -> Outcome<Event<'a>> {
        if !matches!(self.peek()?.kind, TokenKind::Value) {
            return self.flow_mapping_empty_value();
        }
        self.skip()?;
        self.flow_mapping_value_behind()
    }

    /// The value of a key that has been read together with its `:`.
    pub(super) fn flow_mapping_value_in_line(&mut self) -> Outcome<Event<'a>> {
        match self.scanner.flow_value_in_line()? {
            Some((node, start)) => Ok(self.node_without_token(node, start, State::FlowMappingKey)),
            None => self.flow_mapping_value_behind(),
        }
    }

    /// The value behind a `:`. It may be missing.
    fn flow_mapping_value_behind(&mut self) -> Outcome<Event<'a>> {
        match self.peek()?.kind {
            TokenKind::FlowEntry | TokenKind::FlowMappingEnd => self.flow_mapping_empty_value(),
            _ => self.node_then(State::FlowMappingKey, NodePlace::Flow),
        }
    }

    /// The value of a key that stands alone: `{a}`.
    pub(super) fn flow_mapping_empty_value(&mut self) -> Outcome<Event<'a>> {
        let mark = self.peek()?.start;
        self.empty_then(State::FlowMappingKey, mark)
    }

    /// Passes a `,`. Says whether there was one.
    fn skip_flow_entry(&mut self) -> Outcome<bool> {
        let is_entry = matches!(self.peek()?.kind, TokenKind::FlowEntry);
        if is_entry {
            self.skip()?;
        }
        Ok(is_entry)
    }
}
