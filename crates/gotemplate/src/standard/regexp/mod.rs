//! Regular expressions, as Go's package `regexp` has them: RE2's syntax and error texts over the crate `regex`, which
//! finds the same matches.

mod parse;

use super::runes;
use crate::format::quote;
use regex::bytes::{Regex, RegexBuilder};

/// A compiled expression.
#[derive(Debug)]
pub(crate) struct Regexp {
    regex: Regex,
    /// The names of the groups, the whole match included; empty where a group has none.
    names: Vec<Vec<u8>>,
    is_empty: bool,
}

/// What a compiled expression may take. Go has no such bound, but one for repetition that keeps it lower.
const SIZE_LIMIT: usize = 1 << 26;

impl Regexp {
    /// Compiles an expression. An error is Go's text for it: ``error parsing regexp: missing closing ]: `[` ``.
    pub(crate) fn compile(expression: &[u8]) -> Result<Self, String> {
        let parsed = parse::parse(expression)
            .map_err(|fault| format!("error parsing regexp: {}: `{}`", fault.code, fault.expression))?;
        let regex = RegexBuilder::new(&parsed.pattern)
            .nest_limit(4 * parse::MAX_DEPTH)
            .size_limit(SIZE_LIMIT)
            .build()
            .map_err(|_| {
                let expression = String::from_utf8_lossy(expression);
                format!("error parsing regexp: expression too large: `{expression}`")
            })?;
        Ok(Self { regex, names: parsed.names, is_empty: expression.is_empty() })
    }

    /// The text of the panic of `regexp.MustCompile` for that error.
    pub(crate) fn panic_text(expression: &[u8], error: &str) -> String {
        let plain = std::str::from_utf8(expression).ok().filter(|text| {
            !text
                .chars()
                .any(|rune| (rune < ' ' && rune != '\t') || matches!(rune, '`' | '\u{7F}' | '\u{FEFF}'))
        });
        let shown = plain.map_or_else(|| quote(expression), |text| format!("`{text}`"));
        format!("regexp: Compile({shown}): {error}")
    }

    pub(crate) fn is_match(&self, text: &[u8]) -> bool {
        self.regex.is_match(text)
    }

    /// The first match; empty where there is none.
    pub(crate) fn find<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        self.regex.find(text).map_or(b"", |found| found.as_bytes())
    }

    /// The first match from a place on. Nothing matches within a character, where `\B` would for the crate.
    fn find_from<'a>(&self, text: &'a [u8], at: usize) -> Option<regex::bytes::Match<'a>> {
        let mut at = at;
        loop {
            let found = self.regex.find_at(text, at)?;
            if !found.is_empty() || !is_within_character(text, found.start()) {
                return Some(found);
            }
            at = found.start() + 1;
        }
    }

    /// Where matches stand, at most `limit` of them if it is not negative. A match of nothing right after another
    /// match does not count.
    pub(crate) fn find_all(&self, text: &[u8], limit: i64) -> Vec<(usize, usize)> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let (mut found, mut at, mut previous) = (Vec::new(), 0, None);
        while found.len() < limit && at <= text.len() {
            let Some(one) = self.find_from(text, at) else { break };
            let mut accepted = true;
            if one.end() == at {
                accepted = previous != Some(one.start());
                at += runes::decode(&text[at..]).map_or(1, |(_, width)| width);
            } else {
                at = one.end();
            }
            previous = Some(one.end());
            if accepted {
                found.push((one.start(), one.end()));
            }
        }
        found
    }

    /// The text with each match replaced by what `write` makes of its groups.
    fn replace(
        &self,
        text: &[u8],
        mut write: impl FnMut(&mut Vec<u8>, &regex::bytes::Captures<'_>),
    ) -> Vec<u8> {
        let (mut out, mut copied, mut at) = (Vec::with_capacity(text.len()), 0, 0);
        while at <= text.len() {
            let Some(start) = self.find_from(text, at).map(|found| found.start()) else { break };
            let Some(groups) = self.regex.captures_at(text, start) else { break };
            let Some(whole) = groups.get(0) else { break };
            out.extend_from_slice(&text[copied..whole.start()]);
            if whole.end() > copied || whole.start() == 0 {
                write(&mut out, &groups);
            }
            copied = whole.end();
            let width = runes::decode(&text[at..]).map_or(0, |(_, width)| width);
            at = if at + width > whole.end() { at + width } else { whole.end().max(at + 1) };
        }
        out.extend_from_slice(text.get(copied..).unwrap_or_default());
        out
    }

    /// `ReplaceAllLiteralString`.
    pub(crate) fn replace_literal(&self, text: &[u8], replacement: &[u8]) -> Vec<u8> {
        self.replace(text, |out, _| out.extend_from_slice(replacement))
    }

    /// `ReplaceAllString`: with `$1`, `${1}` and `${name}` in the replacement; the longest name counts.
    pub(crate) fn replace_all(&self, text: &[u8], replacement: &[u8]) -> Vec<u8> {
        self.replace(text, |out, groups| {
            let mut rest = replacement;
            while let Some(dollar) = memchr::memchr(b'$', rest) {
                out.extend_from_slice(&rest[..dollar]);
                rest = &rest[dollar + 1..];
                if let Some(after) = rest.strip_prefix(b"$") {
                    out.push(b'$');
                    rest = after;
                } else if let Some((name, after)) = group_name(rest) {
                    rest = after;
                    if let Some(group) = self.group(name, groups) {
                        out.extend_from_slice(group);
                    }
                } else {
                    out.push(b'$');
                }
            }
            out.extend_from_slice(rest);
        })
    }

    /// What a group matched, by its number or its name.
    fn group<'a>(&self, name: &[u8], groups: &regex::bytes::Captures<'a>) -> Option<&'a [u8]> {
        let leads_with_zero = name.len() > 1 && name[0] == b'0';
        if name.iter().all(u8::is_ascii_digit) && !leads_with_zero {
            let number = std::str::from_utf8(name).ok()?.parse().ok()?;
            return groups.get(number).map(|group| group.as_bytes());
        }
        let named = |place: usize| groups.get(place).map(|group| group.as_bytes());
        (0..self.names.len()).filter(|place| self.names[*place] == name).find_map(named)
    }

    /// `Split`: what stands between matches, at most `limit` pieces if it is not negative.
    pub(crate) fn split<'a>(&self, text: &'a [u8], limit: i64) -> Vec<&'a [u8]> {
        if limit == 0 {
            return Vec::new();
        }
        if text.is_empty() && !self.is_empty {
            return vec![text];
        }
        let most = usize::try_from(limit).map_or(usize::MAX, |limit| limit - 1);
        let (mut pieces, mut start, mut end) = (Vec::new(), 0, 0);
        for (from, to) in self.find_all(text, limit) {
            if pieces.len() >= most {
                break;
            }
            end = from;
            if to != 0 {
                pieces.push(&text[start..end]);
            }
            start = to;
        }
        if end != text.len() {
            pieces.push(&text[start..]);
        }
        pieces
    }
}

fn is_within_character(text: &[u8], at: usize) -> bool {
    let is_continuation = text.get(at).is_some_and(|byte| (0x80..0xC0).contains(byte));
    let covers = |back: usize| {
        let start = at.checked_sub(back)?;
        runes::decode(&text[start..]).map(|(_, width)| width > back)
    };
    is_continuation && (1..4).any(|back| covers(back) == Some(true))
}

/// The name or number after a `$`, and what follows it.
fn group_name(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (braced, text) = match text {
        [b'{', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let belongs = |rune: char| runes::is_letter(rune) || runes::is_digit(rune) || rune == '_';
    let length = runes::runes(text).take_while(|(rune, _)| belongs(*rune)).map(|(_, width)| width).sum();
    let (name, rest) = text.split_at(length);
    if name.is_empty() {
        return None;
    }
    if braced { rest.strip_prefix(b"}").map(|rest| (name, rest)) } else { Some((name, rest)) }
}

/// `QuoteMeta`: a text as the expression that matches it.
pub(crate) fn quote_meta(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for byte in text {
        if br"\.+*?()|[]{}^$".contains(byte) {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out
}

#[cfg(test)]
mod tests;
