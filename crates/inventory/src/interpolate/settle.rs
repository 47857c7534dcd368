use super::Interpolation;
use crate::lookup::join_layers;
use crate::path::{Step, join};
use crate::problem;
use crate::store::MAX_DEPTH;
use crate::template::Part;
use crate::tree::{Dict, Marks, Tree};
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Key, Node};
use std::sync::Arc;

impl Interpolation<'_> {
    /// Puts a tree into the form in which it waits for interpolation: what needs none is finished, and the paths of what
    /// does are appended to `queue`.
    ///
    /// `rendered` is the value that the tree came out of. It fails where the tree holds that same value: rendering would
    /// not end.
    pub(super) fn settle(
        &mut self,
        tree: Tree,
        path: &mut Vec<Step>,
        queue: &mut Vec<Vec<Step>>,
        rendered: Option<&Tree>,
    ) -> Result<Tree, Diagnostic> {
        if path.len() > MAX_DEPTH {
            return Err(problem::too_deep(&join(path, &self.rules.syntax), tree.span()));
        }
        let tree = join_layers(tree);
        match &tree {
            Tree::Plain(_) => Ok(tree),
            Tree::Dict(dict) => {
                let mut entries: Vec<(Key, Tree)> = Vec::with_capacity(dict.entries().len());
                let mut marks = dict.marks.clone();
                for (at, (key, value)) in dict.entries().iter().enumerate() {
                    if self.rules.is_reclass_rs && value.marks() != Marks::default() {
                        marks.push((at, value.marks()));
                    }
                    let value =
                        self.settle_part(value, || Step::Key(key.scalar.clone()), path, queue, rendered)?;
                    entries.push((key.clone(), value));
                }
                if marks.is_empty() {
                    return Ok(Tree::dict(entries, dict.span, dict.clean));
                }
                let mut marked = Dict::with_entries(entries, dict.span, dict.clean);
                marked.marks = marks;
                Ok(Tree::Dict(Arc::new(marked)))
            }
            Tree::List(list) => {
                let mut items = Vec::with_capacity(list.items.len());
                for (index, item) in list.items.iter().enumerate() {
                    items.push(self.settle_part(item, || Step::Index(index), path, queue, rendered)?);
                }
                Ok(Tree::list(items, list.span))
            }
            Tree::Template(template) if !tree.is_complex() => {
                let mut text = String::new();
                for part in &template.parts {
                    match part {
                        Part::Text(part) => text.push_str(part),
                        _ => {
                            return Err(problem::bad_query(
                                "an inventory query cannot be part of a longer string",
                                template.span,
                            ));
                        }
                    }
                }
                Ok(Tree::Plain(Node::new(text, template.span)))
            }
            Tree::Template(_) | Tree::Marked(_) | Tree::Layers(_) => {
                if rendered.is_some_and(|rendered| is_same(rendered, &tree)) {
                    let path = join(path, &self.rules.syntax);
                    let shown = tree.layers().iter().find_map(reference_text).unwrap_or_default();
                    let span = tree.span();
                    return Err(problem::cycle(&shown, &path, span));
                }
                queue.push(path.clone());
                Ok(tree)
            }
        }
    }

    fn settle_part(
        &mut self,
        part: &Tree,
        step: impl FnOnce() -> Step,
        path: &mut Vec<Step>,
        queue: &mut Vec<Vec<Step>>,
        rendered: Option<&Tree>,
    ) -> Result<Tree, Diagnostic> {
        self.budget = self.budget.checked_sub(1).ok_or_else(|| problem::too_large(part.span()))?;
        if let Tree::Plain(_) = part {
            return Ok(part.clone());
        }
        path.push(step());
        let settled = self.settle(part.clone(), path, queue, rendered);
        path.pop();
        settled
    }
}

fn reference_text(layer: &Tree) -> Option<String> {
    let layer = if let Tree::Marked(marked) = layer { &marked.tree } else { layer };
    if let Tree::Template(template) = layer { Some(template.text.to_string()) } else { None }
}

/// Whether these are one value, not just equal ones.
fn is_same(left: &Tree, right: &Tree) -> bool {
    match (left, right) {
        (Tree::Template(left), Tree::Template(right)) => Arc::ptr_eq(left, right),
        (Tree::Marked(left), Tree::Marked(right)) => Arc::ptr_eq(left, right),
        (Tree::Layers(left), Tree::Layers(right)) => Arc::ptr_eq(left, right),
        _ => false,
    }
}
