//! From the tree of a document to values.

use super::compose::{Children, Id, Kind, Tree};
use super::merge::flatten;
use super::order::first_error;
use super::scalar::scalar_of;
use super::tag::Tag;
use super::{Limits, LoadOptions, code};
use crate::short_strings::ShortStrings;
use crate::yaml::reader::Error;
use crate::yaml::{Dialect, PlainTag, resolve_plain};
use crate::{Key, Map, Node, Scalar, Span, Value};
use kapstan_diagnostic::SourceId;
use std::sync::Arc;

/// Makes the values of the documents of one text; equal short strings are one string in all of them.
pub(super) struct Constructor {
    /// None where offsets in the text are not those of the file.
    source: Option<SourceId>,
    dialect: Dialect,
    limits: Limits,
    strings: ShortStrings,
}

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

/// The construction of one document. Containers wait on a stack of their own, as deep as the document.
struct Document<'c, 't, 'a> {
    shared: &'c mut Constructor,
    tree: &'t mut Tree<'a>,
    /// What has been made, where nodes can be met again.
    built: Vec<Built>,
    open: Vec<Open>,
}

#[derive(Clone)]
enum Built {
    No,
    Running,
    Done(Node, Size),
}

/// A container some of whose parts are made.
struct Open {
    id: Id,
    children: Children,
    /// The next child.
    at: usize,
    parts: Parts,
    size: Size,
}

enum Parts {
    Seq(Vec<Node>),
    /// With the key whose value comes next.
    Map(Map, Option<Key>),
    /// With the key whose value comes next. The children are the keys and values, the items those that hold them.
    Pairs {
        made: Vec<Node>,
        items: Children,
        key: Option<(Node, Size)>,
    },
}

impl Constructor {
    pub(super) fn new(source: Option<SourceId>, options: &LoadOptions) -> Self {
        let LoadOptions { dialect, limits } = *options;
        Self { source, dialect, limits, strings: ShortStrings::default() }
    }

    /// The value of a document. Of several things that are wrong, the one that PyYAML comes to first is reported.
    pub(super) fn construct(&mut self, tree: &mut Tree<'_>, root: Id) -> Result<Node, Error> {
        let limits = self.limits;
        let built = if tree.has_aliases { vec![Built::No; tree.nodes.len()] } else { Vec::new() };
        let mut document = Document { shared: self, tree, built, open: Vec::new() };
        document.construct(root).map_err(|error| first_error(tree, limits, root).err().unwrap_or(error))
    }
}

impl Document<'_, '_, '_> {
    fn construct(&mut self, root: Id) -> Result<Node, Error> {
        let mut made = self.begin(root)?;
        loop {
            if let Some((node, size)) = made {
                let Some(container) = self.open.last_mut() else { return Ok(node) };
                container.take(node, size, self.tree, self.shared.source);
            }
            made = self.next_part()?;
        }
    }

    /// A node, if it is a scalar or has been made before; otherwise it is opened.
    fn begin(&mut self, id: Id) -> Result<Option<(Node, Size)>, Error> {
        match self.built.get(id as usize) {
            Some(Built::Done(node, size)) => return Ok(Some((node.clone(), *size))),
            Some(Built::Running) => {
                let start = self.tree.node(id).start;
                return Err(Error::new("the value contains itself", start).with_code(code::RECURSIVE));
            }
            Some(Built::No) | None => {}
        }
        if let Some(scalar) = self.scalar(id)? {
            let node = Node::new(scalar, span_of(self.tree, self.shared.source, id));
            self.remember(id, &node, Size::SCALAR);
            return Ok(Some((node, Size::SCALAR)));
        }
        if let Some(built) = self.built.get_mut(id as usize) {
            *built = Built::Running;
        }
        let open = self.open_container(id)?;
        self.open.push(open);
        Ok(None)
    }

    fn scalar(&mut self, id: Id) -> Result<Option<Scalar>, Error> {
        let node = self.tree.node(id);
        if let (Tag::Plain(PlainTag::Str), Kind::Scalar(text)) = (&node.tag, &node.kind) {
            return Ok(Some(Scalar::Str(self.shared.strings.share(text))));
        }
        if let (
            dialect @ (Dialect::GoYamlV2 | Dialect::SerdeYaml),
            Tag::Plain(PlainTag::Bool | PlainTag::Int | PlainTag::Float),
            Kind::Scalar(text),
        ) = (self.shared.dialect, &node.tag, &node.kind)
        {
            return Ok(Some(resolve_plain(dialect, text)));
        }
        scalar_of(self.tree, id, &mut |text| self.shared.strings.share(text))
    }

    fn remember(&mut self, id: Id, node: &Node, size: Size) {
        if let Some(built) = self.built.get_mut(id as usize) {
            *built = Built::Done(node.clone(), size);
        }
    }

    fn open_container(&mut self, id: Id) -> Result<Open, Error> {
        let (children, parts) = match self.tree.node(id).tag {
            Tag::Map | Tag::Set => {
                let entries = mapping_entries(self.tree, self.shared.limits, id)?;
                (entries, Parts::Map(Map::with_capacity(entries.len() / 2), None))
            }
            Tag::Omap | Tag::Pairs => {
                let items = pair_items(self.tree, id)?;
                let mut entries = Vec::with_capacity(items.len() * 2);
                for at in 0..items.len() {
                    let (key, value) = single_entry(self.tree, id, self.tree.child(items, at))?;
                    entries.extend([key, value]);
                }
                let made = Vec::with_capacity(items.len());
                (self.tree.keep(entries), Parts::Pairs { made, items, key: None })
            }
            _ => {
                let items = sequence_items(self.tree, id)?;
                (items, Parts::Seq(Vec::with_capacity(items.len())))
            }
        };
        Ok(Open { id, children, at: 0, parts, size: Size::SCALAR })
    }

    /// The next part of the innermost container, or that container itself when it is complete.
    fn next_part(&mut self) -> Result<Option<(Node, Size)>, Error> {
        let Some(container) = self.open.last_mut() else { return Ok(None) };
        if container.at == container.children.len() {
            return self.finish();
        }
        let id = container.id;
        let mut child = self.tree.child(container.children, container.at);
        container.at += 1;
        if matches!(container.parts, Parts::Map(..)) {
            let value = self.tree.child(container.children, container.at);
            container.at += 1;
            let scalar = self.scalar(child)?.ok_or_else(|| unhashable(self.tree, id, child))?;
            let key = Key::at(scalar, span_of(self.tree, self.shared.source, child));
            if let Some(Open { parts: Parts::Map(_, next), .. }) = self.open.last_mut() {
                *next = Some(key);
            }
            child = value;
        }
        self.begin(child)
    }

    fn finish(&mut self) -> Result<Option<(Node, Size)>, Error> {
        let Some(Open { id, parts, size, .. }) = self.open.pop() else { return Ok(None) };
        self.check_size(id, size)?;
        let value = match parts {
            Parts::Map(made, _) if self.tree.node(id).tag == Tag::Set => Value::Set(Arc::new(made)),
            Parts::Map(made, _) => Value::Map(Arc::new(made)),
            Parts::Seq(made) | Parts::Pairs { made, .. } => Value::Seq(Arc::new(made)),
        };
        let node = Node { value, span: span_of(self.tree, self.shared.source, id) };
        self.remember(id, &node, size);
        Ok(Some((node, size)))
    }

    fn check_size(&self, id: Id, size: Size) -> Result<(), Error> {
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
        Ok(())
    }
}

impl Open {
    /// Takes the part that was asked for last.
    fn take(&mut self, node: Node, size: Size, tree: &Tree<'_>, source: Option<SourceId>) {
        match &mut self.parts {
            Parts::Seq(made) => made.push(node),
            Parts::Map(made, key) => {
                if let Some(key) = key.take() {
                    made.insert(key, node);
                }
            }
            Parts::Pairs { made, items, key } => match key.take() {
                None => {
                    *key = Some((node, size));
                    return;
                }
                // A pair is a sequence of two, where Python has a tuple.
                Some((first, first_size)) => {
                    let mut pair_size = Size::SCALAR;
                    pair_size.add(first_size);
                    pair_size.add(size);
                    self.size.add(pair_size);
                    let span = span_of(tree, source, tree.child(*items, made.len()));
                    made.push(Node::new(vec![first, node], span));
                    return;
                }
            },
        }
        self.size.add(size);
    }
}

fn span_of(tree: &Tree<'_>, source: Option<SourceId>, id: Id) -> Span {
    let node = tree.node(id);
    source.map_or(Span::NONE, |source| Span::new(source, node.start.offset, node.end))
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
