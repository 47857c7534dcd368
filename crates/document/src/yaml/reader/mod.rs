//! The event-level reader: libyaml 0.2.5 as PyYAML's C loader shows it, in what it accepts, in its events, marks and
//! error texts.
//!
//! Three layers, as in libyaml: characters with places (`cursor`), tokens (`scanner` and the `scan_` files), events
//! (`parser` and its two files of states). Scalars are borrowed from the input wherever they stand there as they are.

mod characters;
mod cursor;
mod decode;
mod error;
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
    /// A character that libyaml refuses, and the place from which on it notices.
    unacceptable: Option<Unacceptable>,
    failed: Option<Error>,
}

#[derive(Debug)]
struct Unacceptable {
    noticed_from: usize,
    error: Error,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`. A byte order mark at its start is no part of the content.
    pub fn new(text: &'a str) -> Self {
        let survey = Survey::of(text);
        let unacceptable = survey.unacceptable.map(|character| Unacceptable {
            noticed_from: decode::noticed_from(text.as_bytes(), character.position),
            error: Error::unacceptable(character),
        });
        let readable = survey.unacceptable.map_or(text.len(), |character| character.position);
        Self { parser: Parser::new(&text[..readable], survey.kinds), unacceptable, failed: None }
    }

    /// Also collects comments, for [`Reader::take_comments`].
    #[must_use]
    pub fn with_comments(mut self) -> Self {
        self.parser.collect_comments();
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
        if self.failed.is_some() || self.unacceptable.is_some() {
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
        let outcome = match &self.unacceptable {
            Some(character) if character.noticed_from == 0 => Err(character.error.clone()),
            _ => self.parser.next_event(),
        };
        match &self.unacceptable {
            Some(character) if self.parser.looks_at(character.noticed_from, look_ahead(&outcome)) => {
                let error = character.error.clone();
                Err(self.fail(error))
            }
            _ => outcome.map_err(|error| self.fail(error)),
        }
    }

    #[cold]
    fn fail(&mut self, error: Error) -> Error {
        self.failed = Some(error.clone());
        error
    }
}

/// How many characters libyaml's scanner has made the decoder read ahead of the place where it stopped. It decodes what
/// it looks at, so that a character which cannot be read comes before whatever else is wrong there.
fn look_ahead(outcome: &Result<Event<'_>, Error>) -> usize {
    match outcome {
        // Found before the next token is looked at.
        Err(error) if error.problem == simple_keys::MISSING_VALUE => 1,
        // As long as the longest indicators with the white space behind them.
        _ => 4,
    }
}
