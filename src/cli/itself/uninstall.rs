use super::arguments::UninstallArguments;
use crate::cli::Failure;
use crate::cli::arguments::OutputFormat;
use crate::update::{Surroundings, uninstall};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Removes the program and what its installer put beside it, and lists the files.
pub(super) fn run(arguments: &UninstallArguments) -> Result<(), Failure> {
    let done = uninstall(&Surroundings::look()?, arguments.dry_run)?;
    let mut out = std::io::stdout().lock();
    if arguments.output == OutputFormat::Json {
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        let shown = json!({
            "removed": done.removed.iter().map(text).collect::<Vec<_>>(),
            "missing": done.missing.iter().map(text).collect::<Vec<_>>(),
            "profile": done.profile.as_ref().map(text),
            "in_user_path": done.in_user_path.as_ref().map(text),
            "dry_run": arguments.dry_run,
        });
        return Ok(writeln!(out, "{shown}")?);
    }
    let verb = if arguments.dry_run { "would remove" } else { "removed" };
    done.removed.iter().try_for_each(|file| writeln!(out, "{verb} {}", file.display()))?;
    done.missing.iter().try_for_each(|file| writeln!(out, "not there: {}", file.display()))?;
    if let Some(profile) = &done.profile {
        writeln!(out, "{verb} the installer's line from {}", profile.display())?;
    }
    if let Some(folder) = &done.in_user_path {
        writeln!(out, "still in the PATH of your user environment: {}", folder.display())?;
    }
    Ok(())
}
