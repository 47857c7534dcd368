use super::Run;
use crate::error::{Class, Outcome, RenderError, raise, type_error};
use crate::value::{Object, Value, ViewKind};

/// Goes through a value, item by item.
#[derive(Clone)]
pub(crate) struct Iter {
    source: Value,
    at: usize,
    /// How many entries a dict had at the start.
    length: usize,
}

impl Iter {
    /// The value that is gone through.
    pub(crate) fn source(&self) -> &Value {
        &self.source
    }

    pub(super) fn into_source(self) -> Value {
        self.source
    }

    /// The next item.
    pub(crate) fn next(&mut self, run: &Run) -> Outcome<Option<Value>> {
        run.spend(1)?;
        let at = self.at;
        self.at += 1;
        Ok(match &self.source {
            Value::List(list) => list.items().get(at).cloned(),
            Value::Tuple(tuple) => tuple.items.get(at).cloned(),
            Value::Range(range) => range.at(at).map(Value::int),
            Value::Str(text) | Value::Markup(text) => {
                let Some(c) = text[at..].chars().next() else {
                    self.at = at;
                    return Ok(None);
                };
                self.at = at + c.len_utf8();
                let part: kapstan_document::Text = c.encode_utf8(&mut [0; 4]).into();
                Some(Value::Str(part))
            }
            Value::Bytes(bytes) => bytes.get(at).map(|byte| Value::int(i64::from(*byte))),
            Value::Dict(dict) | Value::Set(dict) => {
                if dict.len() != self.length {
                    let kind = if matches!(self.source, Value::Set(_)) { "Set" } else { "dictionary" };
                    return raise(Class::Runtime, format!("{kind} changed size during iteration"));
                }
                dict.key_at(at)?
            }
            Value::Object(object) => match &**object {
                Object::View(view) => {
                    if view.dict.len() != self.length {
                        return raise(Class::Runtime, "dictionary changed size during iteration");
                    }
                    if view.kind == ViewKind::Keys {
                        return view.dict.key_at(at);
                    }
                    let entries = view.dict.entries()?;
                    entries.get_index(at).map(|(_, (key, value))| match view.kind {
                        ViewKind::Values => value.clone(),
                        _ => Value::tuple(vec![key.clone(), value.clone()]),
                    })
                }
                Object::Generator(generator) => match generator.try_borrow_mut() {
                    Ok(mut generator) => return generator.next(run),
                    Err(_) => return raise(Class::Value, "generator already executing"),
                },
                Object::Cycler { items, at } => {
                    let item = items.get(at.get()).cloned();
                    at.set((at.get() + 1) % items.len().max(1));
                    item
                }
                Object::Loop(state) => {
                    state.next(run)?.map(|item| Value::tuple(vec![item, self.source.clone()]))
                }
                _ => None,
            },
            _ => None,
        })
    }
}

/// How Python says that something cannot be gone through.
pub(crate) fn not_iterable(value: &Value) -> Box<RenderError> {
    RenderError::new(Class::Type, format!("'{}' object is not iterable", value.type_name()))
}

impl Run<'_> {
    /// Begins to go through a value. Fails for what has no items.
    pub(crate) fn iterate(&self, value: &Value) -> Outcome<Iter> {
        let length = match value {
            Value::Dict(dict) | Value::Set(dict) => dict.len(),
            Value::List(_)
            | Value::Tuple(_)
            | Value::Range(_)
            | Value::Str(_)
            | Value::Markup(_)
            | Value::Bytes(_) => 0,
            Value::Undefined(undefined) => {
                undefined.check()?;
                0
            }
            Value::Object(object) => match &**object {
                Object::View(view) => view.dict.len(),
                Object::Generator(_) | Object::Loop(_) => 0,
                _ => return Err(not_iterable(value)),
            },
            _ => return Err(not_iterable(value)),
        };
        Ok(Iter { source: value.clone(), at: 0, length })
    }

    /// All items of a value.
    pub(crate) fn items(&self, value: &Value) -> Outcome<Vec<Value>> {
        match value {
            Value::List(list) => {
                self.spend_items(list.len())?;
                return Ok(list.items().clone());
            }
            Value::Tuple(tuple) => {
                self.spend_items(tuple.items.len())?;
                return Ok(tuple.items.clone());
            }
            _ => {}
        }
        let mut iter = self.iterate(value)?;
        let mut items = Vec::new();
        while let Some(item) = iter.next(self)? {
            items.push(item);
            self.fits(items.len())?;
        }
        Ok(items)
    }

    /// `len(value)`.
    pub(crate) fn length(&self, value: &Value) -> Outcome<usize> {
        Ok(match value {
            Value::Str(text) | Value::Markup(text) => crate::text::length(text),
            Value::Bytes(bytes) => bytes.len(),
            Value::List(list) => list.len(),
            Value::Tuple(tuple) => tuple.items.len(),
            Value::Dict(dict) | Value::Set(dict) => dict.len(),
            Value::Range(range) => range.len(),
            Value::Undefined(undefined) => {
                undefined.check()?;
                0
            }
            Value::Object(object) => match &**object {
                Object::View(view) => view.dict.len(),
                Object::Loop(state) => state.length(self)?,
                _ => return no_length(value),
            },
            _ => return no_length(value),
        })
    }
}

fn no_length<T>(value: &Value) -> Outcome<T> {
    type_error(format!("object of type '{}' has no len()", value.type_name()))
}
