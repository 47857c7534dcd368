use super::arguments::RollbackArguments;
use crate::cli::Failure;
use crate::cli::arguments::OutputFormat;
use crate::program;
use crate::report::Reporter;
use crate::update::{Surroundings, roll_back};
use serde_json::json;
use std::io::Write;

/// Exchanges the program with the one that was there before.
pub(super) fn run(reporter: &Reporter, arguments: &RollbackArguments) -> Result<(), Failure> {
    let done = roll_back(&Surroundings::look()?)?;
    reporter.report_all(&done.warnings);
    let (current, version) = (program::version(), &done.version);
    let (path, previous) = (&done.exchanged.path, &done.exchanged.previous);
    let mut out = std::io::stdout().lock();
    match arguments.output {
        OutputFormat::Json => {
            let (path, previous) = (path.to_string_lossy(), previous.to_string_lossy());
            writeln!(
                out,
                "{}",
                json!({ "from": current, "to": version, "path": path, "previous": previous })
            )?;
        }
        OutputFormat::Text => {
            writeln!(out, "kapstan {version} is back at {}", path.display())?;
            writeln!(out, "`kapstan self rollback` again brings {current} back")?;
        }
    }
    Ok(())
}
