use super::calendar::{civil_from_days, day_names, days_from_civil, month_names};
use crate::error::{Outcome, quoted, value_error};
use crate::value::Value;
use kapstan_document::{Date, DateTime};
use std::sync::Arc;

/// What `strptime` has read so far.
struct Parsed {
    year: i64,
    month: u32,
    day: u32,
    hour: u32,
    hour12: Option<u32>,
    is_pm: Option<bool>,
    minute: u32,
    second: u32,
    microsecond: u32,
    offset_minutes: Option<i32>,
    day_of_year: Option<u32>,
}

/// `datetime.strptime(text, format)`, in the C locale.
pub(crate) fn strptime(text: &str, format: &str) -> Outcome<Value> {
    let mut parsed = Parsed {
        year: 1900,
        month: 1,
        day: 1,
        hour: 0,
        hour12: None,
        is_pm: None,
        minute: 0,
        second: 0,
        microsecond: 0,
        offset_minutes: None,
        day_of_year: None,
    };
    let mismatch = || format!("time data {} does not match format {}", quoted(text), quoted(format));
    let mut rest = text;
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if crate::text::is_space(c) {
            // Any number of blanks stands for any number of blanks, at least one.
            while chars.next_if(|c| crate::text::is_space(*c)).is_some() {}
            let trimmed = rest.trim_start_matches(crate::text::is_space);
            if trimmed.len() == rest.len() {
                return value_error(mismatch());
            }
            rest = trimmed;
            continue;
        }
        if c != '%' {
            rest = match rest.chars().next() {
                Some(found) if found.to_lowercase().eq(c.to_lowercase()) => &rest[found.len_utf8()..],
                _ => return value_error(mismatch()),
            };
            continue;
        }
        let Some(letter) = chars.next() else {
            return value_error(format!("stray % in format {}", quoted(format)));
        };
        match letter {
            'D' | 'F' | 'T' | 'R' | 'h' | 'n' | 't' | 'e' | 'k' | 'l' | 's' | 'P' | 'C' | 'g' => {
                return value_error(format!("'{letter}' is a bad directive in format {}", quoted(format)));
            }
            _ => {}
        }
        let expanded = match letter {
            'c' => Some("%a %b %d %H:%M:%S %Y"),
            'x' => Some("%m/%d/%y"),
            'X' => Some("%H:%M:%S"),
            _ => None,
        };
        if let Some(expanded) = expanded {
            let remaining: String = chars.collect();
            let done = &format[..format.len() - remaining.len() - 2];
            return strptime(text, &format!("{done}{expanded}{remaining}"));
        }
        match parsed.directive(letter, rest) {
            Some(after) => rest = after,
            None if "aAbBdfHIjmMpSUwWyYzZGuV%".contains(letter) => return value_error(mismatch()),
            None => {
                return value_error(format!("'{letter}' is a bad directive in format {}", quoted(format)));
            }
        }
    }
    if !rest.is_empty() {
        return value_error(format!("unconverted data remains: {rest}"));
    }
    parsed.finish()
}

/// Up to `most` digits at the front whose number lies in a range.
fn number(text: &str, most: usize, range: std::ops::RangeInclusive<u32>) -> Option<(u32, &str)> {
    let digits = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    (1..=digits).rev().find_map(|length| {
        let value: u32 = text[..length].parse().ok()?;
        range.contains(&value).then_some((value, &text[length..]))
    })
}

fn name<'a>(text: &'a str, names: &[&str], short: bool) -> Option<(u32, &'a str)> {
    names.iter().enumerate().find_map(|(at, name)| {
        let name = if short { &name[..3] } else { name };
        let front = text.get(..name.len())?;
        front.eq_ignore_ascii_case(name).then(|| (u32::try_from(at).unwrap_or(0), &text[name.len()..]))
    })
}

impl Parsed {
    fn directive<'a>(&mut self, letter: char, rest: &'a str) -> Option<&'a str> {
        let (value, after) = match letter {
            'a' | 'A' => name(rest, day_names(), letter == 'a')?,
            'b' | 'B' => name(rest, month_names(), letter == 'b')?,
            'd' => number(rest, 2, 1..=31)?,
            'H' => number(rest, 2, 0..=23)?,
            'I' => number(rest, 2, 1..=12)?,
            'j' => number(rest, 3, 1..=366)?,
            'm' => number(rest, 2, 1..=12)?,
            'M' => number(rest, 2, 0..=59)?,
            'S' => number(rest, 2, 0..=61)?,
            'U' | 'W' | 'V' => number(rest, 2, 0..=53)?,
            'w' => number(rest, 1, 0..=6)?,
            'u' => number(rest, 1, 1..=7)?,
            'y' => number(rest, 2, 0..=99).filter(|found| rest.len() - found.1.len() == 2)?,
            'Y' | 'G' => number(rest, 4, 0..=9999).filter(|found| rest.len() - found.1.len() == 4)?,
            'f' => {
                let (value, after) = number(rest, 6, 0..=999_999)?;
                let missing = 6 - (rest.len() - after.len());
                (value * 10u32.pow(u32::try_from(missing).unwrap_or(0)), after)
            }
            'p' => name(rest, &["AM.", "PM."], true).or_else(|| {
                let front = rest.get(..2)?;
                let at = ["am", "pm"].iter().position(|half| front.eq_ignore_ascii_case(half))?;
                Some((u32::try_from(at).unwrap_or(0), &rest[2..]))
            })?,
            'z' => return self.zone(rest),
            'Z' => {
                let after = ["UTC", "GMT"].iter().find_map(|zone| {
                    let front = rest.get(..3)?;
                    front.eq_ignore_ascii_case(zone).then(|| &rest[3..])
                });
                return after.or(Some(rest).filter(|rest| rest.is_empty()));
            }
            '%' => return rest.strip_prefix('%'),
            _ => return None,
        };
        match letter {
            'b' | 'B' => self.month = value + 1,
            'd' => self.day = value,
            'H' => self.hour = value,
            'I' => self.hour12 = Some(value),
            'j' => self.day_of_year = Some(value),
            'm' => self.month = value,
            'M' => self.minute = value,
            'S' => self.second = value,
            'y' => self.year = i64::from(value) + if value <= 68 { 2000 } else { 1900 },
            'Y' => self.year = i64::from(value),
            'f' => self.microsecond = value,
            'p' => self.is_pm = Some(value == 1),
            _ => {}
        }
        Some(after)
    }

    fn zone<'a>(&mut self, rest: &'a str) -> Option<&'a str> {
        if let Some(after) = rest.strip_prefix('Z') {
            self.offset_minutes = Some(0);
            return Some(after);
        }
        let sign = match rest.chars().next()? {
            '+' => 1,
            '-' => -1,
            _ => return None,
        };
        let hours: i32 = rest.get(1..3)?.parse().ok()?;
        let after = rest[3..].strip_prefix(':').unwrap_or(&rest[3..]);
        let minutes: i32 = after.get(..2)?.parse().ok()?;
        self.offset_minutes = Some(sign * (hours * 60 + minutes));
        Some(&after[2..])
    }

    fn finish(mut self) -> Outcome<Value> {
        if let Some(hour) = self.hour12 {
            self.hour = hour % 12 + if self.is_pm == Some(true) { 12 } else { 0 };
        }
        if let Some(day) = self.day_of_year {
            let days = days_from_civil(self.year, 1, 1) + i64::from(day) - 1;
            (self.year, self.month, self.day) = civil_from_days(days);
        }
        let exists = civil_from_days(days_from_civil(self.year, self.month, self.day))
            == (self.year, self.month, self.day);
        if !exists {
            return value_error("day is out of range for month");
        }
        if self.second > 59 {
            return value_error("second must be in 0..59");
        }
        let Ok(year @ 1..=9999) = u16::try_from(self.year) else {
            return value_error(format!("year {} is out of range", self.year));
        };
        let small = |value: u32| u8::try_from(value).unwrap_or(0);
        Ok(Value::DateTime(Arc::new(DateTime {
            date: Date { year, month: small(self.month), day: small(self.day) },
            hour: small(self.hour),
            minute: small(self.minute),
            second: small(self.second),
            microsecond: self.microsecond,
            offset_minutes: self.offset_minutes,
        })))
    }
}
