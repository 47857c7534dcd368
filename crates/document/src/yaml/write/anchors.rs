use super::Aliases;
use crate::key_order::sort_entries;
use crate::write_error::{MAX_DEPTH, WriteError};
use crate::{Key, Node, Span, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The anchors of a document: which values appear several times, and which of them have been written.
#[derive(Default)]
pub(super) struct Anchors {
    marks: FxHashMap<Identity, Mark>,
}

#[derive(Clone, Copy)]
struct Mark {
    /// The number of the anchor; none for a value that appears once.
    number: Option<u32>,
    written: bool,
}

/// What stands for a value.
pub(super) enum Reference {
    /// The value itself.
    Value,
    /// The value, behind its anchor.
    Anchored(String),
    /// An alias.
    Alias(String),
}

impl Anchors {
    /// Numbers what appears several times in a document, in the order in which it appears the second time.
    pub(super) fn find(root: &Node, aliases: Aliases) -> Result<Self, WriteError> {
        let mut anchors = Self::default();
        if aliases == Aliases::Never {
            return Ok(anchors);
        }
        let mut count = 0;
        let mut waiting = vec![(root, 0)];
        let mut entries: Vec<(&Key, &Node)> = Vec::new();
        while let Some((node, depth)) = waiting.pop() {
            if let Some(identity) = identity(node, aliases) {
                if let Some(mark) = anchors.marks.get_mut(&identity) {
                    if mark.number.is_none() {
                        count += 1;
                        mark.number = Some(count);
                    }
                    continue;
                }
                anchors.marks.insert(identity, Mark { number: None, written: false });
            }
            if depth > MAX_DEPTH {
                return Err(WriteError::too_deep(node.span));
            }
            match &node.value {
                Value::Seq(items) => waiting.extend(items.iter().rev().map(|item| (item, depth + 1))),
                Value::Map(map) => {
                    entries.clear();
                    entries.extend(map.iter());
                    // Keys without an order stay as they are.
                    let _ = sort_entries(&mut entries);
                    waiting.extend(entries.iter().rev().map(|(_, item)| (*item, depth + 1)));
                }
                _ => {}
            }
        }
        Ok(anchors)
    }

    /// What to write for a value, in the order of the document.
    pub(super) fn refer(&mut self, node: &Node, aliases: Aliases) -> Reference {
        let mark = identity(node, aliases).and_then(|identity| self.marks.get_mut(&identity));
        let Some((mark, number)) = mark.and_then(|mark| mark.number.map(|number| (mark, number))) else {
            return Reference::Value;
        };
        if std::mem::replace(&mut mark.written, true) {
            Reference::Alias(format!("*id{number:03}"))
        } else {
            Reference::Anchored(format!("&id{number:03}"))
        }
    }
}

/// What tells a value from equal ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Identity {
    /// Where its shared part lies in memory.
    Address(usize),
    /// Where a date stands: Python makes one object of each date in a text, and passes it on.
    Place(Span),
}

/// The identity of what several nodes may share; none where nothing else can share it.
fn identity(node: &Node, aliases: Aliases) -> Option<Identity> {
    match &node.value {
        _ if aliases == Aliases::Never => None,
        Value::Date(_) | Value::DateTime(_) => node.span.is_some().then_some(Identity::Place(node.span)),
        _ if aliases == Aliases::Timestamps => None,
        Value::Seq(_) if aliases == Aliases::ExceptSequences => None,
        Value::Seq(shared) => address(shared),
        Value::Map(shared) | Value::Set(shared) => address(shared),
        _ => None,
    }
}

fn address<T>(shared: &Arc<T>) -> Option<Identity> {
    (Arc::strong_count(shared) > 1).then(|| Identity::Address(Arc::as_ptr(shared).addr()))
}
