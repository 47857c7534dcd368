use crate::path::split;
use crate::rules::Syntax;
use crate::tree::Tree;
use kapstan_diagnostic::nearest;
use kapstan_document::{Int, Node, Value, python};

/// Why there is nothing at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Miss {
    pub(crate) kind: MissKind,
    /// The path that was followed; empty for other reasons.
    pub(crate) path: String,
    /// "`a:b` has no key `c`".
    pub(crate) reason: String,
    /// A path that was probably meant.
    pub(crate) near: Option<String>,
}

/// What the peer makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissKind {
    /// A reference that cannot be resolved: collected, and ignored where it is overwritten.
    Unresolved,
    /// The peer breaks down.
    Fatal,
}

impl Miss {
    pub(crate) fn new(kind: MissKind, reason: impl Into<String>) -> Self {
        Self { kind, path: String::new(), reason: reason.into(), near: None }
    }
}

/// Follows a path of a reference.
///
/// Behaviour: reclass. Keys are strings; indices of sequences are taken on the way, also negative ones, but not at the
/// end; what waits for interpolation has no parts.
pub(crate) fn lookup(base: &Tree, path: &str, syntax: &Syntax) -> Result<Tree, Miss> {
    follow(base, split(path, &syntax.delimiter), syntax.is_reclass_rs).map_err(|mut miss| {
        path.clone_into(&mut miss.path);
        miss
    })
}

/// As [`lookup`], for a path in parts. The empty path leads nowhere.
pub(crate) fn lookup_parts<'p>(base: &Tree, parts: impl Iterator<Item = &'p str>) -> Result<Tree, Miss> {
    follow(base, parts, false)
}

/// `is_reclass_rs`: only mappings have parts.
fn follow<'p>(base: &Tree, parts: impl Iterator<Item = &'p str>, is_reclass_rs: bool) -> Result<Tree, Miss> {
    let mut here = Cursor::Tree(base);
    let mut parts = parts.peekable();
    let mut walked: Vec<&str> = Vec::new();
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        if is_reclass_rs && here.kind() == "sequence" {
            return Err(here.miss(MissKind::Fatal, &walked, part, true));
        }
        here = here.step(part, is_last).map_err(|kind| here.miss(kind, &walked, part, is_last))?;
        walked.push(part);
    }
    if walked.is_empty() {
        return Err(Miss::new(MissKind::Unresolved, "the path is empty"));
    }
    Ok(here.take())
}

/// Follows a path in what is merged and not yet settled: layers of one kind are joined on the way, and what holds
/// references has no parts.
pub(crate) fn lookup_merged(base: &Tree, path: &str, syntax: &Syntax) -> Result<Tree, Miss> {
    let mut here = base.clone();
    let mut walked: Vec<&str> = Vec::new();
    let mut parts = split(path, &syntax.delimiter).peekable();
    while let Some(part) = parts.next() {
        let cursor = Cursor::Tree(&here);
        let is_last = parts.peek().is_none();
        let next = cursor
            .step(part, is_last)
            .map_err(|kind| Miss { path: path.to_owned(), ..cursor.miss(kind, &walked, part, is_last) })?;
        here = join_layers(next.take());
        walked.push(part);
    }
    Ok(here)
}

/// What several layers, or a marked value, come to where no reference is involved.
pub(crate) fn join_layers(tree: Tree) -> Tree {
    match &tree {
        Tree::Marked(marked) if !marked.tree.is_complex() => marked.tree.clone(),
        Tree::Layers(layers) if !tree.is_complex() => {
            if layers.first().is_some_and(Tree::is_list) {
                let items = layers.iter().filter_map(Tree::to_items).flatten().collect();
                return Tree::list(items, tree.span());
            }
            layers.last().cloned().unwrap_or(Tree::Plain(Node::NULL))
        }
        _ => tree,
    }
}

#[derive(Clone, Copy)]
enum Cursor<'a> {
    Tree(&'a Tree),
    Node(&'a Node),
}

impl<'a> Cursor<'a> {
    fn step(self, part: &str, is_last: bool) -> Result<Self, MissKind> {
        match self {
            Self::Tree(Tree::Plain(node)) | Self::Node(node) => match &node.value {
                Value::Map(map) => map.get(part).map(Self::Node).ok_or(MissKind::Unresolved),
                Value::Seq(items) if !is_last => Ok(Self::Node(&items[index(part, items.len())?])),
                _ => Err(MissKind::Unresolved),
            },
            Self::Tree(Tree::Dict(dict)) => {
                let at = dict.position_str(part).ok_or(MissKind::Unresolved)?;
                Ok(Self::Tree(&dict.entries()[at].1))
            }
            Self::Tree(Tree::List(list)) if !is_last => {
                Ok(Self::Tree(&list.items[index(part, list.items.len())?]))
            }
            Self::Tree(_) => Err(MissKind::Unresolved),
        }
    }

    fn take(self) -> Tree {
        match self {
            Self::Tree(tree) => tree.clone(),
            Self::Node(node) => Tree::Plain(node.clone()),
        }
    }

    fn keys(self) -> Option<Vec<&'a str>> {
        match self {
            Self::Tree(Tree::Plain(node)) | Self::Node(node) => {
                node.as_map().map(|map| map.keys().filter_map(|key| key.as_str()).collect())
            }
            Self::Tree(Tree::Dict(dict)) => {
                Some(dict.entries().iter().filter_map(|(key, _)| key.as_str()).collect())
            }
            Self::Tree(_) => None,
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Tree(Tree::Plain(node)) | Self::Node(node) => node.value.kind(),
            Self::Tree(tree) => match tree {
                Tree::Dict(_) => "mapping",
                Tree::List(_) => "sequence",
                _ => "value that is not resolved yet",
            },
        }
    }

    fn miss(self, kind: MissKind, walked: &[&str], part: &str, is_last: bool) -> Miss {
        let here =
            if walked.is_empty() { "the parameters".to_owned() } else { format!("`{}`", walked.join(":")) };
        let reason = match self.keys() {
            Some(_) if walked.is_empty() => format!("there is no parameter `{part}`"),
            Some(_) => format!("{here} has no key `{part}`"),
            None if kind == MissKind::Fatal && !is_last => {
                format!("{here} is a sequence without an element `{part}`")
            }
            None if self.kind() == "sequence" && is_last => {
                format!("{here} is a sequence, and a reference cannot end in one of its elements")
            }
            None if self.kind() == "integer" => format!("{here} is an integer and has no key `{part}`"),
            None => format!("{here} is a {} and has no key `{part}`", self.kind()),
        };
        let near = self.keys().and_then(|keys| nearest(part, keys).map(str::to_owned));
        let near = near.map(|near| {
            let mut path = walked.to_vec();
            path.push(&near);
            path.join(":")
        });
        Miss { kind, path: String::new(), reason, near }
    }
}

/// `list[int(part)]`.
fn index(part: &str, length: usize) -> Result<usize, MissKind> {
    let Ok(Int::Small(number)) = python::parse_int(part, 10) else { return Err(MissKind::Fatal) };
    let number = usize::try_from(number.unsigned_abs()).map_err(|_| MissKind::Fatal)?;
    let is_negative = part.trim_start().starts_with('-');
    let at = if is_negative { length.checked_sub(number) } else { Some(number) };
    at.filter(|at| *at < length).ok_or(MissKind::Fatal)
}
