use super::Failure;
use super::arguments::{ListArguments, OutputFormat};
use super::compile::pairs;
use super::context::Context;
use kapstan_compile::{ShownTarget, has_labels, render_all};
use serde_json::json;
use std::io::Write;
use std::sync::Arc;

/// Lists the targets with their labels; a target that cannot be rendered is listed, and its problems are told.
pub(crate) fn run(context: &Context<'_>, arguments: &ListArguments) -> Result<(), Failure> {
    let section = context.dotfile.section("compile");
    let targets = context.targets(&arguments.backend, arguments.inventory_path.as_ref(), section)?;
    let labels = pairs(arguments.labels.as_deref().unwrap_or_default())?;
    render_all(&targets);
    let mut listed: Vec<Arc<ShownTarget>> = Vec::new();
    let mut problems = Vec::new();
    for name in targets.names() {
        match targets.get(name) {
            Some(Ok(target)) if has_labels(&target, &labels) => listed.push(target),
            Some(Err(more)) => problems.extend(more.iter().cloned()),
            _ => {}
        }
    }
    let mut out = std::io::stdout().lock();
    match arguments.output {
        OutputFormat::Json => {
            let rows: Vec<_> = listed
                .iter()
                .map(|target| json!({ "name": &*target.name, "labels": labels_of(target) }))
                .collect();
            writeln!(out, "{}", serde_json::Value::from(rows))?;
        }
        OutputFormat::Text => {
            let width = listed.iter().map(|target| target.name.chars().count()).max().unwrap_or(0);
            for target in &listed {
                let labels: Vec<String> =
                    labels_of(target).iter().map(|(key, value)| format!("{key}={value}")).collect();
                let line = format!("{:width$}  {}", target.name, labels.join(" "));
                writeln!(out, "{}", line.trim_end())?;
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.into()) }
}

fn labels_of(target: &ShownTarget) -> std::collections::BTreeMap<&str, &str> {
    let labels = target.project.iter().flat_map(|project| &project.labels);
    labels.map(|(key, value)| (&**key, &**value)).collect()
}
