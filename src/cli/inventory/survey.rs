use super::answer;
use crate::cli::Failure;
use crate::cli::arguments::{CheckArguments, ClassesArguments, DepsArguments, OutputFormat};
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::report::{as_json, visible};
use kapstan_compile::{Targets, render_all};
use kapstan_diagnostic::{Diagnostic, Severity};
use serde_json::{Value, json};
use std::fmt::Write;

/// Renders every target and tells every problem, one that several targets share once.
pub(super) fn check(
    context: &Context<'_>,
    arguments: &CheckArguments,
    targets: &Targets,
) -> Result<(), Failure> {
    render_all(targets);
    let mut told: Vec<Diagnostic> = Vec::new();
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    for name in targets.names() {
        let problems = match targets.get(name) {
            Some(Ok(shown)) => shown.warnings.clone(),
            Some(Err(problems)) => problems.to_vec(),
            None => Vec::new(),
        };
        if problems.iter().any(|problem| problem.severity == Severity::Error) {
            failed.push(&**name);
        }
        let listed: Vec<Value> = problems.iter().map(|problem| as_json(problem, &context.sources)).collect();
        rows.push(json!({ "target": &**name, "problems": listed }));
        for problem in problems {
            let is_told =
                |other: &Diagnostic| other.labels == problem.labels && other.message == problem.message;
            if !told.iter().any(is_told) {
                told.push(problem);
            }
        }
    }
    let count = targets.names().len();
    let text = match failed.len() {
        0 => format!("{count} targets, no errors\n"),
        errors => format!("{count} targets, {errors} with errors: {}\n", failed.join(", ")),
    };
    if arguments.place.output == OutputFormat::Text {
        context.reporter.report_all(&told);
    }
    answer(&arguments.place, &rows.into(), &text)?;
    if failed.is_empty() { Ok(()) } else { Err(Failure::Silent(Exit::Input)) }
}

/// Names the targets that a file of the inventory reaches.
pub(super) fn dependants(
    context: &Context<'_>,
    arguments: &DepsArguments,
    targets: &Targets,
) -> Result<(), Failure> {
    if !matches!(context.files.kind(&arguments.file), Ok(Some(_))) {
        let message = format!("there is no file `{}`", arguments.file.display());
        let hint = "give the path of a class or target file, for example inventory/classes/common.yml";
        return Err(vec![Diagnostic::error("inventory::no-such-file", message).with_hint(hint)].into());
    }
    let reached = targets.inventory().dependants(&arguments.file);
    let text: String = reached.iter().map(|name| visible(name) + "\n").collect();
    let names: Vec<&str> = reached.iter().map(|name| &**name).collect();
    answer(&arguments.place, &json!(names), &text)
}

/// Lists the classes, or those that no target uses, with their files.
pub(super) fn classes(arguments: &ClassesArguments, targets: &Targets) -> Result<(), Failure> {
    let inventory = targets.inventory();
    let classes = if arguments.unused { inventory.unused_classes() } else { inventory.classes() }?;
    let width = classes.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let mut rows = Vec::new();
    for (name, path) in &classes {
        let file = path.display().to_string().replace('\\', "/");
        let _ = writeln!(text, "{:width$}  {}", visible(name), visible(&file));
        rows.push(json!({ "class": &**name, "file": file }));
    }
    answer(&arguments.place, &rows.into(), &text)
}
