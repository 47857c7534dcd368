//! Putting together what several files say: mappings recursively, everything else as layers that interpolation joins.

use crate::problem;
use crate::rules::Syntax;
use crate::template::{ParseError, Template};
use crate::tree::{Dict, List, Marked, Tree};
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Key, Map, Node, Scalar, Span, Value, python};
use std::sync::Arc;

/// A string that cannot be read, and the path to it inside the value that was read.
pub(crate) struct Unreadable {
    pub(crate) error: ParseError,
    pub(crate) span: Span,
    /// Innermost part first.
    pub(crate) path: Vec<String>,
}

/// Reads the references in a value as it stands in a file. Keys stay as they are: [`clean`] sees to them.
pub(crate) fn wrap(node: &Node, syntax: &Syntax) -> Result<Tree, Unreadable> {
    match &node.value {
        Value::Str(text) if syntax.has_sentinel(text) => {
            let template = Template::parse(text, node.span, syntax).map_err(|error| Unreadable {
                error,
                span: node.span,
                path: Vec::new(),
            })?;
            Ok(match template.as_text() {
                Some(text) => Tree::Plain(Node::new(text.clone(), node.span)),
                None => Tree::Template(Arc::new(template)),
            })
        }
        Value::Seq(items) if !items.iter().all(|item| is_finished(item, syntax)) => {
            let wrapped = items.iter().enumerate().map(|(at, item)| {
                let item = wrap(item, syntax).map_err(|unreadable| unreadable.within(at.to_string()))?;
                // Only reclass-rs looks for prefixes in the mappings of a sequence.
                let is_cleaned = syntax.is_reclass_rs && item.is_dict();
                Ok(if is_cleaned { merge(None, item.clone(), syntax).unwrap_or(item) } else { item })
            });
            let items = wrapped.collect::<Result<Vec<_>, _>>()?;
            Ok(Tree::List(Arc::new(List { items, span: node.span })))
        }
        Value::Map(map) if !(is_clean_map(map, syntax) && is_finished(node, syntax)) => {
            let mut entries = Vec::with_capacity(map.len());
            let mut clean = true;
            for (key, value) in map.iter() {
                let value = wrap(value, syntax)
                    .map_err(|unreadable| unreadable.within(python::scalar_str(&key.scalar).into_owned()))?;
                clean &= is_clean_key(&key.scalar, syntax) && is_clean(&value);
                entries.push((key.clone(), value));
            }
            Ok(Tree::Dict(Arc::new(Dict::with_entries(entries, node.span, clean))))
        }
        _ => Ok(Tree::Plain(node.clone())),
    }
}

impl Unreadable {
    fn within(mut self, part: String) -> Self {
        self.path.push(part);
        self
    }
}

/// Whether the mappings in sequences below need nothing done, and there is no reference.
fn is_finished(node: &Node, syntax: &Syntax) -> bool {
    is_static(node, syntax) && (!syntax.is_reclass_rs || has_no_prefixes(node, syntax))
}

fn has_no_prefixes(node: &Node, syntax: &Syntax) -> bool {
    match &node.value {
        Value::Seq(items) => items.iter().all(|item| has_no_prefixes(item, syntax)),
        Value::Map(map) => {
            map.iter().all(|(key, value)| is_clean_key(&key.scalar, syntax) && has_no_prefixes(value, syntax))
        }
        _ => true,
    }
}

/// Whether there is no reference in it, at any depth.
fn is_static(node: &Node, syntax: &Syntax) -> bool {
    match &node.value {
        Value::Str(text) => !syntax.has_sentinel(text),
        Value::Seq(items) => items.iter().all(|item| is_static(item, syntax)),
        Value::Map(map) => map.values().all(|value| is_static(value, syntax)),
        _ => true,
    }
}

/// Whether merging has nothing to do for the keys of this mapping and of those below it.
fn is_clean_map(map: &Map, syntax: &Syntax) -> bool {
    map.iter().all(|(key, value)| {
        is_clean_key(&key.scalar, syntax) && value.as_map().is_none_or(|map| is_clean_map(map, syntax))
    })
}

fn is_clean_key(key: &Scalar, syntax: &Syntax) -> bool {
    if syntax.is_reclass_rs && key.as_str().is_none() {
        return true;
    }
    let first = key.as_str().and_then(|key| key.chars().next());
    first.is_some() && first != syntax.override_prefix && first != syntax.constant_prefix
}

fn is_clean(tree: &Tree) -> bool {
    if let Tree::Dict(dict) = tree { dict.clean } else { true }
}

/// Makes a mapping ready to be merged: keys become strings, and prefixes marks.
///
/// A mapping that a reference brought, or that stood behind a prefix, has not been through this.
pub(crate) fn clean(tree: Tree, syntax: &Syntax) -> Result<Tree, Diagnostic> {
    merge(None, raw(tree, syntax), syntax)
}

/// The same mapping, telling of itself and the mappings below whether merging has something to do for their keys.
fn raw(tree: Tree, syntax: &Syntax) -> Tree {
    match &tree {
        Tree::Plain(Node { value: Value::Map(map), .. }) if is_clean_map(map, syntax) => return tree,
        Tree::Plain(Node { value: Value::Map(_), .. }) | Tree::Dict(_) => {}
        Tree::Layers(layers) if syntax.is_reclass_rs => return without_replaced(layers),
        _ => return tree,
    }
    let Some(dict) = tree.to_dict() else { return tree };
    let mut clean = true;
    let mut entries = Vec::with_capacity(dict.entries().len());
    for (at, (key, value)) in dict.entries().iter().enumerate() {
        let marks = dict.marks.iter().find(|(marked, _)| *marked == at);
        let value = match (raw(value.clone(), syntax), marks) {
            (value, Some((_, marks))) => mark(&value, marks.overwrite, marks.constant),
            (value, None) => value,
        };
        clean &= is_clean_key(&key.scalar, syntax) && is_clean(&value);
        entries.push((key.clone(), value));
    }
    Tree::Dict(Arc::new(Dict::with_entries(entries, dict.span, clean)))
}

/// The layers that are left where one replaces those below it. What it replaced is settled: for reclass-rs it replaces
/// nothing at another place, to which a reference brings the whole.
fn without_replaced(layers: &Arc<Vec<Tree>>) -> Tree {
    let replaces = |layer: &Tree| matches!(layer, Tree::Marked(marked) if marked.overwrite);
    match layers.iter().rposition(replaces) {
        None | Some(0) => Tree::Layers(layers.clone()),
        Some(last) => {
            let mut left = layers[last..].to_vec();
            if let Tree::Marked(marked) = &left[0] {
                left[0] = if marked.constant { mark(&marked.tree, false, true) } else { marked.tree.clone() };
            }
            if left.len() == 1 { left.remove(0) } else { Tree::Layers(Arc::new(left)) }
        }
    }
}

/// Merges `new` over what is there.
///
/// Behaviour: reclass, merging of `Parameters`. Mappings merge key by key; whatever else meets an earlier value becomes
/// its next layer. Keys become strings; `~key` and `=key` mark their value.
pub(crate) fn merge(current: Option<Tree>, new: Tree, syntax: &Syntax) -> Result<Tree, Diagnostic> {
    let Some(current) = current else {
        if is_clean(&new) {
            return Ok(new);
        }
        return merge_dict(Dict::new(new.span()), new, syntax);
    };
    if new.is_dict() && current.is_dict() {
        let dict = match current {
            Tree::Dict(dict) => Arc::try_unwrap(dict).unwrap_or_else(|shared| (*shared).clone()),
            plain => match plain.to_dict() {
                Some(dict) => Arc::unwrap_or_clone(dict),
                None => Dict::new(plain.span()),
            },
        };
        return merge_dict(dict, new, syntax);
    }
    Ok(layer(current, new))
}

/// Puts a layer, or several, on top.
fn layer(current: Tree, new: Tree) -> Tree {
    let mut layers = match current {
        Tree::Layers(layers) => layers,
        single => Arc::new(vec![single]),
    };
    let all = Arc::make_mut(&mut layers);
    match new {
        Tree::Layers(more) => all.extend(more.iter().cloned()),
        single => all.push(single),
    }
    Tree::Layers(layers)
}

fn merge_dict(mut dict: Dict, new: Tree, syntax: &Syntax) -> Result<Tree, Diagnostic> {
    dict.span = new.span();
    let Some(new) = new.to_dict() else { return Ok(Tree::Dict(Arc::new(dict))) };
    for (key, value) in new.entries() {
        let (key, value) = unprefixed(key, value, syntax)?;
        dict.clean &= is_clean_key(&key.scalar, syntax) && is_clean(&value);
        match dict.position(&key.scalar) {
            Some(at) => {
                let place = dict.value_mut(at);
                let current = std::mem::replace(place, Tree::Plain(Node::NULL));
                *place = merge(Some(current), value, syntax)?;
            }
            None => dict.push(key, merge(None, value, syntax)?),
        }
    }
    Ok(Tree::Dict(Arc::new(dict)))
}

/// The key as a string without its prefix, and the value with the mark that the prefix stands for.
fn unprefixed(key: &Key, value: &Tree, syntax: &Syntax) -> Result<(Key, Tree), Diagnostic> {
    let key = match &key.scalar {
        Scalar::Str(_) => key.clone(),
        // reclass-rs keeps keys as they are.
        _ if syntax.is_reclass_rs => return Ok((key.clone(), value.clone())),
        other => Key::at(Scalar::Str(python::scalar_str(other).into()), key.span),
    };
    let text = key.as_str().unwrap_or_default();
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return Err(problem::empty_key(&key)) };
    let overwrite = Some(first) == syntax.override_prefix;
    let constant = !overwrite && Some(first) == syntax.constant_prefix;
    if !overwrite && !constant {
        return Ok((key, value.clone()));
    }
    let bare = Key::at(Scalar::Str(characters.as_str().into()), key.span);
    Ok((bare, mark(value, overwrite, constant)))
}

fn mark(value: &Tree, overwrite: bool, constant: bool) -> Tree {
    match value {
        Tree::Marked(marked) => Tree::Marked(Arc::new(Marked {
            tree: marked.tree.clone(),
            overwrite: marked.overwrite || overwrite,
            constant: marked.constant || constant,
        })),
        Tree::Layers(layers) => {
            let marked = layers
                .iter()
                .enumerate()
                .map(|(at, layer)| if at == 0 { mark(layer, overwrite, constant) } else { layer.clone() });
            Tree::Layers(Arc::new(marked.collect()))
        }
        _ => Tree::Marked(Arc::new(Marked { tree: value.clone(), overwrite, constant })),
    }
}
