use crate::discover;
use crate::entity::{ClassEntry, Entity};
use crate::problem::{self, DUPLICATE_CLASS, UNREADABLE_FILE};
use crate::rules::Rules;
use crate::wildcard;
use kapstan_diagnostic::{Diagnostic, Sources, Span};
use kapstan_document::yaml::{self, Dialect, Limits, LoadOptions};
use kapstan_document::{Node, Text};
use kapstan_files::{Files, slashed};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// How deep values in a file may nest. Python stops at about this depth.
pub(crate) const MAX_DEPTH: usize = 400;

/// What was read of the inventory: each file once, when it is first needed.
pub(crate) struct Store {
    pub(crate) files: Arc<dyn Files>,
    pub(crate) sources: Arc<Sources>,
    pub(crate) rules: Rules,
    /// The folder of classes.
    pub(crate) folder: PathBuf,
    pub(crate) expands_wildcards: bool,
    pub(crate) classes: OnceLock<Result<Classes, Diagnostic>>,
}

/// A file that was read, or why it could not be.
pub(crate) type Loaded = Result<Arc<Entity>, Arc<Vec<Diagnostic>>>;

/// The classes by name.
#[derive(Default)]
pub(crate) struct Classes {
    pub(crate) by_name: FxHashMap<Text, Class>,
    /// In the order in which they were found.
    pub(crate) names: Vec<Text>,
}

pub(crate) struct Class {
    pub(crate) paths: Vec<PathBuf>,
    loaded: OnceLock<Loaded>,
}

impl Store {
    /// The classes that there are. Lists the folder when it is first asked.
    pub(crate) fn classes(&self) -> Result<&Classes, Diagnostic> {
        let classes = self.classes.get_or_init(|| {
            let found = discover::classes(&*self.files, &self.folder, &self.rules)?;
            let names = found.iter().map(|(name, _)| name.clone()).collect();
            let class = |paths| Class { paths, loaded: OnceLock::new() };
            let by_name = found.into_iter().map(|(name, paths)| (name, class(paths))).collect();
            Ok(Classes { by_name, names })
        });
        classes.as_ref().map_err(Clone::clone)
    }

    /// The class of a name, or none if there is none.
    pub(crate) fn class(&self, name: &str) -> Result<Option<Loaded>, Diagnostic> {
        let classes = self.classes()?;
        Ok(classes
            .by_name
            .get(name)
            .map(|class| {
                class.loaded.get_or_init(|| match class.paths.as_slice() {
                    [path] => self.load(path, name),
                    paths => Err(Arc::new(vec![duplicate_class(name, paths)])),
                })
            })
            .cloned())
    }

    /// Reads the file of a class or target.
    pub(crate) fn load(&self, path: &Path, name: &str) -> Loaded {
        let entity = self.load_entity(path, name).map_err(|problem| Arc::new(vec![problem]))?;
        Ok(Arc::new(entity))
    }

    fn load_entity(&self, path: &Path, name: &str) -> Result<Entity, Diagnostic> {
        let document = self.read(path)?;
        let uri = self.uri(path);
        let mut entity = Entity::read(&document, name, path, uri, &self.rules.syntax)?;
        if self.expands_wildcards && entity.classes.iter().any(|class| wildcard::is_pattern(&class.name)) {
            self.expand_wildcards(&mut entity)?;
        }
        Ok(entity)
    }

    /// Reads a YAML file of the inventory.
    pub(crate) fn read(&self, path: &Path) -> Result<Node, Diagnostic> {
        let content = self.files.read(path).map_err(|error| {
            let message = format!("cannot read `{}`: {error}", path.display());
            Diagnostic::error(UNREADABLE_FILE, message).with_peer_text(problem::peer("inventory not found"))
        })?;
        let source = self.sources.add(path.display().to_string(), content.clone());
        if let Err(invalid) = std::str::from_utf8(&content) {
            return Err(problem::not_utf8(&content, source, invalid.valid_up_to()));
        }
        let limits = Limits { depth: MAX_DEPTH, ..Limits::default() };
        let options = LoadOptions { dialect: self.dialect(), limits };
        yaml::load(&content, source, &options).map_err(|error| error.into_diagnostic(source))
    }

    fn dialect(&self) -> Dialect {
        if self.rules.is_reclass_rs { Dialect::SerdeYaml } else { Dialect::PyYaml }
    }

    /// How the peer names a file.
    pub(crate) fn uri(&self, path: &Path) -> String {
        format!("yaml_fs://{}", slashed(&normal(&self.files.absolute(path))))
    }

    fn expand_wildcards(&self, entity: &mut Entity) -> Result<(), Diagnostic> {
        let known = &self.classes()?.names;
        let mut expanded: Vec<ClassEntry> = Vec::new();
        for entry in std::mem::take(&mut entity.classes) {
            let names = wildcard::expand(&entry, known, &self.rules)?;
            let Some(names) = names else {
                expanded.push(entry);
                continue;
            };
            let entries = names.into_iter().map(|name| ClassEntry {
                name,
                span: entry.span,
                is_relative: false,
                template: None,
            });
            expanded.extend(entries);
        }
        for entry in expanded {
            if entity.classes.iter().all(|class| class.name != entry.name) {
                entity.classes.push(entry);
            }
        }
        Ok(())
    }
}

fn duplicate_class(name: &str, paths: &[PathBuf]) -> Diagnostic {
    let shown: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
    let message = format!("several files define the class `{name}`: {}", shown.join(", "));
    let peer = format!(
        "yaml_fs: Definition of node '{name}' in '{}' collides with definition in '{}'. Nodes can only be defined \
         once per inventory.",
        paths[1].display(),
        paths[0].display()
    );
    Diagnostic::error(DUPLICATE_CLASS, message).at(Span::NONE).with_peer_text(problem::peer(&peer))
}

/// Drops `.` and resolves `..` by name.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir if parts.file_name().is_some() => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts
}
