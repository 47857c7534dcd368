use super::Error;
use super::read::Reader;
use crate::Text;

impl Reader<'_> {
    /// The string whose opening quote is next.
    pub(super) fn string(&mut self) -> Result<Text, Error> {
        let quote = self.at;
        let start = quote + 1;
        let rest = &self.text.as_bytes()[start..];
        let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
        self.at = start + plain;
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(self.strings.share(&self.text[start..start + plain]));
        }
        let mut value = self.text[start..start + plain].to_owned();
        loop {
            match self.peek() {
                None => return Err(self.error("Unterminated string starting at", quote)),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(self.strings.share(&value));
                }
                Some(b'\\') => value.push(self.escape(quote)?),
                Some(0..0x20) => return Err(self.error("Invalid control character at", self.at)),
                Some(_) => {
                    let rest = &self.text[self.at..];
                    let run = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
                    let run = &rest[..run.unwrap_or(rest.len())];
                    value.push_str(run);
                    self.at += run.len();
                }
            }
        }
    }

    /// The character that the escape at the current place stands for.
    fn escape(&mut self, quote: usize) -> Result<char, Error> {
        let backslash = self.at;
        self.at += 1;
        let Some(kind) = self.text[self.at..].chars().next() else {
            return Err(self.error("Unterminated string starting at", quote));
        };
        self.at += kind.len_utf8();
        Ok(match kind {
            '"' | '\\' | '/' => kind,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode_escape(backslash),
            _ => return Err(self.error("Invalid \\escape", backslash)),
        })
    }

    /// Behind `\u`: four hexadecimal digits, or two escapes that make one character.
    fn unicode_escape(&mut self, backslash: usize) -> Result<char, Error> {
        let first =
            self.code_unit(self.at).ok_or_else(|| self.error("Invalid \\uXXXX escape", backslash + 1))?;
        self.at += 4;
        let mut units = vec![first];
        if (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            units.extend(self.code_unit(self.at + 2).filter(|second| (0xdc00..0xe000).contains(second)));
        }
        let character = char::decode_utf16(units.iter().copied()).next().and_then(Result::ok);
        if units.len() == 2 {
            self.at += 6;
        }
        character.ok_or_else(|| self.error("Half of a surrogate pair", backslash))
    }

    fn code_unit(&self, at: usize) -> Option<u16> {
        let digits = self.text.get(at..at + 4)?;
        // A string has at least its closing quote behind; without it, Python does not look at the digits.
        let is_followed = at + 4 < self.text.len();
        (is_followed && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .then(|| u16::from_str_radix(digits, 16).ok())
            .flatten()
    }
}
