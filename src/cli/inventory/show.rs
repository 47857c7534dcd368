use crate::cli::arguments::InventoryArguments;
use crate::cli::context::Context;
use crate::cli::{Failure, not_a_string};
use kapstan_compile::{ShownTarget, Targets, Topics, render_all};
use kapstan_diagnostic::{Diagnostic, nearest};
use kapstan_document::yaml::{self, WriteOptions};
use kapstan_document::{Key, Map, Node, lookup};
use std::io::Write;
use std::sync::Arc;

/// Shows the inventory as Kapitan does.
pub(super) fn run(context: &Context<'_>, arguments: &InventoryArguments) -> Result<(), Failure> {
    let section = context.dotfile.section("inventory");
    let pattern = match &arguments.pattern {
        Some(pattern) => Some(pattern.clone()),
        None => section.text("pattern")?,
    };
    let target_name = match &arguments.target_name {
        Some(name) => Some(name.clone()),
        None => section.text("target-name")?,
    };
    let pattern = pattern.filter(|pattern| !pattern.is_empty());
    let target_name = target_name.filter(|name| !name.is_empty());
    if pattern.is_some() && target_name.is_none() && arguments.topics.is_none() {
        return Err(Failure::Usage("--pattern needs --target-name or --topics".to_owned()));
    }
    let indent = match arguments.indent {
        Some(indent) => Some(indent),
        None => section.number("indent")?,
    };
    let targets = context.targets(&arguments.backend, arguments.inventory_path.as_ref(), section)?;
    let (document, is_part) = match (&arguments.topics, &target_name) {
        (Some(name), _) => (topics(&targets, name)?, true),
        (None, Some(name)) => (target(context, &targets, name)?.document.clone(), true),
        (None, None) => (all(context, &targets)?, false),
    };
    let shown = match pattern.filter(|_| is_part) {
        Some(pattern) => {
            let found = lookup::find(&document, &pattern).map_err(|key| not_a_string(&key))?;
            found.unwrap_or(Node::NULL)
        }
        None => document,
    };
    let indent = indent.and_then(|indent| usize::try_from(indent).ok()).unwrap_or(if indent.is_some() {
        0
    } else {
        2
    });
    let text = if arguments.flat || section.flag("flat") {
        let Some(map) = shown.as_map() else {
            let message = format!("--flat needs a mapping, and the pattern found a {}", shown.value.kind());
            return Err(vec![Diagnostic::error("inventory::not-a-mapping", message)].into());
        };
        let flat = lookup::flatten(map).map_err(|key| not_a_string(&key))?;
        yaml::write(&flat.into(), &WriteOptions::inventory_flat(indent))
    } else {
        yaml::write(&shown, &WriteOptions::inventory(indent))
    };
    let text = text.map_err(|error| vec![error.into_diagnostic()])?;
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

fn topics(targets: &Targets, name: &str) -> Result<Node, Failure> {
    render_all(targets);
    let topics = Topics::default();
    let found = if name.is_empty() { topics.all(targets) } else { topics.named(targets, name) };
    Ok(found?)
}

/// One target; its warnings are told.
pub(crate) fn target(
    context: &Context<'_>,
    targets: &Targets,
    name: &str,
) -> Result<Arc<ShownTarget>, Failure> {
    let Some(found) = targets.get(name) else {
        let problem = Diagnostic::error("inventory::unknown-target", format!("no target is named `{name}`"));
        let problem = match nearest(name, targets.names().iter().map(|name| &**name)) {
            Some(near) => problem.with_hint(format!("did you mean `{near}`?")),
            None => problem.with_hint("`kapstan list` lists the targets"),
        };
        return Err(vec![problem].into());
    };
    let shown = found?;
    context.reporter.report_all(&shown.warnings);
    Ok(shown)
}

/// Every target by name; the problems of all of them where there are any.
fn all(context: &Context<'_>, targets: &Targets) -> Result<Node, Failure> {
    render_all(targets);
    let mut documents = Map::with_capacity(targets.names().len());
    let mut problems = Vec::new();
    for name in targets.names() {
        match targets.get(name) {
            Some(Ok(shown)) => {
                context.reporter.report_all(&shown.warnings);
                documents.insert(Key::new(name.clone()), shown.document.clone());
            }
            Some(Err(more)) => problems.extend(more.iter().cloned()),
            None => {}
        }
    }
    if problems.is_empty() { Ok(documents.into()) } else { Err(problems.into()) }
}
