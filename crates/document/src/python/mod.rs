//! Python's text of values: the one place for `str()`, `repr()` and the form of floats.
//!
//! Behaviour: CPython 3.11. Sets are written in insertion order, where CPython's order is that of its hashes, and
//! integers of any length are written, where CPython stops at 4300 digits.

mod base64;
mod float;
mod number;
mod printable;
mod text;

pub use base64::decode_base64;
pub use float::float_repr;
pub(crate) use float::shortest;
pub use number::{is_space, parse_float, parse_int};
pub use text::{repr_bytes, repr_str};

use crate::scalar::{Date, DateTime};
use crate::{Map, Scalar, Value};
use std::borrow::Cow;
use std::fmt::Write;

/// What `str()` makes of a value: strings as they are, `True`, `None`, dates in ISO form, containers as [`repr`].
pub fn str(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Str(text) => Cow::Borrowed(text),
        Value::Date(date) => Cow::Owned(date_str(*date)),
        Value::DateTime(time) => Cow::Owned(datetime_str(time)),
        other => Cow::Owned(repr(other)),
    }
}

/// What `repr()` makes of a value: `'text'`, `{'k': [1, None]}`, `datetime.date(2020, 1, 31)`.
pub fn repr(value: &Value) -> String {
    let mut out = String::new();
    write_repr(&mut out, value);
    out
}

/// What `str()` makes of a scalar, such as the key of a mapping.
pub fn scalar_str(scalar: &Scalar) -> Cow<'_, str> {
    match scalar {
        Scalar::Str(text) => Cow::Borrowed(text),
        Scalar::Date(date) => Cow::Owned(date_str(*date)),
        Scalar::DateTime(time) => Cow::Owned(datetime_str(time)),
        other => Cow::Owned(scalar_repr(other)),
    }
}

/// What `repr()` makes of a scalar, such as the key of a mapping.
pub fn scalar_repr(scalar: &Scalar) -> String {
    let mut out = String::new();
    write_scalar(&mut out, scalar);
    out
}

/// `date.isoformat()`: `2020-01-31`.
pub fn date_str(date: Date) -> String {
    format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
}

/// `datetime.isoformat(' ')`: `2001-12-14 21:59:43.100000-05:00`.
pub fn datetime_str(time: &DateTime) -> String {
    datetime_isoformat(time, ' ')
}

/// `datetime.isoformat(separator)`.
pub fn datetime_isoformat(time: &DateTime, separator: char) -> String {
    let mut out = date_str(time.date);
    let _ = write!(out, "{separator}{:02}:{:02}:{:02}", time.hour, time.minute, time.second);
    if time.microsecond != 0 {
        let _ = write!(out, ".{:06}", time.microsecond);
    }
    if let Some(offset) = time.offset_minutes {
        let sign = if offset < 0 { '-' } else { '+' };
        let _ = write!(out, "{sign}{:02}:{:02}", offset.abs() / 60, offset.abs() % 60);
    }
    out
}

fn write_repr(out: &mut String, value: &Value) {
    match value {
        Value::Seq(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                separate(out, at);
                write_repr(out, &item.value);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (at, (key, item)) in map.iter().enumerate() {
                separate(out, at);
                write_scalar(out, &key.scalar);
                out.push_str(": ");
                write_repr(out, &item.value);
            }
            out.push('}');
        }
        Value::Set(members) => write_set(out, members),
        scalar => {
            if let Some(scalar) = scalar.as_scalar() {
                write_scalar(out, &scalar);
            }
        }
    }
}

fn write_set(out: &mut String, members: &Map) {
    if members.is_empty() {
        out.push_str("set()");
        return;
    }
    out.push('{');
    for (at, key) in members.keys().enumerate() {
        separate(out, at);
        write_scalar(out, &key.scalar);
    }
    out.push('}');
}

fn separate(out: &mut String, at: usize) {
    if at > 0 {
        out.push_str(", ");
    }
}

fn write_scalar(out: &mut String, scalar: &Scalar) {
    match scalar {
        Scalar::Null => out.push_str("None"),
        Scalar::Bool(true) => out.push_str("True"),
        Scalar::Bool(false) => out.push_str("False"),
        Scalar::Int(value) => {
            let _ = write!(out, "{value}");
        }
        Scalar::Float(value) => out.push_str(&float_repr(*value)),
        Scalar::Str(value) => text::write_str(out, value),
        Scalar::Date(date) => {
            let _ = write!(out, "datetime.date({}, {}, {})", date.year, date.month, date.day);
        }
        Scalar::DateTime(time) => write_datetime(out, time),
        Scalar::Bytes(bytes) => text::write_bytes(out, bytes),
    }
}

/// Seconds and microseconds are left out from the end while they are zero.
fn write_datetime(out: &mut String, time: &DateTime) {
    let Date { year, month, day } = time.date;
    let _ = write!(out, "datetime.datetime({year}, {month}, {day}, {}, {}", time.hour, time.minute);
    if time.second != 0 || time.microsecond != 0 {
        let _ = write!(out, ", {}", time.second);
    }
    if time.microsecond != 0 {
        let _ = write!(out, ", {}", time.microsecond);
    }
    if let Some(offset) = time.offset_minutes {
        out.push_str(", tzinfo=datetime.timezone");
        match offset {
            0 => out.push_str(".utc"),
            minutes => {
                let _ = write!(out, "({})", timedelta_repr(minutes));
            }
        }
    }
    out.push(')');
}

/// What `repr()` makes of a `timedelta` of whole minutes, which holds a negative one as negative days and the seconds
/// that bring it back up.
pub(crate) fn timedelta_repr(minutes: i32) -> String {
    let (days, seconds) = (minutes.div_euclid(24 * 60), minutes.rem_euclid(24 * 60) * 60);
    match (days, seconds) {
        (0, 0) => "datetime.timedelta(0)".to_owned(),
        (days, 0) => format!("datetime.timedelta(days={days})"),
        (0, seconds) => format!("datetime.timedelta(seconds={seconds})"),
        (days, seconds) => format!("datetime.timedelta(days={days}, seconds={seconds})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Int, Key, Node, Span};
    use std::sync::Arc;

    fn time(hour: u8, second: u8, microsecond: u32, offset_minutes: Option<i32>) -> Value {
        let date = Date { year: 2001, month: 2, day: 3 };
        Value::DateTime(Arc::new(DateTime { date, hour, minute: 0, second, microsecond, offset_minutes }))
    }

    #[test]
    fn scalars() {
        let big = "123456789012345678901234567890".parse().expect("digits");
        let cases: [(Value, &str, &str); 16] = [
            (Value::Null, "None", "None"),
            (true.into(), "True", "True"),
            (false.into(), "False", "False"),
            ((-7i64).into(), "-7", "-7"),
            (Int::from_big(big).into(), "123456789012345678901234567890", "123456789012345678901234567890"),
            (1.0.into(), "1.0", "1.0"),
            ("a'b".into(), "a'b", "\"a'b\""),
            (Value::Bytes(Arc::from(&b"a\n\xff"[..])), "b'a\\n\\xff'", "b'a\\n\\xff'"),
            (Value::Date(Date { year: 987, month: 1, day: 2 }), "0987-01-02", "datetime.date(987, 1, 2)"),
            (time(4, 0, 0, None), "2001-02-03 04:00:00", "datetime.datetime(2001, 2, 3, 4, 0)"),
            (time(4, 5, 0, None), "2001-02-03 04:00:05", "datetime.datetime(2001, 2, 3, 4, 0, 5)"),
            (
                time(4, 0, 60, None),
                "2001-02-03 04:00:00.000060",
                "datetime.datetime(2001, 2, 3, 4, 0, 0, 60)",
            ),
            (
                time(0, 0, 0, Some(0)),
                "2001-02-03 00:00:00+00:00",
                "datetime.datetime(2001, 2, 3, 0, 0, tzinfo=datetime.timezone.utc)",
            ),
            (
                time(0, 0, 0, Some(90)),
                "2001-02-03 00:00:00+01:30",
                "datetime.datetime(2001, 2, 3, 0, 0, tzinfo=datetime.timezone(datetime.timedelta(seconds=5400)))",
            ),
            (
                time(0, 0, 0, Some(-330)),
                "2001-02-03 00:00:00-05:30",
                "datetime.datetime(2001, 2, 3, 0, 0, tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=66600)))",
            ),
            (Value::Set(Arc::default()), "set()", "set()"),
        ];
        for (value, as_str, as_repr) in cases {
            assert_eq!(str(&value), as_str);
            assert_eq!(repr(&value), as_repr);
        }
    }

    #[test]
    fn containers_nest_and_show_their_members_by_repr() {
        let inner: Map = [("k", Node::from("v"))].into_iter().collect();
        let mut map = Map::new();
        map.insert("a", vec![Node::from(1i64), Node::from("x"), Node::NULL]);
        map.insert(Key::at(Scalar::Int(Int::Small(1)), Span::NONE), inner);
        map.insert(Key::at(Scalar::Null, Span::NONE), Map::new());
        let set: Map = [("s", Node::NULL), ("t", Node::NULL)].into_iter().collect();
        map.insert("set", Value::Set(Arc::new(set)));
        let expected = "{'a': [1, 'x', None], 1: {'k': 'v'}, None: {}, 'set': {'s', 't'}}";
        assert_eq!(str(&map.into()), expected);
    }

    #[test]
    fn keys_have_the_text_of_scalars() {
        assert_eq!(scalar_str(&Scalar::Bool(true)), "True");
        assert_eq!(scalar_str(&Scalar::Str("é".into())), "é");
        assert_eq!(scalar_repr(&Scalar::Str("é".into())), "'é'");
    }
}
