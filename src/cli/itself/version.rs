use super::arguments::VersionArguments;
use crate::cli::Failure;
use crate::cli::arguments::OutputFormat;
use crate::cli::version::KAPITAN;
use crate::program::{self, DEPENDENCIES, TARGET};
use serde_json::json;
use std::io::Write;

/// Shows the version; with `--verbose` also the target, the commit and the crates inside.
pub(super) fn run(arguments: &VersionArguments) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match arguments.output {
        OutputFormat::Json => writeln!(out, "{}", as_json(arguments.verbose))?,
        OutputFormat::Text if arguments.verbose => write_all(&mut out)?,
        OutputFormat::Text => writeln!(out, "{}", program::name_and_version())?,
    }
    Ok(())
}

fn as_json(is_verbose: bool) -> serde_json::Value {
    let mut shown = json!({
        "version": program::version(),
        "target": TARGET,
        "commit": program::commit(),
        "kapitan": KAPITAN,
    });
    if is_verbose {
        let crates = DEPENDENCIES.iter();
        let rows = crates.map(|inside| json!({ "name": inside.name, "version": inside.version }));
        shown["dependencies"] = rows.collect();
    }
    shown
}

fn write_all(out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{}", program::name_and_version())?;
    writeln!(out, "target: {TARGET}")?;
    writeln!(out, "commit: {}", program::commit().unwrap_or("unknown"))?;
    writeln!(out, "reproduces: Kapitan {KAPITAN}")?;
    writeln!(out, "dependencies:")?;
    DEPENDENCIES.iter().try_for_each(|inside| writeln!(out, "  {} {}", inside.name, inside.version))
}
