use super::characters::{break_width, is_blank, is_flow_indicator};
use super::cursor::END;
use super::scanner::{Outcome, Scanner};
use super::token::TokenKind;
use crate::yaml::{Mark, ScalarStyle};
use std::borrow::Cow;

const CONTEXT: &str = "while scanning a plain scalar";

impl<'a> Scanner<'a> {
    /// A scalar without quotes, over as many lines as it has, with the white space behind it.
    pub(super) fn scan_plain_scalar(&mut self, start: Mark) -> Outcome<()> {
        let mut value = Cow::Borrowed("");
        let mut end = start;
        let mut breaks = Breaks::default();
        // Like libyaml, remember across lines whether a line break was the last thing.
        let mut is_behind_break = false;
        while !self.cursor.is_at_document_indicator() && self.cursor.byte() != b'#' {
            let line = self.scan_plain_line(start)?;
            if !line.is_empty() {
                if is_behind_break {
                    breaks.fold_into(value.to_mut());
                }
                is_behind_break = false;
                match &mut value {
                    Cow::Borrowed("") => value = Cow::Borrowed(line),
                    value => value.to_mut().push_str(line),
                }
                end = self.cursor.mark();
            }
            let may_go_on = self.cursor.is_space_at(0) && !self.cursor.is_at_end();
            if !may_go_on {
                break;
            }
            is_behind_break |= self.skip_space_in_plain(start, is_behind_break, &mut breaks)?;
            if !self.in_flow() && i64::from(self.cursor.column()) < self.indent + 1 {
                break;
            }
        }
        self.push(TokenKind::Scalar(value, ScalarStyle::Plain), start, end);
        if is_behind_break {
            self.simple_key_allowed = true;
        }
        Ok(())
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

    /// Blanks and line breaks behind a piece of the scalar. Says whether there was a line break.
    fn skip_space_in_plain(
        &mut self,
        start: Mark,
        is_behind_break: bool,
        breaks: &mut Breaks<'a>,
    ) -> Outcome<bool> {
        let mut is_behind_break = is_behind_break;
        loop {
            match self.cursor.byte() {
                b'\t' if is_behind_break && i64::from(self.cursor.column()) < self.indent + 1 => {
                    return Err(self.error(
                        CONTEXT,
                        start,
                        "found a tab character that violates indentation",
                    ));
                }
                b' ' | b'\t' => self.cursor.skip(1),
                _ if self.cursor.is_at_break() => {
                    breaks.push(self.cursor.read_break(), is_behind_break);
                    is_behind_break = true;
                }
                _ => return Ok(is_behind_break),
            }
        }
    }
}

/// The line breaks between two lines of a scalar that is folded.
#[derive(Debug, Default)]
pub(super) struct Breaks<'a> {
    first: &'a str,
    others: String,
}

impl<'a> Breaks<'a> {
    /// Adds a break, which is the first one unless it stands behind another.
    pub(super) fn push(&mut self, text: &'a str, is_behind_break: bool) {
        if is_behind_break {
            self.others.push_str(text);
        } else {
            self.first = text;
        }
    }

    /// Writes what the breaks stand for: a single one is a space, of several the first is left out. Only a line feed
    /// is folded away; the separators of lines and paragraphs stay.
    pub(super) fn fold_into(&mut self, value: &mut String) {
        if self.first == "\n" {
            if self.others.is_empty() {
                value.push(' ');
            }
        } else {
            value.push_str(self.first);
        }
        value.push_str(&self.others);
        self.first = "";
        self.others.clear();
    }
}
