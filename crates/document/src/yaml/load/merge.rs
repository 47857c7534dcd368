//! Merge keys: `<<` brings the entries of other mappings in front of a mapping's own, or behind them.

use super::compose::{Children, Flattened, Id, Kind, Merge, Tree};
use super::tag::Tag;
use super::{Limits, code};
use crate::yaml::reader::Error;
use crate::yaml::{Mark, PlainTag};

/// Replaces the merge keys of a mapping by what they bring, as PyYAML's `flatten_mapping` does.
///
/// Merged entries come first, in the order of the `<<` keys; in a list of mappings the later ones come first, so that the
/// earlier ones win. Where [`Tree::merges_last`], they come last, in the order of the list, and entries that are there
/// already win. A key `=` becomes an ordinary string. Does nothing to a node that is no mapping. Fails where `<<`
/// has a value that is neither a mapping nor a list of mappings, where a mapping merges itself, and where more entries
/// come together than `limits` allows.
pub(super) fn flatten(tree: &mut Tree<'_>, limits: Limits, id: Id) -> Result<(), Error> {
    flatten_at(tree, limits, id, 0)
}

/// How deep mappings that are merged may merge others that are not flat yet.
const MAX_LEVEL: usize = 100;

fn flatten_at(tree: &mut Tree<'_>, limits: Limits, id: Id, level: usize) -> Result<(), Error> {
    let start = tree.node(id).start;
    let entries = match &mut tree.node_mut(id).kind {
        Kind::Map { merge: Merge::Running, .. } => {
            return Err(Error::new("the mapping merges itself", start).with_code(code::RECURSIVE));
        }
        Kind::Map { entries, merge: merge @ Merge::Wanted } => {
            *merge = Merge::Running;
            *entries
        }
        _ => return Ok(()),
    };
    let outcome = if level < MAX_LEVEL {
        merged(tree, limits, start, entries, level + 1)
    } else {
        let problem = format!("merge keys nest deeper than {MAX_LEVEL} levels");
        Err(Error::new(problem, start).with_code(code::TOO_DEEP))
    };
    if let Kind::Map { entries, merge } = &mut tree.node_mut(id).kind {
        match &outcome {
            Ok(flat) => (*entries, *merge) = (*flat, Merge::Done),
            Err(_) => *merge = Merge::Wanted,
        }
    }
    if outcome.is_ok() {
        tree.flattened.push(Flattened::Entries(id, entries));
    }
    outcome.map(|_| ())
}

/// The entries of a mapping with those that `<<` brings in front.
fn merged(
    tree: &mut Tree<'_>,
    limits: Limits,
    start: Mark,
    entries: Children,
    level: usize,
) -> Result<Children, Error> {
    let mut brought = Vec::new();
    let mut own = Vec::new();
    for at in (0..entries.len()).step_by(2) {
        let (key, value) = (tree.child(entries, at), tree.child(entries, at + 1));
        if tree.node(key).tag.is_merge() {
            let mappings = mappings_of(tree, limits, start, value, level)?;
            for mapping in mappings {
                let Kind::Map { entries, .. } = tree.node(mapping).kind else { continue };
                brought.extend_from_slice(tree.slice(entries));
                check_size(tree, limits, start, brought.len())?;
            }
        } else {
            if tree.node(key).tag.is_value() {
                tree.node_mut(key).tag = Tag::Plain(PlainTag::Str);
                tree.flattened.push(Flattened::ValueKey(key));
            }
            own.extend([key, value]);
        }
    }
    if tree.merges_last {
        let entries = behind(tree, own, &brought);
        return Ok(tree.keep(entries));
    }
    Ok(tree.keep(brought.into_iter().chain(own)))
}

/// A mapping's own entries and behind them those that `<<` brings. An own entry that `<<` brings too goes where that
/// one would stand, with its own value.
fn behind(tree: &Tree<'_>, mut entries: Vec<Id>, brought: &[Id]) -> Vec<Id> {
    for entry in brought.chunks_exact(2) {
        let is_it = |own: &[Id]| tree.is_same_key(own[0], entry[0]);
        let kept = entries.chunks_exact(2).position(is_it).map(|at| entries.drain(2 * at..2 * at + 2));
        let kept: Vec<Id> = kept.map_or_else(|| entry.to_vec(), Iterator::collect);
        entries.extend(kept);
    }
    entries
}

/// The mappings that a merge key names, flat themselves, in the order in which their entries are to come.
fn mappings_of(
    tree: &mut Tree<'_>,
    limits: Limits,
    start: Mark,
    value: Id,
    level: usize,
) -> Result<Vec<Id>, Error> {
    match tree.node(value).kind {
        Kind::Map { .. } => {
            flatten_at(tree, limits, value, level)?;
            Ok(vec![value])
        }
        Kind::Seq(items) => {
            let mut mappings = tree.slice(items).to_vec();
            for item in &mappings {
                if !matches!(tree.node(*item).kind, Kind::Map { .. }) {
                    return Err(not_mergeable(tree, start, *item, "a mapping"));
                }
                flatten_at(tree, limits, *item, level)?;
            }
            if !tree.merges_last {
                mappings.reverse();
            }
            Ok(mappings)
        }
        Kind::Scalar(_) => Err(not_mergeable(tree, start, value, "a mapping or list of mappings")),
    }
}

fn not_mergeable(tree: &Tree<'_>, start: Mark, found: Id, expected: &str) -> Error {
    let found = tree.node(found);
    Error::new(format!("expected {expected} for merging, but found {}", found.kind.name()), found.start)
        .within("while constructing a mapping", start)
        .with_code(code::MERGE)
}

fn check_size(tree: &Tree<'_>, limits: Limits, start: Mark, brought: usize) -> Result<(), Error> {
    let size = tree.children.len() + brought;
    if size > limits.expanded_nodes {
        let problem = format!("merge keys bring more than {} nodes together", limits.expanded_nodes);
        return Err(Error::new(problem, start).with_code(code::TOO_LARGE));
    }
    Ok(())
}
