//! Where a value came from, worked out when it is asked for: rendering itself records nothing.

use crate::Inventory;
use crate::assemble::Contribution;
use crate::path::split;
use crate::template::{Part, Template};
use crate::tree::Tree;
use kapstan_diagnostic::{Diagnostic, Span};
use kapstan_document::{Map, Node, Text, Value, python};
use std::path::PathBuf;
use std::sync::Arc;

/// What is known of one value of a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Its path, as in a reference: `a:b`.
    pub path: String,
    /// What it came to.
    pub value: Node,
    /// What was said of it, in merge order. Empty for a part of what a reference to something larger brought.
    pub layers: Vec<Layer>,
}

/// What one file says of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// The class; none for the target itself and for the automatic parameters.
    pub class: Option<Text>,
    /// The file; empty for the automatic parameters.
    pub file: PathBuf,
    /// The place.
    pub span: Span,
    /// What stands there, references as written.
    pub written: Node,
    /// What it did to what was there.
    pub effect: Effect,
    /// Whether a later layer took its place.
    pub is_overridden: bool,
    /// The references in it, where they lead, and what was said there.
    pub references: Vec<FollowedReference>,
}

/// What a layer did to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// There was nothing before.
    Sets,
    /// It took the place of what was there.
    Replaces,
    /// Its keys were merged into the mapping.
    Merges,
    /// Its elements were appended to the sequence.
    Appends,
}

/// A reference and where its value came from.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowedReference {
    /// The path that it leads to, inner references resolved.
    pub path: String,
    /// What was said of the value there.
    pub layers: Vec<Layer>,
}

/// How far chains of references are followed.
const MAX_CHAIN: usize = 16;

impl Inventory {
    /// Where the value at a path of a target's parameters came from; for the empty path, each value that is no mapping.
    ///
    /// Fails where the target does, and where there is nothing at the path.
    pub fn explain(&self, target: &str, path: &str) -> Result<Vec<Explanation>, Arc<Vec<Diagnostic>>> {
        let rendered = self.target(target)?;
        let at = self.targets().iter().position(|file| &*file.name == target).unwrap_or_default();
        let contributions = if self.targets()[at].is_hidden {
            Vec::new()
        } else {
            self.assemble(at).map_err(Arc::new)?.contributions
        };
        let explainer = Explainer { inventory: self, contributions, parameters: &rendered.parameters };
        let delimiter = &self.store.rules.syntax.delimiter;
        let mut found = Vec::new();
        if path.is_empty() {
            explainer.leaves(&rendered.parameters, &mut Vec::new(), &mut found);
            return Ok(found);
        }
        let parts: Vec<&str> = split(path, delimiter).collect();
        let Some(value) = value_at(&rendered.parameters, &parts) else {
            let message = format!("target `{target}` has no parameter `{path}`");
            return Err(Arc::new(vec![Diagnostic::error(crate::problem::REFERENCE_NOT_FOUND, message)]));
        };
        found.push(explainer.explain(&parts, value.clone()));
        Ok(found)
    }
}

struct Explainer<'a> {
    inventory: &'a Inventory,
    contributions: Vec<Contribution>,
    parameters: &'a Node,
}

impl Explainer<'_> {
    fn leaves(&self, node: &Node, path: &mut Vec<String>, found: &mut Vec<Explanation>) {
        match node.as_map().filter(|map| !map.is_empty()) {
            Some(map) => {
                for (key, value) in map.iter() {
                    path.push(python::scalar_str(&key.scalar).into_owned());
                    self.leaves(value, path, found);
                    path.pop();
                }
            }
            None => {
                let parts: Vec<&str> = path.iter().map(String::as_str).collect();
                found.push(self.explain(&parts, node.clone()));
            }
        }
    }

    fn explain(&self, parts: &[&str], value: Node) -> Explanation {
        let path = parts.join(&self.inventory.store.rules.syntax.delimiter);
        Explanation { path, value, layers: self.layers(parts, 0) }
    }

    fn layers(&self, parts: &[&str], chain: usize) -> Vec<Layer> {
        let mut layers: Vec<Layer> = Vec::new();
        for contribution in &self.contributions {
            for (tree, is_replacing) in trees_at(&contribution.entity.parameters, parts) {
                let effect = effect(&layers, &tree, is_replacing, value_at(self.parameters, parts));
                if effect == Effect::Replaces {
                    layers.iter_mut().for_each(|layer| layer.is_overridden = true);
                }
                layers.push(Layer {
                    class: contribution.class.clone(),
                    file: contribution.entity.path.clone(),
                    span: tree.span(),
                    written: written(&tree),
                    effect,
                    is_overridden: false,
                    references: self.references(&tree, chain),
                });
            }
        }
        layers
    }

    fn references(&self, tree: &Tree, chain: usize) -> Vec<FollowedReference> {
        let Tree::Template(template) = unmarked(tree) else { return Vec::new() };
        if chain >= MAX_CHAIN {
            return Vec::new();
        }
        let delimiter = &self.inventory.store.rules.syntax.delimiter;
        let paths = self.paths(template).into_iter();
        let followed = paths.map(|path| {
            let parts: Vec<&str> = split(&path, delimiter).collect();
            let layers = self.layers(&parts, chain + 1);
            FollowedReference { layers, path }
        });
        followed.collect()
    }

    /// Where the references of a string lead, inner ones before those that they are part of.
    fn paths(&self, template: &Template) -> Vec<String> {
        let syntax = &self.inventory.store.rules.syntax;
        let rendered = Tree::Plain(self.parameters.clone());
        let references = template.references_with(&rendered, syntax);
        let has_query = template.parts.iter().any(|part| matches!(part, Part::Query(_)));
        if has_query { Vec::new() } else { references.paths.iter().map(ToString::to_string).collect() }
    }
}

fn effect(before: &[Layer], tree: &Tree, is_replacing: bool, rendered: Option<&Node>) -> Effect {
    let Some(last) = before.last() else { return Effect::Sets };
    if is_replacing {
        return Effect::Replaces;
    }
    match (&last.written.value, unmarked(tree)) {
        (_, tree) if tree.is_dict() => Effect::Merges,
        (_, tree) if tree.is_list() => Effect::Appends,
        // What a reference brings is known from what came out.
        (Value::Map(_), Tree::Template(_)) if rendered.is_some_and(|node| node.as_map().is_some()) => {
            Effect::Merges
        }
        (Value::Seq(_), Tree::Template(_)) if rendered.is_some_and(|node| node.as_seq().is_some()) => {
            Effect::Appends
        }
        _ => Effect::Replaces,
    }
}

fn unmarked(tree: &Tree) -> &Tree {
    if let Tree::Marked(marked) = tree { &marked.tree } else { tree }
}

/// What a merged file says of a path, each with whether it replaces what was said before. A reference on the way stands for
/// all below it.
fn trees_at(tree: &Tree, parts: &[&str]) -> Vec<(Tree, bool)> {
    let mut here: Vec<(Tree, bool)> = vec![(tree.clone(), false)];
    for part in parts {
        let mut next = Vec::new();
        for (tree, is_replacing) in here {
            for layer in tree.layers() {
                let replaces = is_replacing || matches!(layer, Tree::Marked(marked) if marked.overwrite);
                match unmarked(layer) {
                    Tree::Template(_) => next.push((layer.clone(), replaces)),
                    inner => next.extend(child(inner, part).map(|child| (child, replaces))),
                }
            }
        }
        here = next;
    }
    let layers = here.into_iter().flat_map(|(tree, is_replacing)| {
        let each = tree.layers().to_vec().into_iter();
        each.map(move |layer| {
            let replaces = is_replacing || matches!(&layer, Tree::Marked(marked) if marked.overwrite);
            (layer, replaces)
        })
    });
    layers.collect()
}

fn child(tree: &Tree, part: &str) -> Option<Tree> {
    match tree {
        Tree::Plain(node) => value_at(node, &[part]).cloned().map(Tree::Plain),
        Tree::Dict(dict) => dict.position_str(part).map(|at| dict.entries()[at].1.clone()),
        Tree::List(list) => part.parse().ok().and_then(|index: usize| list.items.get(index).cloned()),
        Tree::Template(_) | Tree::Marked(_) | Tree::Layers(_) => None,
    }
}

fn value_at<'n>(node: &'n Node, parts: &[&str]) -> Option<&'n Node> {
    parts.iter().try_fold(node, |here, part| match &here.value {
        Value::Map(map) => {
            let by_text = |map: &'n Map| map.iter().find(|(key, _)| python::scalar_str(&key.scalar) == *part);
            map.get(part).or_else(|| by_text(map).map(|(_, value)| value))
        }
        Value::Seq(items) => part.parse().ok().and_then(|index: usize| items.get(index)),
        _ => None,
    })
}

/// The value as it stands in the file.
pub(crate) fn written(tree: &Tree) -> Node {
    match tree {
        Tree::Plain(node) => node.clone(),
        Tree::Template(template) => Node::new(template.text.clone(), template.span),
        Tree::Marked(marked) => written(&marked.tree),
        Tree::Layers(layers) => layers.last().map_or(Node::NULL, written),
        Tree::List(list) => Node::new(list.items.iter().map(written).collect::<Vec<_>>(), list.span),
        Tree::Dict(dict) => {
            let mut map = Map::new();
            for (key, value) in dict.entries() {
                map.insert(key.clone(), written(value));
            }
            Node::new(map, dict.span)
        }
    }
}
