//! Between documents and values.

use super::{Dict, Key, List, Value};
use crate::error::{Outcome, type_error};
use crate::stack::StackLimit;
use kapstan_document::{self as document, Node, Place, Scalar, Span, Witness};
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

/// The document that a value is. `what` says in messages who wants it.
pub(crate) fn to_node(value: &Value, what: &str, stack: StackLimit) -> Outcome<Node> {
    stack.check()?;
    let made: document::Value = match value {
        Value::None => document::Value::Null,
        Value::Bool(value) => document::Value::Bool(*value),
        Value::Int(value) => document::Value::Int(value.clone()),
        Value::Float(value) => document::Value::Float(*value),
        Value::Date(value) => document::Value::Date(*value),
        Value::DateTime(value) => document::Value::DateTime(value.clone()),
        Value::Bytes(value) => document::Value::Bytes(value.clone()),
        Value::Tuple(tuple) => seq(&tuple.items, what, stack)?,
        Value::List(list) => seq(&list.items(), what, stack)?,
        Value::Dict(dict) => document::Value::Map(Arc::new(map(dict, what, stack)?)),
        Value::Set(dict) => document::Value::Set(Arc::new(map(dict, what, stack)?)),
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

fn seq(items: &[Value], what: &str, stack: StackLimit) -> Outcome<document::Value> {
    let nodes = items.iter().map(|item| to_node(item, what, stack)).collect::<Outcome<Vec<_>>>()?;
    Ok(document::Value::Seq(Arc::new(nodes)))
}

fn map(dict: &Dict, what: &str, stack: StackLimit) -> Outcome<document::Map> {
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
        map.insert(document::Key::at(scalar, Span::NONE), to_node(value, what, stack)?);
    }
    Ok(map)
}
