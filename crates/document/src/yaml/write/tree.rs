use super::anchors::{Anchors, Reference};
use super::atom::Atom;
use super::flow::Layout;
use super::output::Output;
use super::{Aliases, WriteOptions, scalar};
use crate::key_order::sort_entries;
use crate::write_error::{MAX_BYTES, MAX_DEPTH, WriteError};
use crate::{Key, Map, Member, Node, Span, Value};

/// Writes documents one after the other, without recursion: what is open stands on a stack.
pub(super) struct Writer<'n, 'o> {
    out: Output,
    options: &'o WriteOptions,
    anchors: Anchors,
    open: Vec<Open<'n>>,
    /// The entries of all open mappings, each in the order in which it is written.
    entries: Vec<(&'n Key, &'n Node)>,
    documents: usize,
}

/// A container of which a part is written.
struct Open<'n> {
    indent: usize,
    rest: Rest<'n>,
}

enum Rest<'n> {
    Items(std::slice::Iter<'n, Node>),
    /// From where the entries of this mapping begin, and from where they are still to be written.
    Entries {
        begin: usize,
        next: usize,
    },
}

/// Where a node stands: what a sequence below it needs to know for its indentation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Root,
    Item,
    Entry,
}

static NULL: Node = Node::NULL;

impl<'n, 'o> Writer<'n, 'o> {
    pub(super) fn new(options: &'o WriteOptions) -> Self {
        Self {
            out: Output::new(options.best_width()),
            options,
            anchors: Anchors::default(),
            open: Vec::new(),
            entries: Vec::new(),
            documents: 0,
        }
    }

    /// Writes a document.
    pub(super) fn document(&mut self, root: &'n Node) -> Result<(), WriteError> {
        self.anchors = Anchors::find(root, self.options.aliases)?;
        self.begin_document();
        self.node(root, Context::Root, None)?;
        while let Some(open) = self.open.last_mut() {
            let indent = open.indent;
            match &mut open.rest {
                Rest::Items(items) => match items.next() {
                    Some(item) => {
                        self.out.go_to(indent);
                        self.out.block_indicator("-");
                        self.node(item, Context::Item, Some(indent))?;
                    }
                    None => drop(self.open.pop()),
                },
                Rest::Entries { begin, next } => match self.entries.get(*next) {
                    Some((key, value)) => {
                        *next += 1;
                        self.entry(key, value, indent)?;
                    }
                    None => {
                        self.entries.truncate(*begin);
                        self.open.pop();
                    }
                },
            }
        }
        self.out.go_to(0);
        Ok(())
    }

    /// Writes a document that is nothing but a scalar.
    pub(super) fn scalar_document(&mut self, atom: Atom<'_>) -> Result<(), WriteError> {
        self.begin_document();
        self.scalar(atom, Span::NONE, Context::Root, None)?;
        self.out.go_to(0);
        Ok(())
    }

    /// Ends the stream and returns the text.
    pub(super) fn finish(mut self) -> String {
        if self.out.open_ended {
            self.out.indicator("...");
            self.out.go_to(0);
        }
        self.out.text
    }

    fn begin_document(&mut self) {
        if self.documents > 0 || self.options.explicit_start {
            self.out.go_to(0);
            self.out.indicator("---");
        }
        self.documents += 1;
    }

    fn entry(&mut self, key: &Key, value: &'n Node, indent: usize) -> Result<(), WriteError> {
        let prepared = scalar::prepare(Atom::from(&key.scalar), key.span, self.options)?;
        let split = !prepared.is_simple_key();
        let layout = Layout { indent: indent + self.options.best_indent(), split };
        self.out.go_to(indent);
        if split {
            self.out.block_indicator("?");
            prepared.write(&mut self.out, layout, self.options);
            self.out.go_to(indent);
            self.out.block_indicator(":");
        } else {
            prepared.write(&mut self.out, layout, self.options);
            self.out.closing(":");
        }
        self.node(value, Context::Entry, Some(indent))
    }

    fn node(&mut self, node: &'n Node, context: Context, parent: Option<usize>) -> Result<(), WriteError> {
        if self.out.text.len() > MAX_BYTES {
            return Err(WriteError::too_long(node.span));
        }
        if self.options.aliases != Aliases::Never {
            match self.anchors.refer(node, self.options.aliases) {
                Reference::Value => {}
                Reference::Anchored(anchor) => self.out.indicator(&anchor),
                Reference::Alias(alias) => {
                    self.out.indicator(&alias);
                    return Ok(());
                }
            }
        }
        if let Value::Str(text) = &node.value
            && self.options.tag_members
            && let Some((tag, items)) = Member::of(text).map(Member::tagged)
        {
            self.out.indicator(tag);
            return self.items(items, context, parent, node.span);
        }
        match &node.value {
            Value::Seq(items) if items.is_empty() => self.out.indicator("[]"),
            Value::Seq(items) => self.items(items, context, parent, node.span)?,
            Value::Map(map) => self.map(map, node, parent)?,
            Value::Set(map) => {
                self.out.indicator("!!set");
                self.map(map, node, parent)?;
            }
            value => {
                if let Some(atom) = Atom::of(value) {
                    self.scalar(atom, node.span, context, parent)?;
                }
            }
        }
        Ok(())
    }

    fn items(
        &mut self,
        items: &'n [Node],
        context: Context,
        parent: Option<usize>,
        span: Span,
    ) -> Result<(), WriteError> {
        let indentless = context == Context::Entry && !self.out.indention && !self.options.indent_sequences;
        self.push(Rest::Items(items.iter()), parent, indentless, span)
    }

    fn map(&mut self, map: &'n Map, node: &'n Node, parent: Option<usize>) -> Result<(), WriteError> {
        if map.is_empty() {
            self.out.indicator("{}");
            return Ok(());
        }
        let begin = self.entries.len();
        if matches!(node.value, Value::Set(_)) {
            self.entries.extend(map.keys().map(|key| (key, &NULL)));
        } else {
            self.entries.extend(map.iter());
        }
        // Keys without an order stay as they are.
        let _ = sort_entries(&mut self.entries[begin..]);
        self.push(Rest::Entries { begin, next: begin }, parent, false, node.span)
    }

    fn push(
        &mut self,
        rest: Rest<'n>,
        parent: Option<usize>,
        indentless: bool,
        span: Span,
    ) -> Result<(), WriteError> {
        if self.open.len() == MAX_DEPTH {
            return Err(WriteError::too_deep(span));
        }
        let step = if indentless { 0 } else { self.options.best_indent() };
        let indent = parent.map_or(0, |parent| parent + step);
        self.open.push(Open { indent, rest });
        Ok(())
    }

    fn scalar(
        &mut self,
        atom: Atom<'_>,
        span: Span,
        context: Context,
        parent: Option<usize>,
    ) -> Result<(), WriteError> {
        let prepared = scalar::prepare(atom, span, self.options)?;
        let layout = Layout { indent: parent.unwrap_or(0) + self.options.best_indent(), split: true };
        prepared.write(&mut self.out, layout, self.options);
        if context == Context::Root && prepared.is_plain(layout, self.options) {
            self.out.open_ended = true;
        }
        Ok(())
    }
}
