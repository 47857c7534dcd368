//! Reading TOML: integers stay integers, dates are times. The words of errors are not those of Helm's library.

use super::give;
use super::host::clock;
use super::times::TimeObject;
use crate::functions::{Call, Outcome};
use crate::standard::time::{Clock, Location, Time, parse};
use crate::value::{ANY_MAP, List, ListType, Map, Type, Value};
use toml::value::Datetime;

/// What `[[table]]` becomes.
static TABLES: ListType =
    ListType { name: "[]map[string]interface {}", element: Type::Map(&ANY_MAP), methods: &[] };

/// A document as a map; the text of an error becomes an entry of it.
pub(super) fn from_toml(call: &mut Call<'_>) -> Outcome {
    let text = call.str(0);
    match text.parse::<toml::Table>() {
        Ok(table) => {
            // The reader does not tell tables in brackets from tables in a list.
            let has_headers = text.lines().any(|line| line.trim_start().starts_with("[["));
            give(map(table, &Reading { clock: clock(call), has_headers }))
        }
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
            let message = format!("toml: line {line}: {}", error.message());
            Ok(Value::map([("Error", Value::str(message))]))
        }
    }
}

struct Reading<'a> {
    clock: &'a dyn Clock,
    has_headers: bool,
}

/// The reader bounds how deep tables nest.
fn map(table: toml::Table, reading: &Reading<'_>) -> Map {
    Map::from_entries(table.into_iter().map(|(key, value)| (key, converted(value, reading))))
}

fn converted(value: toml::Value, reading: &Reading<'_>) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => Value::Int64(number),
        toml::Value::Float(number) => number.into(),
        toml::Value::Boolean(value) => value.into(),
        toml::Value::Datetime(moment) => Value::object(TimeObject(time(&moment, reading.clock))),
        toml::Value::Table(table) => map(table, reading).into(),
        toml::Value::Array(items) => {
            let are_tables =
                reading.has_headers && !items.is_empty() && items.iter().all(toml::Value::is_table);
            let items = items.into_iter().map(|item| converted(item, reading)).collect();
            if are_tables { List::typed(&TABLES, items).into() } else { Value::list(items) }
        }
    }
}

/// A time; one without an offset is in a zone that says what is missing, at the offset of this machine.
fn time(moment: &Datetime, clock: &dyn Clock) -> Time {
    let text = moment.to_string();
    let read = |layout: &[u8]| parse(layout, text.as_bytes(), clock).unwrap_or_else(|_| Time::zero());
    if moment.offset.is_some() {
        return read(b"2006-01-02T15:04:05.999999999Z07:00");
    }
    let (layout, name): (&[u8], _) = match (moment.date.is_some(), moment.time.is_some()) {
        (true, true) => (b"2006-01-02T15:04:05.999999999", "datetime-local"),
        (true, false) => (b"2006-01-02", "date-local"),
        _ => (b"15:04:05.999999999", "time-local"),
    };
    let now = Time::now(clock);
    let (offset, _) = now.location.at(now.second);
    let there = read(layout);
    // What the clock of this machine showed is shown there too.
    let (here, _) = there.location.at(there.second);
    Time {
        second: there.second + here - offset,
        location: Location::Fixed { offset, name: name.to_owned() },
        ..there
    }
}

#[cfg(test)]
mod tests {
    use crate::functions::sprig::functions;
    use crate::value::Value;

    #[test]
    fn reads_values_and_dates() {
        let text = "i = 1\nf = 2.5\nd = 1979-05-27\nt = 07:32:00.5\no = 1979-05-27T07:32:00-08:00\nl = [1, 'x']\n[[g]]\nx = {y = true}\n";
        let read = |text: &str| functions().call("fromToml", &[Value::str(text)]).unwrap();
        let shown = crate::format::value_text(&read(text)).unwrap();
        assert_eq!(
            shown,
            "map[d:1979-05-27 00:00:00 +0000 date-local f:2.5 g:[map[x:map[y:true]]] i:1 l:[1 x] \
             o:1979-05-27 07:32:00 -0800 -0800 t:0000-01-01 07:32:00.5 +0000 time-local]"
        );
        let tables = read(text).as_map().unwrap().get("g").unwrap();
        assert_eq!(tables.type_name(), "[]map[string]interface {}");
        let error = read("a = 1\nb = ").as_map().unwrap().get("Error").unwrap();
        assert!(error.as_text().unwrap().starts_with(b"toml: line 2: "), "{error:?}");
    }
}
