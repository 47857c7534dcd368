use super::token::{Token, TokenKind};
use crate::unicode::{decode, is_digit, is_letter};
use std::borrow::Cow;

/// Cuts a template into tokens, one at a time.
pub(crate) struct Lexer<'a> {
    input: &'a [u8],
    position: usize,
    /// Where the token that is being read starts.
    start: usize,
    is_in_action: bool,
    open_parentheses: usize,
    /// Up to where lines are counted, and the line there.
    counted: (usize, usize),
    has_failed: bool,
}

/// The message of an error token.
type Problem = Cow<'static, str>;

const LEFT: &[u8] = b"{{";
const RIGHT: &[u8] = b"}}";

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn is_word(c: char) -> bool {
    c == '_' || is_letter(c) || is_digit(c)
}

/// Where `needle` first stands in `text`.
fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, needle)
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(input: &'a [u8]) -> Self {
        Self {
            input,
            position: 0,
            start: 0,
            is_in_action: false,
            open_parentheses: 0,
            counted: (0, 1),
            has_failed: false,
        }
    }

    /// The next token; at the end, and after an error, the end again and again.
    pub(crate) fn next(&mut self) -> Token<'a> {
        if self.has_failed {
            return self.token(TokenKind::End, self.input.len());
        }
        let result = if self.is_in_action { self.action() } else { self.text() };
        result.unwrap_or_else(|problem| {
            self.has_failed = true;
            let (position, line) = (self.start, self.line_at(self.start));
            Token {
                kind: TokenKind::Error,
                position,
                line,
                text: Cow::Owned(problem.into_owned().into_bytes()),
            }
        })
    }

    fn rest(&self) -> &'a [u8] {
        &self.input[self.position..]
    }

    fn line_at(&mut self, position: usize) -> usize {
        let (from, line) = self.counted;
        if position > from {
            let newlines = memchr::memchr_iter(b'\n', &self.input[from..position]).count();
            self.counted = (position, line + newlines);
        }
        self.counted.1
    }

    /// A token from the start up to `end`; the next one starts there.
    fn token(&mut self, kind: TokenKind, end: usize) -> Token<'a> {
        let (position, line) = (self.start.min(end), self.line_at(self.start.min(end)));
        self.start = end;
        self.position = end;
        Token { kind, position, line, text: Cow::Borrowed(&self.input[position..end]) }
    }

    fn skip_to(&mut self, position: usize) {
        self.position = position;
        self.start = position;
    }

    /// Text up to the next action; comments are passed over.
    fn text(&mut self) -> Result<Token<'a>, Problem> {
        loop {
            let Some(length) = find(self.rest(), LEFT) else {
                let kind = if self.rest().is_empty() { TokenKind::End } else { TokenKind::Text };
                return Ok(self.token(kind, self.input.len()));
            };
            let delimiter = self.position + length;
            let after = &self.input[delimiter + LEFT.len()..];
            let trims = after.first() == Some(&b'-') && after.get(1).copied().is_some_and(is_space);
            let mut end = delimiter;
            if trims {
                while end > self.start && is_space(self.input[end - 1]) {
                    end -= 1;
                }
            }
            if end > self.start {
                let token = self.token(TokenKind::Text, end);
                self.skip_to(delimiter);
                return Ok(token);
            }
            self.skip_to(delimiter);
            let inside = delimiter + LEFT.len() + if trims { 2 } else { 0 };
            if self.input[inside..].starts_with(b"/*") {
                self.comment(inside)?;
                continue;
            }
            let token = self.token(TokenKind::LeftDelimiter, delimiter + LEFT.len());
            self.skip_to(inside);
            self.is_in_action = true;
            self.open_parentheses = 0;
            return Ok(token);
        }
    }

    fn comment(&mut self, start: usize) -> Result<(), Problem> {
        self.skip_to(start);
        let body = start + 2;
        let end = find(&self.input[body..], b"*/").ok_or("unclosed comment")? + body + 2;
        self.position = end;
        let Some(trims) = self.right_delimiter() else {
            return Err("comment ends before closing delimiter".into());
        };
        self.skip_right_delimiter(trims);
        Ok(())
    }

    /// Whether a right delimiter stands here, and if so, whether it trims what follows.
    fn right_delimiter(&self) -> Option<bool> {
        let rest = self.rest();
        if let [space, b'-', after @ ..] = rest
            && is_space(*space)
            && after.starts_with(RIGHT)
        {
            return Some(true);
        }
        rest.starts_with(RIGHT).then_some(false)
    }

    fn skip_right_delimiter(&mut self, trims: bool) {
        let mut position = self.position + RIGHT.len() + if trims { 2 } else { 0 };
        if trims {
            position += self.input[position..].iter().take_while(|byte| is_space(**byte)).count();
        }
        self.skip_to(position);
    }

    fn close_action(&mut self, trims: bool) -> Token<'a> {
        if trims {
            self.start += 2;
        }
        let end = self.start + RIGHT.len();
        let after_marker = self.position;
        let token = self.token(TokenKind::RightDelimiter, end);
        self.position = after_marker;
        self.skip_right_delimiter(trims);
        self.is_in_action = false;
        token
    }

    fn action(&mut self) -> Result<Token<'a>, Problem> {
        if let Some(trims) = self.right_delimiter() {
            if self.open_parentheses == 0 {
                return Ok(self.close_action(trims));
            }
            return Err("unclosed left paren".into());
        }
        let Some((c, length)) = decode(self.rest()) else {
            return Err("unclosed action".into());
        };
        let next = self.position + length;
        let follows = self.input.get(next).copied();
        Ok(match c {
            ' ' | '\t' | '\r' | '\n' => return Ok(self.space()),
            '=' => self.token(TokenKind::Assign, next),
            ':' if follows == Some(b'=') => self.token(TokenKind::Declare, next + 1),
            ':' => return Err("expected :=".into()),
            '|' => self.token(TokenKind::Pipe, next),
            '"' => return self.quoted(b'"', TokenKind::String, "unterminated quoted string"),
            '\'' => {
                return self.quoted(b'\'', TokenKind::CharacterConstant, "unterminated character constant");
            }
            '`' => {
                let length = find(&self.input[next..], b"`").ok_or("unterminated raw quoted string")?;
                self.token(TokenKind::RawString, next + length + 1)
            }
            '$' => return self.name(TokenKind::Variable, TokenKind::Variable),
            '.' if follows.is_some_and(|byte| !byte.is_ascii_digit()) => {
                return self.name(TokenKind::Dot, TokenKind::Field);
            }
            '.' | '+' | '-' | '0'..='9' => return self.number(),
            '(' => {
                self.open_parentheses += 1;
                self.token(TokenKind::LeftParenthesis, next)
            }
            ')' => {
                let left = self.open_parentheses.checked_sub(1);
                self.open_parentheses = left.ok_or("unexpected right paren")?;
                self.token(TokenKind::RightParenthesis, next)
            }
            c if is_word(c) => return self.word(),
            ' '..='~' => self.token(TokenKind::Character, next),
            c => return Err(format!("unrecognized character in action: {}", named(Some(c))).into()),
        })
    }

    /// A run of blanks; the last one is left alone where it belongs to a trimming delimiter.
    fn space(&mut self) -> Token<'a> {
        let length = self.rest().iter().take_while(|byte| is_space(**byte)).count();
        let mut end = self.position + length;
        // A single blank would have been taken as part of the delimiter.
        if length > 1 && self.input[end..].starts_with(b"-}}") {
            end -= 1;
        }
        self.token(TokenKind::Space, end)
    }

    fn quoted(&mut self, quote: u8, kind: TokenKind, problem: &'static str) -> Result<Token<'a>, Problem> {
        let mut at = self.position + 1;
        loop {
            match self.input.get(at) {
                None | Some(b'\n') => return Err(problem.into()),
                Some(b'\\') => {
                    if matches!(self.input.get(at + 1), None | Some(b'\n')) {
                        return Err(problem.into());
                    }
                    at += 2;
                }
                Some(byte) if *byte == quote => return Ok(self.token(kind, at + 1)),
                Some(_) => at += 1,
            }
        }
    }

    /// The end of the letters and digits from `at` on.
    fn word_end(&self, mut at: usize) -> usize {
        while let Some((c, length)) = decode(&self.input[at..])
            && is_word(c)
        {
            at += length;
        }
        at
    }

    /// Whether a name may end here.
    fn is_terminator(&self, at: usize) -> bool {
        let rest = &self.input[at..];
        match rest.first() {
            None | Some(b'.' | b',' | b'|' | b':' | b')' | b'(') => true,
            Some(byte) => is_space(*byte) || rest.starts_with(RIGHT),
        }
    }

    fn bad_character(&self, at: usize) -> Problem {
        format!("bad character {}", named(decode(&self.input[at..]).map(|(c, _)| c))).into()
    }

    /// A field or variable, or its sign alone.
    fn name(&mut self, alone: TokenKind, kind: TokenKind) -> Result<Token<'a>, Problem> {
        let first = self.position + 1;
        if self.is_terminator(first) {
            return Ok(self.token(alone, first));
        }
        let end = self.word_end(first);
        if !self.is_terminator(end) {
            return Err(self.bad_character(end));
        }
        Ok(self.token(kind, end))
    }

    fn word(&mut self) -> Result<Token<'a>, Problem> {
        let end = self.word_end(self.position);
        if !self.is_terminator(end) {
            return Err(self.bad_character(end));
        }
        let kind = match &self.input[self.position..end] {
            b"true" | b"false" => TokenKind::Bool,
            word => TokenKind::keyword(word).unwrap_or(TokenKind::Identifier),
        };
        Ok(self.token(kind, end))
    }

    fn number(&mut self) -> Result<Token<'a>, Problem> {
        let (end, is_number) = self.number_end(self.position);
        if !is_number {
            return Err(self.bad_number(end));
        }
        if !matches!(self.input.get(end), Some(b'+' | b'-')) {
            return Ok(self.token(TokenKind::Number, end));
        }
        let (end, is_number) = self.number_end(end);
        if !is_number || self.input[end - 1] != b'i' {
            return Err(self.bad_number(end));
        }
        Ok(self.token(TokenKind::Complex, end))
    }

    fn bad_number(&self, end: usize) -> Problem {
        format!("bad number syntax: {}", crate::format::quote(&self.input[self.start..end])).into()
    }

    /// The end of what looks like a number, and whether nothing that belongs to a word follows. What is no number after
    /// all (`09`, `0x1.p`) is for the parser to find.
    fn number_end(&self, mut at: usize) -> (usize, bool) {
        let accept = |at: &mut usize, set: &[u8]| {
            let found = self.input.get(*at).is_some_and(|byte| set.contains(byte));
            *at += usize::from(found);
            found
        };
        accept(&mut at, b"+-");
        let mut digits: &[u8] = b"0123456789_";
        if accept(&mut at, b"0") {
            if accept(&mut at, b"xX") {
                digits = b"0123456789abcdefABCDEF_";
            } else if accept(&mut at, b"oO") {
                digits = b"01234567_";
            } else if accept(&mut at, b"bB") {
                digits = b"01_";
            }
        }
        while accept(&mut at, digits) {}
        if accept(&mut at, b".") {
            while accept(&mut at, digits) {}
        }
        let exponent: &[u8] = match digits.len() {
            11 => b"eE",
            23 => b"pP",
            _ => b"",
        };
        if accept(&mut at, exponent) {
            accept(&mut at, b"+-");
            while accept(&mut at, b"0123456789_") {}
        }
        accept(&mut at, b"i");
        match decode(&self.input[at..]) {
            Some((c, length)) if is_word(c) => (at + length, false),
            _ => (at, true),
        }
    }
}

/// A character as `%#U` writes it; the end of the text counts as -1.
fn named(c: Option<char>) -> String {
    let Some(c) = c else { return "U+FFFFFFFFFFFFFFFF".to_owned() };
    let code = u32::from(c);
    if crate::unicode::is_print(c) { format!("U+{code:04X} '{c}'") } else { format!("U+{code:04X}") }
}
