use super::error::Error;

/// A place in a text of TOML.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// From 1.
    pub(super) line: usize,
    /// The byte behind the text that is no UTF-8.
    invalid: Option<u8>,
}

/// What stands for the end of the text where Go shows the next character.
const END: char = '\0';

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self { text, at: 0, line: 1, invalid: None },
            Err(error) => {
                let valid = error.valid_up_to();
                let text = std::str::from_utf8(&bytes[..valid]).unwrap_or_default();
                Self { text, at: 0, line: 1, invalid: bytes.get(valid).copied() }
            }
        }
    }

    /// The next character, [`END`] at the end. Fails for what may not stand anywhere.
    pub(super) fn peek(&self) -> Result<char, Error> {
        let rest = &self.text[self.at..];
        let Some(next) = rest.chars().next() else {
            return match self.invalid {
                Some(byte) => Err(self.error(format!("invalid UTF-8 byte: 0x{byte:02x}"))),
                None => Ok(END),
            };
        };
        let is_control = match next {
            '\r' => !rest.starts_with("\r\n"),
            '\t' | '\n' => false,
            _ => matches!(next, '\0'..' ' | '\u{7f}'),
        };
        if is_control {
            let code = u32::from(next);
            return Err(self.error(format!("TOML files cannot contain control characters: '0x{code:02x}'")));
        }
        Ok(next)
    }

    /// Whether the text ends here.
    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len() && self.invalid.is_none()
    }

    /// Takes the next character.
    pub(super) fn next(&mut self) -> Result<char, Error> {
        let next = self.peek()?;
        if self.at < self.text.len() {
            self.at += next.len_utf8();
            self.line += usize::from(next == '\n');
        }
        Ok(next)
    }

    /// Takes the next character, if it is this one.
    pub(super) fn accept(&mut self, wanted: char) -> Result<bool, Error> {
        let is_wanted = !self.is_at_end() && self.peek()? == wanted;
        if is_wanted {
            self.next()?;
        }
        Ok(is_wanted)
    }

    /// Takes characters while they are of a kind.
    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> Result<&'a str, Error> {
        let start = self.at;
        while !self.is_at_end() && wanted(self.peek()?) {
            self.next()?;
        }
        Ok(&self.text[start..self.at])
    }

    pub(super) fn skip_blanks(&mut self) -> Result<(), Error> {
        self.take_while(|next| matches!(next, ' ' | '\t')).map(|_| ())
    }

    /// Passes over blanks, line breaks and comments.
    pub(super) fn skip_lines(&mut self) -> Result<(), Error> {
        loop {
            self.take_while(|next| matches!(next, ' ' | '\t' | '\n' | '\r'))?;
            if !self.accept('#')? {
                return Ok(());
            }
            self.take_while(|next| !matches!(next, '\n' | '\r'))?;
        }
    }

    /// A problem here. At the end of the text it is one of the line before.
    pub(super) fn error(&self, message: impl Into<String>) -> Error {
        let is_behind_break = self.is_at_end() && self.text.ends_with('\n');
        Error::new(message, self.line - usize::from(is_behind_break), self.at)
    }

    /// A problem with a character that has been looked at, but not taken.
    pub(super) fn error_here(&self, message: impl Into<String>) -> Error {
        Error::new(message, self.line, self.at)
    }

    /// A problem with a character that has been taken.
    pub(super) fn error_behind(&self, taken: char, message: impl Into<String>) -> Error {
        if taken == END { self.error(message) } else { Error::new(message, self.line, self.at) }
    }

    /// A problem with a line break that has been taken, which is shown in the line that it ends.
    pub(super) fn error_before_break(&self, message: impl Into<String>) -> Error {
        Error::new(message, self.line - 1, self.at.saturating_sub(1))
    }
}
