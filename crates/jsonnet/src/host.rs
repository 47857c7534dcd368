use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Node, Place, Text, Witness};
use kapstan_files::Files;
use std::rc::Rc;

/// What an evaluation may ask of the run around it.
///
/// A diagnostic that one of the methods returns ends the evaluation unless jsonnet does not need the value after all; its
/// `peer_text`, or else its message, is what jsonnet reports.
pub trait Host {
    /// The door to all files: every read, listing and probe of the evaluation goes through it.
    fn files(&self) -> &dyn Files;

    /// The names of all targets. `path` is the inventory folder that the code named, if it did.
    fn targets(&self, path: Option<&str>) -> Result<Vec<Text>, Box<Diagnostic>>;

    /// The inventory of one target: its applications, classes, environment, exports and parameters.
    fn inventory(&self, target: &str, path: Option<&str>) -> Result<Watched, Box<Diagnostic>>;

    /// The inventory of one target as part of the inventory of all, where Kapitan shows less of how targets are compiled.
    fn inventory_among_all(&self, target: &str, path: Option<&str>) -> Result<Watched, Box<Diagnostic>>;

    /// A topic, or all topics by name; fails where the calling target has not declared that it consumes them.
    fn topics(&self, name: Option<&str>) -> Result<Watched, Box<Diagnostic>>;

    /// A Jinja2 template rendered with nothing but the given context. The file is known to exist.
    fn render_jinja2(&self, path: &str, context: Node) -> Result<String, Box<Diagnostic>>;

    /// A line that `std.trace` wrote: `TRACE: file:line text`.
    fn trace(&self, line: &str);
}

/// A shared document and who is told which parts of it were looked at.
#[derive(Clone)]
pub struct Watched {
    /// The document.
    pub document: Node,
    /// Who is told, and the place of the document's root.
    pub witness: Option<(Rc<dyn Witness>, Place)>,
}

impl From<Node> for Watched {
    fn from(document: Node) -> Self {
        Self { document, witness: None }
    }
}
