use super::companions::tidy;
use super::exchange::{Exchanged, put_in_place};
use super::owner::Surroundings;
use super::staging::Staging;
use super::{Outcome, file_problem, problem, smoke};
use kapstan_diagnostic::Diagnostic;

/// What a way back did.
#[derive(Debug)]
pub(crate) struct RolledBack {
    /// The version that is there now.
    pub(crate) version: String,
    /// What was put in place.
    pub(crate) exchanged: Exchanged,
    /// What did not prevent it.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Exchanges the program with the one that was there before, which must run; twice is as before.
///
/// An update that was forced can be taken back without a receipt.
pub(crate) fn roll_back(surroundings: &Surroundings) -> Outcome<RolledBack> {
    let executable = &surroundings.executable;
    let previous = executable.previous();
    let receipt = surroundings.may_change(true)?;
    if !previous.is_file() {
        let message = format!("there is no previous version: `{}` is missing", previous.display());
        return Err(problem("update::no-previous", message));
    }
    let version = smoke::version_of(&previous)?;
    let staging = Staging::beside(executable)?;
    let new = staging.file("new");
    std::fs::rename(&previous, &new).map_err(|error| file_problem("move", &previous, &error))?;
    let exchanged = put_in_place(&new, executable, &staging).inspect_err(|_| {
        // Whatever is still where it was moved to goes back, so that one can try again.
        if new.is_file() {
            let _ = std::fs::rename(&new, &previous);
        }
    })?;
    let warnings = receipt.map(|receipt| tidy(receipt, &version, &exchanged, &staging));
    Ok(RolledBack { version, exchanged, warnings: warnings.unwrap_or_default() })
}
