use super::{Activation, Iter, Run};
use crate::error::{Outcome, type_error};
use crate::program::RecursiveFor;
use crate::value::{Undefined, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// The function that a recursive loop is, and where it is defined.
#[derive(Clone)]
pub(crate) struct Recursion {
    pub code: Arc<RecursiveFor>,
    pub scope: Rc<Activation>,
}

/// `loop`: the state of a loop that looks at it. As in Jinja2, looking ahead takes an item early.
pub(crate) struct Loop {
    items: RefCell<Iter>,
    length: Cell<Option<usize>>,
    /// How many items were taken.
    taken: Cell<usize>,
    after: RefCell<Option<Value>>,
    current: RefCell<Option<Value>>,
    before: RefCell<Option<Value>>,
    last_changed: RefCell<Option<Value>>,
    pub recursion: Option<Recursion>,
    pub depth: usize,
}

impl Loop {
    pub(crate) fn new(items: Iter, recursion: Option<Recursion>, depth: usize) -> Self {
        Self {
            items: RefCell::new(items),
            length: Cell::new(None),
            taken: Cell::new(0),
            after: RefCell::default(),
            current: RefCell::default(),
            before: RefCell::default(),
            last_changed: RefCell::default(),
            recursion,
            depth,
        }
    }

    pub(crate) fn take_parts(&mut self) -> Vec<Value> {
        [&mut self.after, &mut self.current, &mut self.before, &mut self.last_changed]
            .into_iter()
            .filter_map(|part| part.get_mut().take())
            .collect()
    }

    /// Goes to the next item.
    pub(crate) fn next(&self, run: &Run) -> Outcome<Option<Value>> {
        let ahead = self.after.take();
        let next = match ahead {
            Some(value) => Some(value),
            None => self.items.borrow_mut().next(run)?,
        };
        let Some(value) = next else { return Ok(None) };
        self.taken.set(self.taken.get() + 1);
        *self.before.borrow_mut() = self.current.replace(Some(value.clone()));
        Ok(Some(value))
    }

    /// From 1.
    pub(crate) fn index(&self) -> usize {
        self.taken.get()
    }

    /// The length if it is known without taking items.
    pub(crate) fn known_length(&self) -> usize {
        self.length.get().unwrap_or_else(|| match self.items.borrow().source() {
            Value::List(list) => list.len(),
            Value::Tuple(tuple) => tuple.items.len(),
            Value::Dict(dict) | Value::Set(dict) => dict.len(),
            Value::Range(range) => range.len(),
            Value::Str(text) | Value::Markup(text) => crate::text::length(text),
            _ => self.taken.get() + usize::from(self.after.borrow().is_some()),
        })
    }

    /// How many items there are. What cannot tell is taken to its end.
    pub(crate) fn length(&self, run: &Run) -> Outcome<usize> {
        if let Some(length) = self.length.get() {
            return Ok(length);
        }
        let source = self.items.borrow().source().clone();
        let length = match run.length(&source) {
            Ok(length) => length,
            Err(error) if error.class == crate::error::Class::Type => {
                let mut rest = Vec::new();
                let mut items = self.items.borrow_mut();
                while let Some(item) = items.next(run)? {
                    rest.push(item);
                }
                let length = rest.len() + self.index() + usize::from(self.after.borrow().is_some());
                *items = run.iterate(&Value::list(rest))?;
                length
            }
            Err(error) => return Err(error),
        };
        self.length.set(Some(length));
        Ok(length)
    }

    fn peek(&self, run: &Run) -> Outcome<Option<Value>> {
        if self.after.borrow().is_none() {
            let next = self.items.borrow_mut().next(run)?;
            *self.after.borrow_mut() = next;
        }
        Ok(self.after.borrow().clone())
    }

    /// An attribute that is not a method.
    pub(crate) fn attribute(&self, run: &Run, name: &str) -> Outcome<Option<Value>> {
        let index = self.index();
        let signed = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
        Ok(Some(match name {
            "index" => Value::size(index),
            "index0" => Value::int(signed(index) - 1),
            "revindex" => Value::int(signed(self.length(run)?) - (signed(index) - 1)),
            "revindex0" => Value::int(signed(self.length(run)?) - signed(index)),
            "first" => Value::Bool(index == 1),
            "last" => Value::Bool(self.peek(run)?.is_none()),
            "length" => Value::size(self.length(run)?),
            "depth" => Value::size(self.depth + 1),
            "depth0" => Value::size(self.depth),
            "previtem" => match self.before.borrow().clone() {
                Some(value) if index != 1 => value,
                _ => Undefined::because("there is no previous item"),
            },
            "nextitem" => self.peek(run)?.unwrap_or_else(|| Undefined::because("there is no next item")),
            _ => return Ok(None),
        }))
    }

    /// `loop.cycle(...)`.
    pub(crate) fn cycle(&self, items: &[Value]) -> Outcome<Value> {
        if items.is_empty() {
            return type_error("no items for cycling given");
        }
        Ok(items[(self.index().max(1) - 1) % items.len()].clone())
    }

    /// `loop.changed(...)`.
    pub(crate) fn changed(&self, run: &Run, items: &[Value]) -> Outcome<Value> {
        let value = Value::tuple(items.to_vec());
        let before = self.last_changed.borrow().clone();
        if let Some(before) = before
            && crate::ops::equal(run, &before, &value)?
        {
            return Ok(Value::Bool(false));
        }
        *self.last_changed.borrow_mut() = Some(value);
        Ok(Value::Bool(true))
    }
}
