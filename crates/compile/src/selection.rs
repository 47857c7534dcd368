use crate::settings::{CompileSettings, Wanted};
use crate::targets::{Problems, ShownTarget, Targets};
use kapstan_diagnostic::{Diagnostic, Span, nearest};
use kapstan_document::Node;
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// The targets that a run compiles.
pub(crate) struct Selection {
    /// In the inventory's order for all and for labels, in the user's order for names.
    pub(crate) targets: Vec<Arc<ShownTarget>>,
    /// Whether the run replaces all of `compiled/`: as many targets are selected as there are.
    pub(crate) is_all: bool,
}

/// Renders the wanted targets and checks that they can be compiled side by side. Fails with every problem of every one.
pub(crate) fn select(targets: &Targets, settings: &CompileSettings) -> Result<Selection, Vec<Diagnostic>> {
    if targets.names().is_empty() {
        return Err(vec![Diagnostic::error("compile::no-targets", "the inventory has no targets")]);
    }
    let selected = match &settings.wanted {
        Wanted::All => render(targets, targets.names().iter().map(|name| &**name))?,
        Wanted::Named(names) => named(targets, names)?,
        Wanted::Labelled(labels) => {
            let all = render(targets, targets.names().iter().map(|name| &**name))?;
            labelled(all, labels)?
        }
    };
    let problems: Vec<Diagnostic> =
        selected.iter().filter_map(|target| check(target, settings.fetch)).collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    check_folders(&selected)?;
    Ok(Selection { is_all: selected.len() >= targets.names().len(), targets: selected })
}

fn render<'n>(
    targets: &Targets,
    names: impl Iterator<Item = &'n str>,
) -> Result<Vec<Arc<ShownTarget>>, Vec<Diagnostic>> {
    let names: Vec<&str> = names.collect();
    let rendered: Vec<Option<Result<Arc<ShownTarget>, Problems>>> =
        names.into_par_iter().map(|name| targets.get(name)).collect();
    let mut found = Vec::with_capacity(rendered.len());
    let mut problems: Vec<Diagnostic> = Vec::new();
    for target in rendered.into_iter().flatten() {
        match target {
            Ok(target) => found.push(target),
            Err(more) => {
                // A problem of the inventory itself comes up with every target.
                for problem in
                    more.iter().filter(|problem| !problems.contains(problem)).cloned().collect::<Vec<_>>()
                {
                    problems.push(problem);
                }
            }
        }
    }
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

fn named(targets: &Targets, names: &[String]) -> Result<Vec<Arc<ShownTarget>>, Vec<Diagnostic>> {
    let mut wanted: Vec<&str> = Vec::new();
    for name in names {
        if !wanted.contains(&name.as_str()) {
            wanted.push(name);
        }
    }
    let selected = render(targets, wanted.into_iter())?;
    if selected.is_empty() {
        let known = || targets.names().iter().map(|name| &**name);
        let problems = names.iter().map(|name| {
            let problem =
                Diagnostic::error("compile::unknown-target", format!("no target is named `{name}`"));
            match nearest(name, known()) {
                Some(near) => problem.with_hint(format!("did you mean `{near}`?")),
                None => problem.with_hint("`kapstan list` lists the targets"),
            }
        });
        return Err(problems.collect());
    }
    Ok(selected)
}

fn labelled(
    all: Vec<Arc<ShownTarget>>,
    labels: &[(String, String)],
) -> Result<Vec<Arc<ShownTarget>>, Vec<Diagnostic>> {
    let selected: Vec<_> = all.into_iter().filter(|target| has_labels(target, labels)).collect();
    if selected.is_empty() {
        let pairs: Vec<String> = labels.iter().map(|(key, value)| format!("`{key}={value}`")).collect();
        let message = format!("no target has the labels {}", pairs.join(", "));
        let problem = Diagnostic::error("compile::no-such-labels", message);
        return Err(vec![problem.with_hint("`kapstan list` shows the labels of every target")]);
    }
    Ok(selected)
}

/// Whether a target has all of the labels.
pub fn has_labels(target: &ShownTarget, labels: &[(String, String)]) -> bool {
    let Some(project) = &target.project else { return labels.is_empty() };
    labels.iter().all(|(key, value)| project.labels.iter().any(|(k, v)| **k == **key && **v == **value))
}

fn check(target: &ShownTarget, fetches_all: bool) -> Option<Diagnostic> {
    let within = |problem: Diagnostic| problem.within(format!("in target `{}`", target.name), Span::NONE);
    let Some(project) = &target.project else {
        let message = "`parameters.kapitan` is null";
        return Some(within(Diagnostic::error("compile::no-settings", message).at(target.span)));
    };
    if project.target.is_none() && !project.compile.is_empty() {
        let message = "`parameters.kapitan.vars.target` is not set: it names the folder of the output";
        let hint = format!("usually it is the name of the target: `target: {}`", target.name);
        let problem =
            Diagnostic::error("compile::no-target-name", message).at(project.target_span.or(project.span));
        return Some(within(problem.with_hint(hint)));
    }
    let dependencies = target.parameter("kapitan")?.get("dependencies")?.as_seq()?;
    let is_wanted = |dependency: &&Node| {
        let says_so = dependency.get("force_fetch").is_some_and(|force| force.value.is_truthy());
        fetches_all || says_so
    };
    let dependency = dependencies.iter().find(is_wanted)?;
    let message = "this version of kapstan fetches no dependencies";
    let problem = Diagnostic::error("compile::fetch-unavailable", message).at(dependency.span);
    let hint = "fetch them with Kapitan, then compile without `--fetch`, `--force-fetch` and `force_fetch`";
    Some(within(problem.with_hint(hint)))
}

/// No two targets may share a folder of the output.
fn check_folders(selected: &[Arc<ShownTarget>]) -> Result<(), Vec<Diagnostic>> {
    let mut seen: rustc_hash::FxHashMap<PathBuf, &ShownTarget> = rustc_hash::FxHashMap::default();
    let mut problems = Vec::new();
    for target in selected {
        let Some(project) = target.project.as_ref().filter(|project| !project.compile.is_empty()) else {
            continue;
        };
        let folder = PathBuf::from(project.target.as_deref().unwrap_or_default().replace('.', "/"));
        if let Some(other) = seen.insert(folder.clone(), target) {
            let message = format!(
                "targets `{}` and `{}` both write to `compiled/{}`: their `vars.target` are the same",
                other.name,
                target.name,
                folder.display()
            );
            let theirs = other.project.as_ref().map_or(Span::NONE, |project| project.target_span);
            let problem = Diagnostic::error("compile::same-folder", message);
            problems.push(problem.at(project.target_span).with_label(theirs, "the other one"));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
