use super::Failure;
use super::arguments::SearchvarArguments;
use super::context::Context;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::yaml::{self, LoadOptions, WriteOptions};
use kapstan_document::{Node, lookup, python};
use kapstan_files::slashed;
use std::io::Write;
use std::path::Path;

/// Shows the inventory files in which a variable is declared, and its value there.
///
/// Behaviour: Kapitan's `searchvar`; files are listed sorted, those of a folder before those of its folders.
pub(crate) fn run(context: &Context<'_>, arguments: &SearchvarArguments) -> Result<(), Failure> {
    let section = context.dotfile.section("searchvar");
    let inventory = context.inventory_path(arguments.inventory_path.as_ref(), section)?;
    let paths = kapstan_lint::files_below(&*context.files, &inventory).map_err(|error| {
        let message = format!("cannot read the inventory `{}`: {error}", inventory.display());
        vec![Diagnostic::error("searchvar::unreadable", message)]
    })?;
    if paths.is_empty() {
        let message = format!("there are no files in the inventory `{}`", inventory.display());
        context.reporter.report(&Diagnostic::warning("searchvar::nothing-to-search", message));
    }
    let mut found: Vec<(String, Node)> = Vec::new();
    for path in paths {
        let shown = slashed(&path);
        if !(shown.ends_with(".yml") || shown.ends_with(".yaml")) {
            continue;
        }
        let document = load(context, &path, &shown)?;
        match lookup::find(&document, &arguments.searchvar) {
            Ok(value) => found.extend(value.map(|value| (shown, value))),
            Err(key) => return Err(super::not_a_string(&key).into()),
        }
    }
    let mut out = std::io::stdout().lock();
    let width = found.iter().map(|(path, _)| path.chars().count()).max().unwrap_or(0) + 2;
    for (path, value) in &found {
        if arguments.pretty_print || section.flag("pretty-print") {
            let text =
                yaml::write(value, &WriteOptions::plain()).map_err(|error| vec![error.into_diagnostic()])?;
            writeln!(out, "{path}")?;
            for line in text.lines() {
                writeln!(out, "     {line}")?;
            }
            writeln!(out)?;
        } else {
            writeln!(out, "{path:width$} {}", python::str(&value.value))?;
        }
    }
    Ok(out.flush()?)
}

fn load(context: &Context<'_>, path: &Path, shown: &str) -> Result<Node, Failure> {
    let text = context.files.read(path).map_err(|error| {
        vec![Diagnostic::error("searchvar::unreadable", format!("cannot read `{shown}`: {error}"))]
    })?;
    let source = context.sources.add(shown, text.clone());
    let loaded = yaml::load(&text, source, &LoadOptions::default());
    Ok(loaded.map_err(|error| vec![error.into_diagnostic(source)])?)
}
