//! From a target file to everything that it and its classes say, merged but not interpolated.

use crate::entity::{Applications, ClassEntry, Entity, class_entry, parameters_tree};
use crate::lookup::{Miss, MissKind, lookup_merged};
use crate::merge::merge;
use crate::problem::{self, CLASS_NOT_FOUND};
use crate::store::{Loaded, Store};
use crate::template::{Part, Template};
use crate::tree::Tree;
use crate::words;
use kapstan_diagnostic::{Diagnostic, Span};
use kapstan_document::{Map, Node, Text};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What a target and its classes say.
pub(crate) struct Assembled {
    pub(crate) classes: Vec<Text>,
    pub(crate) applications: Applications,
    pub(crate) parameters: Tree,
    pub(crate) exports: Tree,
    pub(crate) environment: Node,
    /// What was merged, in this order; the target itself, without a class name, is the last.
    pub(crate) contributions: Vec<Contribution>,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// A file, or the program itself, as it took part in a target.
pub(crate) struct Contribution {
    pub(crate) class: Option<Text>,
    pub(crate) entity: Arc<Entity>,
}

/// Merges what the target and its classes say, depth first, each class once.
pub(crate) fn assemble(
    store: &Store,
    target: &str,
    entity: &Arc<Entity>,
    mapped: Vec<(Text, Span)>,
) -> Result<Assembled, Vec<Diagnostic>> {
    let rules = &store.rules;
    let environment = if entity.environment.is_null() {
        rules.default_environment.clone()
    } else {
        entity.environment.clone()
    };
    let base = base_entity(store, target, &environment, mapped).map_err(|problem| vec![problem])?;
    let mut assembly = Assembly {
        store,
        target,
        seen: FxHashSet::default(),
        result: Assembled {
            classes: Vec::new(),
            applications: Applications::default(),
            parameters: Tree::Plain(Map::new().into()),
            exports: Tree::Plain(Map::new().into()),
            environment,
            contributions: Vec::new(),
            warnings: Vec::new(),
        },
        listed: FxHashSet::default(),
    };
    assembly.descend(Arc::new(base))?;
    assembly.descend(entity.clone())?;
    Ok(assembly.result)
}

/// What comes before the target's own classes: those that it is mapped to, then the parameters that describe it.
fn base_entity(
    store: &Store,
    target: &str,
    environment: &Node,
    mapped: Vec<(Text, Span)>,
) -> Result<Entity, Diagnostic> {
    let mut base = Entity::empty();
    for (name, span) in mapped {
        let entry = class_entry(name, span, "", &store.rules.syntax)?;
        if base.classes.iter().all(|class| class.name != entry.name) {
            base.classes.push(entry);
        }
    }
    if store.rules.automatic_parameters {
        // The environment comes from a file, and may hold references.
        let parameters = automatic_parameters(store, target, environment);
        base.parameters = parameters_tree(&parameters, "__auto__", &store.rules.syntax)?;
    }
    Ok(base)
}

fn automatic_parameters(store: &Store, target: &str, environment: &Node) -> Node {
    let parts: Vec<&str> = target.split('.').collect();
    let mut name = Map::new();
    name.insert("full", target);
    name.insert("short", parts.last().copied().unwrap_or_default());
    name.insert("path", python_join(&parts));
    name.insert("parts", parts.iter().map(|part| Node::from(*part)).collect::<Vec<_>>());
    let mut reclass = Map::new();
    if store.rules.is_reclass_rs {
        let sorted =
            ["full", "parts", "path", "short"].map(|key| (key, name.remove(key).unwrap_or(Node::NULL)));
        reclass.insert("environment", "base");
        reclass.insert("name", Map::from_iter(sorted));
    } else {
        reclass.insert("name", name);
        reclass.insert("environment", environment.clone());
    }
    let mut parameters = Map::new();
    parameters.insert("_reclass_", reclass);
    parameters.into()
}

/// `os.path.join`, for which an empty part adds a slash only once.
fn python_join(parts: &[&str]) -> String {
    let mut path = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 && !path.is_empty() && !path.ends_with('/') {
            path.push('/');
        }
        path.push_str(part);
    }
    path
}

struct Assembly<'a> {
    store: &'a Store,
    target: &'a str,
    /// Names of classes that are merged.
    seen: FxHashSet<Text>,
    /// Names as listed, for the report.
    listed: FxHashSet<Text>,
    result: Assembled,
}

/// An entity whose classes are being merged.
struct Frame {
    entity: Arc<Entity>,
    class: Option<Text>,
    /// The entry that led here.
    span: Span,
    next: usize,
}

impl Assembly<'_> {
    fn descend(&mut self, entity: Arc<Entity>) -> Result<(), Vec<Diagnostic>> {
        let mut frames = vec![Frame { entity, class: None, span: Span::NONE, next: 0 }];
        while let Some(frame) = frames.last_mut() {
            let entity = frame.entity.clone();
            let Some(entry) = entity.classes.get(frame.next) else {
                let frame = frames.pop().expect("the loop runs while there is a frame");
                self.merge(&frame).map_err(|problem| vec![within(problem, &frames, self.target)])?;
                self.seen.extend(frame.class);
                continue;
            };
            frame.next += 1;
            match self.enter(entry, &entity, &frames) {
                Ok(Some(inner)) => frames.push(inner),
                Ok(None) => {}
                Err(problems) => {
                    return Err(problems
                        .into_iter()
                        .map(|problem| within(problem, &frames, self.target))
                        .collect());
                }
            }
        }
        Ok(())
    }

    /// The class of an entry, unless it was merged before or may be missing.
    fn enter(
        &mut self,
        entry: &ClassEntry,
        entity: &Entity,
        frames: &[Frame],
    ) -> Result<Option<Frame>, Vec<Diagnostic>> {
        let name = self.resolve_name(entry, entity).map_err(|problem| vec![problem])?;
        if self.seen.contains(&name) {
            return Ok(None);
        }
        let is_open = |frame: &Frame| frame.class.as_ref() == Some(&name);
        if let Some(at) = frames.iter().position(is_open) {
            let names: Vec<&str> = frames[at..].iter().filter_map(|frame| frame.class.as_deref()).collect();
            return Err(vec![problem::class_cycle(&names, entry.span)]);
        }
        match self.store.class(&name).map_err(|problem| vec![problem])? {
            Some(loaded) => {
                let entity = loaded.map_err(|problems: Arc<Vec<Diagnostic>>| (*problems).clone())?;
                Ok(Some(Frame { entity, class: Some(name), span: entry.span, next: 0 }))
            }
            None if self.store.rules.may_be_missing(&name) => {
                self.warn_of_missing(&name, entry.span);
                Ok(None)
            }
            None => Err(vec![self.not_found(&name, entry, entity)?]),
        }
    }

    fn warn_of_missing(&mut self, name: &str, span: Span) {
        if self.store.rules.ignore_class_notfound_warning {
            let peer = format!("[WARNING] Reclass class not found: '{name}'. Skipped!");
            let warning = Diagnostic::warning(CLASS_NOT_FOUND, format!("class `{name}` not found, skipped"));
            self.result.warnings.push(warning.at(span).with_peer_text(peer));
        }
    }

    fn not_found(
        &self,
        name: &str,
        entry: &ClassEntry,
        entity: &Entity,
    ) -> Result<Diagnostic, Vec<Diagnostic>> {
        let classes = self.store.classes().map_err(|problem| vec![problem])?;
        let peer = problem::peer(&format!(
            "-> \n   Inventory Queries:\n   -> {}\n      In {}\n      Class {name} not found under yaml_fs://{}",
            self.target,
            entity.uri,
            self.store.folder.display()
        ));
        let known = classes.names.iter().map(|name| &**name);
        let problem = problem::class_not_found(name, entry.span, known, peer);
        Ok(match &entry.template {
            Some(_) => problem.with_hint(format!("the name comes from `{}`", entry.name)),
            None => problem,
        })
    }

    /// The name of a class, its references looked up in what is merged so far.
    fn resolve_name(&self, entry: &ClassEntry, entity: &Entity) -> Result<Text, Diagnostic> {
        let Some(template) = &entry.template else { return Ok(entry.name.clone()) };
        self.render_name(template).map(Text::from).map_err(|miss| {
            let peer = match miss.kind {
                MissKind::Unresolved => problem::peer(&format!(
                    "-> \n   Inventory Queries:\n   -> {}\n      In {}\n      Class name {} not resolvable",
                    self.target, entity.uri, entry.name
                )),
                MissKind::Fatal => String::new(),
            };
            problem::class_name_unresolved(&entry.name, &miss.reason, entry.span, peer)
        })
    }

    fn render_name(&self, template: &Template) -> Result<String, Miss> {
        let syntax = &self.store.rules.syntax;
        let mut resolve = |path: &str| {
            let found = lookup_merged(&self.result.parameters, path, syntax)?;
            Ok(words::str(&found, syntax).into_owned())
        };
        let mut name = String::new();
        for part in &template.parts {
            match part {
                Part::Text(text) => name.push_str(text),
                Part::Reference(reference) => name.push_str(&reference.value(&mut resolve)?),
                Part::Query(_) => {
                    return Err(Miss::new(MissKind::Fatal, "inventory queries do not work in class names"));
                }
            }
        }
        Ok(name)
    }

    /// Merges what the entity itself says, after all of its classes.
    fn merge(&mut self, frame: &Frame) -> Result<(), Diagnostic> {
        let syntax = &self.store.rules.syntax;
        let entity = &frame.entity;
        for entry in &entity.classes {
            if self.listed.insert(entry.name.clone()) {
                self.result.classes.push(entry.name.clone());
            }
        }
        let result = &mut self.result;
        result.applications.merge(&entity.applications, syntax);
        let merged = std::mem::replace(&mut result.parameters, Tree::Plain(Node::NULL));
        result.parameters = merge(Some(merged), entity.parameters.clone(), syntax)?;
        let merged = std::mem::replace(&mut result.exports, Tree::Plain(Node::NULL));
        result.exports = merge(Some(merged), entity.exports.clone(), syntax)?;
        let contribution = Contribution { class: frame.class.clone(), entity: entity.clone() };
        result.contributions.push(contribution);
        Ok(())
    }
}

/// Adds the way to a problem: the target and the classes that are open.
fn within(mut problem: Diagnostic, frames: &[Frame], target: &str) -> Diagnostic {
    for frame in frames.iter().rev() {
        if let Some(class) = &frame.class {
            problem = problem.within(format!("in class `{class}`"), frame.span);
        }
    }
    problem.within(format!("while rendering target `{target}`"), Span::NONE)
}

/// As [`Loaded`], with the target named.
pub(crate) fn of_target(loaded: Loaded, target: &str) -> Result<Arc<Entity>, Vec<Diagnostic>> {
    loaded.map_err(|problems| problems.iter().map(|problem| within(problem.clone(), &[], target)).collect())
}
