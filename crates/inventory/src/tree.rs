use crate::template::Template;
use kapstan_document::{Key, Map, Node, Scalar, Span, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A value on its way from the files to the rendered target. Cloning is cheap; what is shared is copied when changed.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    /// Nothing is left to do. A mapping that waits to be merged has only string keys without prefix here.
    Plain(Node),
    /// A string with references, escapes or a query.
    Template(Arc<Template>),
    /// A sequence in which something is left to do.
    List(Arc<List>),
    /// A mapping in which something is left to do.
    Dict(Arc<Dict>),
    /// A value whose key had a prefix.
    Marked(Arc<Marked>),
    /// What several files say of one key, in merge order. No element is itself `Layers`.
    Layers(Arc<Vec<Tree>>),
}

/// A sequence with unfinished elements.
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) items: Vec<Tree>,
    pub(crate) span: Span,
}

/// A value with what the prefix of its key asks for.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    pub(crate) tree: Tree,
    /// `~`: replaces what was there.
    pub(crate) overwrite: bool,
    /// `=`: nothing may follow.
    pub(crate) constant: bool,
}

/// A mapping with unfinished values, in insertion order.
#[derive(Clone, Debug)]
pub(crate) struct Dict {
    entries: Vec<(Key, Tree)>,
    index: FxHashMap<Scalar, u32>,
    pub(crate) span: Span,
    /// Whether merging has nothing to do for its keys: all strings, no prefixes, and so below.
    pub(crate) clean: bool,
    /// What the prefixes of keys asked for whose values are settled since; reclass-rs still heeds them where a reference
    /// brings the mapping somewhere else. By the place of the entry.
    pub(crate) marks: Vec<(usize, Marks)>,
}

/// What the prefix of a key asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) overwrite: bool,
    pub(crate) constant: bool,
}

/// How a peer's messages call a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Scalar,
    Reference,
    Composite,
    Query,
    List,
    Dictionary,
}

/// Up to this many entries a search from the front is the faster one.
const SMALL: usize = 12;

impl Dict {
    pub(crate) fn new(span: Span) -> Self {
        Self { entries: Vec::new(), index: FxHashMap::default(), span, clean: true, marks: Vec::new() }
    }

    pub(crate) fn with_entries(entries: Vec<(Key, Tree)>, span: Span, clean: bool) -> Self {
        let mut dict = Self { entries, index: FxHashMap::default(), span, clean, marks: Vec::new() };
        dict.reindex();
        dict
    }

    pub(crate) fn entries(&self) -> &[(Key, Tree)] {
        &self.entries
    }

    pub(crate) fn position(&self, key: &Scalar) -> Option<usize> {
        if self.index.is_empty() {
            return self.entries.iter().position(|(candidate, _)| candidate.scalar == *key);
        }
        self.index.get(key).map(|at| *at as usize)
    }

    pub(crate) fn position_str(&self, key: &str) -> Option<usize> {
        if self.index.is_empty() {
            return self.entries.iter().position(|(candidate, _)| candidate.as_str() == Some(key));
        }
        self.index.get(&Scalar::Str(key.into())).map(|at| *at as usize)
    }

    pub(crate) fn value_mut(&mut self, at: usize) -> &mut Tree {
        &mut self.entries[at].1
    }

    /// Appends a key that is not there.
    pub(crate) fn push(&mut self, key: Key, value: Tree) {
        if !self.index.is_empty() {
            self.index.insert(key.scalar.clone(), place(self.entries.len()));
        }
        self.entries.push((key, value));
        if self.index.is_empty() {
            self.reindex();
        }
    }

    fn reindex(&mut self) {
        if self.entries.len() > SMALL {
            let places = self.entries.iter().enumerate();
            self.index = places.map(|(at, (key, _))| (key.scalar.clone(), place(at))).collect();
        }
    }
}

fn place(at: usize) -> u32 {
    u32::try_from(at).expect("a mapping of four thousand million entries does not fit into memory")
}

impl Tree {
    /// Where it stands: of several layers the last.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Plain(node) => node.span,
            Self::Template(template) => template.span,
            Self::List(list) => list.span,
            Self::Dict(dict) => dict.span,
            Self::Marked(marked) => marked.tree.span(),
            Self::Layers(layers) => layers.last().map_or(Span::NONE, Self::span),
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Plain(Node { value: Value::Map(_), .. }) | Self::Dict(_) => Kind::Dictionary,
            Self::Plain(Node { value: Value::Seq(_), .. }) | Self::List(_) => Kind::List,
            Self::Plain(_) => Kind::Scalar,
            Self::Template(template) => template.kind(),
            Self::Marked(marked) => marked.tree.kind(),
            Self::Layers(layers) => layers.last().map_or(Kind::Scalar, Self::kind),
        }
    }

    /// Whether it waits for references or a query, or for its layers to be put together with care.
    pub(crate) fn is_complex(&self) -> bool {
        match self {
            Self::Plain(_) | Self::List(_) | Self::Dict(_) => false,
            Self::Template(template) => template.is_complex(),
            Self::Marked(marked) => marked.tree.is_complex(),
            Self::Layers(layers) => {
                let first = layers.first().map(Self::kind);
                layers.iter().any(|layer| {
                    layer.is_complex() || matches!(layer, Self::Marked(_)) || Some(layer.kind()) != first
                })
            }
        }
    }

    /// What the prefix of its key asks for: that of the first layer replaces, that of any is constant.
    pub(crate) fn marks(&self) -> Marks {
        let of_layer = |layer: &Self| match layer {
            Self::Marked(marked) => Marks { overwrite: marked.overwrite, constant: marked.constant },
            _ => Marks::default(),
        };
        let layers = self.layers();
        Marks {
            overwrite: layers.first().is_some_and(|layer| of_layer(layer).overwrite),
            constant: layers.iter().any(|layer| of_layer(layer).constant),
        }
    }

    /// Whether interpolation still has to replace it. Holds for every complex value, and of settled trees only for them.
    pub(crate) fn is_pending(&self) -> bool {
        matches!(self, Self::Template(_) | Self::Marked(_) | Self::Layers(_))
    }

    pub(crate) fn is_dict(&self) -> bool {
        matches!(self, Self::Dict(_) | Self::Plain(Node { value: Value::Map(_), .. }))
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self, Self::List(_) | Self::Plain(Node { value: Value::Seq(_), .. }))
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Plain(node) if node.is_null())
    }

    /// The layers, of which most values have one.
    pub(crate) fn layers(&self) -> &[Tree] {
        if let Self::Layers(layers) = self { layers } else { std::slice::from_ref(self) }
    }

    /// The mapping, where it is one; a finished one is opened by one level.
    pub(crate) fn to_dict(&self) -> Option<Arc<Dict>> {
        match self {
            Self::Dict(dict) => Some(dict.clone()),
            Self::Plain(Node { value: Value::Map(map), span }) => Some(Arc::new(open(map, *span))),
            _ => None,
        }
    }

    /// The elements, where it is a sequence.
    pub(crate) fn to_items(&self) -> Option<Vec<Tree>> {
        match self {
            Self::List(list) => Some(list.items.clone()),
            Self::Plain(Node { value: Value::Seq(items), .. }) => {
                Some(items.iter().cloned().map(Self::Plain).collect())
            }
            _ => None,
        }
    }

    /// A sequence of these elements, finished where all of them are.
    pub(crate) fn list(items: Vec<Tree>, span: Span) -> Self {
        if items.iter().all(|item| matches!(item, Self::Plain(_))) {
            let nodes = items.into_iter().filter_map(Self::into_plain).collect::<Vec<_>>();
            return Self::Plain(Node::new(nodes, span));
        }
        Self::List(Arc::new(List { items, span }))
    }

    /// A mapping of these entries, finished where all of them are.
    pub(crate) fn dict(entries: Vec<(Key, Tree)>, span: Span, clean: bool) -> Self {
        if entries.iter().any(|(_, value)| !matches!(value, Self::Plain(_))) {
            return Self::Dict(Arc::new(Dict::with_entries(entries, span, clean)));
        }
        let mut map = Map::with_capacity(entries.len());
        for (key, value) in entries {
            if let Self::Plain(node) = value {
                map.insert(key, node);
            }
        }
        Self::Plain(Node::new(map, span))
    }

    fn into_plain(self) -> Option<Node> {
        if let Self::Plain(node) = self { Some(node) } else { None }
    }
}

/// The mapping with each value as a tree of its own.
fn open(map: &Map, span: Span) -> Dict {
    let entries = map.iter().map(|(key, value)| (key.clone(), Tree::Plain(value.clone()))).collect();
    Dict::with_entries(entries, span, true)
}

impl Kind {
    /// The peer's word for it.
    pub(crate) fn peer_name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Reference => "reference",
            Self::Composite => "composite",
            Self::Query => "inv_query",
            Self::List => "list",
            Self::Dictionary => "dictionary",
        }
    }

    /// Our word for it, with its article.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scalar => "a scalar",
            Self::Reference => "a reference",
            Self::Composite => "a string with references",
            Self::Query => "an inventory query",
            Self::List => "a sequence",
            Self::Dictionary => "a mapping",
        }
    }
}
