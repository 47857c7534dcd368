use crate::write_error::{MAX_DEPTH, WriteError};
use crate::{Map, Node, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Removes null, `{}` and `[]` from the mappings and sequences of a value, as Kapitan's `prune: true` does: in one pass,
/// so that a container which only becomes empty by that stays. `""`, `0`, `false` and empty sets stay.
///
/// A value that is itself empty becomes null. Parts that do not change are shared with the original. Fails for more
/// than 1000 containers inside each other.
pub fn prune(node: &Node) -> Result<Node, WriteError> {
    let pruned = Pruner::default().prune(node, 0)?;
    Ok(pruned.unwrap_or(Node { value: Value::Null, span: node.span }))
}

/// Remembers what became of the containers that are shared, so that each is gone through once.
#[derive(Default)]
struct Pruner {
    done: FxHashMap<usize, Option<Value>>,
}

impl Pruner {
    fn prune(&mut self, node: &Node, depth: usize) -> Result<Option<Node>, WriteError> {
        let shared = match &node.value {
            Value::Null => return Ok(None),
            Value::Seq(items) => (Arc::strong_count(items) > 1).then(|| Arc::as_ptr(items).addr()),
            Value::Map(map) => (Arc::strong_count(map) > 1).then(|| Arc::as_ptr(map).addr()),
            _ => return Ok(Some(node.clone())),
        };
        if let Some(done) = shared.and_then(|address| self.done.get(&address)) {
            return Ok(done.clone().map(|value| Node { value, span: node.span }));
        }
        if depth == MAX_DEPTH {
            return Err(WriteError::too_deep(node.span));
        }
        let value = match &node.value {
            Value::Seq(items) => self.prune_items(items, depth)?.map(Value::Seq),
            Value::Map(map) => self.prune_entries(map, depth)?.map(Value::Map),
            _ => None,
        };
        if let Some(address) = shared {
            self.done.insert(address, value.clone());
        }
        Ok(value.map(|value| Node { value, span: node.span }))
    }

    fn prune_items(
        &mut self,
        items: &Arc<Vec<Node>>,
        depth: usize,
    ) -> Result<Option<Arc<Vec<Node>>>, WriteError> {
        if items.is_empty() {
            return Ok(None);
        }
        let mut kept = Vec::with_capacity(items.len());
        let mut changed = false;
        for item in items.iter() {
            let pruned = self.prune(item, depth + 1)?;
            changed |= !pruned.as_ref().is_some_and(|pruned| is_same(&item.value, &pruned.value));
            kept.extend(pruned);
        }
        Ok(Some(if changed { Arc::new(kept) } else { Arc::clone(items) }))
    }

    fn prune_entries(&mut self, map: &Arc<Map>, depth: usize) -> Result<Option<Arc<Map>>, WriteError> {
        if map.is_empty() {
            return Ok(None);
        }
        let mut kept = Map::with_capacity(map.len());
        let mut changed = false;
        for (key, value) in map.iter() {
            let pruned = self.prune(value, depth + 1)?;
            changed |= !pruned.as_ref().is_some_and(|pruned| is_same(&value.value, &pruned.value));
            if let Some(pruned) = pruned {
                kept.insert(key.clone(), pruned);
            }
        }
        Ok(Some(if changed { Arc::new(kept) } else { Arc::clone(map) }))
    }
}

/// Whether nothing was taken from a value: a container that is not the same object was changed.
fn is_same(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Seq(before), Value::Seq(after)) => Arc::ptr_eq(before, after),
        (Value::Map(before), Value::Map(after)) => Arc::ptr_eq(before, after),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map<const N: usize>(entries: [(&str, Node); N]) -> Node {
        entries.into_iter().collect::<Map>().into()
    }

    fn seq(items: Vec<Node>) -> Node {
        items.into()
    }

    #[test]
    fn only_what_is_empty_in_the_input_goes() {
        let empty = || map([]);
        let input = map([
            ("a", Node::NULL),
            ("b", empty()),
            ("c", seq(vec![])),
            ("d", "".into()),
            ("e", 0i64.into()),
            ("f", false.into()),
            ("g", map([("i", map([("j", Node::NULL)]))])),
            ("h", seq(vec![Node::NULL, seq(vec![]), seq(vec![empty()]), 1i64.into()])),
            ("k", seq(vec![Node::NULL])),
        ]);
        let expected = map([
            ("d", "".into()),
            ("e", 0i64.into()),
            ("f", false.into()),
            ("g", map([("i", empty())])),
            ("h", seq(vec![seq(vec![]), 1i64.into()])),
            ("k", seq(vec![])),
        ]);
        assert_eq!(prune(&input).unwrap(), expected);
        assert!(prune(&empty()).unwrap().is_null());
        assert!(prune(&seq(vec![])).unwrap().is_null());
        assert_eq!(prune(&"".into()).unwrap(), Node::from(""));
    }

    #[test]
    fn what_does_not_change_is_shared() {
        let kept = map([("x", 1i64.into())]);
        let input = map([("a", kept.clone()), ("b", map([("y", Node::NULL)]))]);
        let pruned = prune(&input).unwrap();
        assert!(is_same(&pruned.get("a").unwrap().value, &kept.value));
        assert_eq!(pruned.get("b").unwrap(), &map([]));
    }

    #[test]
    fn shared_parts_that_multiply_are_gone_through_once() {
        let bomb =
            (0..60).fold(seq(vec![Node::NULL, 1i64.into()]), |inner, _| seq(vec![inner.clone(), inner]));
        let pruned = prune(&bomb).unwrap();
        let mut inner = &pruned;
        while let Some([first, _]) = inner.as_seq() {
            inner = first;
        }
        assert_eq!(inner, &seq(vec![1i64.into()]));
    }
}
