use crate::assemble::{Assembled, assemble, of_target};
use crate::discover::{self, TargetFile};
use crate::entity::Entity;
use crate::interpolate::{Interpolation, Report};
use crate::mapping::Mapping;
use crate::problem::{self, UNKNOWN_TARGET};
use crate::rules::{Rules, environment_text};
use crate::store::{Loaded, Store, normal};
use crate::template::Exports;
use kapstan_diagnostic::{Diagnostic, Sources, Span, nearest};
use kapstan_document::{Map, Node, Text, Value};
use kapstan_files::{Files, Kind, slashed};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// How the inventory is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The folder that holds `targets` and `classes`.
    pub path: PathBuf,
    /// Whose rules hold.
    pub backend: Backend,
    /// Name targets by their path (`prod/web.yml` is `prod.web`) instead of the stem of the file.
    pub compose_target_name: bool,
    /// Whether patterns in `classes` lists stand for the classes that match.
    pub class_wildcards: bool,
}

/// Whose rules an inventory follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// reclass as Kapitan ships it.
    #[default]
    Reclass,
    /// reclass-rs, where its results differ.
    ReclassRs,
}

/// A rendered target.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Its name.
    pub name: Text,
    /// The path of its file below the folder of targets.
    pub path: PathBuf,
    /// The class names as listed, in merge order, each once.
    pub classes: Vec<Text>,
    /// The applications that are left after negations.
    pub applications: Vec<Text>,
    /// The environment of the target file, or the default one.
    pub environment: Text,
    /// A mapping.
    pub exports: Node,
    /// A mapping. Every value has the span of the file that supplied it.
    pub parameters: Node,
    /// What did not prevent the rendering.
    pub warnings: Vec<Diagnostic>,
}

/// An inventory: what there is, and each target rendered when it is first asked for. Shared by threads.
pub struct Inventory {
    pub(crate) store: Store,
    /// The folder of targets.
    pub(crate) folder: PathBuf,
    mappings: Vec<Mapping>,
    files: Vec<TargetFile>,
    by_name: FxHashMap<Text, usize>,
    slots: Vec<Slot>,
    exports: OnceLock<Result<Arc<Exports>, Arc<Vec<Diagnostic>>>>,
}

#[derive(Default)]
struct Slot {
    entity: OnceLock<Loaded>,
    target: OnceLock<Result<Arc<Target>, Arc<Vec<Diagnostic>>>>,
}

impl Inventory {
    /// Reads the configuration of the inventory and finds its targets. No target or class is read yet.
    ///
    /// Fails where there is no inventory, for a configuration that cannot be used, and where two targets have one name.
    pub fn open(
        files: Arc<dyn Files>,
        sources: Arc<Sources>,
        settings: Settings,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut store = Store {
            files,
            sources,
            rules: Rules::default(),
            folder: PathBuf::new(),
            expands_wildcards: settings.class_wildcards,
            classes: OnceLock::new(),
        };
        store.rules.is_reclass_rs = settings.backend == Backend::ReclassRs;
        store.rules.syntax.is_reclass_rs = store.rules.is_reclass_rs;
        store.rules.compose_node_name = settings.compose_target_name;
        configure(&mut store, &settings.path).map_err(|problem| vec![problem])?;
        store.folder = normal(&settings.path.join(&store.rules.classes_uri));
        let folder = normal(&settings.path.join(&store.rules.nodes_uri));
        let found = discover::targets(&*store.files, &folder, &store.rules)?;
        if !matches!(store.files.kind(&store.folder), Ok(Some(Kind::Folder))) {
            return Err(vec![discover::no_folder(&store.folder)]);
        }
        let mappings = store.rules.class_mappings.iter().map(|(text, span)| Mapping::read(text, *span));
        let mappings = mappings.collect::<Result<Vec<_>, _>>().map_err(|problem| vec![problem])?;
        let by_name = found.iter().enumerate().map(|(at, file)| (file.name.clone(), at)).collect();
        let slots = found.iter().map(|_| Slot::default()).collect();
        Ok(Self { store, folder, mappings, files: found, by_name, slots, exports: OnceLock::new() })
    }

    /// Every target and its file, sorted by path.
    pub fn targets(&self) -> &[TargetFile] {
        &self.files
    }

    /// The target of a name, rendered when it is first asked for.
    ///
    /// Fails with everything that is wrong with it; other targets are not affected. There is no target of an unknown name.
    pub fn target(&self, name: &str) -> Result<Arc<Target>, Arc<Vec<Diagnostic>>> {
        let Some(at) = self.by_name.get(name) else {
            return Err(Arc::new(vec![self.unknown_target(name)]));
        };
        self.slots[*at].target.get_or_init(|| self.render(*at).map(Arc::new).map_err(Arc::new)).clone()
    }

    pub(crate) fn unknown_target(&self, name: &str) -> Diagnostic {
        let problem = Diagnostic::error(UNKNOWN_TARGET, format!("target `{name}` not found"));
        match nearest(name, self.files.iter().map(|file| &*file.name)) {
            Some(near) => problem.with_hint(format!("did you mean `{near}`?")),
            None => problem,
        }
    }

    /// What the file of a target says.
    fn entity(&self, at: usize) -> Result<Arc<Entity>, Vec<Diagnostic>> {
        let file = &self.files[at];
        let path = self.folder.join(&file.path);
        let loaded = self.slots[at].entity.get_or_init(|| self.store.load(&path, &file.name));
        of_target(loaded.clone(), &file.name)
    }

    /// What a target and its classes say, merged.
    pub(crate) fn assemble(&self, at: usize) -> Result<Assembled, Vec<Diagnostic>> {
        let file = &self.files[at];
        let entity = self.entity(at)?;
        assemble(&self.store, &file.name, &entity, self.mapped(file))
    }

    fn mapped(&self, file: &TargetFile) -> Vec<(Text, Span)> {
        let stem = file.path.with_extension("");
        let rules = &self.store.rules;
        let name = if rules.class_mappings_match_path {
            // Python's path of what stands at the top begins with `./`.
            let is_at_the_top = stem.parent().is_none_or(|folder| folder.as_os_str().is_empty());
            let lead = if is_at_the_top && !rules.is_reclass_rs { "./" } else { "" };
            format!("{lead}{}", slashed(&stem))
        } else {
            file.name.to_string()
        };
        let classes = self.mappings.iter().flat_map(|mapping| {
            mapping.classes(&name).into_iter().map(|class| (Text::from(class), mapping.span))
        });
        classes.collect()
    }

    fn render(&self, at: usize) -> Result<Target, Vec<Diagnostic>> {
        let file = &self.files[at];
        let mut target = Target {
            name: file.name.clone(),
            path: file.path.clone(),
            classes: Vec::new(),
            applications: Vec::new(),
            environment: environment_text(&self.store.rules.default_environment),
            exports: Map::new().into(),
            parameters: Map::new().into(),
            warnings: Vec::new(),
        };
        if file.is_hidden {
            return Ok(target);
        }
        let assembled = self.assemble(at)?;
        let ask = || self.exports();
        let mut interpolation = Interpolation::new(assembled.parameters, &file.name, &self.store, &ask);
        interpolation.render_parameters();
        // The peer does not come to the exports where parameters fail.
        if !interpolation.has_problems() {
            target.exports = interpolation.render_exports(assembled.exports);
        }
        let (parameters, report) = interpolation.into_parameters();
        target.parameters = parameters;
        target.classes = assembled.classes;
        target.applications = assembled.applications.names;
        target.environment = environment_text(&assembled.environment);
        target.warnings = assembled.warnings;
        target.warnings.extend(finished(report)?);
        Ok(target)
    }

    /// The exports of every target, for queries: rendered when the first query asks, one after the other, because the
    /// asking thread may be one that others wait for.
    fn exports(&self) -> Result<Arc<Exports>, Vec<Diagnostic>> {
        let exports = self.exports.get_or_init(|| {
            let mut all = Exports::new();
            let mut problems = Vec::new();
            for (at, file) in self.files.iter().enumerate().filter(|(_, file)| !file.is_hidden) {
                match self.exports_of(at) {
                    Ok(exports) => all.push((file.name.clone(), exports)),
                    Err(found) => problems.extend(found),
                }
            }
            if problems.is_empty() { Ok(Arc::new(all)) } else { Err(Arc::new(problems)) }
        });
        exports.clone().map_err(|problems| (*problems).clone())
    }

    fn exports_of(&self, at: usize) -> Result<Node, Vec<Diagnostic>> {
        let assembled = self.assemble(at)?;
        if matches!(&assembled.exports, crate::tree::Tree::Plain(node) if node.as_map().is_some_and(Map::is_empty))
        {
            return Ok(Map::new().into());
        }
        let ask = || {
            let message = "an export cannot depend on an inventory query";
            Err(vec![problem::bad_query(message, Span::NONE)])
        };
        let name = &self.files[at].name;
        let mut interpolation = Interpolation::new(assembled.parameters, name, &self.store, &ask);
        let exports = interpolation.render_exports(assembled.exports);
        let (_, report) = interpolation.into_parameters();
        finished(report)?;
        Ok(exports)
    }
}

/// The warnings, or what went wrong.
fn finished(mut report: Report<'_>) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let warnings = std::mem::take(&mut report.warnings);
    let problems = report.into_problems();
    if problems.is_empty() { Ok(warnings) } else { Err(problems) }
}

/// Takes over `reclass-config.yml`, where there is one.
fn configure(store: &mut Store, folder: &Path) -> Result<(), Diagnostic> {
    let path = folder.join("reclass-config.yml");
    if !matches!(store.files.kind(&path), Ok(Some(Kind::File))) {
        return Ok(());
    }
    let config = store.read(&path)?;
    match &config.value {
        Value::Map(map) => store.rules.configure(map),
        other if !other.is_truthy() => Ok(()),
        _ => Err(problem::wrong_type("the inventory's configuration", "a mapping", &config)),
    }
}
