use super::arguments::{CompletionsArguments, Shell};
use super::{Failure, Persona};
use clap::Command;
use clap_complete::{generate, shells};
use std::io::Write;

/// Prints what a shell needs to complete command lines, for the name that the program was started with.
pub(crate) fn run(
    persona: Persona,
    mut table: Command,
    arguments: &CompletionsArguments,
) -> Result<(), Failure> {
    let script = script(arguments.shell, &mut table, persona.name());
    Ok(std::io::stdout().write_all(&script)?)
}

fn script(shell: Shell, table: &mut Command, name: &str) -> Vec<u8> {
    let mut script = Vec::new();
    match shell {
        Shell::Bash => generate(shells::Bash, table, name, &mut script),
        Shell::Zsh => generate(shells::Zsh, table, name, &mut script),
        Shell::Fish => generate(shells::Fish, table, name, &mut script),
        Shell::Powershell => generate(shells::PowerShell, table, name, &mut script),
    }
    script
}
