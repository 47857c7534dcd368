//! The tables of a document while it is read, with TOML's rules for what may be defined twice.

use super::item::{Entries, Item};
use super::text::push_key;
use crate::Text;
use rustc_hash::{FxHashMap, FxHashSet};

/// A table, its entries in their order.
#[derive(Default)]
pub(super) struct Table {
    entries: Vec<(Text, Slot)>,
    index: FxHashMap<Text, usize>,
}

/// What a key holds.
pub(super) enum Slot {
    Value(Item),
    Table(Table),
    /// What `[[...]]` has made.
    Tables(Vec<Table>),
}

impl Table {
    pub(super) fn get_mut(&mut self, key: &Text) -> Option<&mut Slot> {
        self.index.get(key).map(|at| &mut self.entries[*at].1)
    }

    pub(super) fn set(&mut self, key: &Text, slot: Slot) {
        if let Some(known) = self.get_mut(key) {
            *known = slot;
            return;
        }
        self.index.insert(key.clone(), self.entries.len());
        self.entries.push((key.clone(), slot));
    }

    pub(super) fn into_entries(self) -> Entries {
        self.entries.into_iter().map(|(key, slot)| (key, slot.into_item())).collect()
    }
}

impl Slot {
    fn into_item(self) -> Item {
        match self {
            Self::Value(item) => item,
            Self::Table(table) => Item::Table(table.into_entries()),
            Self::Tables(tables) => Item::Tables(tables.into_iter().map(Table::into_entries).collect()),
        }
    }
}

/// The name of a table or key as it stands in a header.
pub(super) fn dotted<'a>(names: impl IntoIterator<Item = &'a Text>) -> String {
    let mut out = String::new();
    for (at, name) in names.into_iter().enumerate() {
        if at > 0 {
            out.push('.');
        }
        push_key(&mut out, name.as_bytes());
    }
    out
}

/// The document so far, and the table whose entries are read.
#[derive(Default)]
pub(super) struct Document {
    pub(super) root: Table,
    pub(super) context: Vec<Text>,
    /// Tables that came to be because something in them was defined; they may still be defined themselves.
    pub(super) implicit: FxHashSet<String>,
    /// Keys that have had an array as value.
    pub(super) arrays: FxHashSet<String>,
}

impl Document {
    /// Makes a table the one whose entries follow: a new element of an array of tables, or one that may not have been
    /// defined before. Tables around it come to be.
    pub(super) fn enter(&mut self, names: &[Text], is_array: bool) -> Result<(), String> {
        let Some((last, parents)) = names.split_last() else { return Ok(()) };
        let mut table = &mut self.root;
        for (at, name) in parents.iter().enumerate() {
            if table.get_mut(name).is_none() {
                self.implicit.insert(dotted(&names[..=at]));
                table.set(name, Slot::Table(Table::default()));
            }
            table = match table.get_mut(name) {
                Some(Slot::Table(inner)) => inner,
                Some(Slot::Tables(list)) => last_of(list),
                _ => return Err(format!("Key '{}' was already created as a hash.", dotted(&names[..=at]))),
            };
        }
        self.context = parents.to_vec();
        if !is_array {
            self.set(last, Slot::Table(Table::default()))?;
        } else {
            match table.get_mut(last) {
                None => table.set(last, Slot::Tables(vec![Table::default()])),
                Some(Slot::Tables(list)) => list.push(Table::default()),
                Some(_) => {
                    let key = dotted(names);
                    return Err(format!("Key '{key}' was already created and cannot be used as an array."));
                }
            }
        }
        self.context.push(last.clone());
        Ok(())
    }

    /// Gives a key of the current table its value. A table that is there only implicitly stays.
    pub(super) fn set(&mut self, name: &Text, slot: Slot) -> Result<(), String> {
        let mut table = &mut self.root;
        for (at, parent) in self.context.iter().enumerate() {
            table = match table.get_mut(parent) {
                Some(Slot::Table(inner)) => inner,
                Some(Slot::Tables(list)) => last_of(list),
                _ => return Err(defined_twice(&dotted(&self.context[..=at]))),
            };
        }
        if table.get_mut(name).is_none() {
            table.set(name, slot);
            return Ok(());
        }
        let key = dotted(self.context.iter().chain([name]));
        if !self.implicit.remove(&key) {
            return Err(defined_twice(&key));
        }
        if self.arrays.contains(&key) {
            table.set(name, slot);
        }
        Ok(())
    }
}

fn defined_twice(key: &str) -> String {
    format!("Key '{key}' has already been defined.")
}

/// The element of an array of tables that is being read; there always is one.
fn last_of(list: &mut Vec<Table>) -> &mut Table {
    if list.is_empty() {
        list.push(Table::default());
    }
    let last = list.len() - 1;
    &mut list[last]
}
