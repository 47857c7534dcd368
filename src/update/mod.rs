//! Keeping the program itself up to date: finding a release, trusting it, putting it in place, going back, removing.
//!
//! In come where releases lie, the keys to trust and the wish; out goes what was done, as data. Nothing here prints or
//! runs unless one of the commands under `kapstan self` asks for it: kapstan never looks for updates by itself.
//!
//! The order of trust: the manifest says which version there is, `SHA256SUMS` what its files are, the signature that both
//! are ours and belong together, the sum that the archive is the one meant. Only then is anything unpacked; only what
//! runs and says its version takes the place of the program, whose previous file stays beside it.

mod companions;
mod copy;
mod exchange;
mod executable;
mod install;
mod keys;
mod mirror;
mod owner;
mod receipt;
mod release;
mod rollback;
mod roots;
mod smoke;
mod staging;
mod transport;
mod uninstall;
mod verify;

pub(crate) use copy::copy_to;
pub(crate) use install::{Newest, Request, Updated, check, update};
pub(crate) use keys::Keys;
pub(crate) use mirror::{Channel, Mirror, Wanted};
pub(crate) use owner::Surroundings;
pub(crate) use rollback::roll_back;
pub(crate) use uninstall::uninstall;
pub(crate) use verify::verify;

use kapstan_diagnostic::Diagnostic;
use std::error::Error;
use std::io;
use std::path::Path;

/// A result, or the one problem that there is to tell.
pub(crate) type Outcome<T> = Result<T, Box<Diagnostic>>;

fn problem(code: &'static str, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, message))
}

/// What is behind an error: those who pass it on say only what they were doing.
fn innermost(error: &dyn Error) -> &dyn Error {
    error.source().map_or(error, innermost)
}

/// A problem with a file, which names it and says what to do where rights are missing.
fn file_problem(what: &str, path: &Path, error: &io::Error) -> Box<Diagnostic> {
    let cause = innermost(error);
    let diagnostic = problem("update::file", format!("cannot {what} `{}`: {cause}", path.display()));
    if error.kind() == io::ErrorKind::PermissionDenied {
        let hint = "run it with the rights of whoever installed kapstan, or install it where you may write";
        return Box::new(diagnostic.with_hint(hint));
    }
    diagnostic
}
