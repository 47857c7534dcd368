//! Writing a time in a layout.

use super::Time;
use super::calendar::{Civil, civil};
use super::layout::{Element, Offset, next_chunk};

pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(crate) const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

pub(super) fn format(time: &Time, layout: &[u8]) -> Vec<u8> {
    let (offset, zone) = time.location.at(time.second);
    let local = civil(time.second.saturating_add(offset));
    let mut out = Vec::with_capacity(layout.len() + 10);
    let mut rest = layout;
    while !rest.is_empty() {
        let chunk = next_chunk(rest);
        out.extend_from_slice(chunk.literal);
        let Some((element, _)) = chunk.element else { break };
        match element {
            Element::ZoneName if zone.is_empty() => push_unnamed(&mut out, offset),
            Element::ZoneName => out.extend_from_slice(zone.as_bytes()),
            Element::Offset(style) => push_offset(&mut out, offset, style),
            Element::Fraction { separator, digits } => {
                push_fraction(&mut out, time, separator, digits, false)
            }
            Element::ShortFraction { separator, digits } => {
                push_fraction(&mut out, time, separator, digits, true)
            }
            element => push_civil(&mut out, element, &local),
        }
        rest = chunk.rest;
    }
    out
}

fn push_civil(out: &mut Vec<u8>, element: Element, local: &Civil) {
    let month = MONTHS[usize::try_from(local.month - 1).unwrap_or(0)];
    let hour = if local.hour % 12 == 0 { 12 } else { local.hour % 12 };
    match element {
        Element::LongMonth => out.extend_from_slice(month.as_bytes()),
        Element::Month => out.extend_from_slice(&month.as_bytes()[..3]),
        Element::NumberMonth => push_number(out, local.month, 0, b'0'),
        Element::ZeroMonth => push_number(out, local.month, 2, b'0'),
        Element::LongWeekday => out.extend_from_slice(WEEKDAYS[local.weekday].as_bytes()),
        Element::Weekday => out.extend_from_slice(&WEEKDAYS[local.weekday].as_bytes()[..3]),
        Element::Day => push_number(out, local.day, 0, b'0'),
        Element::UnderDay => push_number(out, local.day, 2, b' '),
        Element::ZeroDay => push_number(out, local.day, 2, b'0'),
        Element::UnderYearDay => push_number(out, local.day_of_year, 3, b' '),
        Element::ZeroYearDay => push_number(out, local.day_of_year, 3, b'0'),
        Element::Hour => push_number(out, local.hour, 2, b'0'),
        Element::Hour12 => push_number(out, hour, 0, b'0'),
        Element::ZeroHour12 => push_number(out, hour, 2, b'0'),
        Element::Minute => push_number(out, local.minute, 0, b'0'),
        Element::ZeroMinute => push_number(out, local.minute, 2, b'0'),
        Element::Second => push_number(out, local.second, 0, b'0'),
        Element::ZeroSecond => push_number(out, local.second, 2, b'0'),
        Element::LongYear => push_number(out, local.year, 4, b'0'),
        Element::Year => push_number(out, local.year.abs() % 100, 2, b'0'),
        Element::UpperHalf => out.extend_from_slice(if local.hour >= 12 { b"PM" } else { b"AM" }),
        Element::LowerHalf => out.extend_from_slice(if local.hour >= 12 { b"pm" } else { b"am" }),
        Element::ZoneName | Element::Offset(_) | Element::Fraction { .. } | Element::ShortFraction { .. } => {
        }
    }
}

fn push_number(out: &mut Vec<u8>, number: i64, width: usize, pad: u8) {
    if number < 0 {
        out.push(b'-');
    }
    let digits = number.unsigned_abs().to_string();
    out.extend(std::iter::repeat_n(pad, width.saturating_sub(digits.len())));
    out.extend_from_slice(digits.as_bytes());
}

fn push_offset(out: &mut Vec<u8>, offset: i64, style: Offset) {
    if style.zulu && offset == 0 {
        out.push(b'Z');
        return;
    }
    let minutes = offset / 60;
    out.push(if minutes < 0 { b'-' } else { b'+' });
    let (minutes, seconds) = (minutes.abs(), offset.abs());
    push_number(out, minutes / 60, 2, b'0');
    if style.minutes {
        if style.colons {
            out.push(b':');
        }
        push_number(out, minutes % 60, 2, b'0');
    }
    if style.seconds {
        if style.colons {
            out.push(b':');
        }
        push_number(out, seconds % 60, 2, b'0');
    }
}

/// A zone that has no name is shown by its offset.
fn push_unnamed(out: &mut Vec<u8>, offset: i64) {
    push_offset(out, offset, Offset { zulu: false, colons: false, minutes: true, seconds: false });
}

fn push_fraction(out: &mut Vec<u8>, time: &Time, separator: u8, digits: usize, trimmed: bool) {
    if trimmed && time.nanosecond == 0 {
        return;
    }
    let start = out.len();
    out.push(separator);
    push_number(out, time.nanosecond.into(), 9, b'0');
    // More digits than there are leave it at nine.
    out.truncate(start + 1 + digits.min(9));
    if trimmed {
        while out.last() == Some(&b'0') {
            out.pop();
        }
        if out.len() == start + 1 {
            out.pop();
        }
    }
}
