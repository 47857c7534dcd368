//! References resolved: from merged trees to values.
//!
//! The order in which values are rendered is the peer's, because it can be seen: in the order of messages, and in strings
//! that hold the text of a container some part of which is not rendered yet.

mod layers;
mod measure;
mod render;
mod report;
mod settle;

pub(crate) use report::Report;

use crate::path::{Step, join, split};
use crate::problem;
use crate::rules::Rules;
use crate::store::Store;
use crate::template::{Exports, References};
use crate::tree::Tree;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Map, Node, Value};
use measure::Measure;
use render::Failure;
use std::sync::Arc;

/// Gives the exports of all targets when a query asks for them.
pub(crate) type AskExports<'a> = &'a dyn Fn() -> Result<Arc<Exports>, Vec<Diagnostic>>;

/// The parameters of a target while their references are resolved.
pub(crate) struct Interpolation<'a> {
    rules: &'a Rules,
    exports: AskExports<'a>,
    /// The parameters, settled: what is pending in them is listed in `queue`, or was.
    base: Tree,
    queue: Vec<Vec<Step>>,
    /// What is being rendered, outermost first.
    frames: Vec<Frame>,
    report: Report<'a>,
    measure: Measure,
    /// How many values may still be copied from one place to another.
    budget: usize,
}

/// A value that is being rendered: first what it refers to, then itself.
struct Frame {
    path: Vec<Step>,
    value: Tree,
    references: References,
    next: usize,
    /// So many leading parts of the path at `next` are looked after.
    ancestors: usize,
    /// The value belongs to the exports, not to the parameters.
    is_export: bool,
}

/// What a frame needs next.
enum Need {
    Other(Frame),
    Nothing,
}

/// Far beyond what any inventory copies, and soon reached by one that grows without end.
const BUDGET: usize = 200_000;

impl<'a> Interpolation<'a> {
    /// Takes over merged parameters.
    pub(crate) fn new(parameters: Tree, target: &'a str, store: &'a Store, exports: AskExports<'a>) -> Self {
        let mut new = Self {
            rules: &store.rules,
            exports,
            base: Tree::Plain(Map::new().into()),
            queue: Vec::new(),
            frames: Vec::new(),
            report: Report::new(target, store),
            measure: Measure::default(),
            budget: BUDGET,
        };
        let mut queue = Vec::new();
        match new.settle(parameters, &mut Vec::new(), &mut queue, None) {
            Ok(base) => new.base = base,
            Err(problem) => new.report.fatal(problem, None),
        }
        new.queue = queue;
        new
    }

    /// Renders everything.
    pub(crate) fn render_parameters(&mut self) {
        let mut at = 0;
        while at < self.queue.len() && !self.report.is_stopped() {
            let path = std::mem::take(&mut self.queue[at]);
            at += 1;
            if let Some(value) = self.pending_at(&path) {
                let frame = Frame::new(path.clone(), value, false);
                if let Some(new) = self.resolve(frame) {
                    self.put(&path, new);
                }
            }
        }
    }

    /// Whether anything went wrong so far.
    pub(crate) fn has_problems(&self) -> bool {
        self.report.has_problems()
    }

    /// Renders exports, whose references are to the parameters; of these only what is needed is rendered.
    pub(crate) fn render_exports(&mut self, exports: Tree) -> Node {
        let mut queue = Vec::new();
        let mut tree = match self.settle(exports, &mut Vec::new(), &mut queue, None) {
            Ok(tree) => tree,
            Err(problem) => {
                self.report.fatal(problem, None);
                return Map::new().into();
            }
        };
        let mut at = 0;
        while at < queue.len() && !self.report.is_stopped() {
            let mut path = std::mem::take(&mut queue[at]);
            at += 1;
            let Some(value) = find(&tree, &path).filter(|value| value.is_pending()).cloned() else {
                continue;
            };
            let Some(new) = self.resolve(Frame::new(path.clone(), value.clone(), true)) else { continue };
            match self.settle(new, &mut path, &mut queue, Some(&value)) {
                Ok(new) => set(&mut tree, &path, new),
                Err(problem) => self.report.fatal(problem, None),
            }
        }
        self.finish(tree)
    }

    /// The parameters as they are now, and what was reported.
    pub(crate) fn into_parameters(mut self) -> (Node, Report<'a>) {
        let base = std::mem::replace(&mut self.base, Tree::Plain(Node::NULL));
        (self.finish(base), self.report)
    }

    fn finish(&self, tree: Tree) -> Node {
        match tree {
            Tree::Plain(node) => node,
            Tree::Dict(dict) => {
                let mut map = Map::with_capacity(dict.entries().len());
                for (key, value) in dict.entries() {
                    map.insert(key.clone(), self.finish(value.clone()));
                }
                Node::new(map, dict.span)
            }
            Tree::List(list) => {
                let items: Vec<Node> = list.items.iter().map(|item| self.finish(item.clone())).collect();
                Node::new(items, list.span)
            }
            // Only where rendering was given up.
            pending => Node::new(Value::Null, pending.span()),
        }
    }

    fn pending_at(&self, path: &[Step]) -> Option<Tree> {
        find(&self.base, path).filter(|value| value.is_pending()).cloned()
    }

    /// Renders the value of a frame, after what it refers to. None where a problem was reported that leaves no value.
    fn resolve(&mut self, frame: Frame) -> Option<Tree> {
        let bottom = self.frames.len();
        self.frames.push(frame);
        while !self.report.is_stopped() {
            match self.need() {
                Ok(Need::Other(frame)) => self.frames.push(frame),
                Ok(Need::Nothing) => {
                    let frame = self.frames.pop()?;
                    let new = self.render_frame(&frame);
                    if self.frames.len() == bottom {
                        return new;
                    }
                    if let Some(new) = new {
                        self.put_rendered(&frame, new);
                    }
                }
                Err((problem, line)) => self.report.fatal(problem, line),
            }
        }
        self.frames.truncate(bottom);
        None
    }

    fn render_frame(&mut self, frame: &Frame) -> Option<Tree> {
        match self.render(&frame.value, &frame.path) {
            Ok(new) => match self.check(&new, &frame.path) {
                Ok(()) => Some(new),
                Err(problem) => {
                    self.report.fatal(problem, None);
                    None
                }
            },
            Err(Failure::Unresolved(unresolved)) => {
                let path = join(&frame.path, &self.rules.syntax);
                let stops = frame.is_export || !self.rules.group_errors;
                self.report.unresolved(&unresolved, &path, stops);
                Some(Tree::Plain(Node::NULL))
            }
            Err(Failure::Mismatch(problem, line)) => {
                self.report.collect(problem, line);
                Some(Tree::Plain(Node::NULL))
            }
            Err(Failure::Fatal(problems)) => {
                for problem in problems {
                    self.report.fatal(problem, None);
                }
                None
            }
        }
    }

    fn put(&mut self, path: &[Step], new: Tree) {
        let value = find(&self.base, path).cloned();
        let mut queue = std::mem::take(&mut self.queue);
        let settled = self.settle(new, &mut path.to_vec(), &mut queue, value.as_ref());
        self.queue = queue;
        match settled {
            Ok(new) => set(&mut self.base, path, new),
            Err(problem) => self.report.fatal(problem, None),
        }
    }

    fn put_rendered(&mut self, frame: &Frame, new: Tree) {
        self.put(&frame.path, new);
    }

    /// What the innermost frame needs before it can be rendered.
    fn need(&mut self) -> Result<Need, (Diagnostic, Option<String>)> {
        let Some(at) = self.frames.len().checked_sub(1) else { return Ok(Need::Nothing) };
        loop {
            while let Some(reference) = self.frames[at].references.paths.get(self.frames[at].next).cloned() {
                let Some((depth, value, is_whole)) = self.pending_on(&reference, self.frames[at].ancestors)
                else {
                    self.frames[at].next += 1;
                    self.frames[at].ancestors = 0;
                    continue;
                };
                let parts = split(&reference, &self.rules.syntax.delimiter).take(depth + 1);
                let path: Vec<Step> = parts.map(Step::key).collect();
                if self.frames.iter().any(|frame| !frame.is_export && frame.path == path) {
                    return Err(self.cycle(at, &reference, is_whole));
                }
                if is_whole {
                    self.frames[at].next += 1;
                    self.frames[at].ancestors = 0;
                } else {
                    self.frames[at].ancestors = depth + 1;
                }
                return Ok(Need::Other(Frame::new(path, value, false)));
            }
            if self.frames[at].references.is_complete {
                return Ok(Need::Nothing);
            }
            let references = references_with(&self.frames[at].value, &self.base, self.rules);
            if references.paths.len() == self.frames[at].references.paths.len() {
                return Err(self.bad_references(at));
            }
            self.frames[at].references = references;
            self.frames[at].next = 0;
        }
    }

    /// The first pending value on the way along a reference: how deep it is, and whether it is the end of the way.
    ///
    /// With `ancestors`, the end and the first parts are looked after already.
    fn pending_on(&self, reference: &str, ancestors: usize) -> Option<(usize, Tree, bool)> {
        let mut here = &self.base;
        let mut parts = split(reference, &self.rules.syntax.delimiter).enumerate().peekable();
        while let Some((depth, part)) = parts.next() {
            let Tree::Dict(dict) = here else { return None };
            here = &dict.entries()[dict.position_str(part)?].1;
            if here.is_pending() {
                let is_whole = parts.peek().is_none();
                let is_wanted = depth >= ancestors && !(is_whole && ancestors > 0);
                return is_wanted.then(|| (depth, here.clone(), is_whole));
            }
        }
        None
    }

    fn cycle(&self, at: usize, reference: &str, is_whole: bool) -> (Diagnostic, Option<String>) {
        let frame = &self.frames[at];
        let path = join(&frame.path, &self.rules.syntax);
        let shown = format!("${{{reference}}}");
        let mut problem = problem::cycle(&shown, &path, self.report.narrow(frame.value.span(), &shown));
        for other in self.frames[..at].iter().rev() {
            let path = join(&other.path, &self.rules.syntax);
            problem = problem.with_label(other.value.span(), format!("on the way from `{path}`"));
        }
        let line = format!("Infinite recursion: {shown}, at {path}, in {}", self.report.uri(&frame.value));
        (problem, is_whole.then_some(line))
    }

    fn bad_references(&self, at: usize) -> (Diagnostic, Option<String>) {
        let frame = &self.frames[at];
        let path = join(&frame.path, &self.rules.syntax);
        let missing = frame
            .references
            .paths
            .iter()
            .rev()
            .find_map(|reference| crate::lookup::lookup(&self.base, reference, &self.rules.syntax).err());
        let (reference, reason) = missing.map_or_else(Default::default, |miss| (miss.path, miss.reason));
        let shown = format!("${{{reference}}}");
        let message = format!("cannot resolve `{shown}`, which is part of another reference: {reason}");
        let span = self.report.narrow(frame.value.span(), &shown);
        let problem = Diagnostic::error(problem::REFERENCE_NOT_FOUND, message).at(span);
        let shown: Vec<String> = frame.references.paths.iter().map(|path| format!("${{{path}}}")).collect();
        let line = format!(
            "Bad references, at {path}, in {}\n      {}",
            self.report.uri(&frame.value),
            shown.join(", ")
        );
        (problem, Some(line))
    }
}

impl Frame {
    fn new(path: Vec<Step>, value: Tree, is_export: bool) -> Self {
        let references = references_of(&value);
        Self { path, value, references, next: 0, ancestors: 0, is_export }
    }
}

/// The references of all layers of a value, as far as they are known from the text.
fn references_of(value: &Tree) -> References {
    collect(value, &mut |template| template.references.clone())
}

fn references_with(value: &Tree, base: &Tree, rules: &Rules) -> References {
    collect(value, &mut |template| template.references_with(base, &rules.syntax))
}

fn collect(value: &Tree, of: &mut dyn FnMut(&crate::template::Template) -> References) -> References {
    let mut all = References { paths: Vec::new(), is_complete: true };
    for layer in value.layers() {
        let layer = if let Tree::Marked(marked) = layer { &marked.tree } else { layer };
        if let Tree::Template(template) = layer {
            let one = of(template);
            all.paths.extend(one.paths);
            all.is_complete &= one.is_complete;
        }
    }
    all
}

/// The value at a path of settled trees.
fn find<'t>(tree: &'t Tree, path: &[Step]) -> Option<&'t Tree> {
    path.iter().try_fold(tree, |here, step| match (here, step) {
        (Tree::Dict(dict), Step::Key(key)) => dict.position(key).map(|at| &dict.entries()[at].1),
        (Tree::List(list), Step::Index(index)) => list.items.get(*index),
        _ => None,
    })
}

/// Replaces the value at a path; what is shared on the way is copied.
fn set(tree: &mut Tree, path: &[Step], new: Tree) {
    let mut here = tree;
    for step in path {
        let next = match (here, step) {
            (Tree::Dict(dict), Step::Key(key)) => {
                let Some(at) = dict.position(key) else { return };
                Some(Arc::make_mut(dict).value_mut(at))
            }
            (Tree::List(list), Step::Index(index)) => Arc::make_mut(list).items.get_mut(*index),
            _ => None,
        };
        let Some(next) = next else { return };
        here = next;
    }
    *here = new;
}
