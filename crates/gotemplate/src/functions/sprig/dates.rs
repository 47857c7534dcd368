//! Dates and durations.

use super::give;
use super::host::clock;
use super::times::{TIME, TimeObject, given_time, time_in};
use crate::functions::{Call, Function, Outcome};
use crate::standard::number::{Fault, parse_int};
use crate::standard::time::{Clock, Location, Time, parse, parse_duration, round_duration, write_duration};
use crate::value::{Type, Value};
use Type::{Any, String as Str};

const SECOND: i64 = 1_000_000_000;
const HTML: &[u8] = b"2006-01-02";

pub(super) const ROWS: &[Function] = &[
    Function::new("now", &[], TIME, |call| given_time(Time::now(clock(call)))),
    Function::new("date", &[Str, Any], Str, |call| formatted(call, call.text(0), call.arg(1), b"Local")),
    Function::new("dateInZone", &[Str, Any, Str], Str, date_in_zone),
    Function::new("date_in_zone", &[Str, Any, Str], Str, date_in_zone),
    Function::new("htmlDate", &[Any], Str, |call| formatted(call, HTML, call.arg(0), b"Local")),
    Function::new("htmlDateInZone", &[Any, Str], Str, |call| {
        formatted(call, HTML, call.arg(0), call.text(1))
    }),
    Function::new("dateModify", &[Str, TIME], TIME, date_modify),
    Function::new("date_modify", &[Str, TIME], TIME, date_modify),
    Function::new("mustDateModify", &[Str, TIME], TIME, must_date_modify),
    Function::new("must_date_modify", &[Str, TIME], TIME, must_date_modify),
    Function::new("ago", &[Any], Str, ago),
    Function::new("duration", &[Any], Str, |call| {
        give(write_duration(seconds(call.arg(0)).wrapping_mul(SECOND)))
    }),
    Function::new("durationRound", &[Any], Str, |call| give(largest_unit(span(call)))),
    Function::new("toDate", &[Str, Str], TIME, |call| {
        given_time(parse(call.text(0), call.text(1), clock(call)).unwrap_or_else(|_| Time::zero()))
    }),
    Function::new("mustToDate", &[Str, Str], TIME, |call| {
        given_time(parse(call.text(0), call.text(1), clock(call))?)
    }),
    Function::new("unixEpoch", &[TIME], Str, |call| give(time_in(call.arg(0))?.second.to_string())),
];

/// A time, or seconds since 1970; anything else, a float too, is now.
fn moment(value: &Value, clock: &dyn Clock) -> Time {
    match value {
        Value::Int(second) | Value::Int64(second) => Time::unix(*second, clock),
        value => match value.as_object::<TimeObject>() {
            Some(TimeObject(time)) => time.clone(),
            None => Time::now(clock),
        },
    }
}

fn formatted(call: &Call<'_>, layout: &[u8], value: &Value, zone: &[u8]) -> Outcome {
    let clock = clock(call);
    let location = Location::load(clock, zone).unwrap_or(Location::Utc);
    give(moment(value, clock).within(location).format(layout))
}

fn date_in_zone(call: &mut Call<'_>) -> Outcome {
    formatted(call, call.text(0), call.arg(1), call.text(2))
}

fn date_modify(call: &mut Call<'_>) -> Outcome {
    let time = time_in(call.arg(1))?;
    given_time(time.plus(parse_duration(call.text(0)).unwrap_or(0)))
}

fn must_date_modify(call: &mut Call<'_>) -> Outcome {
    given_time(time_in(call.arg(1))?.plus(parse_duration(call.text(0))?))
}

fn ago(call: &mut Call<'_>) -> Outcome {
    let clock = clock(call);
    let passed = Time::now(clock).since(&moment(call.arg(0), clock));
    give(write_duration(round_duration(passed, SECOND)))
}

/// An `int64`, or a string of digits; anything else, an `int` too, is none.
fn seconds(value: &Value) -> i64 {
    match value {
        Value::Int64(seconds) => *seconds,
        Value::Str(text) => match parse_int(text, 10) {
            Ok(seconds) | Err(Fault::Range(seconds)) => seconds,
            Err(Fault::Syntax) => 0,
        },
        _ => 0,
    }
}

fn span(call: &Call<'_>) -> i64 {
    match call.arg(0) {
        Value::Int64(nanoseconds) => *nanoseconds,
        Value::Str(text) => parse_duration(text).unwrap_or(0),
        value => match value.as_object::<TimeObject>() {
            Some(TimeObject(time)) => Time::now(clock(call)).since(time),
            None => 0,
        },
    }
}

/// How many of the largest unit that a duration is longer than; its sign is lost.
fn largest_unit(nanoseconds: i64) -> String {
    const DAY: u64 = 86_400;
    const UNITS: &[(&str, u64)] =
        &[("y", 365 * DAY), ("mo", 30 * DAY), ("d", DAY), ("h", 3_600), ("m", 60), ("s", 1)];
    let nanoseconds = nanoseconds.unsigned_abs();
    let second = SECOND.unsigned_abs();
    match UNITS.iter().find(|(_, unit)| nanoseconds > unit * second) {
        Some((name, unit)) => format!("{}{name}", nanoseconds / (unit * second)),
        None => "0s".to_owned(),
    }
}
