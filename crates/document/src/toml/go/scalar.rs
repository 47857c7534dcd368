//! Strings, numbers, dates and words of TOML.

use super::cursor::Cursor;
use super::error::{Error, quoted, quoted_rune};
use super::item::{Item, Moment};
use crate::go_unicode::is_letter;
use crate::{Int, Scalar};

/// A scalar that is no string.
pub(super) fn plain(cursor: &mut Cursor<'_>) -> Result<Item, Error> {
    let first = cursor.peek()?;
    match first {
        '0'..='9' => number_or_date(cursor),
        '+' | '-' => signed(cursor),
        '.' => {
            cursor.next()?;
            Err(cursor.error("floats must start with a digit, not '.'"))
        }
        'i' | 'n' => infinity(cursor),
        _ if is_letter(first) => word(cursor),
        _ if cursor.is_at_end() => Err(cursor.error("unexpected EOF; expected value")),
        _ => {
            let found = cursor.next()?;
            let message = format!("expected value but found {} instead", quoted_rune(found));
            Err(if found == '\n' {
                cursor.error_before_break(message)
            } else {
                cursor.error_behind(found, message)
            })
        }
    }
}

/// `inf` or `nan`. The peer forgets what it has taken of other words but for the last letter.
fn infinity(cursor: &mut Cursor<'_>) -> Result<Item, Error> {
    let start = cursor.at;
    cursor.next()?;
    if cursor.accept('n')? && cursor.accept('f')? || cursor.accept('a')? && cursor.accept('n')? {
        return float(cursor, start);
    }
    cursor.at -= 1;
    word(cursor)
}

fn word(cursor: &mut Cursor<'_>) -> Result<Item, Error> {
    match cursor.take_while(is_letter)? {
        "true" => Ok(Item::Scalar(Scalar::Bool(true))),
        "false" => Ok(Item::Scalar(Scalar::Bool(false))),
        other => Err(cursor.error_here(format!("expected value but found {} instead", quoted(other)))),
    }
}

fn number_or_date(cursor: &mut Cursor<'_>) -> Result<Item, Error> {
    let start = cursor.at;
    let first = cursor.next()?;
    if first == '0' && !cursor.is_at_end() {
        let (base, name) = match cursor.peek()? {
            'b' => (2, "a binary"),
            'o' => (8, "an octal"),
            'x' => (16, "a hexadecimal"),
            _ => (10, ""),
        };
        if base != 10 {
            cursor.next()?;
            let next = cursor.peek()?;
            if !next.is_digit(base) {
                let prefix = &cursor.text[start..cursor.at];
                return Err(cursor.error(format!("not {name} number: '{prefix}{next}'")));
            }
            cursor.take_while(|next| next == '_' || next.is_digit(base))?;
            return integer(cursor, start);
        }
        if !cursor.peek()?.is_ascii_digit() {
            return decimal(cursor, start);
        }
    }
    cursor.take_while(|next| next.is_ascii_digit())?;
    match cursor.peek()? {
        '-' | ':' => {
            let is_of_date =
                |next: char| matches!(next, '0'..='9' | '-' | ':' | 'T' | 't' | ' ' | '.' | 'Z' | 'z' | '+');
            cursor.take_while(is_of_date)?;
            date(cursor, start)
        }
        _ => decimal(cursor, start),
    }
}

fn decimal(cursor: &mut Cursor<'_>, start: usize) -> Result<Item, Error> {
    cursor.take_while(|next| next == '_' || next.is_ascii_digit())?;
    if !matches!(cursor.peek()?, '.' | 'e' | 'E') {
        return integer(cursor, start);
    }
    cursor.take_while(|next| matches!(next, '0'..='9' | '_' | '.' | '-' | '+' | 'e' | 'E'))?;
    float(cursor, start)
}

fn signed(cursor: &mut Cursor<'_>) -> Result<Item, Error> {
    let start = cursor.at;
    cursor.next()?;
    let first = cursor.next()?;
    match first {
        'i' | 'n' => {
            let rest = if first == 'i' { ['n', 'f'] } else { ['a', 'n'] };
            for wanted in rest {
                if !cursor.accept(wanted)? {
                    let found = &cursor.text[start..cursor.at];
                    return Err(cursor.error(format!("invalid float: '{found}'")));
                }
            }
            float(cursor, start)
        }
        '0' if matches!(cursor.peek()?, 'b' | 'o' | 'x') => {
            let (found, next) = (&cursor.text[start..cursor.at], cursor.peek()?);
            Err(cursor.error(format!("cannot use sign with non-decimal numbers: '{found}{next}'")))
        }
        '.' => Err(cursor.error("floats must start with a digit, not '.'")),
        '0'..='9' => decimal(cursor, start),
        _ => Err(cursor.error_behind(first, format!("expected a digit but got {}", quoted_rune(first)))),
    }
}

fn integer(cursor: &Cursor<'_>, start: usize) -> Result<Item, Error> {
    let text = &cursor.text[start..cursor.at];
    check_digits(cursor, "integer", text, &[text])?;
    let plain = text.replace('_', "");
    let value = match plain.get(..2) {
        Some("0b") => i64::from_str_radix(&plain[2..], 2),
        Some("0o") => i64::from_str_radix(&plain[2..], 8),
        Some("0x") => i64::from_str_radix(&plain[2..], 16),
        _ => plain.parse(),
    };
    value
        .map(|value| Item::Scalar(Scalar::Int(Int::Small(value))))
        .map_err(|_| cursor.error(format!("{text} is out of range for int64")))
}

fn float(cursor: &Cursor<'_>, start: usize) -> Result<Item, Error> {
    let text = &cursor.text[start..cursor.at];
    let parts: Vec<&str> = text.split(['.', 'e', 'E']).filter(|part| !part.is_empty()).collect();
    check_digits(cursor, "float", text, &parts)?;
    let has_bare_point =
        text.split('.').skip(1).any(|behind| !behind.starts_with(|next: char| next.is_ascii_digit()));
    if has_bare_point {
        let problem = "'.' must be followed by one or more digits";
        return Err(cursor.error(format!("Invalid float {}: {problem}", quoted(text))));
    }
    match text.replace('_', "").parse::<f64>() {
        Ok(value) if value.is_finite() || text.ends_with("inf") || text.ends_with("nan") => {
            Ok(Item::Scalar(Scalar::Float(value)))
        }
        Ok(_) => Err(cursor.error(format!("{text} is out of range for float64"))),
        Err(_) => Err(cursor.error(format!("Invalid float value: {}", quoted(text)))),
    }
}

/// Underscores stand between digits, and the first part has no zero in front.
fn check_digits(cursor: &Cursor<'_>, kind: &str, text: &str, parts: &[&str]) -> Result<(), Error> {
    let invalid = |problem: &str| cursor.error(format!("Invalid {kind} {}: {problem}", quoted(text)));
    let is_word = text.ends_with("inf") || text.ends_with("nan");
    if !is_word && !parts.iter().all(|part| has_good_underscores(part)) {
        return Err(invalid("underscores must be surrounded by digits"));
    }
    let is_zero_led = match parts.first().map_or(&[][..], |part| part.as_bytes()) {
        [b'0', second, ..] => !matches!(second, b'b' | b'o' | b'x'),
        [b'+' | b'-', b'0', _, ..] => true,
        _ => false,
    };
    if is_zero_led { Err(invalid("cannot have leading zeroes")) } else { Ok(()) }
}

fn has_good_underscores(part: &str) -> bool {
    let mut accepts = false;
    for character in part.chars() {
        if character == '_' && !accepts {
            return false;
        }
        accepts = character.is_ascii_hexdigit();
    }
    accepts
}

/// A date, a time or both.
fn date(cursor: &Cursor<'_>, start: usize) -> Result<Item, Error> {
    let text = cursor.text[start..cursor.at].trim_matches([' ', '\t']);
    let text = text.replace('z', "Z").replace(['t', ' '], "T");
    match moment(&text) {
        Some(moment) => Ok(Item::Moment(moment)),
        None => Err(cursor.error(format!("invalid datetime: {}", quoted(&text)))),
    }
}

fn moment(text: &str) -> Option<Moment> {
    if text.as_bytes().get(2) == Some(&b':') {
        let (clock, rest) = clock(text)?;
        return rest.is_empty().then_some(Moment::Time(clock));
    }
    let (day, rest) = text.split_at_checked(10)?;
    if !is_day(day) {
        return None;
    }
    if rest.is_empty() {
        return Some(Moment::Date(day.to_owned()));
    }
    let (clock, zone) = clock(rest.strip_prefix('T')?)?;
    match zone {
        "" => Some(Moment::Local(format!("{day}T{clock}"))),
        _ => is_zone(zone).then(|| Moment::Zoned(format!("{day}T{clock}{zone}"))),
    }
}

/// Whether ten bytes are a day that exists.
fn is_day(day: &str) -> bool {
    let (Some(year), Some(month), Some(date)) = (number(day, 0..4), number(day, 5..7), number(day, 8..10))
    else {
        return false;
    };
    let days = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let bytes = day.as_bytes();
    bytes[4] == b'-' && bytes[7] == b'-' && (1..=12).contains(&month) && (1..=days).contains(&date)
}

fn number(text: &str, range: std::ops::Range<usize>) -> Option<u16> {
    let digits = text.get(range)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// A time of day, with seconds where it had none, and what follows.
fn clock(text: &str) -> Option<(String, &str)> {
    let is_part = |at: usize, most: u16| number(text, at..at + 2).is_some_and(|value| value <= most);
    let bytes = text.as_bytes();
    if !is_part(0, 23) || !is_part(3, 59) || bytes[2] != b':' {
        return None;
    }
    if bytes.get(5) != Some(&b':') {
        return Some((format!("{}:00", &text[..5]), &text[5..]));
    }
    if !is_part(6, 59) {
        return None;
    }
    let digits = text[8..]
        .strip_prefix('.')
        .map_or(0, |fraction| fraction.bytes().take_while(u8::is_ascii_digit).count());
    let end = if digits > 0 { 9 + digits } else { 8 };
    let shown =
        if digits > 0 { text[..end].trim_end_matches('0').trim_end_matches('.') } else { &text[..end] };
    Some((shown.to_owned(), &text[end..]))
}

fn is_zone(text: &str) -> bool {
    let is_offset = || {
        text.len() == 6
            && text.starts_with(['+', '-'])
            && text.as_bytes()[3] == b':'
            && number(text, 1..3).is_some_and(|hours| hours <= 24)
            && number(text, 4..6).is_some_and(|minutes| minutes <= 60)
    };
    text == "Z" || is_offset()
}
