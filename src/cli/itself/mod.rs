//! `kapstan self`: what the program does with itself.

mod arguments;
mod install;
mod rollback;
mod uninstall;
mod update;
mod verify;
mod version;

pub(crate) use arguments::ItselfArguments;

use super::Failure;
use crate::report::Reporter;
use crate::update::{Keys, Outcome};
use arguments::ItselfCommand;
use std::env;
use std::path::Path;

/// Runs a command below `self`.
pub(crate) fn run(reporter: &Reporter, arguments: &ItselfArguments) -> Result<(), Failure> {
    match &arguments.command {
        ItselfCommand::Update(arguments) => update::run(reporter, arguments),
        ItselfCommand::Install(arguments) => install::run(arguments),
        ItselfCommand::Rollback(arguments) => rollback::run(reporter, arguments),
        ItselfCommand::Uninstall(arguments) => uninstall::run(arguments),
        ItselfCommand::Verify(arguments) => verify::run(arguments),
        ItselfCommand::Version(arguments) => version::run(arguments),
    }
}

/// What a flag says, or a variable of the environment that is not empty.
fn given(flag: Option<&String>, variable: &str) -> Option<String> {
    flag.cloned().or_else(|| env::var(variable).ok().filter(|value| !value.is_empty()))
}

/// The keys to trust.
fn keys_given(flag: Option<&String>, folder: &Path) -> Outcome<Keys> {
    match given(flag, "KAPSTAN_PUBLIC_KEY") {
        Some(text) => Keys::given(&text, folder),
        None => Ok(Keys::compiled_in()),
    }
}
