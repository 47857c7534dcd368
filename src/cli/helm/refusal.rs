use super::arguments::HelmProgram;
use crate::cli::Failure;
use clap::CommandFactory;
use kapstan_diagnostic::{Diagnostic, nearest};
use std::ffi::OsString;

/// Commands of Helm that ask a cluster.
const OF_CLUSTERS: &[&str] = &[
    "get",
    "history",
    "hist",
    "install",
    "list",
    "ls",
    "rollback",
    "status",
    "test",
    "uninstall",
    "del",
    "delete",
    "un",
    "upgrade",
];

/// Commands of Helm that ask the network, or keep what came from there.
const OF_THE_NETWORK: &[&str] = &["pull", "fetch", "push", "registry", "repo", "search", "verify"];

/// Commands of Helm about itself.
const OF_HELM: &[&str] = &["completion", "create", "env", "plugin"];

/// Why a command that is not here is not.
pub(super) fn of_helm(words: &[OsString]) -> Failure {
    let name = name(words);
    let has = |names: &[&str]| names.contains(&&*name);
    let why = if has(OF_CLUSTERS) {
        "it needs a cluster, and kapstan renders without one"
    } else if has(OF_THE_NETWORK) {
        "it needs the network, and charts are files here"
    } else if has(OF_HELM) {
        "it is about Helm itself"
    } else {
        return unknown("helm", &name);
    };
    problem(format!("there is no `helm {name}`: {why}"))
}

/// Why a command below `helm dependency` is not here.
pub(super) fn of_dependency(words: &[OsString]) -> Failure {
    unknown("helm dependency", &name(words))
}

fn name(words: &[OsString]) -> String {
    words.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default()
}

fn problem(message: String) -> Failure {
    vec![Diagnostic::error("helm::unavailable", message)].into()
}

/// Helm's text for a command that nobody knows.
fn unknown(of: &str, name: &str) -> Failure {
    let program = HelmProgram::command();
    let known = program.get_subcommands().map(clap::Command::get_name).filter(|_| of == "helm");
    let near = nearest(name, known).map(|near| format!("\n\nDid you mean this?\n\t{near}\n"));
    let near = near.unwrap_or_default();
    Failure::Usage(format!("unknown command \"{name}\" for \"{of}\"{near}\nRun '{of} --help' for usage."))
}
