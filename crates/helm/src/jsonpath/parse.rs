use super::quoted::unquote;
use kapstan_gotemplate::unicode;

/// A step on the way to values, or what stands for itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Text(Vec<u8>),
    Int(i64),
    Float(f64),
    Bool(bool),
    /// `range` or `end`; others are refused when they are met.
    Word(String),
    Field(String),
    /// `.*`
    Members,
    /// `..`
    Below,
    /// `[from:to:by]`
    Slice(Slice),
    /// `[a,b]`
    Union(Vec<Vec<Step>>),
    /// `[?(left == right)]`
    Filter(Box<Filter>),
    /// What a pair of braces holds.
    Action(Vec<Step>),
}

/// A part of a list, with what is not said left open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slice {
    pub(super) from: Option<i64>,
    pub(super) to: Option<i64>,
    /// Whether `to` comes of `from`, for one member.
    pub(super) is_one: bool,
    pub(super) by: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Filter {
    pub(super) left: Vec<Step>,
    /// The operator and the other side; none where it is enough that the left side exists.
    pub(super) right: Option<(String, Vec<Step>)>,
}

/// The texts and actions of a template.
pub(super) fn template(text: &str) -> Result<Vec<Step>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        if at > 0 {
            parts.push(Step::Text(rest[..at].into()));
        }
        let mut parser = Parser { rest: &rest[at + 1..], steps: Vec::new() };
        parser.action()?;
        rest = parser.rest;
        parts.push(Step::Action(parser.steps));
    }
    if !rest.is_empty() {
        parts.push(Step::Text(rest.into()));
    }
    Ok(parts)
}

/// The steps of the first action in `{text}`.
fn steps(text: &str) -> Result<Vec<Step>, String> {
    // What is behind a brace in the text is of no effect, but it has to be right.
    match template(&format!("{{{text}}}"))?.into_iter().next() {
        Some(Step::Action(steps)) => Ok(steps),
        _ => Ok(Vec::new()),
    }
}

struct Parser<'t> {
    rest: &'t str,
    steps: Vec<Step>,
}

impl<'t> Parser<'t> {
    /// Reads up to the closing brace and takes it.
    fn action(&mut self) -> Result<(), String> {
        loop {
            let Some(first) = self.rest.chars().next() else { return Err("unclosed action".to_owned()) };
            if self.rest.starts_with("[?(") {
                self.filter()?;
            } else if self.rest.starts_with("..") {
                self.below()?;
            } else {
                let width = first.len_utf8();
                match first {
                    '}' => {
                        self.rest = &self.rest[1..];
                        return Ok(());
                    }
                    '\r' | '\n' => return Err("unclosed action".to_owned()),
                    ' ' | '@' | '$' => self.rest = &self.rest[width..],
                    '[' => self.array()?,
                    '"' | '\'' => self.quoted(first)?,
                    '.' => {
                        self.rest = &self.rest[1..];
                        self.field();
                    }
                    '+' | '-' => self.number()?,
                    digit if digit.is_ascii_digit() => self.number()?,
                    letter if is_word(letter) => self.word(),
                    other => {
                        let shown =
                            if unicode::is_print(other) { format!(" '{other}'") } else { String::new() };
                        let code = u32::from(other);
                        return Err(format!("unrecognized character in action: U+{code:04X}{shown}"));
                    }
                }
            }
        }
    }

    /// Takes as many bytes.
    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn below(&mut self) -> Result<(), String> {
        if self.steps.last() == Some(&Step::Below) {
            return Err("invalid multiple recursive descent".to_owned());
        }
        self.take(2);
        self.steps.push(Step::Below);
        if self.rest.starts_with(is_word) {
            self.field();
        }
        Ok(())
    }

    fn field(&mut self) {
        let mut is_escaped = false;
        let end = self.rest.find(|character| {
            let ends = !is_escaped && ends_word(character);
            is_escaped = !is_escaped && character == '\\';
            ends
        });
        let name = self.take(end.unwrap_or(self.rest.len()));
        self.steps.push(if name == "*" { Step::Members } else { Step::Field(name.replace('\\', "")) });
    }

    fn word(&mut self) {
        let word = self.take(self.rest.find(ends_word).unwrap_or(self.rest.len()));
        self.steps.push(match word {
            "true" => Step::Bool(true),
            "false" => Step::Bool(false),
            word => Step::Word(word.to_owned()),
        });
    }

    fn number(&mut self) -> Result<(), String> {
        let sign = usize::from(self.rest.starts_with(['+', '-']));
        let digits =
            self.rest[sign..].find(|character: char| character != '.' && !character.is_ascii_digit());
        let text = self.take(digits.map_or(self.rest.len(), |digits| sign + digits));
        self.steps.push(match (text.parse(), text.parse()) {
            (Ok(number), _) => Step::Int(number),
            (_, Ok(number)) if f64::is_finite(number) => Step::Float(number),
            _ => return Err(format!("cannot parse number {text}")),
        });
        Ok(())
    }

    fn quoted(&mut self, mark: char) -> Result<(), String> {
        let unterminated = || "unterminated quoted string".to_owned();
        let mut before = mark;
        let end = self.rest[1..].char_indices().find_map(|(at, character)| {
            let is_end = character == '\n' || (character == mark && before != '\\');
            before = character;
            is_end.then_some((at + 2, character))
        });
        let (length, last) = end.ok_or_else(unterminated)?;
        if last == '\n' {
            return Err(unterminated());
        }
        let quoted = self.take(length);
        let text = unquote(quoted).map_err(|problem| format!("unquote string {quoted} error {problem}"))?;
        self.steps.push(Step::Text(text));
        Ok(())
    }

    fn array(&mut self) -> Result<(), String> {
        let end = self.rest.find([']', '\n']).filter(|end| !self.rest[*end..].starts_with('\n'));
        let end = end.ok_or_else(|| "unterminated array".to_owned())?;
        let text = &self.take(end + 1)[1..end];
        let text = if text == "*" { ":" } else { text };
        if text.contains(',') {
            let parts = text.split(',').map(|part| steps(&format!("[{}]", part.trim_matches(' '))));
            self.steps.push(Step::Union(parts.collect::<Result<_, _>>()?));
            return Ok(());
        }
        let key = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
        if let Some(key) = key.filter(|key| !key.contains('\'')) {
            self.steps.extend(steps(&format!(".{key}"))?);
            return Ok(());
        }
        self.steps.push(Step::Slice(slice(text)?));
        Ok(())
    }

    fn filter(&mut self) -> Result<(), String> {
        self.take(3);
        let (mut mark, mut is_closed, mut before) = (None, false, '(');
        let end = self.rest.char_indices().find_map(|(at, character)| {
            let mut is_end = character == '\n';
            match (character, mark) {
                ('"' | '\'', None) => mark = Some(character),
                ('"' | '\'', Some(mark)) => is_closed |= before != '\\' && character == mark,
                (')', mark) => is_end = mark.is_some() == is_closed,
                _ => {}
            }
            before = character;
            is_end.then_some((at, character))
        });
        let (end, last) = end.ok_or_else(|| "unterminated filter".to_owned())?;
        if last == '\n' {
            return Err("unterminated filter".to_owned());
        }
        let text = self.take(end);
        if !self.rest[1..].starts_with(']') {
            return Err("unclosed array expect ]".to_owned());
        }
        self.take(2);
        let filter = match comparison(text) {
            None => Filter { left: steps(text)?, right: None },
            Some((left, operator, right)) => {
                Filter { left: steps(left)?, right: Some((operator.to_owned(), steps(right)?)) }
            }
        };
        self.steps.push(Step::Filter(Box::new(filter)));
        Ok(())
    }
}

/// The two sides of a comparison and what is between them.
fn comparison(text: &str) -> Option<(&str, &str, &str)> {
    const MARKS: [char; 4] = ['!', '<', '>', '='];
    let start = text.find(MARKS).filter(|start| *start > 0)?;
    let length = text[start..].find(|character| !MARKS.contains(&character));
    // Something has to be left for the right side, which may then begin with a mark.
    let length = length.unwrap_or(text.len() - start - 1);
    let (left, rest) = text.split_at(start);
    let (operator, right) = rest.split_at(length);
    (length > 0 && !right.is_empty() && !right.contains('\n')).then_some((left, operator, right))
}

/// `from:to:by`, each a number or nothing.
fn slice(text: &str) -> Result<Slice, String> {
    let parts: Vec<&str> = text.split(':').collect();
    let is_number = |part: &&str| {
        let digits = part.strip_prefix('-').unwrap_or(part);
        digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    if parts.len() > 3 || !parts.iter().all(is_number) {
        return Err(format!("invalid array index {text}"));
    }
    let number = |at: usize| match parts.get(at) {
        None | Some(&"") => Ok(None),
        Some(part) => {
            part.parse::<i64>().map(Some).map_err(|_| format!("array index {part} is not a number"))
        }
    };
    let (from, to, by) = (number(0)?, number(1)?, number(2)?);
    let is_one = parts.len() == 1;
    let to = if is_one { Some(from.unwrap_or(0).saturating_add(1)) } else { to };
    Ok(Slice { from, to, is_one, by })
}

fn is_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

fn ends_word(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
}
