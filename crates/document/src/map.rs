use crate::scalar::Scalar;
use crate::{Key, Node};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash};

/// An ordered mapping with Python's key rules: `1`, `1.0` and `true` are the same key, and a key that is set again keeps
/// its first place and its first spelling.
///
/// Small mappings, which nearly all are, are searched from the front; larger ones have an index of hashes.
#[derive(Clone, Debug, Default)]
pub struct Map {
    entries: Vec<(Key, Node)>,
    /// From the hash of a key to the entries that have it; empty for small mappings.
    index: FxHashMap<u64, Vec<u32>>,
}

/// Up to this many entries a search from the front is the faster one.
const SMALL: usize = 12;

impl Map {
    /// Empty.
    pub fn new() -> Self {
        Self::default()
    }

    /// Empty, with room for some entries.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { entries: Vec::with_capacity(capacity), index: FxHashMap::default() }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of a string key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.find_str(key).map(|at| &self.entries[at].1)
    }

    /// The value of a string key, to change.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.find_str(key).map(|at| &mut self.entries[at].1)
    }

    /// The value of any key.
    pub fn get_key(&self, key: &Scalar) -> Option<&Node> {
        self.find(key).map(|at| &self.entries[at].1)
    }

    /// The value of any key, to change.
    pub fn get_key_mut(&mut self, key: &Scalar) -> Option<&mut Node> {
        self.find(key).map(|at| &mut self.entries[at].1)
    }

    /// The entry of a string key: the key as written, and its value.
    pub fn get_entry(&self, key: &str) -> Option<(&Key, &Node)> {
        self.find_str(key).map(|at| (&self.entries[at].0, &self.entries[at].1))
    }

    /// Whether the string key is there.
    pub fn contains(&self, key: &str) -> bool {
        self.find_str(key).is_some()
    }

    /// The place of a key in the order.
    pub fn position(&self, key: &Scalar) -> Option<usize> {
        self.find(key)
    }

    /// The entry at a place of the order.
    pub fn at(&self, position: usize) -> Option<(&Key, &Node)> {
        self.entries.get(position).map(|(key, value)| (key, value))
    }

    /// Sets a key. A key that is there keeps its place and its spelling; its old value is returned.
    pub fn insert(&mut self, key: impl Into<Key>, value: impl Into<Node>) -> Option<Node> {
        let (key, value) = (key.into(), value.into());
        if let Some(at) = self.find(&key.scalar) {
            return Some(std::mem::replace(&mut self.entries[at].1, value));
        }
        self.push(key, value);
        None
    }

    /// Removes a string key; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<Node> {
        self.find_str(key).map(|at| self.remove_at(at).1)
    }

    /// Removes any key; the others keep their order.
    pub fn remove_key(&mut self, key: &Scalar) -> Option<Node> {
        self.find(key).map(|at| self.remove_at(at).1)
    }

    /// Keeps the entries that `keep` wants, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(&Key, &mut Node) -> bool) {
        self.entries.retain_mut(|(key, value)| keep(key, value));
        self.reindex();
    }

    /// The entries in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Key, &Node)> + DoubleEndedIterator + Clone {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// The entries in their order, values to change.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&Key, &mut Node)> {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Key> + DoubleEndedIterator + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    /// The values in their order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Node> + DoubleEndedIterator + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    fn push(&mut self, key: Key, value: Node) {
        self.entries.push((key, value));
        if self.entries.len() > SMALL {
            if self.index.is_empty() {
                self.reindex();
            } else {
                let at = self.entries.len() - 1;
                let hash = hash_of(&self.entries[at].0.scalar);
                self.index.entry(hash).or_default().push(place(at));
            }
        }
    }

    fn remove_at(&mut self, at: usize) -> (Key, Node) {
        let removed = self.entries.remove(at);
        self.reindex();
        removed
    }

    fn reindex(&mut self) {
        self.index.clear();
        if self.entries.len() > SMALL {
            for (at, (key, _)) in self.entries.iter().enumerate() {
                self.index.entry(hash_of(&key.scalar)).or_default().push(place(at));
            }
        }
    }

    fn find(&self, key: &Scalar) -> Option<usize> {
        if let Scalar::Str(text) = key {
            return self.find_str(text);
        }
        self.find_by(|| hash_of(key), |candidate| candidate == key)
    }

    fn find_str(&self, key: &str) -> Option<usize> {
        self.find_by(|| hash_of(key), |candidate| candidate.as_str() == Some(key))
    }

    fn find_by(&self, hash: impl FnOnce() -> u64, is_it: impl Fn(&Scalar) -> bool) -> Option<usize> {
        if self.index.is_empty() {
            return self.entries.iter().position(|(candidate, _)| is_it(&candidate.scalar));
        }
        let places = self.index.get(&hash())?;
        places.iter().map(|at| *at as usize).find(|at| is_it(&self.entries[*at].0.scalar))
    }
}

fn hash_of<T: Hash + ?Sized>(key: &T) -> u64 {
    FxBuildHasher.hash_one(key)
}

fn place(at: usize) -> u32 {
    u32::try_from(at).expect("a mapping of four thousand million entries does not fit into memory")
}

/// Python's equality of dictionaries: the same keys with equal values, in any order.
impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.iter().all(|(key, value)| other.get_key(&key.scalar).is_some_and(|found| found == value))
    }
}

impl<K: Into<Key>, V: Into<Node>> FromIterator<(K, V)> for Map {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(entries: T) -> Self {
        let mut map = Self::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl IntoIterator for Map {
    type Item = (Key, Node);
    type IntoIter = std::vec::IntoIter<(Key, Node)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Int, Span, Value};

    #[test]
    fn keys_follow_python_at_any_size() {
        for filler in [0, 40] {
            let mut map: Map = (0..filler)
                .map(|n| (format!("k{n}").as_str().into(), n))
                .collect::<Vec<(Key, i64)>>()
                .into_iter()
                .collect();
            let int_key = Key::at(Scalar::Int(Int::Small(1)), Span::NONE);
            map.insert(int_key, "one");
            let bool_key = Key::at(Scalar::Bool(true), Span::NONE);
            assert_eq!(map.insert(bool_key, "true"), Some(Node::from("one")));
            assert_eq!(map.len(), filler as usize + 1);
            assert!(matches!(map.at(filler as usize).unwrap().0.scalar, Scalar::Int(_)));
            assert_eq!(map.get_key(&Scalar::Float(1.0)).unwrap().value, Value::from("true"));
            assert!(map.get("1").is_none());
        }
    }

    #[test]
    fn removal_keeps_order_and_index() {
        let mut map: Map = (0..30i64).map(|n| (Key::new(n.to_string()), n)).collect();
        map.remove("3");
        map.insert("3", 99i64);
        assert_eq!(map.keys().last().unwrap().as_str(), Some("3"));
        assert_eq!(map.get("29").unwrap().value, Value::from(29i64));
        map.retain(|key, _| key.as_str() == Some("7"));
        assert_eq!(map.len(), 1);
        assert!(map.contains("7"));
    }
}
