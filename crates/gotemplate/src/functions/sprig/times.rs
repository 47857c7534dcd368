//! The objects that dates are in templates: `time.Time`, `time.Duration`, `time.Month`, `time.Weekday`.

use super::give;
use crate::functions::{Call, CallError, Function, Outcome};
use crate::standard::time::{Location, Time, round_duration, write_duration};
use crate::value::{Json, Kind, Object, Text, Type, Value};
use Type::{Bool, Float64, Int, Int64, String as Str};
use std::any::Any;
use std::cmp::Ordering;

pub(super) const TIME: Type = Type::Object("time.Time");
const DURATION: Type = Type::Object("time.Duration");
const MONTH: Type = Type::Object("time.Month");
const WEEKDAY: Type = Type::Object("time.Weekday");

/// A moment.
pub(super) struct TimeObject(pub(super) Time);

impl Object for TimeObject {
    fn type_name(&self) -> &'static str {
        "time.Time"
    }

    fn methods(&self) -> &'static [Function] {
        TIME_METHODS
    }

    fn string(&self) -> Option<Text> {
        Some(self.0.text().into())
    }

    fn go_text(&self) -> Option<Text> {
        let parts = self.0.format(b"2006, time.January, 2, 15, 4, 5");
        let trimmed: Vec<String> = String::from_utf8_lossy(&parts)
            .split(", ")
            .map(|part| match part.parse::<i64>() {
                Ok(number) => number.to_string(),
                Err(_) => part.to_owned(),
            })
            .collect();
        let location = match &self.0.location {
            Location::Utc => "time.UTC".to_owned(),
            Location::Zone(_) => "time.Local".to_owned(),
            Location::Fixed { name, .. } => {
                format!("time.Location({})", crate::format::quote(name.as_bytes()))
            }
        };
        Some(format!("time.Date({}, {}, {location})", trimmed.join(", "), self.0.nanosecond).into())
    }

    fn is_equal(&self, other: &dyn Object) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| self.0.text() == other.0.text())
    }

    fn json(&self) -> Json {
        Json::Value(Value::str(self.0.format(b"2006-01-02T15:04:05.999999999Z07:00")))
    }
}

/// A number of nanoseconds.
pub(super) struct DurationObject(pub(super) i64);

impl Object for DurationObject {
    fn type_name(&self) -> &'static str {
        "time.Duration"
    }

    fn kind(&self) -> Kind {
        Kind::Int64
    }

    fn methods(&self) -> &'static [Function] {
        DURATION_METHODS
    }

    fn string(&self) -> Option<Text> {
        Some(write_duration(self.0).into())
    }

    fn is_truthy(&self) -> bool {
        self.0 != 0
    }

    fn is_equal(&self, other: &dyn Object) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| self.0 == other.0)
    }

    fn json(&self) -> Json {
        Json::Value(Value::Int64(self.0))
    }
}

/// A month or a day of the week: a number that prints as a name.
pub(super) struct Named {
    type_name: &'static str,
    pub(super) number: i64,
    name: &'static str,
}

impl Object for Named {
    fn type_name(&self) -> &'static str {
        self.type_name
    }

    fn kind(&self) -> Kind {
        Kind::Int
    }

    fn methods(&self) -> &'static [Function] {
        &[]
    }

    fn string(&self) -> Option<Text> {
        Some(self.name.into())
    }

    fn is_truthy(&self) -> bool {
        self.number != 0
    }

    fn is_equal(&self, other: &dyn Object) -> bool {
        let other: &dyn Any = other;
        other
            .downcast_ref::<Self>()
            .is_some_and(|other| self.number == other.number && self.type_name == other.type_name)
    }

    fn json(&self) -> Json {
        Json::Value(Value::Int64(self.number))
    }
}

const TIME_METHODS: &[Function] = &[
    Function::new("String", &[], Str, |call| give(time(call)?.text())),
    Function::new("Format", &[Str], Str, |call| give(time(call)?.format(call.text(0)))),
    Function::new("Unix", &[], Int64, |call| Ok(Value::Int64(time(call)?.second))),
    Function::new("UnixNano", &[], Int64, |call| {
        let time = time(call)?;
        let nanosecond = i64::from(time.nanosecond);
        Ok(Value::Int64(time.second.wrapping_mul(1_000_000_000).wrapping_add(nanosecond)))
    }),
    Function::new("UnixMilli", &[], Int64, |call| Ok(Value::Int64(since_1970(time(call)?, 1_000)))),
    Function::new("UnixMicro", &[], Int64, |call| Ok(Value::Int64(since_1970(time(call)?, 1_000_000)))),
    Function::new("Year", &[], Int, |call| part(call, b"2006")),
    Function::new("Month", &[], MONTH, |call| named(call, b"1", "time.Month")),
    Function::new("Day", &[], Int, |call| part(call, b"2")),
    Function::new("Hour", &[], Int, |call| part(call, b"15")),
    Function::new("Minute", &[], Int, |call| part(call, b"4")),
    Function::new("Second", &[], Int, |call| part(call, b"5")),
    Function::new("Nanosecond", &[], Int, |call| Ok(Value::Int(time(call)?.nanosecond.into()))),
    Function::new("YearDay", &[], Int, |call| part(call, b"002")),
    Function::new("Weekday", &[], WEEKDAY, |call| named(call, b"Mon", "time.Weekday")),
    Function::new("IsZero", &[], Bool, |call| give(time(call)?.is_zero())),
    Function::new("UTC", &[], TIME, |call| given_time(time(call)?.within(Location::Utc))),
    Function::new("Add", &[DURATION], TIME, |call| given_time(time(call)?.plus(duration_in(call.arg(0))?))),
    Function::new("AddDate", &[Int, Int, Int], TIME, |call| {
        given_time(time(call)?.plus_date(call.int(0), call.int(1), call.int(2)))
    }),
    Function::new("Sub", &[TIME], DURATION, |call| given_duration(time(call)?.since(time_in(call.arg(0))?))),
    Function::new("Before", &[TIME], Bool, |call| give(compare(call)?.is_lt())),
    Function::new("After", &[TIME], Bool, |call| give(compare(call)?.is_gt())),
    Function::new("Equal", &[TIME], Bool, |call| give(compare(call)?.is_eq())),
    Function::new("Compare", &[TIME], Int, |call| Ok(Value::Int(compare(call)? as i64))),
];

const DURATION_METHODS: &[Function] = &[
    Function::new("String", &[], Str, |call| give(write_duration(duration(call)?))),
    Function::new("Hours", &[], Float64, |call| give(in_units(duration(call)?, 3_600_000_000_000))),
    Function::new("Minutes", &[], Float64, |call| give(in_units(duration(call)?, 60_000_000_000))),
    Function::new("Seconds", &[], Float64, |call| give(in_units(duration(call)?, 1_000_000_000))),
    Function::new("Milliseconds", &[], Int64, |call| Ok(Value::Int64(duration(call)? / 1_000_000))),
    Function::new("Microseconds", &[], Int64, |call| Ok(Value::Int64(duration(call)? / 1_000))),
    Function::new("Nanoseconds", &[], Int64, |call| Ok(Value::Int64(duration(call)?))),
    Function::new("Abs", &[], DURATION, |call| given_duration(duration(call)?.saturating_abs())),
    Function::new("Round", &[DURATION], DURATION, |call| {
        let multiple = duration_in(call.arg(0))?;
        let duration = duration(call)?;
        given_duration(if multiple <= 0 { duration } else { round_duration(duration, multiple) })
    }),
    Function::new("Truncate", &[DURATION], DURATION, |call| {
        let multiple = duration_in(call.arg(0))?;
        let duration = duration(call)?;
        given_duration(if multiple <= 0 { duration } else { duration - duration % multiple })
    }),
];

fn wrong_receiver() -> CallError {
    "runtime error: invalid memory address or nil pointer dereference".into()
}

/// The time behind a value.
pub(super) fn time_in(value: &Value) -> Result<&Time, CallError> {
    value.as_object::<TimeObject>().map(|object| &object.0).ok_or_else(wrong_receiver)
}

fn time<'a>(call: &Call<'a>) -> Result<&'a Time, CallError> {
    time_in(call.receiver())
}

fn duration_in(value: &Value) -> Result<i64, CallError> {
    value.as_object::<DurationObject>().map(|object| object.0).ok_or_else(wrong_receiver)
}

fn duration(call: &Call<'_>) -> Result<i64, CallError> {
    duration_in(call.receiver())
}

pub(super) fn given_time(time: Time) -> Outcome {
    Ok(Value::object(TimeObject(time)))
}

fn given_duration(nanoseconds: i64) -> Outcome {
    Ok(Value::object(DurationObject(nanoseconds)))
}

fn since_1970(time: &Time, units: i64) -> i64 {
    let within = i64::from(time.nanosecond) / (1_000_000_000 / units);
    time.second.wrapping_mul(units).wrapping_add(within)
}

/// Whole units and the rest apart, as Go does it, so that large durations lose nothing.
fn in_units(duration: i64, unit: i64) -> f64 {
    (duration / unit) as f64 + (duration % unit) as f64 / unit as f64
}

/// A number of the calendar, through the layout that shows it.
fn part(call: &Call<'_>, layout: &[u8]) -> Outcome {
    Ok(Value::Int(shown(time(call)?, layout).parse().unwrap_or(0)))
}

fn shown(time: &Time, layout: &[u8]) -> String {
    String::from_utf8_lossy(&time.format(layout)).into_owned()
}

fn named(call: &Call<'_>, layout: &[u8], type_name: &'static str) -> Outcome {
    let shown = shown(time(call)?, layout);
    let (names, from): (&[&'static str], i64) = if type_name == "time.Month" {
        (&crate::standard::time::MONTHS, 1)
    } else {
        (&crate::standard::time::WEEKDAYS, 0)
    };
    let found =
        (from..).zip(names).find(|(number, name)| shown == number.to_string() || name.starts_with(&shown));
    let (number, name) = found.ok_or_else(wrong_receiver)?;
    Ok(Value::object(Named { type_name, number, name }))
}

fn compare(call: &Call<'_>) -> Result<Ordering, CallError> {
    let (one, other) = (time(call)?, time_in(call.arg(0))?);
    Ok((one.second, one.nanosecond).cmp(&(other.second, other.nanosecond)))
}
