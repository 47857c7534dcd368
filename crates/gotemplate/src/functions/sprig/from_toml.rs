//! Reading TOML: integers stay integers, dates are times.

use super::give;
use super::host::clock;
use super::times::TimeObject;
use crate::functions::{Call, Outcome};
use crate::standard::time::{Clock, Location, Time, parse};
use crate::value::{ANY_MAP, List, ListType, Map, Type, Value};
use kapstan_document::toml::go::{self as toml, Entries, Item, Moment};
use kapstan_document::{Int, Scalar};

/// What `[[table]]` becomes.
static TABLES: ListType =
    ListType { name: "[]map[string]interface {}", element: Type::Map(&ANY_MAP), methods: &[] };

/// A document as a map; the text of an error becomes an entry of it.
pub(super) fn from_toml(call: &mut Call<'_>) -> Outcome {
    let text = call.str(0);
    match toml::load(text.as_bytes(), DEPTH) {
        Ok(entries) => give(map(entries, clock(call))),
        Err(error) => Ok(Value::map([("Error", Value::str(error.to_string()))])),
    }
}

/// How deep arrays and inline tables may nest.
const DEPTH: usize = 200;

fn map(entries: Entries, clock: &dyn Clock) -> Map {
    Map::from_entries(entries.into_iter().map(|(key, item)| (key, converted(item, clock))))
}

fn converted(item: Item, clock: &dyn Clock) -> Value {
    match item {
        Item::Scalar(scalar) => match scalar {
            Scalar::Bool(value) => value.into(),
            Scalar::Int(Int::Small(number)) => Value::Int64(number),
            Scalar::Float(number) => number.into(),
            Scalar::Str(text) => Value::str(&*text),
            _ => Value::Nil,
        },
        Item::Moment(moment) => Value::object(TimeObject(time(&moment, clock))),
        Item::List(items) => Value::list(items.into_iter().map(|item| converted(item, clock)).collect()),
        Item::Table(entries) => map(entries, clock).into(),
        Item::Tables(tables) => {
            let tables = tables.into_iter().map(|table| map(table, clock).into()).collect();
            List::typed(&TABLES, tables).into()
        }
    }
}

/// A time; one without an offset is in a zone that says what is missing, at the offset of this machine.
fn time(moment: &Moment, clock: &dyn Clock) -> Time {
    let (layout, text, name): (&[u8], _, _) = match moment {
        Moment::Zoned(text) => (b"2006-01-02T15:04:05.999999999Z07:00", text, ""),
        Moment::Local(text) => (b"2006-01-02T15:04:05.999999999", text, "datetime-local"),
        Moment::Date(text) => (b"2006-01-02", text, "date-local"),
        Moment::Time(text) => (b"15:04:05.999999999", text, "time-local"),
    };
    let there = parse(layout, text.as_bytes(), clock).unwrap_or_else(|_| Time::zero());
    if name.is_empty() {
        return there;
    }
    let now = Time::now(clock);
    let (offset, _) = now.location.at(now.second);
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
        assert_eq!(
            error.as_text().unwrap().to_str(),
            "toml: line 2 (last key \"b\"): unexpected EOF; expected value"
        );
    }
}
