use super::key::StrKey;
use super::{Key, Value, Watch, from_node};
use crate::environment::Mapping;
use crate::error::{Class, Outcome, RenderError};
use indexmap::IndexMap;
use kapstan_document::{Map, Scalar, Text};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::{Cell, Ref, RefCell, RefMut};
use std::rc::Rc;
use std::sync::Arc;

/// The entries of a dict: by key, the key as written and the value.
pub(crate) type Entries = IndexMap<Key, (Value, Value), FxBuildHasher>;

/// A dict that can change. One from a document or from the host answers look-ups without being copied; it is taken over
/// when it is changed or read as a whole.
pub(crate) struct Dict {
    state: RefCell<State>,
    /// Set when the state is `Entries`, which it then remains.
    is_own: Cell<bool>,
}

enum State {
    Document {
        map: Arc<Map>,
        watch: Option<Watch>,
        /// Containers that were given out already.
        known: FxHashMap<usize, Value>,
    },
    Host {
        mapping: Rc<dyn Mapping>,
        known: FxHashMap<Text, Value>,
    },
    Entries(Entries),
}

impl Dict {
    pub(crate) fn new(entries: Entries) -> Self {
        Self { state: RefCell::new(State::Entries(entries)), is_own: Cell::new(true) }
    }

    pub(super) fn of_document(map: &Arc<Map>, watch: Option<Watch>) -> Self {
        let state = State::Document { map: map.clone(), watch, known: FxHashMap::default() };
        Self { state: RefCell::new(state), is_own: Cell::new(false) }
    }

    pub(crate) fn of_host(mapping: Rc<dyn Mapping>) -> Self {
        let state = State::Host { mapping, known: FxHashMap::default() };
        Self { state: RefCell::new(state), is_own: Cell::new(false) }
    }

    /// The value of a string key.
    pub(crate) fn get_str(&self, name: &str) -> Outcome<Option<Value>> {
        match &mut *self.state.borrow_mut() {
            State::Entries(entries) => Ok(entries.get(&StrKey(name)).map(|entry| entry.1.clone())),
            State::Document { map, watch, known } => {
                let watch = watch.as_ref().map(|watch| watch.entered(name));
                Ok(look_up(map, &Scalar::Str(name.into()), watch, known))
            }
            State::Host { mapping, known } => {
                if let Some(value) = known.get(name) {
                    return Ok(Some(value.clone()));
                }
                let found = mapping.get(name).map_err(host_error)?;
                let value = found.map(|entry| entry.into_value());
                if let Some(value) = &value {
                    known.insert(name.into(), value.clone());
                }
                Ok(value)
            }
        }
    }

    /// The value of any key. Fails for what cannot be a key.
    pub(crate) fn get(&self, key: &Value) -> Outcome<Option<Value>> {
        if let Some(text) = key.as_str() {
            return self.get_str(text);
        }
        let key = Key::of(key)?;
        if !self.is_own.get() {
            if matches!(&*self.state.borrow(), State::Host { .. }) {
                return Ok(None);
            }
            self.take_over()?;
        }
        Ok(self.borrow().get(&key).map(|entry| entry.1.clone()))
    }

    pub(crate) fn contains(&self, key: &Value) -> Outcome<bool> {
        if let (State::Host { mapping, .. }, Some(name)) = (&*self.state.borrow(), key.as_str()) {
            return Ok(mapping.keys().iter().any(|key| key == name));
        }
        Ok(self.get(key)?.is_some())
    }

    pub(crate) fn len(&self) -> usize {
        match &*self.state.borrow() {
            State::Entries(entries) => entries.len(),
            State::Document { map, watch, .. } => {
                if let Some(watch) = watch {
                    watch.enumerated();
                }
                map.len()
            }
            State::Host { mapping, .. } => mapping.keys().len(),
        }
    }

    /// The key at a place of the order.
    pub(crate) fn key_at(&self, index: usize) -> Outcome<Option<Value>> {
        if let State::Host { mapping, .. } = &*self.state.borrow() {
            return Ok(mapping.keys().get(index).map(|key| Value::Str(key.clone())));
        }
        Ok(self.entries()?.get_index(index).map(|(_, entry)| entry.0.clone()))
    }

    fn take_over(&self) -> Outcome<()> {
        if self.is_own.get() {
            return Ok(());
        }
        let host_keys = match &*self.state.borrow() {
            State::Host { mapping, .. } => mapping.keys(),
            _ => Vec::new(),
        };
        let mut entries = Entries::default();
        for key in host_keys {
            let value = self.get_str(&key)?.unwrap_or(Value::None);
            entries.insert(Key::Str(key.clone()), (Value::Str(key), value));
        }
        let mut state = self.state.borrow_mut();
        if let State::Document { map, watch, known } = &mut *state {
            if let Some(watch) = watch {
                watch.enumerated();
            }
            entries.reserve(map.len());
            for (at, (key, node)) in map.iter().enumerate() {
                let name = kapstan_document::Node::from(kapstan_document::Value::from(key.scalar.clone()));
                let name = from_node(&name, None);
                let value = known.remove(&at).unwrap_or_else(|| {
                    let watch = watch.as_ref().map(|watch| match key.as_str() {
                        Some(name) => watch.entered(name),
                        None => watch.entered(""),
                    });
                    from_node(node, watch)
                });
                entries.insert(Key::of(&name)?, (name, value));
            }
        }
        *state = State::Entries(entries);
        self.is_own.set(true);
        Ok(())
    }

    fn borrow(&self) -> Ref<'_, Entries> {
        Ref::map(self.state.borrow(), |state| match state {
            State::Entries(entries) => entries,
            _ => unreachable!("the dict was just taken over"),
        })
    }

    /// All entries. Nothing may change the dict while they are held.
    pub(crate) fn entries(&self) -> Outcome<Ref<'_, Entries>> {
        self.take_over()?;
        Ok(self.borrow())
    }

    /// All entries, to change.
    pub(crate) fn entries_mut(&self) -> Outcome<RefMut<'_, Entries>> {
        self.take_over()?;
        Ok(RefMut::map(self.state.borrow_mut(), |state| match state {
            State::Entries(entries) => entries,
            _ => unreachable!("the dict was just taken over"),
        }))
    }

    /// Sets a key; one that is there keeps its place and its spelling.
    pub(crate) fn insert(&self, key: Value, value: Value) -> Outcome<()> {
        insert(&mut *self.entries_mut()?, key, value)
    }

    /// A list of pairs that nothing holds on to.
    pub(crate) fn pairs(&self) -> Outcome<Vec<(Value, Value)>> {
        Ok(self.entries()?.values().cloned().collect())
    }
}

/// Sets a key; one that is there keeps its place and its spelling.
pub(crate) fn insert(entries: &mut Entries, key: Value, value: Value) -> Outcome<()> {
    match entries.entry(Key::of(&key)?) {
        indexmap::map::Entry::Occupied(mut entry) => entry.get_mut().1 = value,
        indexmap::map::Entry::Vacant(entry) => {
            entry.insert((key, value));
        }
    }
    Ok(())
}

fn look_up(
    map: &Map,
    key: &Scalar,
    watch: Option<Watch>,
    known: &mut FxHashMap<usize, Value>,
) -> Option<Value> {
    let at = map.position(key)?;
    if let Some(value) = known.get(&at) {
        return Some(value.clone());
    }
    let value = from_node(map.at(at)?.1, watch);
    if matches!(value, Value::List(_) | Value::Dict(_) | Value::Set(_)) {
        known.insert(at, value.clone());
    }
    Some(value)
}

fn host_error(message: String) -> Box<RenderError> {
    RenderError::new(Class::Compile, message)
}

impl Drop for Dict {
    fn drop(&mut self) {
        if let State::Entries(entries) = self.state.get_mut() {
            super::defer(std::mem::take(entries).into_values().map(|(_, value)| value));
        }
    }
}
