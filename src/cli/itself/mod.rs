//! `kapstan self`: what the program does with itself.

mod arguments;
mod install;
mod rollback;
mod uninstall;
mod update;
mod version;

pub(crate) use arguments::ItselfArguments;

use super::Failure;
use crate::report::Reporter;
use arguments::ItselfCommand;

/// Runs a command below `self`.
pub(crate) fn run(reporter: &Reporter, arguments: &ItselfArguments) -> Result<(), Failure> {
    match &arguments.command {
        ItselfCommand::Update(arguments) => update::run(reporter, arguments),
        ItselfCommand::Install(arguments) => install::run(arguments),
        ItselfCommand::Rollback(arguments) => rollback::run(reporter, arguments),
        ItselfCommand::Uninstall(arguments) => uninstall::run(arguments),
        ItselfCommand::Version(arguments) => version::run(arguments),
    }
}
