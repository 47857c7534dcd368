//! The event-level reader: libyaml 0.2.5 as PyYAML's C loader shows it, in what it accepts, in its events, marks and
//! error texts.
//!
//! Three layers, as in libyaml: characters with places (`cursor`), tokens (`scanner` and the `scan_` files), events
//! (`parser` and its two files of states). Scalars are borrowed from the input wherever they stand there as they are.

mod characters;
mod cursor;
mod decode;
mod error;
mod look_ahead;
mod parse_block;
mod parse_flow;
mod parse_node;
mod parser;
mod runs;
mod scan_block;
mod scan_directive;
mod scan_plain;
mod scan_quoted;
mod scan_space;
mod scan_tag;
mod scanner;
mod shortcuts;
mod shortcuts_flow;
mod simple_keys;
#[cfg(test)]
mod tests;
mod token;

pub use decode::decode;
pub use error::{Character, Error, ErrorParts};

use super::{Comment, Event};
use characters::Survey;
use parser::Parser;

/// How deep collections may nest; libyaml itself has no bound.
pub const MAX_DEPTH: usize = 10_000;

/// Reads a YAML text as events.
///
/// Accepts and refuses what libyaml 0.2.5 accepts and refuses, with the exception of collections that nest deeper than
/// [`MAX_DEPTH`].
#[derive(Debug)]
pub struct Reader<'a> {
    parser: Parser<'a>,
    /// What cannot be read. It is told when the scanner looks at the place that it watches for.
    unreadable: Option<Error>,
    failed: Option<Error>,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`. A byte order mark at its start is no part of the content.
    pub fn new(text: &'a str) -> Self {
        let survey = Survey::of(text);
        let readable = survey.unacceptable.map_or(text.len(), |character| character.position);
        let parser = Parser::new(&text[..readable], survey.kinds);
        let mut reader = Self { parser, unreadable: None, failed: None };
        if let Some(character) = survey.unacceptable {
            let noticed_from = decode::noticed_from(text.as_bytes(), character.position);
            reader.fail_when_looking_at(noticed_from, Error::unacceptable(character));
        }
        reader
    }

    /// The text behind `place` cannot be read, for which `error` is the reason.
    fn fail_when_looking_at(&mut self, place: usize, error: Error) {
        self.parser.scanner.watch(place);
        self.unreadable = Some(error);
    }

    /// Also collects comments, for [`Reader::take_comments`].
    #[must_use]
    pub fn with_comments(mut self) -> Self {
        self.parser.collect_comments();
        self
    }

    /// Reads as go-yaml where its scanner differs from libyaml's: an empty flow collection is passed on before it can
    /// turn out to be a key.
    #[must_use]
    pub fn as_go_yaml(mut self) -> Self {
        self.parser.scanner.overlooks_empty_keys = true;
        self
    }

    /// The comments met since the last call, in the order of the text. They run ahead of the events: the reader has to
    /// look behind a scalar before it can tell what the scalar is.
    pub fn take_comments(&mut self) -> Vec<Comment> {
        self.parser.take_comments()
    }

    /// The next event. After the end of the stream it is the end of the stream again; after an error, that error.
    /// # Errors
    /// What libyaml reports, at its place; and nesting deeper than [`MAX_DEPTH`].
    #[inline(never)]
    pub fn next_event(&mut self) -> Result<Event<'a>, Error> {
        if self.failed.is_some() || self.unreadable.is_some() {
            return self.next_of_troubled();
        }
        let outcome = self.parser.next_event();
        if let Err(error) = &outcome {
            self.failed = Some(error.clone());
        }
        outcome
    }

    /// The next event of a text that cannot be read to its end.
    #[cold]
    fn next_of_troubled(&mut self) -> Result<Event<'a>, Error> {
        if let Some(error) = &self.failed {
            return Err(Error::clone(error));
        }
        let outcome = self.parser.next_event();
        let reached = self.unreadable.take_if(|_| self.parser.scanner.has_reached_watched());
        match reached {
            Some(error) => Err(self.fail(error)),
            None => outcome.map_err(|error| self.fail(error)),
        }
    }

    #[cold]
    fn fail(&mut self, error: Error) -> Error {
        self.failed = Some(error.clone());
        error
    }
}
