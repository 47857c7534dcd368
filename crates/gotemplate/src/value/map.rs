use super::entries::Entries;
use super::types::{ANY_MAP, MapType};
use super::{Text, Value, drop};
use std::cell::{Ref, RefCell};
use std::rc::Rc;

/// A map with string keys, by reference: a clone is the same map.
///
/// The type belongs to the reference: `.Values` of a subchart is the map inside its parent's values seen as
/// `common.Values` ([`Map::with_type`]).
#[derive(Clone, Debug)]
pub struct Map {
    shared: Rc<Shared>,
    map_type: &'static MapType,
}

#[derive(Debug, Default)]
struct Shared {
    entries: RefCell<Entries>,
    is_nil: bool,
}

impl Default for Map {
    fn default() -> Self {
        Self::new()
    }
}

impl Map {
    /// An empty `map[string]interface {}`.
    pub fn new() -> Self {
        Self::typed(&ANY_MAP)
    }

    /// An empty map of that type.
    pub fn typed(map_type: &'static MapType) -> Self {
        Self { shared: Rc::default(), map_type }
    }

    /// A nil map of that type: empty, cannot be written to, and JSON has `null` for it.
    pub fn nil(map_type: &'static MapType) -> Self {
        Self { shared: Rc::new(Shared { entries: RefCell::default(), is_nil: true }), map_type }
    }

    /// A `map[string]interface {}` of these entries; of equal keys the last one stays.
    pub fn from_entries<K: Into<Text>>(entries: impl IntoIterator<Item = (K, Value)>) -> Self {
        Self::typed_entries(&ANY_MAP, entries)
    }

    /// A map of that type and these entries. The values have to be of its element type.
    pub fn typed_entries<K: Into<Text>>(
        map_type: &'static MapType,
        entries: impl IntoIterator<Item = (K, Value)>,
    ) -> Self {
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value)).collect();
        Self { shared: Rc::new(Shared { entries: RefCell::new(entries), is_nil: false }), map_type }
    }

    /// The same map, seen as another type of the same element type.
    #[must_use]
    pub fn with_type(&self, map_type: &'static MapType) -> Self {
        Self { shared: Rc::clone(&self.shared), map_type }
    }

    /// Its type.
    pub fn map_type(&self) -> &'static MapType {
        self.map_type
    }

    /// Whether it is a nil map.
    pub fn is_nil(&self) -> bool {
        self.shared.is_nil
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.shared.entries.borrow().len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.shared.entries.borrow().is_empty()
    }

    /// The value of a key.
    pub fn get(&self, key: impl AsRef<[u8]>) -> Option<Value> {
        self.shared.entries.borrow().get(key).cloned()
    }

    /// The value at the end of a path of keys and the map that has it, as long as all on the way are maps without methods
    /// that have their key.
    pub(crate) fn get_path(&self, path: &[Text]) -> Option<(Value, &'static MapType)> {
        let (key, rest) = path.split_first()?;
        if !self.map_type.methods.is_empty() {
            return None;
        }
        let entries = self.shared.entries.borrow();
        match entries.get(key)? {
            value if rest.is_empty() => Some((value.clone(), self.map_type)),
            Value::Map(map) => map.get_path(rest),
            _ => None,
        }
    }

    /// Whether it has the key.
    pub fn contains(&self, key: impl AsRef<[u8]>) -> bool {
        self.shared.entries.borrow().get(key).is_some()
    }

    /// Sets the value of a key, for everyone who holds this map. A nil map stays as it is; Go panics there with
    /// `assignment to entry in nil map`.
    pub fn insert(&self, key: impl Into<Text>, value: Value) {
        if self.shared.is_nil {
            return;
        }
        let before = self.shared.entries.borrow_mut().insert(key.into(), value);
        // Outside of the borrow, because an object's own drop may look at this map.
        std::mem::drop(before);
    }

    /// Takes a key out, for everyone who holds this map.
    pub fn remove(&self, key: impl AsRef<[u8]>) -> Option<Value> {
        self.shared.entries.borrow_mut().remove(key)
    }

    /// The keys, in order.
    pub fn keys(&self) -> Vec<Text> {
        self.shared.entries.borrow().keys().cloned().collect()
    }

    /// The entries of this moment, in the order of their keys: for loops whose body may change the map.
    pub fn snapshot(&self) -> Vec<(Text, Value)> {
        self.shared.entries.borrow().iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    /// The entries themselves, to look at without a copy. While this is held the map must not be changed: call nothing
    /// that could.
    pub fn entries(&self) -> Ref<'_, Entries> {
        self.shared.entries.borrow()
    }

    /// Another map of the same type with the same entries (values shared).
    #[must_use]
    pub fn shallow_copy(&self) -> Self {
        let shared = Shared { entries: RefCell::new(self.entries().clone()), is_nil: false };
        Self { shared: Rc::new(shared), map_type: self.map_type }
    }

    /// Whether both are the same map, not only equal ones.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.shared, &other.shared)
    }

    /// A number that tells this map from every other that is alive.
    pub fn address(&self) -> usize {
        Rc::as_ptr(&self.shared).addr()
    }

    /// Hands out the values that hold others, if nobody else holds the map.
    pub(super) fn take_parts(&mut self, parts: &mut Vec<Value>) {
        if Rc::strong_count(&self.shared) == 1 {
            self.shared.take_parts(parts);
        }
    }

    /// Empties the map for everyone who holds it, and hands out the values that hold others.
    pub(super) fn take_all_parts(&self, parts: &mut Vec<Value>) {
        self.shared.take_parts(parts);
    }
}

impl Shared {
    fn take_parts(&self, parts: &mut Vec<Value>) {
        self.entries.borrow_mut().take_values(drop::has_parts, parts);
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let mut parts = Vec::new();
        self.take_parts(&mut parts);
        drop::one_by_one(parts);
    }
}

#[cfg(test)]
mod tests {
    use super::super::take_apart;
    use super::*;

    #[test]
    fn maps_that_contain_themselves_are_freed_when_taken_apart() {
        let map = Map::new();
        let inner = Map::new();
        let list = Value::list(vec![Value::Map(map.clone()), Value::Map(inner.clone())]);
        inner.insert("up", Value::list(vec![list.clone(), list.clone()]));
        map.insert("list", list);
        map.insert("self", Value::Map(map.clone()));
        let weak = [Rc::downgrade(&map.shared), Rc::downgrade(&inner.shared)];
        std::mem::drop(inner);
        take_apart([Value::Map(map)]);
        assert!(weak.iter().all(|weak| weak.upgrade().is_none()));
    }

    #[test]
    fn lists_that_hold_each_other_many_times_are_taken_apart_once() {
        let map = Map::new();
        let mut list = Value::list(vec![Value::Map(map.clone())]);
        for _ in 0..100 {
            list = Value::list(vec![list.clone(), list]);
        }
        map.insert("list", list.clone());
        let weak = Rc::downgrade(&map.shared);
        std::mem::drop(map);
        take_apart([list]);
        assert!(weak.upgrade().is_none());
    }
}
