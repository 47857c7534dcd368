//! Values to text and back: YAML, JSON and TOML. Where Helm has a function of sprig's name, it is Helm's.

use super::from_toml::from_toml;
use super::give;
use crate::functions::{Call, CallError, Function};
use crate::standard::json as reader;
use crate::value::{ANY_LIST, ANY_MAP, List, Map, Numbers, Type, Value};
use Type::{Any, String as Str};
use kapstan_diagnostic::Sources;
use kapstan_document::json::go::{self as json, Style};
use kapstan_document::toml::go as toml;
use kapstan_document::yaml::Limits;
use kapstan_document::yaml::go::{self as yaml, MAX_WRITE_DEPTH};

const MAPS: Type = Type::Map(&ANY_MAP);
const LISTS: Type = Type::List(&ANY_LIST);

pub(super) const ROWS: &[Function] = &[
    Function::new("toYaml", &[Any], Str, |call| give(to_yaml(call.arg(0)).unwrap_or_default())),
    Function::new("mustToYaml", &[Any], Str, |call| give(to_yaml(call.arg(0))?)),
    Function::new("toYamlPretty", &[Any], Str, |call| {
        let text = yaml::write_pretty(call.arg(0), MAX_WRITE_DEPTH).unwrap_or_default();
        give(without_line_feed(text))
    }),
    Function::new("toJson", &[Any], Str, |call| give(to_json(call, Style::Compact).unwrap_or_default())),
    Function::new("mustToJson", &[Any], Str, |call| give(to_json(call, Style::Compact)?)),
    Function::new("toPrettyJson", &[Any], Str, |call| give(to_json(call, Style::Pretty).unwrap_or_default())),
    Function::new("mustToPrettyJson", &[Any], Str, |call| give(to_json(call, Style::Pretty)?)),
    Function::new("toRawJson", &[Any], Str, |call| give(to_json(call, Style::Raw)?)),
    Function::new("mustToRawJson", &[Any], Str, |call| give(to_json(call, Style::Raw)?)),
    Function::new("toToml", &[Any], Str, |call| match to_toml(call) {
        Ok(text) => give(text),
        Err(error) => give(error.message()),
    }),
    Function::new("mustToToml", &[Any], Str, |call| give(to_toml(call)?)),
    Function::new("fromToml", &[Str], MAPS, from_toml),
    Function::new("fromYaml", &[Str], MAPS, |call| give(read_map(read_yaml(call.text(0), ANY_MAP.name)))),
    Function::new("fromYamlArray", &[Str], LISTS, |call| {
        give(read_list(read_yaml(call.text(0), ANY_LIST.name)))
    }),
    Function::new("fromJson", &[Str], MAPS, |call| give(read_map(reader::read(call.text(0))))),
    Function::new("fromJsonArray", &[Str], LISTS, |call| give(read_list(reader::read(call.text(0))))),
    Function::new("mustFromJson", &[Str], Any, |call| {
        let read = reader::read(call.text(0))?;
        read.number_error.map_or(Ok(read.value), |error| Err(error.into()))
    }),
];

fn to_yaml(value: &Value) -> Result<String, CallError> {
    let text = yaml::write(value, MAX_WRITE_DEPTH).map_err(|error| CallError::new(error.to_string()))?;
    Ok(without_line_feed(text))
}

/// One line feed at the end less.
fn without_line_feed(mut text: String) -> String {
    if text.ends_with('\n') {
        text.pop();
    }
    text
}

fn to_json(call: &Call<'_>, style: Style) -> Result<String, CallError> {
    json::write(call.arg(0), style, MAX_WRITE_DEPTH).map_err(|error| CallError::new(error.to_string()))
}

/// The first document of a text. Where Go wants a value of `go_type`, others are refused with its name.
fn read_yaml(text: &[u8], go_type: &str) -> Result<reader::Read, String> {
    // Nothing asks for places of what a template reads.
    let source = Sources::new().add("text", b"".as_slice());
    let root = yaml::load(text, source, Limits::default()).map_err(|error| error.to_string())?;
    let fit = if go_type == ANY_MAP.name { yaml::expect_map } else { yaml::expect_list };
    let root = fit(root, go_type).map_err(|error| error.to_string())?;
    let value = Value::from_node(&root, Numbers::Float64).map_err(|error| error.to_string())?;
    Ok(reader::Read { value, number_error: None })
}

fn to_toml(call: &Call<'_>) -> Result<String, CallError> {
    toml::write(call.arg(0), MAX_WRITE_DEPTH).map_err(|error| CallError::new(error.to_string()))
}

/// A map that was read; the text of an error becomes an entry of it.
fn read_map(read: Result<reader::Read, String>) -> Map {
    let (map, error) = match read {
        Err(error) => (Map::new(), Some(error)),
        Ok(reader::Read { value: Value::Map(map), number_error }) => (map, number_error),
        Ok(reader::Read { value: Value::Nil, number_error: None }) => (Map::nil(&ANY_MAP), None),
        Ok(reader::Read { value, .. }) => (Map::new(), Some(wrong_kind(&value, ANY_MAP.name))),
    };
    if let Some(error) = error {
        map.insert("Error", Value::str(error));
    }
    map
}

/// A list that was read; the text of an error becomes the only item of it.
fn read_list(read: Result<reader::Read, String>) -> List {
    let error = match read {
        Err(error) => error,
        Ok(reader::Read { value: Value::List(list), number_error: None }) => return list,
        Ok(reader::Read { value: Value::Nil, number_error: None }) => return List::nil(&ANY_LIST),
        Ok(reader::Read { value: Value::List(_), number_error: Some(error) }) => error,
        Ok(reader::Read { value, .. }) => wrong_kind(&value, ANY_LIST.name),
    };
    List::new(vec![Value::str(error)])
}

fn wrong_kind(value: &Value, wanted: &str) -> String {
    format!("json: cannot unmarshal {} into Go value of type {wanted}", reader::kind_name(value))
}
