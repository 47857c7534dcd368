use crate::host::{Host, Progress};
use crate::inputs::{self, Worker};
use crate::item::{ItemFailure, ItemRun};
use crate::output::Output;
use crate::project::InputType;
use crate::selection::{Selection, select};
use crate::settings::CompileSettings;
use crate::staged::Staged;
use crate::targets::{ShownTarget, Targets};
use crate::topics::Topics;
use kapstan_diagnostic::{Checked, Diagnostic, Outcome, Severity, Sources};
use kapstan_document::Text;
use kapstan_files::{Cached, Files, Stage};
use kapstan_jinja2::Templates;
use kapstan_refs::References;
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What a run stands on: everything that its items share.
pub(crate) struct Run {
    pub(crate) settings: CompileSettings,
    /// The search paths, and behind them the folder of the tree that is being made.
    pub(crate) search_paths: Vec<PathBuf>,
    pub(crate) files: Arc<dyn Files>,
    pub(crate) sources: Arc<Sources>,
    pub(crate) targets: Arc<Targets>,
    pub(crate) topics: Topics,
    pub(crate) references: References,
    pub(crate) output: Output,
    pub(crate) host: Arc<dyn Host>,
    /// Parsed templates.
    pub(crate) templates: Arc<Templates>,
    /// The targets that are compiled, by name.
    selected: rustc_hash::FxHashSet<Text>,
}

/// What a run is given.
pub struct CompileRequest {
    /// What it depends on besides the files.
    pub settings: CompileSettings,
    /// Where it reads from.
    pub files: Arc<dyn Files>,
    /// Gets the texts that diagnostics point into.
    pub sources: Arc<Sources>,
    /// The targets of the inventory.
    pub targets: Arc<Targets>,
    /// The reference files.
    pub references: References,
    /// The outside.
    pub host: Arc<dyn Host>,
}

/// A target that came out.
#[derive(Debug)]
pub struct CompiledTarget {
    /// Its name.
    pub name: Text,
    warnings: Vec<Diagnostic>,
}

type TargetResult = Result<CompiledTarget, Vec<Diagnostic>>;

/// Stack of a thread that compiles: what the jsonnet engine asks for, which is the most of all.
const STACK_SIZE: usize = kapstan_jsonnet::STACK_SIZE;

/// More threads are not started: on 32 bits the stacks of these take a quarter to a half of all addresses.
const MOST_THREADS: Option<usize> = if cfg!(target_pointer_width = "32") { Some(2) } else { None };

/// Compiles the wanted targets into a tree beside the output, which the caller then puts in place or compares.
///
/// Fails with the problems of every target that failed, and leaves nothing behind then. Targets run in parallel; what
/// comes out does not depend on how many at a time.
pub fn compile(request: CompileRequest, progress: &dyn Progress) -> Outcome<Staged> {
    let CompileRequest { settings, files, sources, targets, references, host } = request;
    progress.discovered(targets.names().len());
    let selection = select(&targets, &settings)?;
    let tree = settings.output_path.join("compiled");
    let stage = Stage::begin(&tree, &settings.run_name).map_err(|error| {
        let message = format!("cannot write to `{}`: {error}", settings.output_path.display());
        vec![Diagnostic::error("compile::cannot-write", message)]
    })?;
    let stage = Arc::new(stage);
    let mut search_paths = settings.search_paths.clone();
    search_paths.push(stage.root().to_path_buf());
    let run = Arc::new(Run {
        files: Arc::new(Cached::new(files, stage.root())),
        output: Output::new(stage.clone()),
        references,
        topics: Topics::default(),
        templates: Arc::default(),
        selected: selection.targets.iter().map(|target| target.name.clone()).collect(),
        search_paths,
        settings,
        sources,
        targets: targets.clone(),
        host,
    });
    let wanted = run.settings.parallelism.get().min(selection.targets.len());
    let parallelism = MOST_THREADS.map_or(wanted, |most| wanted.min(most));
    progress.begins(selection.targets.len(), targets.names().len(), parallelism);
    let compiled = run_all(&run, &selection, parallelism, progress)?;
    drop(run);
    finish(stage, &selection, compiled)
}

fn finish(stage: Arc<Stage>, selection: &Selection, compiled: Vec<CompiledTarget>) -> Outcome<Staged> {
    let stage = Arc::try_unwrap(stage).map_err(|_| {
        vec![Diagnostic::error("compile::internal", "the output is still in use after all targets are done")]
    })?;
    take_over(&stage, selection)?;
    let folders: Vec<PathBuf> = selection.targets.iter().map(|target| target.path().into()).collect();
    let missing =
        selection.targets.iter().zip(&folders).find(|(_, folder)| !stage.tree().join(folder).is_dir());
    let nothing = match missing {
        _ if !stage.tree().is_dir() => Some("no target wrote anything".to_owned()),
        Some((target, _)) if !selection.is_all => {
            Some(format!("target `{}` wrote nothing to its folder", target.name))
        }
        _ => None,
    };
    if let Some(message) = nothing {
        let hint = "compile all targets, or give the target compile items and its own name as `vars.target`";
        return Err(vec![Diagnostic::error("compile::no-output", message).with_hint(hint)]);
    }
    let warnings = compiled.iter().flat_map(|target| target.warnings.iter().cloned()).collect();
    Ok(Checked { value: Staged::new(stage, selection.is_all, folders, compiled), warnings })
}

fn run_all(
    run: &Arc<Run>,
    selection: &Selection,
    parallelism: usize,
    progress: &dyn Progress,
) -> Result<Vec<CompiledTarget>, Vec<Diagnostic>> {
    let next = AtomicUsize::new(0);
    let has_failed = AtomicBool::new(false);
    let results: Mutex<Vec<(usize, TargetResult)>> = Mutex::default();
    let work = || {
        let mut worker = Worker::default();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(target) = selection.targets.get(at) else { break };
            let path = target.path();
            progress.target_begins(&path);
            let result = compile_target(run, target, &mut worker, progress);
            match &result {
                Ok(_) => progress.target_done(&path),
                Err(_) => has_failed.store(true, Ordering::Relaxed),
            }
            results.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
        }
    };
    let spawned: std::io::Result<()> = std::thread::scope(|scope| {
        for number in 0..parallelism {
            match std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work) {
                Err(error) if number == 0 => return Err(error),
                // Those that have started do the work of those for which there is no room.
                Err(_) => break,
                Ok(_) => {}
            }
        }
        Ok(())
    });
    if let Err(error) = spawned {
        let message = format!("cannot start a thread: {error}");
        return Err(vec![Diagnostic::error("compile::no-thread", message)]);
    }
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    let mut compiled = Vec::with_capacity(results.len());
    let mut problems = Vec::new();
    for (_, result) in results {
        match result {
            Ok(target) => compiled.push(target),
            Err(more) => problems.extend(more),
        }
    }
    if problems.is_empty() { Ok(compiled) } else { Err(problems) }
}

fn compile_target(
    run: &Arc<Run>,
    target: &Arc<ShownTarget>,
    worker: &mut Worker,
    progress: &dyn Progress,
) -> Result<CompiledTarget, Vec<Diagnostic>> {
    let mut compiled = CompiledTarget { name: target.name.clone(), warnings: target.warnings.clone() };
    let Some(project) = &target.project else { return Ok(compiled) };
    let target_name = project.target.clone().unwrap_or_default();
    for (number, item) in project.compile.iter().enumerate() {
        let result = ItemRun::new(run.clone(), target.clone(), target_name.clone(), number, item)
            .map_err(ItemFailure::from)
            .and_then(|item_run| inputs::compile_item(item_run, worker));
        match result {
            Ok((reads, warnings)) => {
                progress.item_done(&target.name, number, &reads);
                compiled.warnings.extend(warnings);
            }
            Err(ItemFailure { problem, ends_the_run }) => {
                let what = format!(
                    "in compile item {} ({}) of target `{}`",
                    number + 1,
                    item.input_type.name(),
                    target.name
                );
                let problem = problem.within(what, item.span);
                if !item.continue_on_compile_error || ends_the_run {
                    return Err(vec![problem]);
                }
                compiled.warnings.push(Diagnostic { severity: Severity::Warning, ..problem });
            }
        }
    }
    Ok(compiled)
}

/// Settles what programs outside wrote: the tree holds no links, and what came out as before keeps its time.
fn take_over(stage: &Stage, selection: &Selection) -> Result<(), Vec<Diagnostic>> {
    let exposed: Vec<_> = selection.targets.iter().filter(|target| is_exposed(target)).collect();
    let Some(first) = exposed.first() else { return Ok(()) };
    let failed = |target: &ShownTarget, error: io::Error| {
        let message = format!("cannot take over what a program wrote to the output: {error}");
        let span = target.project.as_ref().map_or(target.span, |project| project.span);
        vec![Diagnostic::error("compile::cannot-write", message).at(span)]
    };
    if selection.is_all {
        // They may have written to folders of other targets.
        stage.replace_links(Path::new("")).map_err(|error| failed(first, error))?;
    }
    for target in exposed {
        let name = target.project.as_ref().and_then(|project| project.target.as_deref()).unwrap_or_default();
        let folder = PathBuf::from(name.replace('.', "/"));
        let links = if selection.is_all { Ok(()) } else { stage.replace_links(&folder) };
        links.and_then(|()| stage.keep_times(&folder)).map_err(|error| failed(target, error))?;
    }
    Ok(())
}

/// Whether programs outside write to the target's folder.
fn is_exposed(target: &ShownTarget) -> bool {
    let items = target.project.iter().flat_map(|project| &project.compile);
    items.into_iter().any(|item| item.input_type == InputType::External)
}

impl Run {
    /// Whether programs outside write to the target's folder.
    pub(crate) fn is_exposed(&self, target: &ShownTarget) -> bool {
        is_exposed(target)
    }

    /// Whether the target is one of those that are compiled.
    pub(crate) fn is_selected(&self, target: &str) -> bool {
        self.selected.contains(target)
    }
}

/// Renders every target in parallel, so that what is asked for later is there.
pub fn render_all(targets: &Targets) {
    targets.names().par_iter().for_each(|name| {
        targets.get(name);
    });
}
