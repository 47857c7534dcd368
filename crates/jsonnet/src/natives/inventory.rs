use super::Call;
use crate::host::Watched;
use crate::opaque::Opaque;
use crate::value::{LazyFields, to_jsonnet};
use jrsonnet_evaluator::{Result, Val};
use kapstan_diagnostic::Diagnostic;

/// The inventory of a target; of all targets, each resolved when it is read, where none is named.
pub(super) fn inventory(call: &Call<'_>) -> Result<Val> {
    let (target, path) = (call.optional(0)?, call.optional(1)?.filter(|path| !path.is_empty()));
    match target.filter(|target| !target.is_empty()) {
        Some(target) => one(call, &target, path.as_deref()),
        None => all(call, path),
    }
}

fn one(call: &Call<'_>, target: &str, path: Option<&str>) -> Result<Val> {
    converted(call, call.session.host.inventory(target, path))
}

fn converted(call: &Call<'_>, inventory: std::result::Result<Watched, Box<Diagnostic>>) -> Result<Val> {
    let inventory = inventory.map_err(|problem| call.session.fail(*problem))?;
    call.checks.check(&inventory.document)?;
    to_jsonnet(&inventory)
}

fn all(call: &Call<'_>, path: Option<String>) -> Result<Val> {
    let names = call.session.host.targets(path.as_deref());
    let names = names.map_err(|problem| call.session.fail(*problem))?;
    let (session, checks) = (call.session.clone(), call.checks.clone());
    let make = move |target: &str| {
        let call = Call { session: session.clone(), checks: checks.clone(), arguments: &[] };
        converted(&call, call.session.host.inventory_among_all(target, path.as_deref()))
    };
    Ok(LazyFields { names: Opaque(names), make: Opaque(Box::new(make)) }.into_value())
}

pub(super) fn topics(call: &Call<'_>) -> Result<Val> {
    let name = call.optional(0)?.filter(|name| !name.is_empty());
    let topics = call.session.host.topics(name.as_deref());
    let topics = topics.map_err(|problem| call.session.fail(*problem))?;
    call.checks.check(&topics.document)?;
    to_jsonnet(&topics)
}
