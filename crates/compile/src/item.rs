use crate::output::{Output, Writer};
use crate::project::{Item, OutputType};
use crate::reads::{Door, ItemReads, ValueReads};
use crate::run::Run;
use crate::targets::ShownTarget;
use kapstan_diagnostic::{Diagnostic, Span};
use kapstan_document::yaml::{self, MultilineStyle, WriteOptions};
use kapstan_document::{Node, Text, Value, json, prune, python, toml};
use kapstan_files::Attributes;
use kapstan_refs::Context;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// Why a compile item did not come to its end.
pub(crate) struct ItemFailure {
    pub(crate) problem: Box<Diagnostic>,
    /// Whether it ends the run also where the item may fail: for an `AttributeError` of Python.
    pub(crate) ends_the_run: bool,
}

impl From<Box<Diagnostic>> for ItemFailure {
    fn from(problem: Box<Diagnostic>) -> Self {
        Self { problem, ends_the_run: false }
    }
}

/// One compile item while it runs: what it may see, and where its output goes.
///
/// Shared with the languages that it evaluates, which ask it for files and the inventory; all of that is recorded.
pub(crate) struct ItemRun {
    pub(crate) run: Arc<Run>,
    pub(crate) target: Arc<ShownTarget>,
    /// `vars.target`.
    pub(crate) target_name: Text,
    /// Which entry of `compile` it is.
    pub(crate) number: usize,
    pub(crate) door: Arc<Door>,
    pub(crate) values: Rc<ValueReads>,
    /// The folder of the tree that the item writes to.
    pub(crate) folder: PathBuf,
    /// Whether a problem was met that ends the run. The languages that pass it on know problems only.
    ends_the_run: Cell<bool>,
}

impl ItemRun {
    /// Prepares an item and makes its folder, also when nothing will be written to it.
    pub(crate) fn new(
        run: Arc<Run>,
        target: Arc<ShownTarget>,
        target_name: Text,
        number: usize,
        item: &Item,
    ) -> Result<Self, Box<Diagnostic>> {
        let below = Path::new(&target_name.replace('.', "/")).join(&*item.output_path);
        let folder = Output::place(&below, item.output_path_span)?;
        if run.output.is_first(&below) {
            let ups = below.ancestors().filter(|path| path.ends_with(".."));
            // The folders that `..` leaves again are made too.
            for left in ups.filter_map(Path::parent).chain([&*folder]) {
                let left = Output::place(left, item.output_path_span)?;
                run.output.create_folder(&left, item.output_path_span)?;
            }
        }
        let door = Arc::new(Door::new(run.files.clone()));
        let (values, ends_the_run) = (ValueReads::new(), Cell::new(false));
        Ok(Self { run, target, target_name, number, door, values, folder, ends_the_run })
    }

    /// The failure of this item with a problem.
    pub(crate) fn failure(&self, problem: Box<Diagnostic>) -> ItemFailure {
        ItemFailure { problem, ends_the_run: self.ends_the_run.get() }
    }

    /// Everything that was looked at, and what was odd.
    pub(crate) fn finish(&self) -> (ItemReads, Vec<Diagnostic>) {
        (ItemReads::take(&self.door, &self.values), self.door.take_warnings())
    }

    /// The folder of the output on disk, absolute and ending as the item writes it: what Kapitan calls `compile_path`.
    pub(crate) fn folder_on_disk(&self) -> PathBuf {
        let tree = self.run.output.stage.tree();
        tree.join(self.target_name.replace('.', "/")).join(&*self.item().output_path)
    }

    pub(crate) fn item(&self) -> &Item {
        let items = self.target.project.as_ref().map(|project| &project.compile);
        items.and_then(|items| items.get(self.number)).expect("an item that runs is one of its target's")
    }

    /// Writes a text as it is, its references compiled or revealed.
    pub(crate) fn write_text(
        &self,
        name: &str,
        text: &str,
        mode: Option<u32>,
        input: usize,
    ) -> Result<(), Box<Diagnostic>> {
        let name = Path::new(name);
        let text =
            self.process_text(text.into()).or_else(|problem| self.leave_empty(name, input, problem))?;
        self.write_file(name, text.as_bytes(), Attributes { mode, ..Attributes::DEFAULT }, input)
    }

    /// Leaves an empty file where one cannot be written, which is what Kapitan does and shows where the item may fail.
    fn leave_empty<T>(
        &self,
        name: &Path,
        input: usize,
        problem: Box<Diagnostic>,
    ) -> Result<T, Box<Diagnostic>> {
        if self.item().continue_on_compile_error {
            self.write_file(name, b"", Attributes::DEFAULT, input)?;
        }
        Err(problem)
    }

    /// Writes bytes to a path below the item's folder.
    pub(crate) fn write_file(
        &self,
        name: &Path,
        content: &[u8],
        attributes: Attributes,
        input: usize,
    ) -> Result<(), Box<Diagnostic>> {
        let span = self.item().output_path_span;
        if name.is_absolute() || name.has_root() {
            let message = format!("output name `{}` is absolute: it leaves `compiled/`", name.display());
            return Err(Diagnostic::error("compile::output-leaves-tree", message).at(span).into());
        }
        let path = Output::place(&self.folder.join(name), span)?;
        let attributes = Attributes { is_exposed: self.run.is_exposed(&self.target), ..attributes };
        let writer = Writer::new(self.target.name.clone(), (self.number, input), span);
        if let Some(warning) = self.run.output.write(&path, content, attributes, &writer)? {
            self.door.warn(warning);
        }
        Ok(())
    }

    /// Writes a value in the item's output type, the suffix of which is added to the name; empty values give empty files.
    ///
    /// Behaviour: `to_file` of Kapitan's input types.
    pub(crate) fn write_value(&self, name: &str, value: Node, input: usize) -> Result<(), Box<Diagnostic>> {
        let item = self.item();
        let value = if item.prune {
            prune(&value).map_err(|error| error.into_diagnostic().at(item.span))?
        } else {
            value
        };
        let (output_type, suffix) = resolve_type(item.output_type, name);
        let file_name = format!("{name}{suffix}");
        let path = Path::new(&file_name);
        let content = self
            .content(&file_name, value, output_type)
            .or_else(|problem| self.leave_empty(path, input, problem))?;
        self.write_file(path, content.as_bytes(), Attributes::DEFAULT, input)
    }

    fn content(
        &self,
        file_name: &str,
        value: Node,
        output_type: OutputType,
    ) -> Result<Text, Box<Diagnostic>> {
        let span = self.item().span;
        let wrong = |error: kapstan_document::WriteError| {
            let message = format!("cannot write `{file_name}`: {error}");
            let diagnostic = error.into_diagnostic();
            Box::new(Diagnostic { message, ..diagnostic }.at(span))
        };
        if output_type == OutputType::Plain {
            return match &value.value {
                Value::Str(text) => self.process_text(text.clone()),
                _ => {
                    let message = format!(
                        "cannot write `{file_name}`: output type `plain` writes strings, this is a {}",
                        value.value.kind()
                    );
                    Err(Diagnostic::error("compile::not-a-string", message).at(span).into())
                }
            };
        }
        let processed = self.run.references.process_node(value, &self.context());
        let value = processed.map_err(|error| self.reference_problem(error))?;
        if !value.value.is_truthy() {
            return Ok(Text::default());
        }
        let text = match output_type {
            OutputType::Json => json::write(&value, self.run.settings.indent_of_json()).map_err(wrong)?,
            OutputType::Toml => toml::write(&value).map_err(wrong)?,
            _ => yaml::write_documents(&value, &self.yaml_options()?).map_err(wrong)?,
        };
        Ok(text.into())
    }

    fn process_text(&self, text: Text) -> Result<Text, Box<Diagnostic>> {
        self.run.references.process_text(text, &self.context()).map_err(|error| self.reference_problem(error))
    }

    /// For whom references are processed.
    pub(crate) fn context(&self) -> Context<'_> {
        Context {
            target_name: Some(&self.target_name),
            secrets: self.target.secrets(),
            observer: &*self.door,
        }
    }

    /// A problem with a reference, at the compile item where it has no place of its own.
    pub(crate) fn reference_problem(&self, error: kapstan_refs::Error) -> Box<Diagnostic> {
        let is_attribute_error = error.raised_class() == kapstan_refs::Raised::Attribute;
        let mut problem = error.into_diagnostic();
        if is_attribute_error {
            self.ends_the_run.set(true);
            let peer_text = problem.peer_text.take().unwrap_or_default();
            let input_type = self.item().input_type.name();
            problem = problem.with_peer_text(format!("Invalid input_type: \"{input_type}\" {peer_text}"));
        }
        Box::new(if problem.labels.is_empty() { problem.at(self.item().span) } else { problem })
    }

    fn yaml_options(&self) -> Result<WriteOptions, Box<Diagnostic>> {
        let settings = &self.run.settings;
        let own = self.named_target()?.parameter("multiline_string_style").cloned();
        let style = match own.filter(|style| style.value.is_truthy()) {
            Some(style) => MultilineStyle::from_name(&python::str(&style.value)),
            None => settings.multiline_style,
        };
        let indent = usize::try_from(settings.indent).unwrap_or(0);
        Ok(WriteOptions { null_as_empty: settings.null_as_empty, ..WriteOptions::compiled(style, indent) })
    }

    /// The target that `vars.target` names: mostly the one that is compiled.
    pub(crate) fn named_target(&self) -> Result<Arc<ShownTarget>, Box<Diagnostic>> {
        if self.target.name == self.target_name {
            return Ok(self.target.clone());
        }
        match self.run.targets.get(&self.target_name) {
            Some(found) => found.map_err(|problems| first(&problems)),
            None => {
                let project = self.target.project.as_ref();
                let span = project.map_or(Span::NONE, |project| project.target_span);
                let message =
                    format!("`vars.target` names `{}`, and there is no such target", self.target_name);
                let problem = Diagnostic::error("compile::unknown-target-name", message).at(span);
                Err(problem.with_hint(format!("the target's own name is `{}`", self.target.name)).into())
            }
        }
    }
}

/// The first of several problems: what stops an item.
pub(crate) fn first(problems: &[Diagnostic]) -> Box<Diagnostic> {
    let none = || Diagnostic::error("compile::failed", "the target cannot be rendered");
    Box::new(problems.first().cloned().unwrap_or_else(none))
}

/// How a file is written, and the suffix that its name gets.
fn resolve_type(output_type: OutputType, name: &str) -> (OutputType, &'static str) {
    match output_type {
        OutputType::Json => (OutputType::Json, ".json"),
        OutputType::Yaml => (OutputType::Yaml, ".yaml"),
        OutputType::Yml => (OutputType::Yml, ".yml"),
        OutputType::Toml => (OutputType::Toml, ".toml"),
        OutputType::Plain => (OutputType::Plain, ""),
        OutputType::Auto => match suffix(name) {
            "toml" => (OutputType::Toml, ""),
            "json" => (OutputType::Json, ""),
            "yaml" => (OutputType::Yaml, ""),
            "yml" => (OutputType::Yml, ""),
            _ => (OutputType::Yaml, ".yaml"),
        },
    }
}

/// What stands behind the last dot of a file name that does not begin with it, as Python's `splitext` sees it.
fn suffix(name: &str) -> &str {
    let file = name.rsplit('/').next().unwrap_or(name);
    match file.trim_start_matches('.').rsplit_once('.') {
        Some((_, suffix)) => suffix,
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_goes_by_the_suffix() {
        for (name, expected) in [
            ("a.json", (OutputType::Json, "")),
            ("a.b.toml", (OutputType::Toml, "")),
            ("a.txt", (OutputType::Yaml, ".yaml")),
            (".json", (OutputType::Yaml, ".yaml")),
            ("d.yml/a", (OutputType::Yaml, ".yaml")),
        ] {
            assert_eq!(resolve_type(OutputType::Auto, name), expected, "{name}");
        }
    }
}
