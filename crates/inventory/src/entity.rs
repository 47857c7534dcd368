use crate::merge::{merge, wrap};
use crate::names::{absolute, check_characters};
use crate::problem;
use crate::rules::Syntax;
use crate::template::Template;
use crate::tree::Tree;
use kapstan_diagnostic::{Diagnostic, Span};
use kapstan_document::{Map, Node, Text, Value};
use std::path::{Path, PathBuf};

/// What one file, of a class or a target, contributes.
#[derive(Debug)]
pub(crate) struct Entity {
    /// The file; empty for what the program itself contributes.
    pub(crate) path: PathBuf,
    /// How the peer names the file: `yaml_fs:///abs/inventory/classes/a.yml`.
    pub(crate) uri: String,
    pub(crate) classes: Vec<ClassEntry>,
    pub(crate) applications: Applications,
    pub(crate) parameters: Tree,
    pub(crate) exports: Tree,
    /// Null where the file says nothing.
    pub(crate) environment: Node,
}

/// An entry of a `classes` list, relative names made absolute.
#[derive(Debug)]
pub(crate) struct ClassEntry {
    pub(crate) name: Text,
    pub(crate) span: Span,
    /// Whether it was written with leading dots.
    pub(crate) is_relative: bool,
    /// The name taken apart, where it holds references.
    pub(crate) template: Option<Template>,
}

/// Names in order, each once; `~name` takes away what was there before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Applications {
    pub(crate) names: Vec<Text>,
    negated: Vec<Text>,
}

impl Entity {
    /// Nothing yet, for what the program itself contributes.
    pub(crate) fn empty() -> Self {
        let empty = || Tree::Plain(Map::new().into());
        Self {
            path: PathBuf::new(),
            uri: String::new(),
            classes: Vec::new(),
            applications: Applications::default(),
            parameters: empty(),
            exports: empty(),
            environment: Node::NULL,
        }
    }

    /// Reads what a file holds. `name` is that of the class or target, from which relative class names start.
    pub(crate) fn read(
        document: &Node,
        name: &str,
        path: &Path,
        uri: String,
        syntax: &Syntax,
    ) -> Result<Self, Diagnostic> {
        let empty = Map::new();
        let top = match &document.value {
            Value::Map(map) => map,
            Value::Null => &empty,
            _ => return Err(problem::wrong_type("the file", "a mapping", document)),
        };
        Ok(Self {
            classes: read_classes(top, name, &uri, syntax)?,
            applications: read_applications(top, syntax)?,
            parameters: read_parameters(top, "parameters", &uri, syntax)?,
            exports: if syntax.is_reclass_rs {
                Tree::Plain(Map::new().into())
            } else {
                read_parameters(top, "exports", &uri, syntax)?
            },
            environment: top.get("environment").cloned().unwrap_or(Node::NULL),
            uri,
            path: path.to_path_buf(),
        })
    }
}

/// Whether this null is refused where a collection should stand: reclass-rs takes nothing for an empty one, but not a null
/// that is written.
fn is_refused(null: &Node, syntax: &Syntax) -> bool {
    syntax.is_reclass_rs && null.span.start() < null.span.end()
}

/// The strings of a list; a mapping counts as the list of its keys, and a string as that of its characters, as the peer
/// iterates over them.
fn read_names(top: &Map, field: &str, syntax: &Syntax) -> Result<Vec<(Text, Span)>, Diagnostic> {
    let Some(node) = top.get(field) else { return Ok(Vec::new()) };
    let wrong = |node: &Node| problem::wrong_type(&format!("an entry of `{field}`"), "a string", node);
    match &node.value {
        Value::Null if is_refused(node, syntax) => {
            Err(problem::wrong_type(&format!("`{field}`"), "a sequence", node))
        }
        Value::Null => Ok(Vec::new()),
        Value::Seq(items) => items
            .iter()
            .map(|item| match &item.value {
                Value::Str(text) => Ok((text.clone(), item.span)),
                _ => Err(wrong(item)),
            })
            .collect(),
        Value::Map(map) if !syntax.is_reclass_rs => map
            .keys()
            .map(|key| match key.scalar.clone() {
                kapstan_document::Scalar::Str(text) => Ok((text, key.span)),
                scalar => Err(wrong(&Node::new(Value::from(scalar), key.span))),
            })
            .collect(),
        Value::Str(text) if !syntax.is_reclass_rs => {
            Ok(text.chars().map(|name| (Text::from(name.to_string()), node.span)).collect())
        }
        _ => Err(problem::wrong_type(&format!("`{field}`"), "a sequence of strings", node)),
    }
}

fn read_classes(top: &Map, name: &str, uri: &str, syntax: &Syntax) -> Result<Vec<ClassEntry>, Diagnostic> {
    let mut classes: Vec<ClassEntry> = Vec::new();
    for (written, span) in read_names(top, "classes", syntax)? {
        if written.is_empty() {
            return Err(problem::empty_class_name(span));
        }
        let mut entry = class_entry(absolute(&written, name), span, uri, syntax)?;
        entry.is_relative = written.starts_with('.');
        if classes.iter().all(|class| class.name != entry.name) {
            classes.push(entry);
        }
    }
    Ok(classes)
}

/// An entry with this absolute name. Fails for characters that no class name may have.
pub(crate) fn class_entry(
    name: Text,
    span: Span,
    uri: &str,
    syntax: &Syntax,
) -> Result<ClassEntry, Diagnostic> {
    check_characters(&name, span)?;
    let template = if syntax.has_sentinel(&name) {
        let parsed = Template::parse(&name, span, syntax);
        Some(parsed.map_err(|error| problem::unreadable(&error, span, "", uri))?)
    } else {
        None
    };
    Ok(ClassEntry { name, span, is_relative: false, template })
}

fn read_applications(top: &Map, syntax: &Syntax) -> Result<Applications, Diagnostic> {
    let mut applications = Applications::default();
    for (name, _) in read_names(top, "applications", syntax)? {
        if let Some(negated) = name.strip_prefix('~') {
            applications.negate(negated.into());
        } else if syntax.is_reclass_rs {
            applications.add_unless_negated(&name);
        } else {
            applications.add(&name);
        }
    }
    Ok(applications)
}

fn read_parameters(top: &Map, field: &str, uri: &str, syntax: &Syntax) -> Result<Tree, Diagnostic> {
    let Some(node) = top.get(field) else { return Ok(Tree::Plain(Map::new().into())) };
    match &node.value {
        Value::Null if !is_refused(node, syntax) => return Ok(Tree::Plain(Map::new().into())),
        Value::Map(_) => {}
        _ => return Err(problem::wrong_type(&format!("`{field}`"), "a mapping", node)),
    }
    parameters_tree(node, uri, syntax)
}

/// A mapping as it waits to be merged, the strings in it read.
pub(crate) fn parameters_tree(node: &Node, uri: &str, syntax: &Syntax) -> Result<Tree, Diagnostic> {
    let wrapped = wrap(node, syntax).map_err(|unreadable| {
        let path: Vec<String> = unreadable.path.into_iter().rev().collect();
        problem::unreadable(&unreadable.error, unreadable.span, &path.join(&syntax.delimiter), uri)
    })?;
    merge(None, wrapped, syntax)
}

impl Applications {
    fn negate(&mut self, name: Text) {
        self.names.retain(|present| *present != name);
        self.negated.push(name);
    }

    fn add(&mut self, name: &Text) {
        if !self.names.contains(name) {
            self.names.push(name.clone());
        }
    }

    /// reclass-rs remembers what was taken away until it is added again.
    fn add_unless_negated(&mut self, name: &Text) {
        if let Some(at) = self.negated.iter().position(|negated| negated == name) {
            self.negated.remove(at);
        } else {
            self.add(name);
        }
    }

    pub(crate) fn merge(&mut self, other: &Self, syntax: &Syntax) {
        for negated in &other.negated {
            if syntax.is_reclass_rs && !self.names.contains(negated) {
                self.negated.push(negated.clone());
            }
            self.names.retain(|present| present != negated);
        }
        for name in &other.names {
            if syntax.is_reclass_rs {
                self.add_unless_negated(name);
            } else {
                self.add(name);
            }
        }
    }
}
