//! Which of several errors comes first.

use super::Limits;
use super::compose::{Id, Tree};
use super::construct::{mapping_entries, pair_items, sequence_items, single_entry, unhashable};
use super::scalar::scalar_of;
use super::tag::Tag;
use crate::Text;
use crate::yaml::reader::Error;
use std::collections::VecDeque;

/// The error that PyYAML reports for a document, if it has one.
///
/// PyYAML makes containers empty and fills them later, one after the other in the order in which it met them: level by
/// level, where [`super::construct`] finishes each value before it goes on.
pub(super) fn first_error(tree: &mut Tree<'_>, limits: Limits, root: Id) -> Result<(), Error> {
    // Merging turns keys `=` into strings, so that what was merged in another order would show.
    tree.unflatten();
    let mut walk = Walk { met: vec![false; tree.nodes.len()], waiting: VecDeque::new() };
    walk.meet(tree, root)?;
    while let Some(id) = walk.waiting.pop_front() {
        walk.fill(tree, limits, id)?;
    }
    Ok(())
}

struct Walk {
    met: Vec<bool>,
    waiting: VecDeque<Id>,
}

impl Walk {
    /// Scalars are made at once, containers wait.
    fn meet(&mut self, tree: &Tree<'_>, id: Id) -> Result<(), Error> {
        if !std::mem::replace(&mut self.met[id as usize], true)
            && scalar_of(tree, id, &mut |_| Text::default())?.is_none()
        {
            self.waiting.push_back(id);
        }
        Ok(())
    }

    fn fill(&mut self, tree: &mut Tree<'_>, limits: Limits, id: Id) -> Result<(), Error> {
        match tree.node(id).tag {
            Tag::Map | Tag::Set => {
                let entries = mapping_entries(tree, limits, id)?;
                for at in (0..entries.len()).step_by(2) {
                    let key = tree.child(entries, at);
                    self.meet(tree, key)?;
                    if is_container(&tree.node(key).tag) {
                        return Err(unhashable(tree, id, key));
                    }
                    self.meet(tree, tree.child(entries, at + 1))?;
                }
            }
            Tag::Omap | Tag::Pairs => {
                let items = pair_items(tree, id)?;
                for at in 0..items.len() {
                    let (key, value) = single_entry(tree, id, tree.child(items, at))?;
                    self.meet(tree, key)?;
                    self.meet(tree, value)?;
                }
            }
            _ => {
                let items = sequence_items(tree, id)?;
                for at in 0..items.len() {
                    self.meet(tree, tree.child(items, at))?;
                }
            }
        }
        Ok(())
    }
}

fn is_container(tag: &Tag) -> bool {
    matches!(tag, Tag::Seq | Tag::Map | Tag::Set | Tag::Omap | Tag::Pairs)
}
