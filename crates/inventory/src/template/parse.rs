use super::query_parse::parse_query;
use super::{ParseError, Part, Reference};
use crate::rules::Syntax;
use kapstan_document::Text;

/// How deep references may stand inside each other.
const MAX_NESTING: usize = 100;

/// Takes a string apart.
///
/// Behaviour: the grammar of reclass, in which what is no reference, query or escape is text, and only an opening
/// sentinel that leads nowhere is an error. Tabs become blanks up to the next multiple of eight columns, as the parser
/// of reclass has it.
pub(super) fn parse(text: &str, syntax: &Syntax) -> Result<Vec<Part>, ParseError> {
    let expanded =
        if text.contains('\t') && !syntax.is_reclass_rs { expand_tabs(text) } else { text.to_owned() };
    let mut parser = Parser { text: &expanded, syntax, furthest: None, refused: None };
    let mut parts = Vec::new();
    let mut at = 0;
    while at < expanded.len() {
        let item = parser.item(at);
        if let Some(refused) = parser.refused.take() {
            return Err(refused);
        }
        let Some((part, next)) = item else {
            return Err(parser.error(at));
        };
        parts.push(part);
        at = next;
    }
    Ok(parts)
}

struct Parser<'a> {
    text: &'a str,
    syntax: &'a Syntax,
    /// The last place at which something was missing, and what.
    furthest: Option<(usize, String)>,
    /// An error that no other reading can heal.
    refused: Option<ParseError>,
}

/// What one kind of text may hold.
struct Rule<'a> {
    /// Sentinels that end it, also behind one or two escapes.
    stops: &'a [&'a str],
    /// Escaped, these stand for themselves.
    escaped: &'a [&'a str],
}

impl Parser<'_> {
    fn item(&mut self, at: usize) -> Option<(Part, usize)> {
        let syntax = self.syntax;
        if let Some(found) = self.reference(at, 0) {
            return Some(found);
        }
        if let Some(found) = self.query(at) {
            return Some(found);
        }
        let opens = [syntax.reference.0.as_str(), syntax.query.0.as_str()];
        // What opens a query is text where there are none.
        let stops = if syntax.is_reclass_rs { &opens[..1] } else { &opens[..] };
        let excluded = [opens[0], &syntax.reference.1, opens[1], &syntax.query.1].concat() + &syntax.escape;
        let rule = Rule { stops, escaped: &opens };
        self.string(at, &rule, |text| run(text, &excluded).or_else(|| one(text)))
    }

    fn reference(&mut self, at: usize, nesting: usize) -> Option<(Part, usize)> {
        let (open, close) = (&self.syntax.reference.0, &self.syntax.reference.1);
        let mut at = self.literal(at, open)?;
        if nesting >= MAX_NESTING {
            let message = format!("references stand more than {MAX_NESTING} deep inside each other");
            self.refused = Some(self.error_at(at, message.clone(), message));
            return None;
        }
        let mut path = Vec::new();
        while let Some((part, next)) = self.reference_item(at, nesting) {
            path.push(part);
            at = next;
        }
        if path.is_empty() {
            self.missed(at, "a path".to_owned());
            return None;
        }
        let Some(end) = self.literal(at, close) else {
            self.missed(at, format!("'{close}'"));
            return None;
        };
        let default = if self.syntax.is_reclass_rs { split_default(&mut path) } else { None };
        Some((Part::Reference(Reference { path, default }), end))
    }

    fn reference_item(&mut self, at: usize, nesting: usize) -> Option<(Part, usize)> {
        if let Some(found) = self.reference(at, nesting + 1) {
            return Some(found);
        }
        if self.refused.is_some() {
            return None;
        }
        let syntax = self.syntax;
        let sentinels = [syntax.reference.0.as_str(), syntax.reference.1.as_str()];
        let excluded = [&syntax.escape, sentinels[0], sentinels[1]].concat();
        let close_first = sentinels[1].chars().next();
        let rule = Rule { stops: &sentinels, escaped: &sentinels };
        self.string(at, &rule, |text| {
            run(text, &excluded).or_else(|| one(text).filter(|_| text.chars().next() != close_first))
        })
    }

    fn query(&mut self, at: usize) -> Option<(Part, usize)> {
        let syntax = self.syntax;
        if syntax.is_reclass_rs {
            return None;
        }
        let (open, close) = (syntax.query.0.as_str(), syntax.query.1.as_str());
        let start = self.literal(at, open)?;
        let close_first = close.chars().next().map(String::from).unwrap_or_default();
        let rule = Rule { stops: &[close], escaped: &[open, close] };
        let mut texts = Vec::new();
        let mut at = start;
        while let Some((Part::Text(text), next)) = self.string(at, &rule, |text| run(text, &close_first)) {
            texts.push(text);
            at = next;
        }
        let Some(end) = self.literal(at, close) else {
            self.missed(at, format!("'{close}'"));
            return None;
        };
        match texts.as_slice() {
            [] => {
                self.missed(at, "a query".to_owned());
                None
            }
            [text] => match parse_query(text, syntax) {
                Ok(query) => Some((Part::Query(Box::new(query)), end)),
                Err(error) => {
                    self.refused = Some(error);
                    None
                }
            },
            _ => {
                let message = "an inventory query cannot hold escapes".to_owned();
                self.refused = Some(self.error_at(start, message.clone(), message));
                None
            }
        }
    }

    /// A piece of text: an escape, or what goes on to the next sentinel.
    fn string(
        &self,
        at: usize,
        rule: &Rule<'_>,
        step: impl Fn(&str) -> Option<usize>,
    ) -> Option<(Part, usize)> {
        let rest = &self.text[at..];
        let escape = self.syntax.escape.as_str();
        let twice = escape.repeat(2);
        if let Some(after) = rest.strip_prefix(&twice)
            && self.is_sentinel(after)
        {
            return Some((Part::Text(escape.into()), at + twice.len()));
        }
        if let Some(after) = rest.strip_prefix(escape)
            && let Some(sentinel) = rule.escaped.iter().find(|sentinel| after.starts_with(**sentinel))
        {
            return Some((Part::Text((*sentinel).into()), at + escape.len() + sentinel.len()));
        }
        let mut end = at;
        while end < self.text.len() && !is_stop(&self.text[end..], rule.stops, escape) {
            let Some(length) = step(&self.text[end..]) else { break };
            end += length;
        }
        (end > at).then(|| (Part::Text(Text::from(&self.text[at..end])), end))
    }

    fn is_sentinel(&self, text: &str) -> bool {
        let Syntax { reference, query, .. } = self.syntax;
        [&reference.0, &reference.1, &query.0, &query.1].iter().any(|sentinel| text.starts_with(*sentinel))
    }

    fn literal(&self, at: usize, literal: &str) -> Option<usize> {
        self.text[at..].starts_with(literal).then_some(at + literal.len())
    }

    fn missed(&mut self, at: usize, what: String) {
        if self.furthest.as_ref().is_none_or(|(furthest, _)| at > *furthest) {
            self.furthest = Some((at, what));
        }
    }

    /// Nothing can be read at `at`. The peer blames the end of the text, unless nothing was read before.
    fn error(&self, at: usize) -> ParseError {
        let (place, what) = self.furthest.clone().unwrap_or((at, "a reference".to_owned()));
        let missing = what.replace('\'', "`");
        let message = format!("expected {missing}");
        let peer = if at > 0 {
            let column = self.error_at(at, String::new(), String::new()).column;
            format!("Expected end of text at char {column}")
        } else {
            format!("Expected {what} at char {}", self.error_at(place, String::new(), String::new()).column)
        };
        self.error_at(place, message, peer)
    }

    fn error_at(&self, at: usize, message: String, peer: String) -> ParseError {
        let (column, line) = place(self.text, at);
        ParseError { message, column, line, peer }
    }
}

/// Cuts a path at its first `::`, and returns what follows it.
fn split_default(path: &mut Vec<Part>) -> Option<Vec<Part>> {
    let at = path.iter().position(|part| matches!(part, Part::Text(text) if text.contains("::")))?;
    let mut default = path.split_off(at);
    if let Some(Part::Text(text)) = default.first_mut()
        && let Some((before, after)) = text.clone().split_once("::")
    {
        path.push(Part::Text(before.into()));
        *text = after.into();
    }
    Some(default)
}

/// The column, in characters from 0, and the line of a place.
pub(super) fn place(text: &str, at: usize) -> (usize, String) {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    (text[start..at].chars().count(), text[start..end].to_owned())
}

fn is_stop(text: &str, stops: &[&str], escape: &str) -> bool {
    let once = text.strip_prefix(escape);
    let twice = once.and_then(|rest| rest.strip_prefix(escape));
    let heads = [Some(text), once, twice];
    stops.iter().any(|stop| heads.iter().flatten().any(|head| head.starts_with(stop)))
}

/// The length of the text before the first of these characters, unless it is nothing.
fn run(text: &str, excluded: &str) -> Option<usize> {
    let length = text.find(|character| excluded.contains(character)).unwrap_or(text.len());
    (length > 0).then_some(length)
}

fn one(text: &str) -> Option<usize> {
    text.chars().next().map(char::len_utf8)
}

/// Python's `str.expandtabs()`.
fn expand_tabs(text: &str) -> String {
    let mut expanded = String::with_capacity(text.len() + 16);
    let mut column = 0;
    for character in text.chars() {
        match character {
            '\t' => {
                let blanks = 8 - column % 8;
                expanded.extend(std::iter::repeat_n(' ', blanks));
                column += blanks;
            }
            '\n' | '\r' => {
                expanded.push(character);
                column = 0;
            }
            _ => {
                expanded.push(character);
                column += 1;
            }
        }
    }
    expanded
}
