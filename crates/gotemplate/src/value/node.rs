//! Documents as values, and back.

use super::{List, MAX_DEPTH, Map, Text, Value};
use kapstan_document::{Date, DateTime, Int, Map as NodeMap, Node, Scalar, Value as NodeValue};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// What numbers of a document become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// All `float64`: what went through JSON, as everything that Helm reads.
    Float64,
    /// Integers are `int64` (`uint64` where only that holds them, else `float64`): what `fromToml` gives.
    Typed,
}

/// A value nests deeper than [`MAX_DEPTH`], or contains itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep;

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the value nests deeper than {MAX_DEPTH} levels")
    }
}

impl std::error::Error for TooDeep {}

impl Value {
    /// A document as a value: maps are new ones, keys that are no strings become their text, dates the text that YAML
    /// has for them. Fails where the document nests deeper than [`MAX_DEPTH`].
    pub fn from_node(node: &Node, numbers: Numbers) -> Result<Self, TooDeep> {
        Converter { numbers, shared: FxHashMap::default() }.value(node, MAX_DEPTH)
    }

    /// The value as a document. Strings that are not UTF-8 get U+FFFD, bytes stay bytes, an object is what JSON makes of
    /// it. Fails where the value nests deeper than [`MAX_DEPTH`], which one that contains itself does.
    pub fn to_node(&self) -> Result<Node, TooDeep> {
        to_node(self, MAX_DEPTH)
    }
}

/// A conversion under way.
struct Converter {
    numbers: Numbers,
    /// What strings became that the document has in more than one place, by their address.
    shared: FxHashMap<*const u8, Text>,
}

impl Converter {
    fn value(&mut self, node: &Node, depth: usize) -> Result<Value, TooDeep> {
        let depth = depth.checked_sub(1).ok_or(TooDeep)?;
        Ok(match &node.value {
            NodeValue::Null => Value::Nil,
            NodeValue::Bool(value) => Value::Bool(*value),
            NodeValue::Int(value) => integer(value, self.numbers),
            NodeValue::Float(value) => Value::Float64(*value),
            NodeValue::Str(value) => Value::Str(self.text(value)),
            NodeValue::Date(value) => Value::Str(date_text(*value).into()),
            NodeValue::DateTime(value) => Value::Str(time_text(value).into()),
            NodeValue::Bytes(value) => Value::Str(Text::from(&**value)),
            NodeValue::Seq(items) => {
                let items: Result<Vec<_>, _> = items.iter().map(|item| self.value(item, depth)).collect();
                Value::List(List::new(items?))
            }
            NodeValue::Map(map) | NodeValue::Set(map) => Value::Map(self.map(map, depth)?),
        })
    }

    fn map(&mut self, map: &NodeMap, depth: usize) -> Result<Map, TooDeep> {
        let mut entries = Vec::with_capacity(map.len());
        for (key, value) in map.iter() {
            entries.push((self.key(&key.scalar), self.value(value, depth)?));
        }
        Ok(Map::from_entries(entries))
    }

    fn key(&mut self, key: &Scalar) -> Text {
        match key {
            Scalar::Str(text) => self.text(text),
            Scalar::Null => "null".into(),
            Scalar::Bool(value) => value.to_string().into(),
            Scalar::Int(value) => value.to_string().into(),
            Scalar::Float(value) => value.to_string().into(),
            Scalar::Date(value) => date_text(*value).into(),
            Scalar::DateTime(value) => time_text(value).into(),
            Scalar::Bytes(value) => Text::from(&**value),
        }
    }

    fn text(&mut self, text: &kapstan_document::Text) -> Text {
        if Arc::strong_count(text) == 1 {
            return Text::from(&**text);
        }
        self.shared.entry(text.as_ptr()).or_insert_with(|| Text::from(&**text)).clone()
    }
}

fn integer(value: &Int, numbers: Numbers) -> Value {
    match (numbers, value) {
        (Numbers::Float64, value) => Value::Float64(value.to_f64()),
        (Numbers::Typed, Int::Small(value)) => Value::Int64(*value),
        (Numbers::Typed, Int::Big(big)) => {
            u64::try_from(&**big).map_or_else(|_| Value::Float64(value.to_f64()), Value::Uint64)
        }
    }
}

fn date_text(date: Date) -> String {
    format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
}

fn time_text(time: &DateTime) -> String {
    let mut text = format!("{}T{:02}:{:02}:{:02}", date_text(time.date), time.hour, time.minute, time.second);
    if time.microsecond > 0 {
        text.push_str(format!(".{:06}", time.microsecond).trim_end_matches('0'));
    }
    match time.offset_minutes {
        None | Some(0) => text.push('Z'),
        Some(minutes) => {
            let sign = if minutes < 0 { '-' } else { '+' };
            let minutes = minutes.unsigned_abs();
            text.push_str(&format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60));
        }
    }
    text
}

fn to_node(value: &Value, depth: usize) -> Result<Node, TooDeep> {
    let depth = depth.checked_sub(1).ok_or(TooDeep)?;
    Ok(match value {
        Value::Absent | Value::Nil => Node::NULL,
        Value::Bool(value) => (*value).into(),
        Value::Int(value) | Value::Int64(value) => (*value).into(),
        Value::Byte(value) => i64::from(*value).into(),
        Value::Uint64(value) => Int::from_big((*value).into()).into(),
        Value::Float64(value) => (*value).into(),
        Value::Complex(real, imaginary) => format!("({real}{imaginary:+}i)").into(),
        Value::Str(text) => text.to_str().into_owned().into(),
        Value::Bytes(bytes) => {
            Node { value: NodeValue::Bytes((&**bytes).into()), span: kapstan_document::Span::NONE }
        }
        Value::List(list) => {
            let items: Result<Vec<_>, _> = list.iter().map(|item| to_node(item, depth)).collect();
            items?.into()
        }
        Value::Map(map) => {
            let mut entries = NodeMap::new();
            for (key, value) in &*map.entries() {
                entries.insert(&*key.to_str(), to_node(value, depth)?);
            }
            entries.into()
        }
        Value::Object(object) => to_node(&object.json().into_value(), depth)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kapstan_document::Key;

    #[test]
    fn numbers_are_doubles_or_typed() {
        let node =
            Node::from(vec![Node::from(1), Node::from(1.5), Node::from(Int::from_big(u64::MAX.into()))]);
        let types = |numbers| {
            let value = Value::from_node(&node, numbers).unwrap();
            value.as_list().unwrap().iter().map(Value::type_name).collect::<Vec<_>>()
        };
        assert_eq!(types(Numbers::Float64), ["float64", "float64", "float64"]);
        assert_eq!(types(Numbers::Typed), ["int64", "float64", "uint64"]);
    }

    #[test]
    fn keys_become_text_and_documents_come_back() {
        let mut map = NodeMap::new();
        map.insert(Key::at(Scalar::Bool(true), kapstan_document::Span::NONE), "x");
        map.insert(Key::at(Scalar::Int(3.into()), kapstan_document::Span::NONE), Node::NULL);
        let value = Value::from_node(&map.into(), Numbers::Float64).unwrap();
        let mut expected = NodeMap::new();
        expected.insert("3", Node::NULL);
        expected.insert("true", "x");
        assert_eq!(value.to_node().unwrap(), expected.into());
    }

    #[test]
    fn a_map_that_contains_itself_is_refused() {
        let map = Map::new();
        map.insert("self", Value::Map(map.clone()));
        assert_eq!(Value::Map(map.clone()).to_node().unwrap_err(), TooDeep);
        map.remove("self");
    }
}
