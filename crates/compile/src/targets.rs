use crate::project::{Project, show_parameters};
use kapstan_diagnostic::{Diagnostic, Span};
use kapstan_document::{Map, Node, Text};
use kapstan_inventory::{Inventory, Target};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// Tells a variable of the environment.
pub type Variables = dyn Fn(&str) -> Option<String> + Send + Sync;

/// Why a target could not be shown: every problem that was found.
pub type Problems = Arc<Vec<Diagnostic>>;

/// The targets of an inventory as Kapitan's commands and templates see them. Each is rendered when it is first asked
/// for, once, whichever thread asks.
pub struct Targets {
    inventory: Inventory,
    variables: Arc<Variables>,
    names: Vec<Text>,
    by_name: FxHashMap<Text, usize>,
    shown: Vec<OnceLock<Result<Arc<ShownTarget>, Problems>>>,
}

/// A rendered target.
#[derive(Debug)]
pub struct ShownTarget {
    /// Its name in the inventory.
    pub name: Text,
    /// What templates and `inventory` show: parameters, classes, applications and exports, with Kapitan's defaults.
    pub document: Node,
    /// What `parameters.kapitan` says; none where it is null.
    pub project: Option<Project>,
    /// Where the target's file begins.
    pub span: Span,
    /// What was odd on the way.
    pub warnings: Vec<Diagnostic>,
}

impl Targets {
    /// The targets of an inventory.
    pub fn new(inventory: Inventory, variables: Arc<Variables>) -> Self {
        let names: Vec<Text> = inventory.targets().iter().map(|target| target.name.clone()).collect();
        let by_name = names.iter().cloned().enumerate().map(|(at, name)| (name, at)).collect();
        let shown = names.iter().map(|_| OnceLock::new()).collect();
        Self { inventory, variables, names, by_name, shown }
    }

    /// The inventory itself.
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// The names of all targets, in the inventory's order.
    pub fn names(&self) -> &[Text] {
        &self.names
    }

    /// The target with a name; none if there is no such target.
    pub fn get(&self, name: &str) -> Option<Result<Arc<ShownTarget>, Problems>> {
        let at = *self.by_name.get(name)?;
        Some(self.shown[at].get_or_init(|| self.show(&self.names[at])).clone())
    }

    /// Every target, in order; fails with the problems of the first that cannot be rendered.
    pub fn all(&self) -> Result<Vec<Arc<ShownTarget>>, Problems> {
        self.names.iter().filter_map(|name| self.get(name)).collect()
    }

    fn show(&self, name: &str) -> Result<Arc<ShownTarget>, Problems> {
        let target = self.inventory.target(name)?;
        let shown = ShownTarget::new(&target, &*self.variables).map_err(|problems| {
            let within = |problem: Diagnostic| problem.within(format!("in target `{name}`"), Span::NONE);
            Arc::new(problems.into_iter().map(within).collect::<Vec<_>>())
        })?;
        Ok(Arc::new(shown))
    }
}

impl ShownTarget {
    fn new(target: &Target, variables: &Variables) -> Result<Self, Vec<Diagnostic>> {
        let (parameters, project) = show_parameters(&target.parameters, variables)?;
        let texts = |texts: &[Text]| -> Node {
            texts.iter().map(|text| Node::from(text.clone())).collect::<Vec<_>>().into()
        };
        let mut document = Map::with_capacity(4);
        document.insert("parameters", parameters);
        document.insert("classes", texts(&target.classes));
        document.insert("applications", texts(&target.applications));
        document.insert("exports", target.exports.clone());
        Ok(Self {
            name: target.name.clone(),
            document: document.into(),
            project,
            span: target.parameters.span,
            warnings: target.warnings.clone(),
        })
    }

    /// A value below `parameters`.
    pub fn parameter(&self, name: &str) -> Option<&Node> {
        self.document.get("parameters")?.get(name)
    }

    /// The folder that `-t` replaces: the target's name, dots as slashes.
    pub fn path(&self) -> String {
        self.name.replace('.', "/")
    }

    /// The document with `target_full_path` set, as Kapitan's jsonnet sees targets that are being compiled.
    pub fn document_with_path(&self) -> Node {
        let mut document = self.document.clone();
        let kapitan = document
            .as_map_mut()
            .and_then(|root| root.get_mut("parameters"))
            .and_then(Node::as_map_mut)
            .and_then(|parameters| parameters.get_mut("kapitan"))
            .and_then(Node::as_map_mut);
        if let Some(kapitan) = kapitan {
            kapitan.insert("target_full_path", self.path());
        }
        document
    }

    /// What `parameters.kapitan.secrets` says; none where it says nothing.
    pub fn secrets(&self) -> Option<&Node> {
        self.parameter("kapitan")?.get("secrets").filter(|secrets| !secrets.is_null())
    }

    /// A topic of `parameters.kapitan.topics` by name.
    pub(crate) fn topics(&self) -> Option<&Map> {
        self.parameter("kapitan")?.get("topics")?.as_map()
    }
}
