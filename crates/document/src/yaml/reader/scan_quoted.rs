use super::characters::{break_width, is_blank};
use super::cursor::END;
use super::runs;
use super::scan_plain::Breaks;
use super::scanner::{Outcome, Scanner};
use super::token::{Token, TokenKind};
use crate::yaml::{Mark, ScalarStyle};
use std::borrow::Cow;

const SCANNING: &str = "while scanning a quoted scalar";
const PARSING: &str = "while parsing a quoted scalar";

impl<'a> Scanner<'a> {
    /// A scalar in single or double quotes.
    pub(super) fn scan_quoted_scalar(&mut self, start: Mark) -> Outcome<Token<'a>> {
        let quote = self.cursor.byte();
        self.cursor.skip(1);
        let mut value = Cow::Borrowed("");
        loop {
            self.scan_quoted_run(quote, &mut value);
            if self.cursor.is_at_end() {
                return Err(self.error(SCANNING, start, "found unexpected end of stream"));
            }
            let byte = self.cursor.byte();
            if byte == quote {
                if quote == b'"' || self.cursor.byte_at(1) != quote {
                    break;
                }
                value.to_mut().push('\'');
                self.cursor.skip(2);
            } else if byte == b'\\' && break_width(self.cursor.bytes(), self.cursor.position() + 1) == 0 {
                self.scan_escape(value.to_mut(), start)?;
            } else {
                self.scan_quoted_break(value.to_mut(), start)?;
            }
        }
        self.cursor.skip(1);
        let style = if quote == b'"' { ScalarStyle::DoubleQuoted } else { ScalarStyle::SingleQuoted };
        Ok(Token { kind: TokenKind::Scalar(value, style), start, end: self.cursor.mark() })
    }

    /// Characters that stand for themselves, up to a quote, an escape, a line break or the end. Blanks before a line
    /// break are left out.
    fn scan_quoted_run(&mut self, quote: u8, value: &mut Cow<'a, str>) {
        let bytes = self.cursor.bytes();
        let begin = self.cursor.position();
        let mut at = begin;
        let mut is_break = false;
        loop {
            at = runs::end_of_quoted(bytes, at, quote);
            let Some(&byte) = bytes.get(at) else { break };
            match byte {
                b'\n' | b'\r' => is_break = true,
                b'"' | b'\'' if byte == quote => break,
                b'\\' if quote == b'"' => break,
                0xC2 | 0xE2 => is_break = break_width(bytes, at) > 0,
                _ => {}
            }
            if is_break {
                break;
            }
            at += 1;
        }
        self.cursor.move_to(at);
        let mut end = at;
        if is_break {
            while end > begin && is_blank(bytes[end - 1]) {
                end -= 1;
            }
        }
        let run = self.cursor.slice(begin, end);
        match value {
            Cow::Borrowed("") => *value = Cow::Borrowed(run),
            _ if run.is_empty() => {}
            _ => value.to_mut().push_str(run),
        }
    }

    /// The line breaks at the cursor, the first one perhaps escaped, and the blanks that begin the next line.
    fn scan_quoted_break(&mut self, value: &mut String, start: Mark) -> Outcome<()> {
        let mut breaks = Breaks::default();
        if self.cursor.byte() == b'\\' {
            self.cursor.skip(1);
            self.cursor.skip_break();
            breaks.push("");
        } else {
            breaks.push(self.cursor.read_break());
        }
        loop {
            self.cursor.skip_blanks();
            if !self.cursor.is_at_break() {
                break;
            }
            breaks.push(self.cursor.read_break());
        }
        breaks.fold_into(value);
        if self.cursor.is_at_document_indicator() {
            return Err(self.error(SCANNING, start, "found unexpected document indicator"));
        }
        Ok(())
    }

    /// A backslash and what it escapes, other than a line break.
    fn scan_escape(&mut self, value: &mut String, start: Mark) -> Outcome<()> {
        let code = self.cursor.byte_at(1);
        let digits = match code {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => {
                let Some(character) = escaped(code) else {
                    return Err(self.error(PARSING, start, "found unknown escape character"));
                };
                value.push(character);
                self.cursor.skip(2);
                return Ok(());
            }
        };
        self.cursor.skip(2);
        let mut number: u32 = 0;
        for ahead in 0..digits {
            let Some(digit) = char::from(self.cursor.byte_at(ahead)).to_digit(16) else {
                return Err(self.error(PARSING, start, "did not find expected hexdecimal number"));
            };
            number = number << 4 | digit;
        }
        let Some(character) = char::from_u32(number) else {
            return Err(self.error(PARSING, start, "found invalid Unicode character escape code"));
        };
        value.push(character);
        self.cursor.skip(digits);
        Ok(())
    }
}

/// What a backslash and this character stand for.
fn escaped(code: u8) -> Option<char> {
    Some(match code {
        END => return None,
        b'0' => '\0',
        b'a' => '\u{07}',
        b'b' => '\u{08}',
        b't' | b'\t' => '\t',
        b'n' => '\n',
        b'v' => '\u{0B}',
        b'f' => '\u{0C}',
        b'r' => '\r',
        b'e' => '\u{1B}',
        b' ' => ' ',
        b'"' => '"',
        b'/' => '/',
        b'\\' => '\\',
        b'N' => '\u{85}',
        b'_' => '\u{A0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        _ => return None,
    })
}
