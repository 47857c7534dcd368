use super::arguments::InstallArguments;
use crate::cli::Failure;
use crate::update::copy_to;
use std::io::Write;

/// Copies the program into a folder and says where it is.
pub(super) fn run(arguments: &InstallArguments) -> Result<(), Failure> {
    let path = copy_to(&arguments.to)?;
    Ok(writeln!(std::io::stdout(), "kapstan is at {}", path.display())?)
}
