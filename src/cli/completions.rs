use super::arguments::{CompletionsArguments, Shell};
use super::{Failure, Persona};
use clap::Command;
use clap_complete::{generate, shells};
use std::io::Write;

/// Prints what a shell needs to complete command lines, for the name that the program was started with.
pub(crate) fn run(
    persona: Persona,
    table: &Command,
    arguments: &CompletionsArguments,
) -> Result<(), Failure> {
    let script = script(arguments.shell, &mut shown(table), persona.name());
    Ok(std::io::stdout().write_all(&script)?)
}

/// The command without what is hidden in it, which the generators would offer.
fn shown(command: &Command) -> Command {
    let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set());
    let below = command.get_subcommands().filter(|command| !command.is_hide_set());
    let shown = Command::new(command.get_name().to_owned())
        .disable_help_subcommand(true)
        .disable_version_flag(true)
        .visible_aliases(command.get_visible_aliases().map(str::to_owned))
        .args(arguments.cloned())
        .subcommands(below.map(shown));
    match command.get_about() {
        Some(about) => shown.about(about.clone()),
        None => shown,
    }
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
