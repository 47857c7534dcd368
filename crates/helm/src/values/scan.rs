/// Reads an argument of the `--set` family.
pub(super) struct Scanner<'s> {
    rest: &'s str,
    /// Whether a backslash is a character like any other.
    is_literal: bool,
}

/// Where a stretch of text ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Behind this character.
    At(char),
    /// At the end of the text.
    End,
}

impl<'s> Scanner<'s> {
    pub(super) fn new(text: &'s str, is_literal: bool) -> Self {
        Self { rest: text, is_literal }
    }

    /// The text up to one of the characters, which is skipped. A backslash makes the character behind it an ordinary one.
    pub(super) fn until(&mut self, stops: &str) -> (String, Stop) {
        let mut text = String::new();
        let mut characters = self.rest.chars();
        let stop = loop {
            match characters.next() {
                None => break Stop::End,
                Some(character) if stops.contains(character) => break Stop::At(character),
                Some('\\') if !self.is_literal => match characters.next() {
                    None => break Stop::End,
                    Some(character) => text.push(character),
                },
                Some(character) => text.push(character),
            }
        };
        self.rest = characters.as_str();
        (text, stop)
    }

    /// Skips a character, if it is the next one.
    pub(super) fn eat(&mut self, character: char) -> bool {
        match self.rest.strip_prefix(character) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Skips blanks, and a comma behind them. Whether a comma or the end was met.
    pub(super) fn skip_blanks_and_comma(&mut self) -> bool {
        self.rest = self.rest.trim_start();
        self.rest.is_empty() || self.eat(',')
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn rest(&self) -> &'s str {
        self.rest
    }

    pub(super) fn advance(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }
}
