//! Template text to tokens, with Jinja2's rules for blanks around tags (`trim_blocks` and `lstrip_blocks` are on).

use crate::error::{Outcome, quoted, syntax_error};
use crate::literal;
use crate::text::{is_space, is_word, normal_newlines};
use kapstan_document::{Int, Text};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    Data(Text),
    VariableBegin,
    VariableEnd,
    BlockBegin,
    BlockEnd,
    Name(Text),
    Str(Text),
    Int(Int),
    Float(f64),
    Op(&'static str),
    End,
}

impl Token {
    /// The token as Jinja2's messages describe it.
    pub(crate) fn describe(&self) -> &str {
        match self {
            Self::Data(_) => "template data / text",
            Self::VariableBegin => "begin of print statement",
            Self::VariableEnd => "end of print statement",
            Self::BlockBegin => "begin of statement block",
            Self::BlockEnd => "end of statement block",
            Self::Name(name) => name,
            Self::Str(_) => "string",
            Self::Int(_) => "integer",
            Self::Float(_) => "float",
            Self::Op(op) => op,
            Self::End => "end of template",
        }
    }
}

/// What the lexer reads next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Text,
    Variable,
    Block,
}

/// Longer operators first.
const OPERATORS: [&str; 26] = [
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<",
    "=", ".", ":", "|", ",", ";",
];

/// Reads tokens one by one. Jinja2's lexer is lazy too: an error further down shows only when the parser gets there.
pub(crate) struct Lexer<'a> {
    source: String,
    file: &'a str,
    at: usize,
    line: u32,
    state: State,
    brackets: Vec<char>,
    /// Whether the last match ended with a line break.
    line_starting: bool,
    /// A token that follows the one just returned.
    pending: Option<(u32, Token)>,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(source: &str, file: &'a str) -> Self {
        let mut source = normal_newlines(source).into_owned();
        if source.ends_with('\n') {
            source.pop();
        }
        Self {
            source,
            file,
            at: 0,
            line: 1,
            state: State::Text,
            brackets: Vec::new(),
            line_starting: true,
            pending: None,
        }
    }

    /// The next token and its line; `End` (at the line of the token before) when there is no more.
    pub(crate) fn next(&mut self) -> Outcome<Option<(u32, Token)>> {
        if let Some(token) = self.pending.take() {
            return Ok(Some(token));
        }
        while self.at < self.source.len() {
            let token = if self.state == State::Text { self.text()? } else { self.code()? };
            if token.is_some() {
                return Ok(token);
            }
        }
        Ok(None)
    }

    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn advance(&mut self, bytes: usize) {
        let passed = &self.source[self.at..self.at + bytes];
        self.line += newlines(passed);
        self.line_starting = passed.ends_with('\n');
        self.at += bytes;
    }

    fn text(&mut self) -> Outcome<Option<(u32, Token)>> {
        let Some(tag) = find_tag(self.rest()) else {
            let data = self.rest().to_owned();
            let line = self.line;
            self.advance(data.len());
            return Ok(Some((line, Token::Data(data.into()))));
        };
        let text = &self.source[self.at..self.at + tag.at];
        let kept = match tag.sign {
            Some('-') => text.trim_end_matches(is_space).len(),
            None if tag.kind != TagKind::Variable => self.without_indent(text),
            _ => text.len(),
        };
        let data = text[..kept].to_owned();
        let line = self.line;
        self.advance(tag.at + tag.length);
        let token = match tag.kind {
            TagKind::Comment => {
                self.skip_comment()?;
                None
            }
            TagKind::Raw => self.raw()?,
            TagKind::Variable => {
                self.state = State::Variable;
                Some((self.line, Token::VariableBegin))
            }
            TagKind::Block => {
                self.state = State::Block;
                Some((self.line, Token::BlockBegin))
            }
        };
        if data.is_empty() {
            return Ok(token);
        }
        self.pending = token;
        Ok(Some((line, Token::Data(data.into()))))
    }

    /// How much of a text remains if nothing but blanks stand between its last line break and the tag.
    fn without_indent(&self, text: &str) -> usize {
        let line = text.rfind('\n').map_or(0, |at| at + 1);
        let is_blank = line < text.len() && text[line..].chars().all(is_space);
        if is_blank && (line > 0 || self.line_starting) { line } else { text.len() }
    }

    fn skip_comment(&mut self) -> Outcome<()> {
        let Some(found) = self.rest().find("#}") else {
            if self.rest().is_empty() {
                return Ok(());
            }
            return Err(syntax_error("Missing end of comment tag", "<unknown>", self.line));
        };
        let sign = self.rest()[..found].chars().next_back();
        let after = &self.rest()[found + 2..];
        let more = end_of_tag(sign, after);
        self.advance(found + 2 + more);
        Ok(())
    }

    fn raw(&mut self) -> Outcome<Option<(u32, Token)>> {
        let Some(end) = find_end_raw(self.rest()) else {
            if self.rest().is_empty() {
                return Ok(None);
            }
            return Err(syntax_error("Missing end of raw directive", "<unknown>", self.line));
        };
        let text = &self.source[self.at..self.at + end.at];
        let kept = match end.sign {
            Some('-') => text.trim_end_matches(is_space).len(),
            None => self.without_indent(text),
            _ => text.len(),
        };
        let data: Text = text[..kept].into();
        let line = self.line;
        self.advance(end.at + end.length);
        Ok((!data.is_empty()).then_some((line, Token::Data(data))))
    }

    fn code(&mut self) -> Outcome<Option<(u32, Token)>> {
        let line = self.line;
        if self.brackets.is_empty()
            && let Some(length) = self.end_of_code()
        {
            let token = if self.state == State::Block { Token::BlockEnd } else { Token::VariableEnd };
            self.advance(length);
            self.state = State::Text;
            return Ok(Some((line, token)));
        }
        let rest = self.rest();
        let blanks = rest.len() - rest.trim_start_matches(is_space).len();
        if blanks > 0 {
            self.advance(blanks);
            return Ok(None);
        }
        let after_dot = self.source[..self.at].ends_with('.');
        if let Some(length) = literal::float_length(rest).filter(|_| !after_dot) {
            let value = literal::float(&rest[..length]);
            self.advance(length);
            return Ok(Some((line, Token::Float(value))));
        }
        if let Some(length) = literal::int_length(rest) {
            let value = literal::int(&rest[..length]);
            self.advance(length);
            return Ok(Some((line, Token::Int(value))));
        }
        let name_length = rest.len() - rest.trim_start_matches(is_word).len();
        if name_length > 0 {
            let name: Text = rest[..name_length].into();
            if !name.starts_with(|c: char| c == '_' || c.is_alphabetic()) {
                return Err(syntax_error("Invalid character in identifier", self.file, line));
            }
            self.advance(name_length);
            return Ok(Some((line, Token::Name(name))));
        }
        if let Some(length) = literal::string_length(rest) {
            let value = literal::string(&rest[1..length - 1])
                .map_err(|message| syntax_error(message, self.file, line))?;
            self.advance(length);
            return Ok(Some((line, Token::Str(value.into()))));
        }
        self.operator(line).map(Some)
    }

    /// How long the end of the tag is, if it stands here.
    fn end_of_code(&self) -> Option<usize> {
        let rest = self.rest();
        let close = if self.state == State::Block { "%}" } else { "}}" };
        let signed = |sign: char| rest.strip_prefix(sign).and_then(|rest| rest.strip_prefix(close));
        if let Some(after) = signed('-') {
            return Some(3 + blanks(after));
        }
        let is_block = self.state == State::Block;
        if is_block && signed('+').is_some() {
            return Some(3);
        }
        let after = rest.strip_prefix(close)?;
        Some(2 + usize::from(is_block && after.starts_with('\n')))
    }

    fn operator(&mut self, line: u32) -> Outcome<(u32, Token)> {
        let rest = self.rest();
        let Some(op) = OPERATORS.into_iter().find(|op| rest.starts_with(op)) else {
            let c = rest.chars().next().unwrap_or('\0').to_string();
            let at = self.source[..self.at].chars().count();
            return Err(syntax_error(format!("unexpected char {} at {at}", quoted(&c)), self.file, line));
        };
        match op {
            "{" => self.brackets.push('}'),
            "(" => self.brackets.push(')'),
            "[" => self.brackets.push(']'),
            "}" | ")" | "]" => match self.brackets.pop() {
                None => return Err(syntax_error(format!("unexpected '{op}'"), self.file, line)),
                Some(expected) if !op.starts_with(expected) => {
                    let message = format!("unexpected '{op}', expected '{expected}'");
                    return Err(syntax_error(message, self.file, line));
                }
                Some(_) => {}
            },
            _ => {}
        }
        self.advance(op.len());
        Ok((line, Token::Op(op)))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TagKind {
    Raw,
    Block,
    Variable,
    Comment,
}

/// The begin of a tag (or the end of a raw block): where, how long with its sign, and the sign.
struct Tag {
    kind: TagKind,
    at: usize,
    length: usize,
    sign: Option<char>,
}

fn newlines(text: &str) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', text.as_bytes()).count()).unwrap_or(u32::MAX)
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(is_space).len()
}

/// What else belongs to the end of a block or comment tag: blanks after `-`, else a line break unless `+` forbids it.
fn end_of_tag(sign: Option<char>, after: &str) -> usize {
    match sign {
        Some('-') => blanks(after),
        Some('+') => 0,
        _ => usize::from(after.starts_with('\n')),
    }
}

fn sign_of(text: &str) -> Option<char> {
    text.chars().next().filter(|c| matches!(c, '-' | '+'))
}

fn find_tag(text: &str) -> Option<Tag> {
    for at in memchr::memchr_iter(b'{', text.as_bytes()) {
        let kind = match text.as_bytes().get(at + 1) {
            Some(b'%') => TagKind::Block,
            Some(b'{') => TagKind::Variable,
            Some(b'#') => TagKind::Comment,
            _ => continue,
        };
        let sign = sign_of(&text[at + 2..]);
        let length = 2 + usize::from(sign.is_some());
        if kind == TagKind::Block
            && let Some(more) = word_tag(&text[at + length..], "raw", false)
        {
            return Some(Tag { kind: TagKind::Raw, at, length: length + more, sign });
        }
        return Some(Tag { kind, at, length, sign });
    }
    None
}

fn find_end_raw(text: &str) -> Option<Tag> {
    memchr::memmem::find_iter(text.as_bytes(), "{%").find_map(|at| {
        let sign = sign_of(&text[at + 2..]);
        let length = 2 + usize::from(sign.is_some());
        let more = word_tag(&text[at + length..], "endraw", true)?;
        Some(Tag { kind: TagKind::Raw, at, length: length + more, sign })
    })
}

/// The length of ` word %}` with the blanks that its end takes along. Only the end of a raw block knows `+` and takes a
/// line break along.
fn word_tag(text: &str, word: &str, is_end: bool) -> Option<usize> {
    let rest = text.trim_start_matches(is_space).strip_prefix(word)?.trim_start_matches(is_space);
    let sign = sign_of(rest).filter(|sign| *sign == '-' || is_end);
    let after = rest[usize::from(sign.is_some())..].strip_prefix("%}")?;
    let more = if is_end || sign.is_some() { end_of_tag(sign, after) } else { 0 };
    Some(text.len() - after.len() + more)
}
