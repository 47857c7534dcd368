//! RE2's syntax: checked as Go does it, and written as the crate `regex` reads it.

use crate::standard::runes;
use std::fmt::Write;

/// Groups within groups.
pub(super) const MAX_DEPTH: u32 = 1000;
/// What repetitions of repetitions may come to.
const MAX_REPEAT: u32 = 1000;

/// What is wrong with an expression.
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) expression: String,
}

/// An expression in the syntax of the crate.
pub(super) struct Parsed {
    pub(super) pattern: String,
    /// By group, the whole match first.
    pub(super) names: Vec<Vec<u8>>,
}

fn fault<T>(code: &'static str, expression: &[u8]) -> Result<T, Fault> {
    Err(Fault { code, expression: String::from_utf8_lossy(expression).into_owned() })
}

/// What stands between two parentheses so far.
#[derive(Default)]
struct Level {
    /// Whether there is something that can be repeated.
    has_operand: bool,
    /// How often the last operand repeats parts of itself.
    last: u32,
    /// The most of all operands.
    most: u32,
}

struct Parser<'a> {
    whole: &'a [u8],
    rest: &'a [u8],
    out: String,
    names: Vec<Vec<u8>>,
    levels: Vec<Level>,
}

pub(super) fn parse(expression: &[u8]) -> Result<Parsed, Fault> {
    let mut parser = Parser {
        whole: expression,
        rest: expression,
        out: String::with_capacity(expression.len()),
        names: vec![Vec::new()],
        levels: vec![Level::default()],
    };
    let mut last_repeat: Option<&[u8]> = None;
    while !parser.rest.is_empty() {
        let before = parser.rest;
        let repeats = parser.item(last_repeat)?;
        last_repeat = repeats.then_some(before);
    }
    if parser.levels.len() != 1 {
        return fault("missing closing )", expression);
    }
    Ok(Parsed { pattern: parser.out, names: parser.names })
}

impl<'a> Parser<'a> {
    fn level(&mut self) -> &mut Level {
        // The outermost level is never closed.
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn operand(&mut self, repeats: u32) {
        let level = self.level();
        level.has_operand = true;
        level.last = repeats;
        level.most = level.most.max(repeats);
    }

    fn literal(&mut self, code: u32) {
        push_literal(&mut self.out, code);
        self.operand(1);
    }

    /// A place without width. In a group, so that it can be repeated.
    fn place(&mut self, pattern: &str, taken: usize) {
        self.out.push_str("(?:");
        self.out.push_str(pattern);
        self.out.push(')');
        self.operand(1);
        self.rest = &self.rest[taken..];
    }

    /// Takes one item; whether it was a repetition.
    fn item(&mut self, last_repeat: Option<&'a [u8]>) -> Result<bool, Fault> {
        match self.rest[0] {
            b'(' => self.open()?,
            b'|' => {
                self.out.push('|');
                self.level().has_operand = false;
                self.rest = &self.rest[1..];
            }
            b')' => {
                if self.levels.len() == 1 {
                    return fault("unexpected )", self.whole);
                }
                let most = self.levels.pop().map_or(1, |level| level.most.max(1));
                self.out.push(')');
                self.operand(most);
                self.rest = &self.rest[1..];
            }
            b'^' => self.place("^", 1),
            b'$' => self.place("$", 1),
            b'.' => {
                self.out.push('.');
                self.operand(1);
                self.rest = &self.rest[1..];
            }
            b'[' => self.class()?,
            b'*' | b'+' | b'?' => {
                let operator = char::from(self.rest[0]).to_string();
                self.repeat(&operator, 1, 1, last_repeat)?;
                return Ok(true);
            }
            b'{' => return self.counted(last_repeat),
            b'\\' => self.escape()?,
            _ => {
                let (code, rest) = next_rune(self.rest)?;
                self.literal(code);
                self.rest = rest;
            }
        }
        Ok(false)
    }

    fn counted(&mut self, last_repeat: Option<&'a [u8]>) -> Result<bool, Fault> {
        let Some((low, high, length)) = counts(self.rest) else {
            self.literal(u32::from(b'{'));
            self.rest = &self.rest[1..];
            return Ok(false);
        };
        let text = &self.rest[..length];
        let (Some(low), Ok(high)) = (low, high) else { return fault("invalid repeat count", text) };
        if low > MAX_REPEAT || high.is_some_and(|high| high > MAX_REPEAT || low > high) {
            return fault("invalid repeat count", text);
        }
        let operator = String::from_utf8_lossy(text).into_owned();
        self.repeat(&operator, length, high.unwrap_or(low).max(1), last_repeat)?;
        Ok(true)
    }

    fn repeat(
        &mut self,
        operator: &str,
        length: usize,
        times: u32,
        last_repeat: Option<&'a [u8]>,
    ) -> Result<(), Fault> {
        let before = self.rest;
        let lazy = before.get(length) == Some(&b'?');
        let taken = length + usize::from(lazy);
        let after = &before[taken..];
        if let Some(last) = last_repeat {
            return fault("invalid nested repetition operator", &last[..last.len() - after.len()]);
        }
        let level = self.level();
        if !level.has_operand {
            return fault("missing argument to repetition operator", &before[..taken]);
        }
        let repeats = level.last.saturating_mul(times);
        if times > 1 && repeats > MAX_REPEAT {
            return fault("invalid repeat count", &before[..taken]);
        }
        self.out.push_str(operator);
        if lazy {
            self.out.push('?');
        }
        self.operand(repeats);
        self.rest = after;
        Ok(())
    }

    fn open(&mut self) -> Result<(), Fault> {
        if self.levels.len() as u32 >= MAX_DEPTH {
            return fault("expression nests too deeply", self.whole);
        }
        if self.rest.get(1) != Some(&b'?') {
            self.group(b"", 1);
            return Ok(());
        }
        let text = self.rest;
        let name_at = if text.starts_with(b"(?P<") && text.len() > 4 {
            4
        } else if text.starts_with(b"(?<") && text.len() > 3 {
            3
        } else {
            return self.flags();
        };
        let Some(end) = memchr::memchr(b'>', text) else { return fault("invalid named capture", text) };
        let name = &text[name_at..end];
        if name.is_empty() || !name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            return fault("invalid named capture", &text[..=end]);
        }
        self.group(name, end + 1);
        Ok(())
    }

    /// Groups are numbered; their names are kept here, because the crate takes fewer.
    fn group(&mut self, name: &[u8], taken: usize) {
        self.out.push('(');
        self.names.push(name.to_vec());
        self.levels.push(Level::default());
        self.rest = &self.rest[taken..];
    }

    /// `(?i)`, `(?s-m:`.
    fn flags(&mut self) -> Result<(), Fault> {
        let text = self.rest;
        let (mut negated, mut seen) = (false, false);
        let mut rest = &text[2..];
        while !rest.is_empty() {
            let (code, after) = next_rune(rest)?;
            rest = after;
            match char::from_u32(code) {
                Some('i' | 'm' | 's' | 'U') => seen = true,
                Some('-') if !negated => (negated, seen) = (true, false),
                Some(end @ (':' | ')')) if !negated || seen => {
                    let flags = String::from_utf8_lossy(&text[..text.len() - rest.len()]);
                    // `(?)` changes nothing, and the crate does not take it.
                    if flags != "(?)" {
                        self.out.push_str(&flags);
                    }
                    if end == ':' {
                        self.levels.push(Level::default());
                    }
                    self.rest = rest;
                    return Ok(());
                }
                _ => break,
            }
        }
        fault("invalid or unsupported Perl syntax", &text[..text.len() - rest.len()])
    }

    fn escape(&mut self) -> Result<(), Fault> {
        match self.rest.get(1) {
            Some(b'A') => self.place("\\A", 2),
            Some(b'b') => self.place("(?-u:\\b)", 2),
            Some(b'B') => self.place("(?-u:\\B)", 2),
            Some(b'z') => self.place("\\z", 2),
            Some(b'C') => return fault("invalid escape sequence", &self.rest[..2]),
            Some(b'Q') => {
                let text = &self.rest[2..];
                let end = crate::standard::strings::index(text, b"\\E");
                let mut quoted = &text[..end.unwrap_or(text.len())];
                self.rest = &text[end.map_or(text.len(), |end| end + 2)..];
                while !quoted.is_empty() {
                    let (code, after) = next_rune(quoted)?;
                    self.literal(code);
                    quoted = after;
                }
            }
            _ => {
                if let Some((class, rest)) = shared_class(self.rest)? {
                    self.out.push_str(&class);
                    self.operand(1);
                    self.rest = rest;
                    return Ok(());
                }
                let (code, rest) = character_escape(self.rest)?;
                self.literal(code);
                self.rest = rest;
            }
        }
        Ok(())
    }

    /// `[a-z]`. What the crate would take for more than a character is escaped.
    fn class(&mut self) -> Result<(), Fault> {
        let whole = self.rest;
        let mut rest = &whole[1..];
        self.out.push('[');
        if let Some(after) = rest.strip_prefix(b"^") {
            self.out.push('^');
            rest = after;
        }
        let mut first = true;
        while rest.first() != Some(&b']') || first {
            first = false;
            if rest.len() > 2
                && rest.starts_with(b"[:")
                && let Some(end) = crate::standard::strings::index(&rest[2..], b":]")
            {
                let name = &rest[..end + 4];
                if !POSIX.contains(&rest[2..end + 2].strip_prefix(b"^").unwrap_or(&rest[2..end + 2])) {
                    return fault("invalid character class range", name);
                }
                self.out.push_str(&String::from_utf8_lossy(name));
                rest = &rest[end + 4..];
                continue;
            }
            if let Some((class, after)) = shared_class(rest)? {
                self.out.push_str(&class);
                rest = after;
                continue;
            }
            let start = rest;
            let (low, after) = class_character(rest, whole)?;
            rest = after;
            let mut high = low;
            if rest.len() >= 2 && rest[0] == b'-' && rest[1] != b']' {
                (high, rest) = class_character(&rest[1..], whole)?;
                if high < low {
                    return fault("invalid character class range", &start[..start.len() - rest.len()]);
                }
            }
            push_range(&mut self.out, low, high);
        }
        self.out.push(']');
        self.operand(1);
        self.rest = &rest[1..];
        Ok(())
    }
}

const POSIX: &[&[u8]] = &[
    b"alnum", b"alpha", b"ascii", b"blank", b"cntrl", b"digit", b"graph", b"lower", b"print", b"punct",
    b"space", b"upper", b"word", b"xdigit",
];

fn next_rune(text: &[u8]) -> Result<(u32, &[u8]), Fault> {
    match runes::decode(text) {
        Some((runes::ERROR, 1)) | None => fault("invalid UTF-8", text),
        Some((rune, width)) => Ok((rune.into(), &text[width..])),
    }
}

fn push_literal(out: &mut String, code: u32) {
    match char::from_u32(code) {
        Some(rune) if rune.is_alphanumeric() => out.push(rune),
        Some(_) => {
            // Writing to a string does not fail.
            let _ = write!(out, "\\x{{{code:x}}}");
        }
        // Half of a pair of surrogates is in no text.
        None => out.push_str("[a&&b]"),
    }
}

fn push_range(out: &mut String, low: u32, high: u32) {
    // Surrogates are in no text, so a range ends before them or begins after them.
    let low = if (0xD800..0xE000).contains(&low) { 0xE000 } else { low };
    let high = if (0xD800..0xE000).contains(&high) { 0xD7FF } else { high };
    if low > high {
        out.push_str("[a&&b]");
        return;
    }
    push_literal(out, low);
    if high > low {
        out.push('-');
        push_literal(out, high);
    }
}

/// `{2}`, `{2,}`, `{2,3}`: the counts and their length. A count that is far too large is none, or an error where it is
/// the second; a text that is no repetition is none at all.
#[expect(clippy::type_complexity, reason = "three answers that are only asked for together")]
fn counts(text: &[u8]) -> Option<(Option<u32>, Result<Option<u32>, ()>, usize)> {
    let close = memchr::memchr(b'}', text)?;
    let inner = &text[1..close];
    let (low, high) = match inner.iter().position(|byte| *byte == b',') {
        None => (inner, None),
        Some(comma) => (&inner[..comma], Some(&inner[comma + 1..])),
    };
    let low_count = count(low)?;
    let high_count = match high {
        None => low_count.map(Some).ok_or(()),
        Some(b"") => Ok(None),
        Some(high) => count(high)?.map(Some).ok_or(()),
    };
    Some((low_count, high_count, close + 1))
}

/// Digits without zeros in front; inner none where they are far too many.
fn count(digits: &[u8]) -> Option<Option<u32>> {
    let well_formed = !digits.is_empty()
        && digits.iter().all(u8::is_ascii_digit)
        && !(digits.len() > 1 && digits[0] == b'0');
    well_formed.then(|| std::str::from_utf8(digits).ok()?.parse().ok())
}

/// `\d`, `\pL`, `\p{Greek}` as the crate writes them, within brackets and without.
fn shared_class(text: &[u8]) -> Result<Option<(String, &[u8])>, Fault> {
    let class = match text {
        [b'\\', b'd', ..] => "[0-9]",
        [b'\\', b'D', ..] => "[^0-9]",
        [b'\\', b's', ..] => "[\\t\\n\\f\\r\\x20]",
        [b'\\', b'S', ..] => "[^\\t\\n\\f\\r\\x20]",
        [b'\\', b'w', ..] => "[0-9A-Za-z_]",
        [b'\\', b'W', ..] => "[^0-9A-Za-z_]",
        [b'\\', b'p' | b'P', _, ..] => return unicode_class(text).map(Some),
        _ => return Ok(None),
    };
    Ok(Some((class.to_owned(), &text[2..])))
}

fn unicode_class(text: &[u8]) -> Result<(String, &[u8]), Fault> {
    let (code, after) = next_rune(&text[2..])?;
    let (name, length) = if code == u32::from(b'{') {
        let Some(end) = memchr::memchr(b'}', text) else {
            return fault("invalid character class range", text);
        };
        (&text[3..end], end + 1)
    } else {
        (&text[2..text.len() - after.len()], text.len() - after.len())
    };
    let mut negated = text[1] == b'P';
    let name = name.strip_prefix(b"^").inspect(|_| negated = !negated).unwrap_or(name);
    let name = std::str::from_utf8(name).unwrap_or("");
    let class = format!("\\{}{{{name}}}", if negated { 'P' } else { 'p' });
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_- ".contains(&byte));
    if name.is_empty() || !plain || regex::Regex::new(&class).is_err() {
        return fault("invalid character class range", &text[..length]);
    }
    Ok((class, &text[length..]))
}

fn class_character<'a>(text: &'a [u8], whole: &[u8]) -> Result<(u32, &'a [u8]), Fault> {
    match text.first() {
        None => fault("missing closing ]", whole),
        Some(b'\\') => character_escape(text),
        Some(_) => next_rune(text),
    }
}

/// The character that an escape stands for.
fn character_escape(text: &[u8]) -> Result<(u32, &[u8]), Fault> {
    let rest = &text[1..];
    if rest.is_empty() {
        return fault("trailing backslash at end of expression", b"");
    }
    let (code, after) = next_rune(rest)?;
    let octal = |rest: &[u8]| rest.first().filter(|digit| matches!(digit, b'0'..=b'7')).copied();
    let plain = |code: u8| Ok((u32::from(code), after));
    match char::from_u32(code).unwrap_or(runes::ERROR) {
        '1'..='7' if octal(after).is_none() => {
            fault("invalid escape sequence", &text[..text.len() - after.len()])
        }
        '0'..='7' => {
            let (mut value, mut rest) = (code - u32::from(b'0'), after);
            for _ in 0..2 {
                let Some(digit) = octal(rest) else { break };
                value = value * 8 + u32::from(digit - b'0');
                rest = &rest[1..];
            }
            Ok((value, rest))
        }
        'x' => hexadecimal(text, after),
        'a' => plain(7),
        'f' => plain(12),
        'n' => plain(b'\n'),
        'r' => plain(b'\r'),
        't' => plain(b'\t'),
        'v' => plain(11),
        rune if rune.is_ascii() && !rune.is_ascii_alphanumeric() => Ok((code, after)),
        _ => fault("invalid escape sequence", &text[..text.len() - after.len()]),
    }
}

/// `\x41` or `\x{1F600}`, from after the `x` on.
fn hexadecimal<'a>(text: &'a [u8], rest: &'a [u8]) -> Result<(u32, &'a [u8]), Fault> {
    let invalid = |rest: &[u8]| fault("invalid escape sequence", &text[..text.len() - rest.len()]);
    let digit = |code: u32| char::from_u32(code).and_then(|rune| rune.to_digit(16));
    if rest.is_empty() {
        return invalid(rest);
    }
    let (first, mut rest) = next_rune(rest)?;
    if first != u32::from(b'{') {
        let (second, rest) = next_rune(rest)?;
        return match (digit(first), digit(second)) {
            (Some(high), Some(low)) => Ok((high * 16 + low, rest)),
            _ => invalid(rest),
        };
    }
    let (mut value, mut digits) = (0u32, 0);
    loop {
        if rest.is_empty() {
            return invalid(rest);
        }
        let (code, after) = next_rune(rest)?;
        rest = after;
        if code == u32::from(b'}') {
            break;
        }
        let Some(digit) = digit(code) else { return invalid(rest) };
        value = value * 16 + digit;
        if value > 0x10_FFFF {
            return invalid(rest);
        }
        digits += 1;
    }
    if digits == 0 { invalid(rest) } else { Ok((value, rest)) }
}
