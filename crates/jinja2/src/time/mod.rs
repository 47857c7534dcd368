//! Days and times: Python's `datetime`, as far as templates reach for it, and the letters of `strftime`.

mod calendar;
mod parse;

pub(crate) use calendar::{Moment, civil_from_days, days_from_civil};
pub(crate) use parse::strptime;

use crate::error::{Class, Outcome, raise, type_error};
use crate::methods::Given;
use crate::run::Run;
use crate::value::{Object, Value};
use kapstan_document::{Date, DateTime, python};
use std::cmp::Ordering;
use std::sync::Arc;

const DAY: i128 = 86_400_000_000;

fn micros_of(date: Date, time: Option<&DateTime>) -> i128 {
    let days = days_from_civil(i64::from(date.year), u32::from(date.month), u32::from(date.day));
    let of_day = time.map_or(0, |time| {
        let seconds = i128::from(time.hour) * 3600 + i128::from(time.minute) * 60 + i128::from(time.second);
        seconds * 1_000_000 + i128::from(time.microsecond)
    });
    i128::from(days) * DAY + of_day
}

fn date_of_days(days: i64) -> Outcome<Date> {
    let (year, month, day) = civil_from_days(days);
    match (u16::try_from(year), u8::try_from(month), u8::try_from(day)) {
        (Ok(year @ 1..=9999), Ok(month), Ok(day)) => Ok(Date { year, month, day }),
        _ => raise(Class::Overflow, "date value out of range"),
    }
}

fn datetime_of(micros: i128, offset_minutes: Option<i32>) -> Outcome<Value> {
    let date = date_of_days(i64::try_from(micros.div_euclid(DAY)).unwrap_or(i64::MAX / 2))?;
    let rest = micros.rem_euclid(DAY);
    let part = |unit: i128, modulus: i128| u8::try_from(rest / unit % modulus).unwrap_or(0);
    Ok(Value::DateTime(Arc::new(DateTime {
        date,
        hour: part(3_600_000_000, 24),
        minute: part(60_000_000, 60),
        second: part(1_000_000, 60),
        microsecond: u32::try_from(rest % 1_000_000).unwrap_or(0),
        offset_minutes,
    })))
}

/// How two times compare. Fails for one with and one without a zone.
pub(crate) fn order(left: &Value, right: &Value) -> Outcome<Option<Ordering>> {
    let (Value::DateTime(left), Value::DateTime(right)) = (left, right) else {
        return Ok(None);
    };
    let at = |time: &DateTime| {
        micros_of(time.date, Some(time)) - i128::from(time.offset_minutes.unwrap_or(0)) * 60_000_000
    };
    if left.offset_minutes.is_some() != right.offset_minutes.is_some() {
        return Ok(None);
    }
    Ok(Some(at(left).cmp(&at(right))))
}

/// `left + right` or `left - right` where days, times or differences take part; none where they do not.
pub(crate) fn added(left: &Value, right: &Value, sign: i128) -> Option<Outcome<Value>> {
    let delta_of = |value: &Value| match value {
        Value::Object(object) => match **object {
            Object::TimeDelta(micros) => Some(micros),
            _ => None,
        },
        _ => None,
    };
    let delta = |micros| Ok(Value::object(Object::TimeDelta(micros)));
    match (left, delta_of(left), right, delta_of(right)) {
        (_, Some(a), _, Some(b)) => Some(delta(a + sign * b)),
        (Value::Date(date), _, _, Some(b)) => {
            let days = (micros_of(*date, None) / DAY) + sign * b.div_euclid(DAY);
            Some(date_of_days(i64::try_from(days).unwrap_or(i64::MAX / 2)).map(Value::Date))
        }
        (Value::DateTime(time), _, _, Some(b)) => {
            Some(datetime_of(micros_of(time.date, Some(time)) + sign * b, time.offset_minutes))
        }
        (_, Some(_), Value::Date(_) | Value::DateTime(_), _) if sign > 0 => added(right, left, sign),
        (Value::Date(a), _, Value::Date(b), _) if sign < 0 => {
            Some(delta(micros_of(*a, None) - micros_of(*b, None)))
        }
        (Value::DateTime(a), _, Value::DateTime(b), _) if sign < 0 => {
            let (x, y) = (a.offset_minutes, b.offset_minutes);
            if x.is_some() != y.is_some() {
                return Some(type_error("can't subtract offset-naive and offset-aware datetimes"));
            }
            let zone = i128::from(x.unwrap_or(0) - y.unwrap_or(0)) * 60_000_000;
            Some(delta(micros_of(a.date, Some(a)) - micros_of(b.date, Some(b)) - zone))
        }
        _ => None,
    }
}

/// An attribute of a day or time that is no method.
pub(crate) fn attribute(value: &Value, name: &str) -> Option<Value> {
    let (date, time) = match value {
        Value::Date(date) => (*date, None),
        Value::DateTime(time) => (time.date, Some(time)),
        _ => return None,
    };
    let number = match (name, time) {
        ("year", _) => i64::from(date.year),
        ("month", _) => i64::from(date.month),
        ("day", _) => i64::from(date.day),
        ("hour", Some(time)) => i64::from(time.hour),
        ("minute", Some(time)) => i64::from(time.minute),
        ("second", Some(time)) => i64::from(time.second),
        ("microsecond", Some(time)) => i64::from(time.microsecond),
        ("tzinfo", Some(time)) if time.offset_minutes.is_none() => return Some(Value::None),
        _ => return None,
    };
    Some(Value::int(number))
}

fn moment(value: &Value) -> Option<Moment> {
    let (date, time) = match value {
        Value::Date(date) => (*date, None),
        Value::DateTime(time) => (time.date, Some(time)),
        _ => return None,
    };
    let offset = time.and_then(|time| time.offset_minutes);
    Some(Moment {
        year: i64::from(date.year),
        month: u32::from(date.month),
        day: u32::from(date.day),
        hour: time.map_or(0, |time| u32::from(time.hour)),
        minute: time.map_or(0, |time| u32::from(time.minute)),
        second: time.map_or(0, |time| u32::from(time.second)),
        microsecond: time.map_or(0, |time| time.microsecond),
        offset: offset.map(|minutes| minutes * 60),
        zone: offset.map(zone_name).unwrap_or_default(),
    })
}

fn zone_name(minutes: i32) -> String {
    if minutes == 0 {
        return "UTC".to_owned();
    }
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("UTC{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

/// `value.strftime(format)`.
pub(crate) fn strftime(value: &Value, format: &str) -> Outcome<String> {
    match moment(value) {
        Some(moment) => Ok(moment.format(format)),
        None => type_error(format!("'{}' object has no attribute 'strftime'", value.type_name())),
    }
}

/// Calls a method of a day or time.
pub(crate) fn call(run: &Run, value: &Value, given: Given<'_>) -> Outcome<Value> {
    run.spend(1)?;
    let (date, time) = match value {
        Value::Date(date) => (*date, None),
        Value::DateTime(time) => (time.date, Some(time.clone())),
        _ => return type_error("not a time"),
    };
    let days = days_from_civil(i64::from(date.year), u32::from(date.month), u32::from(date.day));
    Ok(match given.method {
        "isoformat" => match time {
            None => python::date_str(date).into(),
            Some(time) => {
                let [separator, _] = given.named(["sep", "timespec"])?;
                let separator = separator.and_then(|value| value.as_str()?.chars().next()).unwrap_or('T');
                python::datetime_isoformat(&time, separator).into()
            }
        },
        "strftime" => {
            let format = given.text(given.one()?)?;
            strftime(value, format)?.into()
        }
        "weekday" => Value::int((days + 3).rem_euclid(7)),
        "isoweekday" => Value::int((days + 3).rem_euclid(7) + 1),
        "toordinal" => Value::int(days + 719_163),
        "date" => Value::Date(date),
        "timestamp" => match time {
            Some(time) => {
                let offset = match time.offset_minutes {
                    Some(minutes) => i128::from(minutes) * 60,
                    None => i128::from(run.env.host.zone(days * 86_400).0),
                };
                total_seconds(micros_of(date, Some(&time)) - offset * 1_000_000)
            }
            None => Value::None,
        },
        _ => match time.and_then(|time| time.offset_minutes) {
            Some(minutes) => Value::object(Object::TimeDelta(i128::from(minutes) * 60_000_000)),
            None => Value::None,
        },
    })
}

/// Seconds as a double.
pub(crate) fn total_seconds(micros: i128) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "the nearest double is what Python returns")]
    Value::Float(micros as f64 / 1e6)
}

/// `str` of a difference: `1 day, 2:03:04.500000`.
pub(crate) fn delta_str(micros: i128) -> String {
    let days = micros.div_euclid(DAY);
    let rest = micros.rem_euclid(DAY);
    let (seconds, fraction) = (rest / 1_000_000, rest % 1_000_000);
    let clock = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fraction = if fraction == 0 { String::new() } else { format!(".{fraction:06}") };
    match days {
        0 => format!("{clock}{fraction}"),
        days => format!("{days} day{}, {clock}{fraction}", if days.abs() == 1 { "" } else { "s" }),
    }
}

/// `repr` of a difference.
pub(crate) fn delta_repr(micros: i128) -> String {
    let parts = [
        ("days", micros.div_euclid(DAY)),
        ("seconds", micros.rem_euclid(DAY) / 1_000_000),
        ("microseconds", micros.rem_euclid(1_000_000)),
    ];
    let shown: Vec<String> =
        parts.iter().filter(|part| part.1 != 0).map(|(name, value)| format!("{name}={value}")).collect();
    let shown = if shown.is_empty() { "0".to_owned() } else { shown.join(", ") };
    format!("datetime.timedelta({shown})")
}

/// An attribute of a difference.
pub(crate) fn delta_attribute(micros: i128, name: &str) -> Option<Value> {
    let number = match name {
        "days" => micros.div_euclid(DAY),
        "seconds" => micros.rem_euclid(DAY) / 1_000_000,
        "microseconds" => micros.rem_euclid(1_000_000),
        _ => return None,
    };
    i64::try_from(number).ok().map(Value::int)
}
