use super::arguments::ManArguments;
use super::{Failure, Persona};
use crate::program;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use kapstan_diagnostic::Diagnostic;
use std::io::{self, Write};
use std::path::Path;

/// Prints the manual page of a command, or writes all pages into a folder and lists them.
pub(crate) fn run(persona: Persona, table: Command, arguments: &ManArguments) -> Result<(), Failure> {
    let mut table = table.name(persona.name()).bin_name(persona.name()).display_name(persona.name());
    table.build();
    match &arguments.output {
        Some(folder) => write_all(&table, folder),
        None => Ok(io::stdout().write_all(&page(find(&table, &arguments.command)?)?)?),
    }
}

fn find<'t>(table: &'t Command, words: &[String]) -> Result<&'t Command, Failure> {
    words.iter().try_fold(table, |command, word| {
        command.find_subcommand(word).ok_or_else(|| {
            let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
            Failure::Usage(format!("`{name}` has no command `{word}`"))
        })
    })
}

fn write_all(table: &Command, folder: &Path) -> Result<(), Failure> {
    let failed = |path: &Path, error: io::Error| {
        let message = format!("cannot write `{}`: {error}", path.display());
        vec![Diagnostic::error("man::cannot-write", message)]
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let mut out = io::stdout().lock();
    for command in with_subcommands(table) {
        let name = format!("{}.1", display_name(command));
        let path = folder.join(&name);
        std::fs::write(&path, page(command)?).map_err(|error| failed(&path, error))?;
        writeln!(out, "{name}")?;
    }
    Ok(())
}

/// The command and all below it that are not hidden.
fn with_subcommands(command: &Command) -> Vec<&Command> {
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set());
    std::iter::once(command).chain(shown.flat_map(with_subcommands)).collect()
}

fn display_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// The page in roff. The examples keep their lines, which the generator would fill.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let examples = command.get_after_long_help().or_else(|| command.get_after_help());
    let examples = examples.map(ToString::to_string).unwrap_or_default();
    let man = Man::new(command.clone()).source(program::name_and_version()).manual("kapstan manual");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.get_subcommands().any(|below| !below.is_hide_set()) {
        man.render_subcommands_section(&mut page)?;
    }
    if !examples.is_empty() {
        let mut section = Roff::new();
        section.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in examples.strip_prefix("Examples:\n").unwrap_or(&examples).lines() {
            section.text([roman(line)]);
        }
        section.control("fi", []);
        section.to_writer(&mut page)?;
    }
    Ok(page)
}
