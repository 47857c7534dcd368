//! Between documents and values.

use super::{Dict, Key, List, Value};
use crate::error::{Outcome, type_error};
use crate::stack::StackLimit;
use kapstan_document::{self as document, Node, Place, Scalar, Span, Witness};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Who is told what a template reads of a document, and which part of the document this is.
#[derive(Clone)]
pub(crate) struct Watch {
    pub witness: Rc<dyn Witness>,
    pub place: Place,
}

impl Watch {
    pub(super) fn entered(&self, key: &str) -> Self {
        Self { witness: self.witness.clone(), place: self.witness.entered(self.place, key) }
    }

    pub(super) fn enumerated(&self) {
        self.witness.enumerated(self.place);
    }
}

/// The value that a document holds. Containers are shared until they are changed.
pub(crate) fn from_node(node: &Node, watch: Option<Watch>) -> Value {
    match &node.value {
        document::Value::Null => Value::None,
        document::Value::Bool(value) => Value::Bool(*value),
        document::Value::Int(value) => Value::Int(value.clone()),
        document::Value::Float(value) => Value::Float(*value),
        document::Value::Str(value) => Value::Str(value.clone()),
        document::Value::Date(value) => Value::Date(*value),
        document::Value::DateTime(value) => Value::DateTime(value.clone()),
        document::Value::Bytes(value) => Value::Bytes(value.clone()),
        document::Value::Seq(nodes) => Value::List(Rc::new(List::of_document(nodes, watch))),
        document::Value::Map(map) => Value::Dict(Rc::new(Dict::of_document(map, watch))),
        document::Value::Set(map) => Value::Set(Rc::new(Dict::of_document(map, watch))),
    }
}

/// The document that a value is. `what` says in messages who wants it. A container that is met again is shared, as the
/// object is in Python, and no two others are.
pub(crate) fn to_node(value: &Value, what: &str, stack: StackLimit) -> Outcome<Node> {
    Conversion { what, stack, made: FxHashMap::default() }.node(value)
}

struct Conversion<'c> {
    what: &'c str,
    stack: StackLimit,
    /// What containers became, by their addresses.
    made: FxHashMap<usize, Node>,
}

impl Conversion<'_> {
    fn node(&mut self, value: &Value) -> Outcome<Node> {
        let address = match value {
            Value::Tuple(tuple) => Rc::as_ptr(tuple).addr(),
            Value::List(list) => Rc::as_ptr(list).addr(),
            Value::Dict(dict) | Value::Set(dict) => Rc::as_ptr(dict).addr(),
            _ => return self.made_of(value),
        };
        if let Some(node) = self.made.get(&address) {
            return Ok(node.clone());
        }
        let node = self.made_of(value)?;
        self.made.insert(address, node.clone());
        Ok(node)
    }

    fn made_of(&mut self, value: &Value) -> Outcome<Node> {
        let what = self.what;
        self.stack.check()?;
        let made: document::Value = match value {
            Value::None => document::Value::Null,
            Value::Bool(value) => document::Value::Bool(*value),
            Value::Int(value) => document::Value::Int(value.clone()),
            Value::Float(value) => document::Value::Float(*value),
            Value::Date(value) => document::Value::Date(*value),
            Value::DateTime(value) => document::Value::DateTime(value.clone()),
            Value::Bytes(value) => document::Value::Bytes(value.clone()),
            Value::Tuple(tuple) => self.seq(&tuple.items)?,
            Value::List(list) => self.seq(&list.items())?,
            Value::Dict(dict) => document::Value::Map(Arc::new(self.map(dict)?)),
            Value::Set(dict) => document::Value::Set(Arc::new(self.map(dict)?)),
            Value::Undefined(_) | Value::Range(_) | Value::Object(_) | Value::Markup(_) if what == "yaml" => {
                let shown = crate::print::repr(value)?;
                return crate::error::value_error(format!("('cannot represent an object', {shown})"));
            }
            Value::Str(value) | Value::Markup(value) => document::Value::Str(value.clone()),
            Value::Undefined(undefined) => return undefined.fail(),
            Value::Range(_) | Value::Object(_) => {
                return type_error(format!("cannot {what} a value of type {}", value.type_name()));
            }
        };
        Ok(Node::new(made, Span::NONE))
    }

    fn seq(&mut self, items: &[Value]) -> Outcome<document::Value> {
        let nodes = items.iter().map(|item| self.node(item)).collect::<Outcome<Vec<_>>>()?;
        Ok(document::Value::Seq(Arc::new(nodes)))
    }

    fn map(&mut self, dict: &Dict) -> Outcome<document::Map> {
        let what = self.what;
        let entries = dict.entries()?;
        let mut map = document::Map::with_capacity(entries.len());
        for (key, (name, value)) in entries.iter() {
            let scalar = match (key, name) {
                (_, Value::Bool(value)) => Scalar::Bool(*value),
                (_, Value::Float(value)) => Scalar::Float(*value),
                (Key::Str(text), _) => Scalar::Str(text.clone()),
                (Key::None, _) => Scalar::Null,
                (Key::Int(value), _) => Scalar::Int(value.clone()),
                (Key::Float(bits), _) => Scalar::Float(f64::from_bits(*bits)),
                (Key::Bytes(bytes), _) => Scalar::Bytes(bytes.clone()),
                (Key::Date(date), _) => Scalar::Date(*date),
                (Key::DateTime(time), _) => Scalar::DateTime(time.clone()),
                (Key::Tuple(_) | Key::Range(..) | Key::Identity(_), _) => {
                    return type_error(format!("cannot {what} a key of type {}", name.type_name()));
                }
            };
            map.insert(document::Key::at(scalar, Span::NONE), self.node(value)?);
        }
        Ok(map)
    }
}
