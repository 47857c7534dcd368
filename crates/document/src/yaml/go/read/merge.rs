//! Merge keys: `<<` puts the entries of other mappings where it stands, over those in front of it.

use super::error::Error;
use crate::yaml::Mark;
use crate::{Map, Node, Value};

/// Puts the entries of what `<<` stands for into a mapping: of a mapping, or of the mappings of a sequence, the first of
/// which counts most. An alias may stand for a mapping only.
pub(super) fn merge(into: &mut Map, brought: &Node, is_alias: bool, mark: Mark) -> Result<(), Error> {
    match &brought.value {
        Value::Map(map) => insert_all(into, map),
        Value::Seq(items) if !is_alias => {
            for item in items.iter().rev() {
                let Value::Map(map) = &item.value else { return Err(want_map(mark)) };
                insert_all(into, map);
            }
        }
        _ => return Err(want_map(mark)),
    }
    Ok(())
}

fn insert_all(into: &mut Map, brought: &Map) {
    for (key, value) in brought.iter() {
        into.insert(key.clone(), value.clone());
    }
}

fn want_map(mark: Mark) -> Error {
    Error::value("map merge requires map or sequence of maps as the value", mark)
}
