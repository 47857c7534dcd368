//! From events to the tree of one document: anchors are looked up, tags decided, nothing is constructed yet.
//!
//! It is a step of its own because what is wrong with the text of a document comes before what is wrong with its values.

use super::tag::Tag;
use super::{LoadOptions, code};
use crate::yaml::reader::{Error, Reader};
use crate::yaml::{Dialect, Event, EventKind, Mark, PlainTag, ScalarEvent, plain_tag};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// A node of a [`Tree`].
pub(super) type Id = u32;

/// The nodes of a document. An alias is the id of the node that it stands for.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub(super) nodes: Vec<Composed<'a>>,
    /// Items of sequences; keys and values of mappings in turn.
    pub(super) children: Vec<Id>,
    pub(super) has_aliases: bool,
    /// Whether some scalar is `<<` or `=`, so that keys need a look.
    has_merge_words: bool,
    /// Whether what `<<` brings comes behind a mapping's own entries, as in Rust's serde_yaml.
    pub(super) merges_last: bool,
    /// What [`super::merge::flatten`] has changed, to take it back.
    pub(super) flattened: Vec<Flattened>,
}

/// A change that merging made to a tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flattened {
    /// The entries of a mapping, as they were.
    Entries(Id, Children),
    /// A key `=` became a string.
    ValueKey(Id),
}

#[derive(Debug)]
pub(super) struct Composed<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) tag: Tag,
    pub(super) start: Mark,
    /// In bytes.
    pub(super) end: usize,
}

#[derive(Debug)]
pub(super) enum Kind<'a> {
    Scalar(Cow<'a, str>),
    Seq(Children),
    Map { entries: Children, merge: Merge },
}

/// What there is to do about merge keys in a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Merge {
    /// Nothing (any more).
    Done,
    /// It has keys `<<` or `=`.
    Wanted,
    /// It is being done: met again, the mapping merges itself.
    Running,
}

/// A stretch of [`Tree::children`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Children {
    start: u32,
    end: u32,
}

impl Kind<'_> {
    /// The word in PyYAML's messages.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Scalar(_) => "scalar",
            Self::Seq(_) => "sequence",
            Self::Map { .. } => "mapping",
        }
    }
}

impl Children {
    pub(super) fn len(self) -> usize {
        (self.end - self.start) as usize
    }
}

impl<'a> Tree<'a> {
    pub(super) fn node(&self, id: Id) -> &Composed<'a> {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: Id) -> &mut Composed<'a> {
        &mut self.nodes[id as usize]
    }

    pub(super) fn child(&self, children: Children, at: usize) -> Id {
        self.children[children.start as usize + at]
    }

    pub(super) fn slice(&self, children: Children) -> &[Id] {
        &self.children[children.start as usize..children.end as usize]
    }

    /// Keeps a list of children.
    pub(super) fn keep(&mut self, list: impl IntoIterator<Item = Id>) -> Children {
        let start = id(self.children.len());
        self.children.extend(list);
        Children { start, end: id(self.children.len()) }
    }

    /// Takes back what merging has changed.
    pub(super) fn unflatten(&mut self) {
        while let Some(change) = self.flattened.pop() {
            match change {
                Flattened::ValueKey(id) => self.node_mut(id).tag = Tag::Plain(PlainTag::Value),
                Flattened::Entries(id, original) => {
                    if let Kind::Map { entries, merge } = &mut self.node_mut(id).kind {
                        (*entries, *merge) = (original, Merge::Wanted);
                    }
                }
            }
        }
    }

    /// Forgets everything, for the next document.
    fn clear(&mut self) {
        self.nodes.clear();
        self.children.clear();
        self.has_aliases = false;
        self.has_merge_words = false;
        self.flattened.clear();
    }

    /// Whether two keys are one: scalars with the same type and text.
    pub(super) fn is_same_key(&self, left: Id, right: Id) -> bool {
        let (left, right) = (self.node(left), self.node(right));
        match (&left.kind, &right.kind) {
            (Kind::Scalar(one), Kind::Scalar(other)) => left.tag == right.tag && one == other,
            _ => false,
        }
    }
}

/// A node or a place of the children. The reader's texts are shorter than four gigabytes, and so are these.
fn id(at: usize) -> Id {
    Id::try_from(at).expect("the size of a document is checked before it is read")
}

/// Makes trees of the documents of one text.
pub(super) struct Composer<'a> {
    reader: Reader<'a>,
    options: LoadOptions,
    /// Of the document being read.
    anchors: FxHashMap<&'a str, Id>,
    open: Vec<Open>,
    /// Children of the collections that are open, the innermost last.
    pending: Vec<Id>,
    pub(super) tree: Tree<'a>,
}

/// A collection whose end has not come yet.
struct Open {
    id: Id,
    first_child: usize,
    is_flow: bool,
}

impl<'a> Composer<'a> {
    pub(super) fn new(text: &'a str, options: LoadOptions) -> Self {
        Self {
            reader: Reader::new(text),
            options,
            anchors: FxHashMap::default(),
            open: Vec::new(),
            pending: Vec::new(),
            tree: Tree { merges_last: options.dialect == Dialect::SerdeYaml, ..Tree::default() },
        }
    }

    /// The start of the next document, unless the stream ends.
    pub(super) fn next_document(&mut self) -> Result<Option<Mark>, Error> {
        loop {
            let event = self.reader.next_event()?;
            match event.kind {
                EventKind::StreamEnd => return Ok(None),
                EventKind::DocumentStart { .. } => return Ok(Some(event.start)),
                _ => {}
            }
        }
    }

    /// Reads the document that has begun into [`Composer::tree`], with its end; returns its root.
    pub(super) fn compose(&mut self) -> Result<Id, Error> {
        self.tree.clear();
        self.anchors.clear();
        self.open.clear();
        self.pending.clear();
        loop {
            let event = self.reader.next_event()?;
            if matches!(event.kind, EventKind::DocumentEnd { .. }) {
                // The parser gives every document one node.
                return Ok(self.pending.first().copied().unwrap_or(0));
            }
            self.take(event)?;
        }
    }

    fn take(&mut self, event: Event<'a>) -> Result<(), Error> {
        let Event { kind, start, end } = event;
        match kind {
            EventKind::Alias { anchor } => {
                let id = *self.anchors.get(anchor).ok_or_else(|| {
                    Error::new("found undefined alias", start).with_code(code::UNDEFINED_ALIAS)
                })?;
                self.tree.has_aliases = true;
                self.pending.push(id);
            }
            EventKind::Scalar(event) => {
                let tag = self.scalar_tag(&event);
                self.add(
                    event.anchor(),
                    Composed { kind: Kind::Scalar(event.value), tag, start, end: end.offset },
                )?;
            }
            EventKind::SequenceStart(event) => {
                let tag = self.explicit(event.tag()).unwrap_or(Tag::Seq);
                let kind = Kind::Seq(Children { start: 0, end: 0 });
                self.open(event.anchor(), Composed { kind, tag, start, end: end.offset }, event.flow)?;
            }
            EventKind::MappingStart(event) => {
                let tag = self.explicit(event.tag()).unwrap_or(Tag::Map);
                let kind = Kind::Map { entries: Children { start: 0, end: 0 }, merge: Merge::Done };
                self.open(event.anchor(), Composed { kind, tag, start, end: end.offset }, event.flow)?;
            }
            EventKind::SequenceEnd | EventKind::MappingEnd => self.close(end)?,
            EventKind::StreamStart
            | EventKind::StreamEnd
            | EventKind::DocumentStart { .. }
            | EventKind::DocumentEnd { .. } => {}
        }
        Ok(())
    }

    /// The tag of an event, where it means anything in the dialect: Rust's serde_yaml leaves those of YAML 1.1 aside.
    fn explicit(&self, tag: Option<&Cow<'_, str>>) -> Option<Tag> {
        let tag = Tag::explicit(tag)?;
        let is_of_1_1 = matches!(
            tag,
            Tag::Binary
                | Tag::Set
                | Tag::Omap
                | Tag::Pairs
                | Tag::Plain(PlainTag::Timestamp | PlainTag::Merge | PlainTag::Value | PlainTag::Yaml)
        );
        (!is_of_1_1 || self.options.dialect != Dialect::SerdeYaml).then_some(tag)
    }

    fn scalar_tag(&self, event: &ScalarEvent<'_>) -> Tag {
        self.explicit(event.tag()).unwrap_or_else(|| {
            let tag = if event.plain_implicit {
                plain_tag(self.options.dialect, &event.value)
            } else {
                PlainTag::Str
            };
            // There, only the key of a mapping merges.
            let is_string = tag == PlainTag::Merge && self.options.dialect == Dialect::SerdeYaml;
            Tag::Plain(if is_string { PlainTag::Str } else { tag })
        })
    }

    fn open(&mut self, anchor: Option<&'a str>, node: Composed<'a>, is_flow: bool) -> Result<(), Error> {
        let depth = self.options.limits.depth;
        if self.open.len() >= depth {
            let problem = format!("collections nest deeper than {depth} levels");
            return Err(Error::new(problem, node.start).with_code(code::TOO_DEEP));
        }
        let id = self.add(anchor, node)?;
        self.open.push(Open { id, first_child: self.pending.len(), is_flow });
        Ok(())
    }

    /// The end of the innermost collection. In block style its event stands where the next thing begins, so it is the
    /// end of the last child that counts, unless that is an alias to something before.
    fn close(&mut self, end: Mark) -> Result<(), Error> {
        let Some(Open { id, first_child, is_flow }) = self.open.pop() else { return Ok(()) };
        let last_end =
            self.pending.get(first_child..).and_then(<[Id]>::last).map(|last| self.tree.node(*last).end);
        let children = self.tree.keep(self.pending.drain(first_child..));
        if self.options.dialect == Dialect::SerdeYaml && matches!(self.tree.node(id).kind, Kind::Map { .. }) {
            self.settle_keys(children)?;
        }
        let has_merge = self.tree.has_merge_words
            && self.tree.slice(children).iter().step_by(2).any(|key| {
                let tag = &self.tree.node(*key).tag;
                tag.is_merge() || tag.is_value()
            });
        let node = self.tree.node_mut(id);
        node.end = last_end.filter(|last| !is_flow && *last > node.start.offset).unwrap_or(end.offset);
        match &mut node.kind {
            Kind::Map { entries, merge } => {
                *entries = children;
                *merge = if has_merge { Merge::Wanted } else { Merge::Done };
            }
            Kind::Seq(items) => *items = children,
            Kind::Scalar(_) => {}
        }
        Ok(())
    }

    /// What Rust's serde_yaml makes of the keys of a mapping: `<<` merges, quoted too, and no key may come twice.
    fn settle_keys(&mut self, entries: Children) -> Result<(), Error> {
        let mut seen: FxHashSet<(&Tag, &str)> = FxHashSet::default();
        let mut merging = Vec::new();
        for key in self.tree.slice(entries).iter().step_by(2) {
            let node = self.tree.node(*key);
            let Kind::Scalar(text) = &node.kind else { continue };
            if !seen.insert((&node.tag, text)) {
                return Err(Error::new(format!("duplicate entry with key \"{text}\""), node.start)
                    .with_code(code::DUPLICATE_KEY));
            }
            if text == "<<" && node.tag == Tag::Plain(PlainTag::Str) {
                merging.push(*key);
            }
        }
        for key in merging {
            self.tree.node_mut(key).tag = Tag::Plain(PlainTag::Merge);
            self.tree.has_merge_words = true;
        }
        Ok(())
    }

    /// Adds a node as the next child of the innermost collection.
    fn add(&mut self, anchor: Option<&'a str>, node: Composed<'a>) -> Result<Id, Error> {
        let id = id(self.tree.nodes.len());
        if let Some(anchor) = anchor
            && let Some(first) = self.anchors.insert(anchor, id)
        {
            let first = self.tree.node(first).start;
            return Err(Error::new("second occurrence", node.start)
                .within("found duplicate anchor; first occurrence", first)
                .with_code(code::DUPLICATE_ANCHOR));
        }
        self.tree.has_merge_words |= node.tag.is_merge() || node.tag.is_value();
        self.tree.nodes.push(node);
        self.pending.push(id);
        Ok(id)
    }
}
