use super::arguments::VerifyArguments;
use super::keys_given;
use crate::cli::Failure;
use crate::cli::arguments::OutputFormat;
use crate::update;
use serde_json::json;
use std::env;
use std::io::Write;

/// Proves the files of a release.
pub(super) fn run(arguments: &VerifyArguments) -> Result<(), Failure> {
    let keys = keys_given(arguments.public_key.as_ref(), &env::current_dir()?)?;
    let release = arguments.release.as_deref().map(|version| version.strip_prefix('v').unwrap_or(version));
    let proved = update::verify(&arguments.list, release, &keys)?;
    let mut out = std::io::stdout().lock();
    if arguments.output == OutputFormat::Json {
        let shown = json!({ "version": proved.version, "files": proved.files, "absent": proved.absent });
        return Ok(writeln!(out, "{shown}")?);
    }
    writeln!(out, "{}: signed, kapstan {}", arguments.list.display(), proved.version)?;
    for file in &proved.files {
        writeln!(out, "{file}: as signed")?;
    }
    if !proved.absent.is_empty() {
        writeln!(out, "{} of the files are not here", proved.absent.len())?;
    }
    Ok(())
}
