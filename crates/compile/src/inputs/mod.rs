//! The input types: one file or folder each, and the table that names them.

mod copy;
mod external;
mod helm;
mod jinja2;
mod jsonnet;
mod remove;

use crate::item::{ItemFailure, ItemRun};
use crate::project::InputType;
use crate::reads::ItemReads;
use crate::search::find_inputs;
use kapstan_diagnostic::Diagnostic;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What a thread keeps from one compile item to the next.
#[derive(Default)]
pub(crate) struct Worker {
    jsonnet: jsonnet::Engine,
}

/// Compiles one path that an input path stands for.
type CompilePath = fn(&Rc<ItemRun>, &mut Worker, Input<'_>) -> Result<(), Box<Diagnostic>>;

/// A path that is compiled.
#[derive(Clone, Copy)]
pub(crate) struct Input<'p> {
    /// Where it was found: absolute.
    pub(crate) path: &'p Path,
    /// Which of the item's input paths it comes from.
    pub(crate) number: usize,
    /// Whether it is the first that the item compiles.
    pub(crate) is_first: bool,
}

/// A row for each input type that can be compiled. A new one is a file beside this one and a row here.
const INPUTS: &[(InputType, CompilePath)] = &[
    (InputType::Copy, copy::compile),
    (InputType::External, external::compile),
    (InputType::Helm, helm::compile),
    (InputType::Jinja2, jinja2::compile),
    (InputType::Jsonnet, jsonnet::compile),
    (InputType::Remove, remove::compile),
];

/// Compiles an item: every match of every input path, in order. Returns what it looked at and what was odd.
pub(crate) fn compile_item(
    item_run: ItemRun,
    worker: &mut Worker,
) -> Result<(ItemReads, Vec<Diagnostic>), ItemFailure> {
    let item_run = Rc::new(item_run);
    compile_inputs(&item_run, worker).map_err(|problem| item_run.failure(problem))?;
    let item_run = Rc::try_unwrap(item_run).map_err(|_| {
        let message = "a compile item is still in use after it is done";
        Box::new(Diagnostic::error("compile::internal", message))
    })?;
    Ok(item_run.finish())
}

fn compile_inputs(item_run: &Rc<ItemRun>, worker: &mut Worker) -> Result<(), Box<Diagnostic>> {
    let item = item_run.item();
    let Some((_, compile)) = INPUTS.iter().find(|(input_type, _)| *input_type == item.input_type) else {
        return Err(unavailable(item_run));
    };
    let mut is_first = true;
    for (number, (input_path, span)) in item.input_paths.iter().enumerate() {
        let found =
            find_inputs(&*item_run.door, input_path, &item_run.run.search_paths).map_err(|error| {
                let message = format!("cannot look for input path `{input_path}`: {error}");
                Diagnostic::error("compile::unreadable", message).at(*span)
            })?;
        let found = without_old_output(item_run, found);
        if found.is_empty() && !item.ignore_missing {
            let problem =
                Diagnostic::error("compile::input-not-found", format!("input path `{input_path}` not found"));
            let search_paths: Vec<String> = item_run
                .run
                .settings
                .search_paths
                .iter()
                .map(|path| format!("`{}`", path.display()))
                .collect();
            let hint = format!("the search paths are {}", search_paths.join(", "));
            return Err(problem.at(*span).with_hint(hint).into());
        }
        for path in &found {
            compile(item_run, worker, Input { path, number, is_first })?;
            is_first = false;
        }
    }
    Ok(())
}

/// The paths without those of the old output that this run has made anew: `compiled/...` is found in both trees.
fn without_old_output(item_run: &ItemRun, found: Vec<PathBuf>) -> Vec<PathBuf> {
    let stage = &item_run.run.output.stage;
    let old = item_run.run.settings.output_path.join("compiled");
    let is_made_anew =
        |path: &PathBuf| path.strip_prefix(&old).is_ok_and(|below| found.contains(&stage.tree().join(below)));
    found.iter().filter(|path| !is_made_anew(path)).cloned().collect()
}

fn unavailable(item_run: &ItemRun) -> Box<Diagnostic> {
    let item = item_run.item();
    let message = format!("this version of kapstan does not compile input type `{}`", item.input_type.name());
    let span = item.shown.get("input_type").map_or(item.span, |name| name.span.or(item.span));
    let names: Vec<String> =
        INPUTS.iter().map(|(input_type, _)| format!("`{}`", input_type.name())).collect();
    let problem = Diagnostic::error("compile::input-type-unavailable", message).at(span);
    problem.with_hint(format!("it compiles {}", names.join(", "))).into()
}
