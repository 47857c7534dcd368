use super::{Text, Value};
use std::collections::{BTreeMap, btree_map};
use std::slice;

/// What a map holds, in the order of its keys, which is the order in which Go's templates and `fmt` show it.
#[derive(Clone, Debug)]
pub struct Entries(Kept);

/// Nearly all maps of charts are small, and there are many of them: those are sorted lists. A large one is a tree, so that
/// a template which fills it takes time linear in what it sets.
#[derive(Clone, Debug)]
enum Kept {
    Few(Vec<(Text, Value)>),
    Many(BTreeMap<Text, Value>),
}

/// The most entries that a list has.
const FEW: usize = 32;

impl Default for Entries {
    fn default() -> Self {
        Self(Kept::Few(Vec::new()))
    }
}

impl Entries {
    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::Few(list) => list.len(),
            Kept::Many(tree) => tree.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a key.
    pub fn get(&self, key: impl AsRef<[u8]>) -> Option<&Value> {
        let key = key.as_ref();
        match &self.0 {
            // Lengths differ more often than not, and are at hand where the bytes are not.
            Kept::Few(list) => list.iter().find(|(other, _)| **other == *key).map(|(_, value)| value),
            Kept::Many(tree) => tree.get(key),
        }
    }

    /// Sets the value of a key, and gives the one it had.
    pub fn insert(&mut self, key: Text, value: Value) -> Option<Value> {
        match &mut self.0 {
            Kept::Few(list) => match list.binary_search_by(|(other, _)| other.cmp(&key)) {
                Ok(at) => Some(std::mem::replace(&mut list[at].1, value)),
                Err(at) if list.len() < FEW => {
                    list.insert(at, (key, value));
                    None
                }
                Err(_) => {
                    let mut tree: BTreeMap<_, _> = std::mem::take(list).into_iter().collect();
                    tree.insert(key, value);
                    self.0 = Kept::Many(tree);
                    None
                }
            },
            Kept::Many(tree) => tree.insert(key, value),
        }
    }

    /// Takes a key out, and gives its value.
    pub fn remove(&mut self, key: impl AsRef<[u8]>) -> Option<Value> {
        let key = key.as_ref();
        match &mut self.0 {
            Kept::Few(list) => {
                let at = list.iter().position(|(other, _)| **other == *key)?;
                Some(list.remove(at).1)
            }
            Kept::Many(tree) => tree.remove(key),
        }
    }

    /// The entries, by key.
    pub fn iter(&self) -> Iter<'_> {
        match &self.0 {
            Kept::Few(list) => Iter::Few(list.iter()),
            Kept::Many(tree) => Iter::Many(tree.iter()),
        }
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &Text> {
        self.iter().map(|(key, _)| key)
    }

    /// Hands out the values of which that is true.
    pub(super) fn take_values(&mut self, is_wanted: fn(&Value) -> bool, values: &mut Vec<Value>) {
        match std::mem::take(self).0 {
            Kept::Few(list) => {
                values.extend(list.into_iter().map(|(_, value)| value).filter(is_wanted));
            }
            Kept::Many(tree) => values.extend(tree.into_values().filter(is_wanted)),
        }
    }
}

/// Of equal keys the last one stays.
impl FromIterator<(Text, Value)> for Entries {
    fn from_iter<T: IntoIterator<Item = (Text, Value)>>(entries: T) -> Self {
        let mut list: Vec<_> = entries.into_iter().collect();
        if list.len() > FEW {
            return Self(Kept::Many(list.into_iter().collect()));
        }
        if !list.is_sorted_by(|(key, _), (next, _)| key < next) {
            list.sort_by(|(key, _), (other, _)| key.cmp(other));
            list.dedup_by(|later, earlier| {
                let is_same = later.0 == earlier.0;
                if is_same {
                    std::mem::swap(later, earlier);
                }
                is_same
            });
        }
        Self(Kept::Few(list))
    }
}

impl<'e> IntoIterator for &'e Entries {
    type Item = (&'e Text, &'e Value);
    type IntoIter = Iter<'e>;

    fn into_iter(self) -> Iter<'e> {
        self.iter()
    }
}

/// The entries of a map, by key.
#[derive(Clone, Debug)]
pub enum Iter<'e> {
    #[doc(hidden)]
    Few(slice::Iter<'e, (Text, Value)>),
    #[doc(hidden)]
    Many(btree_map::Iter<'e, Text, Value>),
}

impl<'e> Iterator for Iter<'e> {
    type Item = (&'e Text, &'e Value);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Few(list) => list.next().map(|(key, value)| (key, value)),
            Self::Many(tree) => tree.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Few(list) => list.size_hint(),
            Self::Many(tree) => tree.size_hint(),
        }
    }
}

impl ExactSizeIterator for Iter<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(entries: &Entries) -> String {
        entries.iter().map(|(key, value)| format!("{key}={} ", value.as_int())).collect()
    }

    impl Value {
        fn as_int(&self) -> i64 {
            if let Self::Int(value) = self { *value } else { panic!("no integer") }
        }
    }

    #[test]
    fn of_equal_keys_the_last_stays() {
        let entries = [("b", 1), ("a", 2), ("b", 3), ("a", 4), ("b", 5)];
        let entries = entries.map(|(key, value)| (Text::from(key), Value::Int(value)));
        assert_eq!(shown(&entries.into_iter().collect()), "a=4 b=5 ");
    }

    #[test]
    fn small_and_large_ones_answer_alike() {
        for count in [1, FEW - 1, FEW, FEW + 1, 5 * FEW] {
            let mut entries = Entries::default();
            let mut model = BTreeMap::new();
            // A step that shares no factor with the count visits every key.
            for step in 0..3 * count {
                let key = format!("{:03}", step * 7 % count);
                let value = i64::try_from(step).expect("few steps");
                let before = entries.insert(key.as_str().into(), Value::Int(value));
                assert_eq!(before.map(|value| value.as_int()), model.insert(key.clone(), value));
                if step % 5 == 0 {
                    let gone = entries.remove(&key);
                    assert_eq!(gone.map(|value| value.as_int()), model.remove(&key));
                    assert!(entries.get(&key).is_none());
                }
            }
            let expected: String = model.iter().map(|(key, value)| format!("{key}={value} ")).collect();
            assert_eq!(shown(&entries), expected, "{count}");
            let again: Entries = entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            assert_eq!(shown(&again), expected, "{count}");
            assert_eq!(entries.len(), model.len());
            for (key, value) in &model {
                assert_eq!(entries.get(key).map(Value::as_int), Some(*value));
            }
        }
    }
}
