use super::pyyaml::ScalarError;
use crate::python::timedelta_repr;
use crate::{Date, DateTime, Scalar};
use std::sync::Arc;

/// The parts of a timestamp as written, before anybody asked whether there is such a day.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Timestamp {
    year: u16,
    month: u8,
    day: u8,
    time: Option<Time>,
}

#[derive(Debug, PartialEq, Eq)]
struct Time {
    hour: u8,
    minute: u8,
    second: u8,
    microsecond: u32,
    offset_minutes: Option<i32>,
}

/// Reads `2001-12-14`, `2001-12-14t21:59:43.10-05:00`, `2001-12-14 21:59:43.1 Z`; month, day and hour may have one digit.
pub(super) fn parse(text: &str) -> Option<Timestamp> {
    let mut rest = Cursor(text.as_bytes());
    let year = u16::from(rest.digits(2, 2)?) * 100 + u16::from(rest.digits(2, 2)?);
    rest.expect(b'-')?;
    let month = rest.digits(1, 2)?;
    rest.expect(b'-')?;
    let day = rest.digits(1, 2)?;
    let time = if rest.0.is_empty() { None } else { Some(parse_time(&mut rest)?) };
    rest.0.is_empty().then_some(Timestamp { year, month, day, time })
}

fn parse_time(rest: &mut Cursor) -> Option<Time> {
    if rest.expect(b'T').or_else(|| rest.expect(b't')).is_none() && rest.skip_blanks() == 0 {
        return None;
    }
    let hour = rest.digits(1, 2)?;
    rest.expect(b':')?;
    let minute = rest.digits(2, 2)?;
    rest.expect(b':')?;
    let second = rest.digits(2, 2)?;
    let microsecond = if rest.expect(b'.').is_some() { rest.fraction() } else { 0 };
    let blanks = rest.skip_blanks();
    let offset_minutes = match rest.0.first() {
        None if blanks == 0 => None,
        _ => Some(rest.offset()?),
    };
    Some(Time { hour, minute, second, microsecond, offset_minutes })
}

struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn expect(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    fn skip_blanks(&mut self) -> usize {
        let blanks = self.0.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        self.0 = &self.0[blanks..];
        blanks
    }

    /// A number of at least `least` and at most `most` digits; `most` is at most 2.
    fn digits(&mut self, least: usize, most: usize) -> Option<u8> {
        let count = self.0.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        (count >= least).then(|| digits.iter().fold(0, |value, digit| value * 10 + (digit - b'0')))
    }

    /// Microseconds: any number of digits, of which six count.
    fn fraction(&mut self) -> u32 {
        let count = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        let padded = digits.iter().copied().chain(std::iter::repeat(b'0'));
        padded.take(6).fold(0, |value, digit| value * 10 + u32::from(digit - b'0'))
    }

    /// `Z`, `+1`, `-05:30`: minutes east of UTC.
    fn offset(&mut self) -> Option<i32> {
        if self.expect(b'Z').is_some() {
            return Some(0);
        }
        let sign = if self.expect(b'-').is_some() {
            -1
        } else {
            self.expect(b'+')?;
            1
        };
        let hours = i32::from(self.digits(1, 2)?);
        let minutes = if self.expect(b':').is_some() { self.digits(2, 2)? } else { 0 };
        Some(sign * (hours * 60 + i32::from(minutes)))
    }
}

impl Timestamp {
    /// Whether it is a day without a time.
    pub(super) fn is_day(&self) -> bool {
        self.time.is_none()
    }

    /// The day or point in time, checked in Python's order: the zone first, then from the year down.
    pub(super) fn to_scalar(&self) -> Result<Scalar, ScalarError> {
        let Some(time) = &self.time else {
            return self.date().map(Scalar::Date);
        };
        if let Some(offset) = time.offset_minutes.filter(|offset| offset.abs() >= 24 * 60) {
            return Err(ScalarError::value(format!(
                "offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), not {}.",
                timedelta_repr(offset)
            )));
        }
        let date = self.date()?;
        for (value, limit, text) in [
            (time.hour, 24, "hour must be in 0..23"),
            (time.minute, 60, "minute must be in 0..59"),
            (time.second, 60, "second must be in 0..59"),
        ] {
            if value >= limit {
                return Err(ScalarError::value(text));
            }
        }
        let &Time { hour, minute, second, microsecond, offset_minutes } = time;
        let time = DateTime { date, hour, minute, second, microsecond, offset_minutes };
        Ok(Scalar::DateTime(Arc::new(time)))
    }

    fn date(&self) -> Result<Date, ScalarError> {
        let &Self { year, month, day, .. } = self;
        if year == 0 {
            return Err(ScalarError::value("year 0 is out of range"));
        }
        if !(1..=12).contains(&month) {
            return Err(ScalarError::value("month must be in 1..12"));
        }
        if day == 0 || day > days_in(year, month) {
            return Err(ScalarError::value("day is out of range for month"));
        }
        Ok(Date { year, month, day })
    }
}

fn days_in(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::scalar_str;

    #[test]
    fn forms() {
        let cases = [
            ("2001-12-14", "2001-12-14"),
            ("2001-2-4", "2001-02-04"),
            ("2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.100000-05:00"),
            ("2001-12-14 \t 1:59:43.1234567890 Z", "2001-12-14 01:59:43.123456+00:00"),
            ("2001-12-14T21:59:43.", "2001-12-14 21:59:43"),
            ("2001-12-14T21:59:43+5", "2001-12-14 21:59:43+05:00"),
            ("2001-12-14T21:59:43 -5:30", "2001-12-14 21:59:43-05:30"),
            ("2000-02-29", "2000-02-29"),
        ];
        for (text, expected) in cases {
            let scalar = parse(text).expect(text).to_scalar().expect(text);
            assert_eq!(scalar_str(&scalar), expected);
        }
    }

    #[test]
    fn other_forms_are_none() {
        for text in [
            "",
            "2001",
            "2001-12",
            "2001-123-1",
            "2001-12-1x",
            "2001-12-14 ",
            "2001-12-14T1:2:3",
            "2001-12-14T21:59",
            "2001-12-14T21:59:43 ",
            "2001-12-14T21:59:43z",
            "2001-12-14T21:59:43+05:3",
            "2001-12-14T21:59:43+",
            "201-12-14",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_an_error() {
        let cases = [
            ("0000-01-01", "year 0 is out of range"),
            ("2020-13-45", "month must be in 1..12"),
            ("1900-02-29", "day is out of range for month"),
            ("2020-01-01 24:60:60", "hour must be in 0..23"),
            ("2020-01-01 0:60:60", "minute must be in 0..59"),
            ("2020-01-01 0:00:60", "second must be in 0..59"),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).expect(text).to_scalar().unwrap_err().text, expected);
        }
        let error = parse("2020-13-01 1:00:00 -23:99").expect("a timestamp by form").to_scalar().unwrap_err();
        assert!(error.text.ends_with("not datetime.timedelta(days=-2, seconds=84060)."));
    }
}
