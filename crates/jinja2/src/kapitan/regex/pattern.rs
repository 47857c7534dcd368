use super::bad;
use crate::error::{Class, Outcome, raise};
use fancy_regex::{Captures, Regex};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Flags of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Flags {
    pub ignore_case: bool,
    pub multiline: bool,
}

thread_local! {
    static KNOWN: RefCell<FxHashMap<(String, Flags), Rc<Regex>>> = RefCell::default();
}

/// A pattern, compiled once.
pub(super) fn compiled(pattern: &str, flags: Flags) -> Outcome<Rc<Regex>> {
    let key = (pattern.to_owned(), flags);
    if let Some(regex) = KNOWN.with(|known| known.borrow().get(&key).cloned()) {
        return Ok(regex);
    }
    let translated = translated(pattern, flags);
    let regex = match Regex::new(&translated) {
        Ok(regex) => Rc::new(regex),
        Err(error) => return bad(format!("the regular expression cannot be read: {error}")),
    };
    KNOWN.with(|known| {
        let mut known = known.borrow_mut();
        if known.len() > 256 {
            known.clear();
        }
        known.insert(key, regex.clone());
    });
    Ok(regex)
}

/// A pattern of Python in the words of the engine: where they mean the same by the same letters, nothing changes.
fn translated(pattern: &str, flags: Flags) -> String {
    let inline = pattern.strip_prefix("(?").and_then(|rest| rest.split_once(')')).map_or("", |found| found.0);
    let is_inline = inline.chars().all(|c| matches!(c, 'a' | 'i' | 'L' | 'm' | 's' | 'u' | 'x'));
    let multiline = flags.multiline || is_inline && inline.contains('m');
    let mut out = String::new();
    if flags.ignore_case {
        out.push_str("(?i)");
    }
    let chars: Vec<char> = pattern.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        match chars[at] {
            '\\' => at = escape(&chars, at, &mut out),
            '[' => at = class(&chars, at, &mut out),
            '^' if multiline => out.push_str("(?m:^)"),
            '^' => out.push_str(r"\A"),
            '$' if multiline => out.push_str("(?m:$)"),
            '$' => out.push_str(r"(?=\n?\z)"),
            '{' => at = braces(&chars, at, &mut out),
            '}' => out.push_str(r"\}"),
            c => out.push(c),
        }
        at += 1;
    }
    out
}

fn escape(chars: &[char], at: usize, out: &mut String) -> usize {
    match chars.get(at + 1) {
        Some('Z') => out.push_str(r"\z"),
        Some(c @ ('<' | '>' | '\'' | '"' | '/' | ',' | ':' | ';' | '=' | '!' | '@' | '%' | '_' | '`')) => {
            out.push(*c)
        }
        Some(c) if !c.is_ascii() => out.push(*c),
        Some(c) => out.extend(['\\', *c]),
        None => out.push('\\'),
    }
    at + 1
}

/// A character class: brackets, `&`, `~` and a first `]` mean themselves.
fn class(chars: &[char], start: usize, out: &mut String) -> usize {
    out.push('[');
    let mut at = start + 1;
    if chars.get(at) == Some(&'^') {
        out.push('^');
        at += 1;
    }
    let first = at;
    while let Some(c) = chars.get(at) {
        match c {
            ']' if at > first => {
                out.push(']');
                return at;
            }
            ']' | '[' | '&' | '~' => out.extend(['\\', *c]),
            '\\' => {
                match chars.get(at + 1) {
                    Some('b') => out.push_str(r"\x08"),
                    Some(next) if next.is_ascii_alphanumeric() => out.extend(['\\', *next]),
                    Some(next) if next.is_ascii() => out.push_str(&format!(r"\x{:02x}", u32::from(*next))),
                    Some(next) => out.push(*next),
                    None => out.push('\\'),
                }
                at += 1;
            }
            '-' if chars.get(at + 1) == Some(&'-') => out.push_str(r"\-"),
            c => out.push(*c),
        }
        at += 1;
    }
    at
}

/// A repetition, or braces that mean themselves.
fn braces(chars: &[char], start: usize, out: &mut String) -> usize {
    let length = chars[start..].iter().position(|c| *c == '}');
    let inside: Option<String> = length.map(|length| chars[start + 1..start + length].iter().collect());
    if let (Some(length), Some(inside)) = (length, inside) {
        let is_number = |text: &str| text.bytes().all(|c| c.is_ascii_digit());
        match inside.split_once(',') {
            None if !inside.is_empty() && is_number(&inside) => {
                out.push_str(&format!("{{{inside}}}"));
                return start + length;
            }
            Some((least, most)) if is_number(least) && is_number(most) => {
                let least = if least.is_empty() { "0" } else { least };
                out.push_str(&format!("{{{least},{most}}}"));
                return start + length;
            }
            _ => {}
        }
    }
    out.push_str(r"\{");
    start
}

/// A replacement: text and groups.
pub(super) struct Template(Vec<Part>);

enum Part {
    Text(String),
    Group(usize),
}

impl Template {
    /// Writes the replacement of a match; groups that took no part are empty.
    pub(super) fn expand(&self, captures: &Captures<'_>, out: &mut String) {
        for part in &self.0 {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Group(group) => out.push_str(captures.get(*group).map_or("", |found| found.as_str())),
            }
        }
    }
}

/// Reads a replacement by Python's rules.
pub(super) fn template(text: &str, regex: &Regex) -> Outcome<Template> {
    let chars: Vec<char> = text.chars().collect();
    let names: Vec<Option<&str>> = regex.capture_names().collect();
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at] != '\\' {
            plain.push(chars[at]);
            at += 1;
            continue;
        }
        let start = at;
        let Some(c) = chars.get(at + 1).copied() else {
            return bad(format!("bad escape (end of pattern) at position {start}"));
        };
        at += 2;
        let group = match c {
            'g' => Some(named_group(&chars, &mut at, &names)?),
            '0' => {
                let digits = chars[at..].iter().take(2).take_while(|c| c.is_digit(8)).count();
                let octal: String = chars[at..at + digits].iter().collect();
                at += digits;
                let code = u32::from_str_radix(&octal, 8).unwrap_or(0);
                plain.extend(char::from_u32(code));
                None
            }
            '1'..='9' => {
                let mut number = c.to_digit(10).unwrap_or(0) as usize;
                if let Some(digit) = chars.get(at).and_then(|c| c.to_digit(10)) {
                    number = number * 10 + digit as usize;
                    at += 1;
                }
                if number >= names.len() {
                    return bad(format!("invalid group reference {number} at position {}", start + 1));
                }
                Some(number)
            }
            'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '\\' => {
                plain.push(match c {
                    'a' => '\u{7}',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'v' => '\u{b}',
                    c => c,
                });
                None
            }
            c if c.is_ascii_alphabetic() => return bad(format!("bad escape \\{c} at position {start}")),
            c => {
                plain.extend(['\\', c]);
                None
            }
        };
        if let Some(group) = group {
            parts.push(Part::Text(std::mem::take(&mut plain)));
            parts.push(Part::Group(group));
        }
    }
    parts.push(Part::Text(plain));
    Ok(Template(parts))
}

fn named_group(chars: &[char], at: &mut usize, names: &[Option<&str>]) -> Outcome<usize> {
    if chars.get(*at) != Some(&'<') {
        return bad(format!("missing < at position {at}"));
    }
    let start = *at + 1;
    let Some(length) = chars[start..].iter().position(|c| *c == '>') else {
        return bad(format!("missing >, unterminated name at position {start}"));
    };
    let name: String = chars[start..start + length].iter().collect();
    *at = start + length + 1;
    if name.is_empty() {
        return bad(format!("missing group name at position {start}"));
    }
    if let Ok(number) = name.parse::<usize>() {
        if number >= names.len() {
            return bad(format!("invalid group reference {number} at position {start}"));
        }
        return Ok(number);
    }
    match names.iter().position(|known| *known == Some(name.as_str())) {
        Some(group) => Ok(group),
        None => raise(Class::Index, format!("unknown group name {}", crate::error::quoted(&name))),
    }
}
