//! Reading a time by a layout.

use super::calendar::{days, days_before, days_in, is_leap};
use super::format::{MONTHS, WEEKDAYS};
use super::layout::{Element, Offset, next_chunk};
use super::{Clock, Location, Time};
use crate::standard::runes;
use std::fmt::Write;

/// `time.ParseInLocation(layout, text, time.Local)`. An error is Go's text for it.
pub(crate) fn parse(layout: &[u8], text: &[u8], clock: &dyn Clock) -> Result<Time, String> {
    let mut reading = Reading { text, rest: text, fields: Fields::default() };
    let mut left = layout;
    loop {
        let chunk = next_chunk(left);
        if !reading.skip(chunk.literal) {
            return Err(cannot_parse(text, layout, reading.rest, chunk.literal));
        }
        let Some((element, written)) = chunk.element else {
            if reading.rest.is_empty() {
                break;
            }
            return Err(reading.complain(&format!("extra text: {}", quote(reading.rest))));
        };
        left = chunk.rest;
        let held = reading.rest;
        match reading.element(element, left) {
            Ok(()) => {}
            Err(Wrong::Range(what)) => return Err(reading.complain(&format!("{what} out of range"))),
            Err(Wrong::Form) => return Err(cannot_parse(text, layout, held, written)),
        }
    }
    reading.moment(clock)
}

fn cannot_parse(text: &[u8], layout: &[u8], rest: &[u8], element: &[u8]) -> String {
    format!(
        "parsing time {} as {}: cannot parse {} as {}",
        quote(text),
        quote(layout),
        quote(rest),
        quote(element)
    )
}

/// Why an element does not fit.
enum Wrong {
    Form,
    Range(&'static str),
}

#[derive(Default)]
struct Fields {
    year: i64,
    month: Option<i64>,
    day: Option<i64>,
    day_of_year: Option<i64>,
    hour: i64,
    minute: i64,
    second: i64,
    nanosecond: u32,
    half: Option<Half>,
    utc: bool,
    offset: Option<i64>,
    zone: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Am,
    Pm,
}

struct Reading<'a> {
    text: &'a [u8],
    rest: &'a [u8],
    fields: Fields,
}

impl<'a> Reading<'a> {
    fn complain(&self, what: &str) -> String {
        format!("parsing time {}: {what}", quote(self.text))
    }

    /// Passes over literal text; runs of blanks are all alike. Where it does not fit, what is left shows where.
    fn skip(&mut self, literal: &[u8]) -> bool {
        let mut literal = literal;
        while let [byte, after @ ..] = literal {
            if *byte == b' ' {
                if self.rest.first().is_some_and(|byte| *byte != b' ') {
                    return false;
                }
                literal = without_blanks(literal);
                self.rest = without_blanks(self.rest);
                continue;
            }
            if self.rest.first() != Some(byte) {
                return false;
            }
            literal = after;
            self.rest = &self.rest[1..];
        }
        true
    }

    /// Takes one element. `left` is the layout after it.
    fn element(&mut self, element: Element, left: &[u8]) -> Result<(), Wrong> {
        match element {
            Element::Year => {
                let year = two_digit_year(self.take(2)?).ok_or(Wrong::Form)?;
                self.fields.year = if year >= 69 { year + 1900 } else { year + 2000 };
            }
            Element::LongYear => {
                if !self.rest.first().is_some_and(u8::is_ascii_digit) {
                    return Err(Wrong::Form);
                }
                let digits = self.take(4)?;
                if !digits.iter().all(u8::is_ascii_digit) {
                    return Err(Wrong::Form);
                }
                self.fields.year = decimal(digits);
            }
            Element::Month => self.fields.month = Some(self.name(&MONTHS, 3)?),
            Element::LongMonth => self.fields.month = Some(self.name(&MONTHS, usize::MAX)?),
            Element::NumberMonth | Element::ZeroMonth => {
                let month = self.number(element == Element::ZeroMonth)?;
                self.fields.month = Some(month);
                in_range(month, 1, 12, "month")?;
            }
            Element::Weekday => drop(self.name(&WEEKDAYS, 3)?),
            Element::LongWeekday => drop(self.name(&WEEKDAYS, usize::MAX)?),
            Element::Day | Element::UnderDay | Element::ZeroDay => {
                if element == Element::UnderDay {
                    self.skip_blank();
                }
                self.fields.day = Some(self.number(element == Element::ZeroDay)?);
            }
            Element::UnderYearDay | Element::ZeroYearDay => {
                if element == Element::UnderYearDay {
                    self.skip_blank();
                    self.skip_blank();
                }
                self.fields.day_of_year = Some(self.three_digits(element == Element::ZeroYearDay)?);
            }
            Element::Hour => self.fields.hour = in_range(self.number(false)?, 0, 23, "hour")?,
            Element::Hour12 | Element::ZeroHour12 => {
                let hour = self.number(element == Element::ZeroHour12)?;
                self.fields.hour = in_range(hour, 0, 12, "hour")?;
            }
            Element::Minute | Element::ZeroMinute => {
                let minute = self.number(element == Element::ZeroMinute)?;
                self.fields.minute = in_range(minute, 0, 59, "minute")?;
            }
            Element::Second | Element::ZeroSecond => {
                let second = self.number(element == Element::ZeroSecond)?;
                self.fields.second = in_range(second, 0, 59, "second")?;
                self.fraction_after_second(left)?;
            }
            Element::UpperHalf => self.half(b"AM", b"PM")?,
            Element::LowerHalf => self.half(b"am", b"pm")?,
            Element::Offset(style) => self.offset(style)?,
            Element::ZoneName => self.zone_name()?,
            Element::Fraction { digits, .. } => {
                let taken = self.take(1 + digits)?;
                self.fields.nanosecond = nanoseconds(taken)?;
            }
            Element::ShortFraction { .. } => self.any_fraction()?,
        }
        Ok(())
    }

    fn take(&mut self, bytes: usize) -> Result<&'a [u8], Wrong> {
        let (taken, rest) = self.rest.split_at_checked(bytes).ok_or(Wrong::Form)?;
        self.rest = rest;
        Ok(taken)
    }

    fn skip_blank(&mut self) {
        self.rest = self.rest.strip_prefix(b" ").unwrap_or(self.rest);
    }

    /// One or two digits; two if `fixed`.
    fn number(&mut self, fixed: bool) -> Result<i64, Wrong> {
        let digits = self.rest.iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || fixed && digits < 2 {
            return Err(Wrong::Form);
        }
        self.take(digits).map(decimal)
    }

    fn three_digits(&mut self, fixed: bool) -> Result<i64, Wrong> {
        let digits = self.rest.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || fixed && digits < 3 {
            return Err(Wrong::Form);
        }
        self.take(digits).map(decimal)
    }

    /// The place of the first name that follows, from 1 on; names are cut to `length`.
    fn name(&mut self, names: &[&str], length: usize) -> Result<i64, Wrong> {
        for (place, name) in (1..).zip(names) {
            let name = &name.as_bytes()[..name.len().min(length)];
            if self.rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)) {
                self.rest = &self.rest[name.len()..];
                return Ok(place);
            }
        }
        Err(Wrong::Form)
    }

    fn half(&mut self, am: &[u8], pm: &[u8]) -> Result<(), Wrong> {
        let taken = self.take(2)?;
        self.fields.half = Some(match taken {
            _ if taken == am => Half::Am,
            _ if taken == pm => Half::Pm,
            _ => return Err(Wrong::Form),
        });
        Ok(())
    }

    /// A fraction may follow the seconds also where the layout shows none.
    fn fraction_after_second(&mut self, left: &[u8]) -> Result<(), Wrong> {
        let shown = next_chunk(left).element.map(|(element, _)| element);
        if matches!(shown, Some(Element::Fraction { .. } | Element::ShortFraction { .. })) {
            return Ok(());
        }
        self.any_fraction()
    }

    fn any_fraction(&mut self) -> Result<(), Wrong> {
        if !matches!(self.rest, [b'.' | b',', b'0'..=b'9', ..]) {
            return Ok(());
        }
        let digits = self.rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let taken = self.take(1 + digits)?;
        self.fields.nanosecond = nanoseconds(taken)?;
        Ok(())
    }

    fn offset(&mut self, style: Offset) -> Result<(), Wrong> {
        if style.zulu && self.rest.first() == Some(&b'Z') {
            self.rest = &self.rest[1..];
            self.fields.utc = true;
            return Ok(());
        }
        let length = match (style.minutes, style.seconds, style.colons) {
            (false, ..) => 3,
            (_, false, false) => 5,
            (_, false, true) => 6,
            (_, true, false) => 7,
            (_, true, true) => 9,
        };
        let taken = self.rest.get(..length).ok_or(Wrong::Form)?;
        if style.colons && (taken[3] != b':' || length == 9 && taken[6] != b':') {
            return Err(Wrong::Form);
        }
        self.rest = &self.rest[length..];
        let step = if style.colons { 3 } else { 2 };
        let mut parts = [0; 3];
        let mut well_formed = true;
        for (place, part) in parts.iter_mut().enumerate() {
            let Some(digits) = taken.get(1 + place * step..3 + place * step) else { break };
            well_formed = digits.iter().all(u8::is_ascii_digit);
            if !well_formed {
                break;
            }
            *part = decimal(digits);
        }
        // Go looks at the ranges of what it could read first, and keeps the last complaint.
        in_range(parts[2], 0, 60, "time zone offset second")?;
        in_range(parts[1], 0, 60, "time zone offset minute")?;
        in_range(parts[0], 0, 24, "time zone offset hour")?;
        if !well_formed {
            return Err(Wrong::Form);
        }
        let offset = (parts[0] * 60 + parts[1]) * 60 + parts[2];
        self.fields.offset = Some(match taken[0] {
            b'+' => offset,
            b'-' => -offset,
            _ => return Err(Wrong::Form),
        });
        Ok(())
    }

    fn zone_name(&mut self) -> Result<(), Wrong> {
        if let Some(rest) = self.rest.strip_prefix(b"UTC") {
            self.rest = rest;
            self.fields.utc = true;
            return Ok(());
        }
        let length = zone_length(self.rest).ok_or(Wrong::Form)?;
        let name = self.take(length)?;
        self.fields.zone = Some(String::from_utf8_lossy(name).into_owned());
        Ok(())
    }

    /// The moment that all elements together tell.
    fn moment(self, clock: &dyn Clock) -> Result<Time, String> {
        let hour = match self.fields.half {
            Some(Half::Pm) if self.fields.hour < 12 => self.fields.hour + 12,
            Some(Half::Am) if self.fields.hour == 12 => 0,
            _ => self.fields.hour,
        };
        let (month, day) = self.month_and_day()?;
        let fields = &self.fields;
        if day < 1 || day > days_in(month, fields.year) {
            return Err(self.complain("day out of range"));
        }
        let second =
            days(fields.year, month, day) * 86_400 + hour * 3_600 + fields.minute * 60 + fields.second;
        let at = |second: i64, location: Location| Time { second, nanosecond: fields.nanosecond, location };
        if fields.utc {
            return Ok(at(second, Location::Utc));
        }
        let local = Location::Zone(clock.local());
        // An offset of one second to the west is how Go marks that there is none.
        if let Some(offset) = fields.offset.filter(|offset| *offset != -1) {
            let second = second - offset;
            let (here, called) = local.at(second);
            if here == offset && fields.zone.as_ref().is_none_or(|zone| *zone == called) {
                return Ok(at(second, local));
            }
            let name = fields.zone.clone().unwrap_or_default();
            return Ok(at(second, Location::Fixed { offset, name }));
        }
        if let Some(zone) = &fields.zone {
            if let Some(offset) = local.offset_of(zone, second) {
                return Ok(at(second - offset, local));
            }
            let hours = zone.strip_prefix("GMT").filter(|hours| !hours.is_empty());
            let offset = hours.and_then(|hours| hours.parse::<i64>().ok()).map_or(0, |hours| hours * 3_600);
            return Ok(at(second, Location::Fixed { offset, name: zone.clone() }));
        }
        Ok(at(second_in(&local, second), local))
    }

    fn month_and_day(&self) -> Result<(i64, i64), String> {
        let fields = &self.fields;
        let Some(day_of_year) = fields.day_of_year else {
            return Ok((fields.month.unwrap_or(1), fields.day.unwrap_or(1)));
        };
        let days_of_year = if is_leap(fields.year) { 366 } else { 365 };
        if !(1..=days_of_year).contains(&day_of_year) {
            return Err(self.complain("day-of-year out of range"));
        }
        let before = |month: &i64| days_before(*month, fields.year) < day_of_year;
        let month = (1..=12).rev().find(before).unwrap_or(1);
        let day = day_of_year - days_before(month, fields.year);
        if fields.month.is_some_and(|seen| seen != month) {
            return Err(self.complain("day-of-year does not match month"));
        }
        if fields.day.is_some_and(|seen| seen != day) {
            return Err(self.complain("day-of-year does not match day"));
        }
        Ok((month, day))
    }
}

/// The moment at which clocks in a place show what `wall` would be in UTC; where two offsets serve, Go's choice.
pub(super) fn second_in(location: &Location, wall: i64) -> i64 {
    let (offset, _) = location.at(wall);
    let guess = wall - offset;
    let (there, _) = location.at(guess);
    if there == offset { guess } else { wall - there }
}

fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| **byte == b' ').count();
    &text[blanks..]
}

fn in_range(value: i64, low: i64, high: i64, what: &'static str) -> Result<i64, Wrong> {
    if (low..=high).contains(&value) { Ok(value) } else { Err(Wrong::Range(what)) }
}

/// Digits that are few enough not to overflow.
fn decimal(digits: &[u8]) -> i64 {
    digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'))
}

/// Two characters, of which the first may be a sign.
fn two_digit_year(text: &[u8]) -> Option<i64> {
    match text {
        [b'-', digit] if digit.is_ascii_digit() => Some(-decimal(&[*digit])),
        [b'+', digit] if digit.is_ascii_digit() => Some(decimal(&[*digit])),
        [first, second] if first.is_ascii_digit() && second.is_ascii_digit() => Some(decimal(text)),
        _ => None,
    }
}

/// The nanoseconds of `.123`; digits from the tenth on are passed over.
fn nanoseconds(text: &[u8]) -> Result<u32, Wrong> {
    if !matches!(text.first(), Some(b'.' | b',')) {
        return Err(Wrong::Form);
    }
    let digits = &text[1..text.len().min(10)];
    if !digits.iter().all(u8::is_ascii_digit) {
        return Err(Wrong::Form);
    }
    let mut value = u32::try_from(decimal(digits)).map_err(|_| Wrong::Form)?;
    for _ in digits.len()..9 {
        value *= 10;
    }
    Ok(value)
}

/// How much of a text is the name of a zone.
fn zone_length(text: &[u8]) -> Option<usize> {
    if text.len() < 3 {
        return None;
    }
    if text.starts_with(b"ChST") || text.starts_with(b"MeST") {
        return Some(4);
    }
    if text.starts_with(b"GMT") {
        return Some(3 + signed_offset_length(&text[3..]));
    }
    if matches!(text[0], b'+' | b'-') {
        return Some(signed_offset_length(text)).filter(|length| *length > 0);
    }
    let letters = text.iter().take(6).take_while(|byte| byte.is_ascii_uppercase()).count();
    match letters {
        3 => Some(3),
        4 if text[3] == b'T' || text.starts_with(b"WITA") => Some(4),
        5 if text[4] == b'T' => Some(5),
        _ => None,
    }
}

/// The length of a sign with up to 23 hours after it; 0 where there is none.
fn signed_offset_length(text: &[u8]) -> usize {
    if !matches!(text.first(), Some(b'+' | b'-')) {
        return 0;
    }
    let digits = text[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let hours = text[1..=digits]
        .iter()
        .try_fold(0i64, |value, digit| value.checked_mul(10)?.checked_add(i64::from(digit - b'0')));
    if digits == 0 || hours.is_none_or(|hours| hours > 23) { 0 } else { 1 + digits }
}

/// Quotes as the package `time` does it, which escapes all that is not ASCII byte by byte.
pub(super) fn quote(text: &[u8]) -> String {
    let mut out = String::from("\"");
    let mut at = 0;
    while let Some((rune, width)) = runes::decode(&text[at..]) {
        match rune {
            '"' | '\\' => {
                out.push('\\');
                out.push(rune);
            }
            ' '..='\u{7F}' => out.push(rune),
            _ => {
                for byte in &text[at..at + width] {
                    // Writing to a string does not fail.
                    let _ = write!(out, "\\x{byte:02x}");
                }
            }
        }
        at += width;
    }
    out.push('"');
    out
}
