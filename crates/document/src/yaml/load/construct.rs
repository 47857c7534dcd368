//! From the tree of a document to values.

use super::compose::{Children, Id, Kind, Tree};
use super::merge::flatten;
use super::order::first_error;
use super::scalar::scalar_of;
use super::tag::Tag;
use super::{Limits, code};
use crate::yaml::PlainTag;
use crate::yaml::reader::Error;
use crate::{Key, Map, Node, Scalar, Span, Text, Value};
use kapstan_diagnostic::SourceId;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Makes the values of the documents of one text; equal short strings are one string in all of them.
pub(super) struct Constructor {
    /// None where offsets in the text are not those of the file.
    source: Option<SourceId>,
    limits: Limits,
    strings: FxHashSet<Text>,
}

/// Longer strings are seldom repeated, so that looking for them would be wasted.
const SHORT: usize = 40;

/// What a value comes to when every alias is followed.
#[derive(Clone, Copy)]
struct Size {
    height: usize,
    nodes: usize,
}

impl Size {
    const SCALAR: Self = Self { height: 0, nodes: 1 };

    fn add(&mut self, part: Self) {
        self.height = self.height.max(part.height + 1);
        self.nodes = self.nodes.saturating_add(part.nodes);
    }
}

/// The construction of one document.
struct Document<'c, 't, 'a> {
    shared: &'c mut Constructor,
    tree: &'t mut Tree<'a>,
    /// What has been made, where nodes can be met again.
    built: Vec<Built>,
}

#[derive(Clone)]
enum Built {
    No,
    Running,
    Done(Node, Size),
}

impl Constructor {
    pub(super) fn new(source: Option<SourceId>, limits: Limits) -> Self {
        Self { source, limits, strings: FxHashSet::default() }
    }

    /// The value of a document. Of several things that are wrong, the one that PyYAML comes to first is reported.
    pub(super) fn construct(&mut self, tree: &mut Tree<'_>, root: Id) -> Result<Node, Error> {
        let limits = self.limits;
        let built = if tree.has_aliases { vec![Built::No; tree.nodes.len()] } else { Vec::new() };
        let made = Document { shared: self, tree, built }.node(root);
        made.map(|(node, _)| node).map_err(|error| first_error(tree, limits, root).err().unwrap_or(error))
    }

    fn share(&mut self, text: &str) -> Text {
        if text.len() > SHORT {
            return text.into();
        }
        if let Some(known) = self.strings.get(text) {
            return known.clone();
        }
        let new = Text::from(text);
        self.strings.insert(new.clone());
        new
    }
}

impl Document<'_, '_, '_> {
    fn node(&mut self, id: Id) -> Result<(Node, Size), Error> {
        match self.built.get(id as usize) {
            None => return self.make(id),
            Some(Built::Done(node, size)) => return Ok((node.clone(), *size)),
            Some(Built::Running) => {
                let start = self.tree.node(id).start;
                return Err(Error::new("the value contains itself", start).with_code(code::RECURSIVE));
            }
            Some(Built::No) => {}
        }
        self.built[id as usize] = Built::Running;
        let (node, size) = self.make(id)?;
        self.built[id as usize] = Built::Done(node.clone(), size);
        Ok((node, size))
    }

    fn make(&mut self, id: Id) -> Result<(Node, Size), Error> {
        if let Some(scalar) = self.scalar(id)? {
            return Ok((Node::new(scalar, self.span(id)), Size::SCALAR));
        }
        let (value, size) = self.container(id)?;
        let limits = self.shared.limits;
        let start = self.tree.node(id).start;
        if size.height > limits.depth {
            let problem = format!("aliases nest values deeper than {} levels", limits.depth);
            return Err(Error::new(problem, start).with_code(code::TOO_DEEP));
        }
        if size.nodes > limits.expanded_nodes && self.tree.has_aliases {
            let problem = format!("aliases make more than {} nodes of this", limits.expanded_nodes);
            return Err(Error::new(problem, start).with_code(code::TOO_LARGE));
        }
        Ok((Node { value, span: self.span(id) }, size))
    }

    fn scalar(&mut self, id: Id) -> Result<Option<Scalar>, Error> {
        let node = self.tree.node(id);
        if let (Tag::Plain(PlainTag::Str), Kind::Scalar(text)) = (&node.tag, &node.kind) {
            return Ok(Some(Scalar::Str(self.shared.share(text))));
        }
        scalar_of(self.tree, id, &mut |text| self.shared.share(text))
    }

    fn container(&mut self, id: Id) -> Result<(Value, Size), Error> {
        let mut size = Size::SCALAR;
        let value = match &self.tree.node(id).tag {
            Tag::Map => Value::Map(Arc::new(self.mapping(id, &mut size)?)),
            Tag::Set => Value::Set(Arc::new(self.mapping(id, &mut size)?)),
            Tag::Omap | Tag::Pairs => Value::Seq(Arc::new(self.pairs(id, &mut size)?)),
            _ => Value::Seq(Arc::new(self.sequence(id, &mut size)?)),
        };
        Ok((value, size))
    }

    fn sequence(&mut self, id: Id, size: &mut Size) -> Result<Vec<Node>, Error> {
        let items = sequence_items(self.tree, id)?;
        let mut made = Vec::with_capacity(items.len());
        for at in 0..items.len() {
            let (item, part) = self.node(self.tree.child(items, at))?;
            size.add(part);
            made.push(item);
        }
        Ok(made)
    }

    fn mapping(&mut self, id: Id, size: &mut Size) -> Result<Map, Error> {
        let entries = mapping_entries(self.tree, self.shared.limits, id)?;
        let mut made = Map::with_capacity(entries.len() / 2);
        for at in (0..entries.len()).step_by(2) {
            let key = self.key(id, self.tree.child(entries, at))?;
            let (value, part) = self.node(self.tree.child(entries, at + 1))?;
            size.add(part);
            made.insert(key, value);
        }
        Ok(made)
    }

    fn key(&mut self, mapping: Id, key: Id) -> Result<Key, Error> {
        let scalar = self.scalar(key)?.ok_or_else(|| unhashable(self.tree, mapping, key))?;
        Ok(Key::at(scalar, self.span(key)))
    }

    /// Each pair is a sequence of two, where Python has tuples.
    fn pairs(&mut self, id: Id, size: &mut Size) -> Result<Vec<Node>, Error> {
        let items = pair_items(self.tree, id)?;
        let mut made = Vec::with_capacity(items.len());
        for at in 0..items.len() {
            let item = self.tree.child(items, at);
            let (key, value) = single_entry(self.tree, id, item)?;
            let (key, key_size) = self.node(key)?;
            let (value, value_size) = self.node(value)?;
            let mut pair_size = Size::SCALAR;
            pair_size.add(key_size);
            pair_size.add(value_size);
            size.add(pair_size);
            made.push(Node::new(vec![key, value], self.span(item)));
        }
        Ok(made)
    }

    fn span(&self, id: Id) -> Span {
        let node = self.tree.node(id);
        self.shared.source.map_or(Span::NONE, |source| Span::new(source, node.start.offset, node.end))
    }
}

/// The items of a node with the tag of a sequence.
pub(super) fn sequence_items(tree: &Tree<'_>, id: Id) -> Result<Children, Error> {
    let node = tree.node(id);
    match node.kind {
        Kind::Seq(items) => Ok(items),
        _ => {
            let problem = format!("expected a sequence node, but found {}", node.kind.name());
            Err(Error::new(problem, node.start).with_code(code::WRONG_KIND))
        }
    }
}

/// Keys and values of a node with the tag of a mapping, merge keys done.
pub(super) fn mapping_entries(tree: &mut Tree<'_>, limits: Limits, id: Id) -> Result<Children, Error> {
    flatten(tree, limits, id)?;
    let node = tree.node(id);
    match node.kind {
        Kind::Map { entries, .. } => Ok(entries),
        _ => {
            let problem = format!("expected a mapping node, but found {}", node.kind.name());
            Err(Error::new(problem, node.start).with_code(code::WRONG_KIND))
        }
    }
}

pub(super) fn unhashable(tree: &Tree<'_>, mapping: Id, key: Id) -> Error {
    Error::new("found unhashable key", tree.node(key).start)
        .within("while constructing a mapping", tree.node(mapping).start)
        .with_code(code::UNHASHABLE_KEY)
}

/// The items of a node with the tag of an ordered map or of pairs.
pub(super) fn pair_items(tree: &Tree<'_>, id: Id) -> Result<Children, Error> {
    let node = tree.node(id);
    match node.kind {
        Kind::Seq(items) => Ok(items),
        _ => {
            let problem = format!("expected a sequence, but found {}", node.kind.name());
            Err(Error::new(problem, node.start)
                .within(pairs_context(tree, id), node.start)
                .with_code(code::WRONG_KIND))
        }
    }
}

/// Key and value of an item of an ordered map or of pairs.
pub(super) fn single_entry(tree: &Tree<'_>, pairs: Id, item: Id) -> Result<(Id, Id), Error> {
    let node = tree.node(item);
    let problem = match node.kind {
        Kind::Map { entries, .. } if entries.len() == 2 => {
            return Ok((tree.child(entries, 0), tree.child(entries, 1)));
        }
        Kind::Map { entries, .. } => {
            format!("expected a single mapping item, but found {} items", entries.len() / 2)
        }
        _ => format!("expected a mapping of length 1, but found {}", node.kind.name()),
    };
    let start = tree.node(pairs).start;
    Err(Error::new(problem, node.start).within(pairs_context(tree, pairs), start).with_code(code::WRONG_KIND))
}

fn pairs_context(tree: &Tree<'_>, id: Id) -> &'static str {
    if tree.node(id).tag == Tag::Omap {
        "while constructing an ordered map"
    } else {
        "while constructing pairs"
    }
}
