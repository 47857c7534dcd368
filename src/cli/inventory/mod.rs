//! `inventory`: the inventory as Kapitan shows it, and the questions that can be asked of it.

mod explain;
mod show;
mod survey;

use super::Failure;
use super::arguments::{
    BackendArguments, InventoryArguments, InventoryCommand, OutputFormat, PlaceArguments,
};
use super::context::Context;
use kapstan_compile::Targets;
use std::io::Write;
use std::sync::Arc;

pub(crate) use show::target;

/// Shows the inventory, or answers a question.
pub(crate) fn run(context: &Context<'_>, arguments: &InventoryArguments) -> Result<(), Failure> {
    let Some(command) = &arguments.command else { return show::run(context, arguments) };
    let shows = arguments.target_name.is_some()
        || arguments.pattern.is_some()
        || arguments.topics.is_some()
        || arguments.indent.is_some()
        || arguments.flat;
    if shows {
        let message =
            "options that show the inventory cannot be used together with a command below `inventory`";
        return Err(Failure::Usage(message.to_owned()));
    }
    let open = |place: &PlaceArguments| open(context, arguments, place);
    match command {
        InventoryCommand::Explain(question) => explain::run(context, question, &*open(&question.place)?),
        InventoryCommand::Check(question) => survey::check(context, question, &*open(&question.place)?),
        InventoryCommand::Deps(question) => survey::dependants(context, question, &*open(&question.place)?),
        InventoryCommand::Classes(question) => survey::classes(question, &*open(&question.place)?),
    }
}

/// The inventory, whether its flags stand before the command or behind it.
fn open(
    context: &Context<'_>,
    before: &InventoryArguments,
    place: &PlaceArguments,
) -> Result<Arc<Targets>, Failure> {
    let section = context.dotfile.section("inventory");
    let backend = BackendArguments {
        inventory_backend: place
            .backend
            .inventory_backend
            .clone()
            .or_else(|| before.backend.inventory_backend.clone()),
        migrate: place.backend.migrate || before.backend.migrate,
        compose_target_name: place.backend.compose_target_name || before.backend.compose_target_name,
        enable_class_wildcards: place.backend.enable_class_wildcards || before.backend.enable_class_wildcards,
    };
    let path = place.inventory_path.as_ref().or(before.inventory_path.as_ref());
    context.targets(&backend, path, section)
}

/// Writes the answer to standard output: as JSON on one line, or as text.
fn answer(place: &PlaceArguments, json: &serde_json::Value, text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match place.output {
        OutputFormat::Json => writeln!(out, "{json}")?,
        OutputFormat::Text => out.write_all(text.as_bytes())?,
    }
    Ok(out.flush()?)
}
