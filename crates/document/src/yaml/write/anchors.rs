use super::Aliases;
use crate::key_order::sort_entries;
use crate::write_error::{MAX_DEPTH, WriteError};
use crate::{Key, Node, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The anchors of a document: which values appear several times, and which of them have been written.
#[derive(Default)]
pub(super) struct Anchors {
    marks: FxHashMap<usize, Mark>,
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
            if let Some(identity) = identity(&node.value, aliases) {
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
    pub(super) fn refer(&mut self, value: &Value, aliases: Aliases) -> Reference {
        let mark = identity(value, aliases).and_then(|identity| self.marks.get_mut(&identity));
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

/// The address of what several nodes may share; none where nothing else can share it.
fn identity(value: &Value, aliases: Aliases) -> Option<usize> {
    match value {
        _ if aliases == Aliases::Never => None,
        Value::Seq(_) if aliases == Aliases::ExceptSequences => None,
        Value::Seq(shared) => address(shared),
        Value::Map(shared) | Value::Set(shared) => address(shared),
        Value::DateTime(shared) => address(shared),
        _ => None,
    }
}

fn address<T>(shared: &Arc<T>) -> Option<usize> {
    (Arc::strong_count(shared) > 1).then(|| Arc::as_ptr(shared).addr())
}
