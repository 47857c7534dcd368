use super::characters::is_blank;
use super::scanner::{Outcome, Scanner};
use super::token::{Token, TokenKind};
use crate::yaml::{Mark, ScalarStyle};
use std::borrow::Cow;

const CONTEXT: &str = "while scanning a block scalar";

/// What becomes of the line breaks at the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

impl<'a> Scanner<'a> {
    /// A literal or folded scalar, with the empty lines behind it.
    pub(super) fn scan_block_scalar(&mut self, start: Mark) -> Outcome<Token<'a>> {
        let is_literal = self.cursor.byte() == b'|';
        self.cursor.skip(1);
        let (chomping, increment) = self.scan_block_header(start)?;
        let mut lines = Lines {
            indent: increment.map(|increment| self.indent.max(0) + increment),
            empty: String::new(),
            end: self.cursor.mark(),
        };
        self.scan_empty_lines(&mut lines, start)?;
        let indent = lines.indent.unwrap_or(0);
        let mut value = String::new();
        let mut last_break = "";
        let mut was_blank = false;
        while i64::from(self.cursor.column()) == indent && !self.cursor.is_at_end() {
            let is_blank = is_blank(self.cursor.byte());
            if !is_literal && last_break == "\n" && !was_blank && !is_blank {
                if lines.empty.is_empty() {
                    value.push(' ');
                }
            } else {
                value.push_str(last_break);
            }
            value.push_str(&lines.empty);
            lines.empty.clear();
            was_blank = is_blank;
            let begin = self.cursor.position();
            self.cursor.skip_rest_of_line();
            value.push_str(self.cursor.since(begin));
            last_break = self.cursor.read_break();
            self.scan_empty_lines(&mut lines, start)?;
        }
        if chomping != Chomping::Strip {
            value.push_str(last_break);
        }
        if chomping == Chomping::Keep {
            value.push_str(&lines.empty);
        }
        let style = if is_literal { ScalarStyle::Literal } else { ScalarStyle::Folded };
        Ok(Token { kind: TokenKind::Scalar(Cow::Owned(value), style), start, end: lines.end })
    }

    /// The indicators behind `|` or `>`, to the end of their line.
    fn scan_block_header(&mut self, start: Mark) -> Outcome<(Chomping, Option<i64>)> {
        let mut chomping = self.scan_chomping();
        let increment = self.scan_increment(start)?;
        if chomping.is_none() && increment.is_some() {
            chomping = self.scan_chomping();
        }
        self.cursor.skip_blanks();
        self.skip_comment();
        if !self.cursor.is_at_line_end() {
            return Err(self.error(CONTEXT, start, "did not find expected comment or line break"));
        }
        self.cursor.skip_break();
        Ok((chomping.unwrap_or(Chomping::Clip), increment))
    }

    fn scan_chomping(&mut self) -> Option<Chomping> {
        let chomping = match self.cursor.byte() {
            b'+' => Chomping::Keep,
            b'-' => Chomping::Strip,
            _ => return None,
        };
        self.cursor.skip(1);
        Some(chomping)
    }

    fn scan_increment(&mut self, start: Mark) -> Outcome<Option<i64>> {
        match self.cursor.byte() {
            b'0' => Err(self.error(CONTEXT, start, "found an indentation indicator equal to 0")),
            digit @ b'1'..=b'9' => {
                self.cursor.skip(1);
                Ok(Some(i64::from(digit - b'0')))
            }
            _ => Ok(None),
        }
    }

    /// Moves over indentation and empty lines. Where the indentation is not known, the deepest one here decides.
    fn scan_empty_lines(&mut self, lines: &mut Lines, start: Mark) -> Outcome<()> {
        let mut deepest = 0;
        lines.end = self.cursor.mark();
        loop {
            let limit = lines.indent.unwrap_or(i64::MAX);
            let mut column = i64::from(self.cursor.column());
            while column < limit && self.cursor.byte() == b' ' {
                self.cursor.skip(1);
                column += 1;
            }
            deepest = deepest.max(column);
            if column < limit && self.cursor.byte() == b'\t' {
                let problem = "found a tab character where an indentation space is expected";
                return Err(self.error(CONTEXT, start, problem));
            }
            if !self.cursor.is_at_break() {
                break;
            }
            lines.empty.push_str(self.cursor.read_break());
            lines.end = self.cursor.mark();
        }
        lines.indent.get_or_insert(deepest.max(self.indent + 1).max(1));
        Ok(())
    }
}

/// What is known of a block scalar between its lines.
struct Lines {
    /// The column where its lines begin.
    indent: Option<i64>,
    /// The breaks of the empty lines since the last line with content.
    empty: String,
    /// Behind the last line.
    end: Mark,
}
