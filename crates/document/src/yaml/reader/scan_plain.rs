use super::characters::{break_width, is_blank, is_flow_indicator, is_visible};
use super::cursor::END;
use super::runs;
use super::scanner::{Outcome, Scanner};
use super::token::{Token, TokenKind};
use crate::yaml::{Mark, ScalarStyle};
use std::borrow::Cow;

const CONTEXT: &str = "while scanning a plain scalar";

impl<'a> Scanner<'a> {
    /// A scalar without quotes, over as many lines as it has, with the white space behind it.
    pub(super) fn scan_plain_scalar(&mut self, start: Mark) -> Outcome<Token<'a>> {
        let line = self.scan_plain_line(start)?;
        let mut end = self.cursor.mark();
        let mut value = Cow::Borrowed(line);
        let is_end = match self.cursor.byte() {
            b'\n' => !self.in_flow() && self.pass_end_of_plain(end.offset),
            byte => is_visible(byte),
        };
        if is_end {
            return Ok(Token { kind: TokenKind::Scalar(value, ScalarStyle::Plain), start, end });
        }
        let mut breaks = Breaks::default();
        while self.skip_space_in_plain(start, &mut breaks)? {
            let line = self.scan_plain_line(start)?;
            if line.is_empty() {
                break;
            }
            if !breaks.is_empty() {
                breaks.fold_into(value.to_mut());
            }
            value.to_mut().push_str(line);
            end = self.cursor.mark();
        }
        if !breaks.is_empty() {
            self.simple_key_allowed = true;
        }
        Ok(Token { kind: TokenKind::Scalar(value, ScalarStyle::Plain), start, end })
    }

    /// What belongs to the scalar in this line, the blanks behind it left for later.
    fn scan_plain_line(&mut self, start: Mark) -> Outcome<&'a str> {
        let bytes = self.cursor.bytes();
        let begin = self.cursor.position();
        let in_flow = self.in_flow();
        let mut at = begin;
        // Behind the last character that is no blank.
        let mut end = begin;
        loop {
            let begin_of_run = at;
            at = if in_flow { runs::end_of_plain_in_flow(bytes, at) } else { runs::end_of_plain(bytes, at) };
            if at > begin_of_run {
                end = at;
            }
            let byte = bytes.get(at).copied().unwrap_or(END);
            match byte {
                b' ' | b'\t' => {
                    at += 1;
                    continue;
                }
                b'\n' | b'\r' | END => break,
                0xC2 | 0xE2 if break_width(bytes, at) > 0 => break,
                b'#' if at > end => break,
                b':' => {
                    let next = bytes.get(at + 1).copied().unwrap_or(END);
                    if in_flow && (is_flow_indicator(next) || next == b'?') {
                        self.cursor.move_to(at);
                        return Err(self.error(CONTEXT, start, "found unexpected ':'"));
                    }
                    if is_blank(next) || next == END || break_width(bytes, at + 1) > 0 {
                        break;
                    }
                }
                _ if in_flow && is_flow_indicator(byte) => break,
                _ => {}
            }
            at += 1;
            end = at;
        }
        self.cursor.move_to(end);
        Ok(self.cursor.since(begin))
    }

    /// Whether a scalar that ends at the line feed at `end` does not go on in the next line: as nearly all do. Then it
    /// moves there, over the white space.
    #[inline]
    pub(super) fn pass_end_of_plain(&mut self, end: usize) -> bool {
        let next = self.cursor.line_behind(end);
        let ends = next.spaces() as i64 <= self.indent && is_visible(next.first);
        if ends {
            self.cursor.enter(next);
            self.simple_key_allowed = true;
        }
        ends
    }

    /// Blanks and line breaks behind a piece of the scalar. Says whether the scalar may go on behind them.
    fn skip_space_in_plain(&mut self, start: Mark, breaks: &mut Breaks<'a>) -> Outcome<bool> {
        loop {
            match self.cursor.byte() {
                b'\t' if !breaks.is_empty() && i64::from(self.cursor.column()) <= self.indent => {
                    return Err(self.error(
                        CONTEXT,
                        start,
                        "found a tab character that violates indentation",
                    ));
                }
                b' ' => self.cursor.skip_spaces(),
                b'\t' => self.cursor.skip(1),
                _ if self.cursor.is_at_break() => breaks.push(self.cursor.read_break()),
                b'#' | END => return Ok(false),
                _ => break,
            }
        }
        if breaks.is_empty() {
            return Ok(false);
        }
        let is_inside = self.in_flow() || i64::from(self.cursor.column()) > self.indent;
        Ok(is_inside && !self.cursor.is_at_document_indicator())
    }
}

/// The line breaks between two lines of a scalar that is folded.
#[derive(Debug, Default)]
pub(super) struct Breaks<'a> {
    /// Empty where the first one is escaped.
    first: Option<&'a str>,
    others: String,
}

impl<'a> Breaks<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    pub(super) fn push(&mut self, text: &'a str) {
        if self.first.is_none() {
            self.first = Some(text);
        } else {
            self.others.push_str(text);
        }
    }

    /// Writes what the breaks stand for: a single one is a space, of several the first is left out. Only a line feed
    /// is folded away; the separators of lines and paragraphs stay.
    pub(super) fn fold_into(&mut self, value: &mut String) {
        match self.first.take() {
            Some("\n") if self.others.is_empty() => value.push(' '),
            Some("\n") | None => {}
            Some(first) => value.push_str(first),
        }
        value.push_str(&self.others);
        self.others.clear();
    }
}
