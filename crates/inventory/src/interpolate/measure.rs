use super::Interpolation;
use crate::path::{Step, join};
use crate::problem;
use crate::store::MAX_DEPTH;
use crate::tree::Tree;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Node, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How deep and how large shared values are, each measured once: references to references can make a small inventory
/// denote an enormous value.
#[derive(Default)]
pub(super) struct Measure {
    /// By address; the node keeps the address taken.
    known: FxHashMap<usize, (Node, Extent)>,
}

#[derive(Clone, Copy, Default)]
struct Extent {
    depth: usize,
    count: usize,
}

/// So many values may come out of one reference, and so many bytes out of one string.
const MAX_COUNT: usize = 1_000_000;
pub(super) const MAX_BYTES: usize = 4 << 20;

impl Interpolation<'_> {
    /// Refuses a rendered value that is too deep or too large for its place.
    pub(super) fn check(&mut self, value: &Tree, path: &[Step]) -> Result<(), Diagnostic> {
        let extent = self.measure.tree(value);
        if path.len() + extent.depth > MAX_DEPTH {
            return Err(problem::too_deep(&join(path, &self.rules.syntax), value.span()));
        }
        if extent.count > MAX_COUNT { Err(problem::too_large(value.span())) } else { Ok(()) }
    }
}

impl Measure {
    fn tree(&mut self, tree: &Tree) -> Extent {
        match tree {
            Tree::Plain(node) => self.node(node),
            Tree::Dict(dict) => {
                let parts: Vec<Extent> = dict.entries().iter().map(|(_, value)| self.tree(value)).collect();
                around(parts)
            }
            Tree::List(list) => {
                let parts: Vec<Extent> = list.items.iter().map(|item| self.tree(item)).collect();
                around(parts)
            }
            Tree::Template(_) | Tree::Marked(_) | Tree::Layers(_) => Extent { depth: 0, count: 1 },
        }
    }

    fn node(&mut self, node: &Node) -> Extent {
        let address = match &node.value {
            Value::Map(map) | Value::Set(map) => Arc::as_ptr(map) as usize,
            Value::Seq(items) => Arc::as_ptr(items) as usize,
            _ => return Extent { depth: 0, count: 1 },
        };
        if let Some((_, extent)) = self.known.get(&address) {
            return *extent;
        }
        let extent = match &node.value {
            Value::Map(map) => around(map.values().map(|value| self.node(value)).collect()),
            Value::Seq(items) => around(items.iter().map(|item| self.node(item)).collect()),
            _ => Extent { depth: 0, count: 1 },
        };
        self.known.insert(address, (node.clone(), extent));
        extent
    }
}

fn around(parts: Vec<Extent>) -> Extent {
    parts.into_iter().fold(Extent { depth: 1, count: 1 }, |all, part| Extent {
        depth: all.depth.max(part.depth + 1),
        count: all.count.saturating_add(part.count),
    })
}
