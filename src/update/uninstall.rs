use super::owner::Surroundings;
use super::{Outcome, file_problem};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// What was removed, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uninstalled {
    /// Files that were there.
    pub(crate) removed: Vec<PathBuf>,
    /// Files of the receipt that were not.
    pub(crate) missing: Vec<PathBuf>,
}

/// Removes the program and the files that its receipt lists, and the receipt: nothing else, and no folder but the
/// receipt's own if it is empty.
///
/// The program goes first: where that is not allowed, nothing is removed. Without a receipt nothing is either.
pub(crate) fn uninstall(surroundings: &Surroundings, is_dry_run: bool) -> Outcome<Uninstalled> {
    let executable = &surroundings.executable;
    let mut done = Uninstalled::default();
    let Some(receipt) = surroundings.may_change(false)? else { return Ok(done) };
    remove(executable.path(), is_dry_run, &mut done, remove_program)?;
    for file in receipt.files() {
        remove(&file, is_dry_run, &mut done, |file| fs::remove_file(file))?;
    }
    remove(receipt.file(), is_dry_run, &mut done, |file| fs::remove_file(file))?;
    if !is_dry_run && let Some(folder) = receipt.file().parent() {
        // It stays if there is something else in it.
        let _ = fs::remove_dir(folder);
    }
    Ok(done)
}

fn remove(
    file: &Path,
    is_dry_run: bool,
    done: &mut Uninstalled,
    removal: impl FnOnce(&Path) -> io::Result<()>,
) -> Outcome<()> {
    let removed = if is_dry_run { fs::symlink_metadata(file).map(drop) } else { removal(file) };
    match removed {
        Ok(()) => done.removed.push(file.to_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => done.missing.push(file.to_owned()),
        Err(error) => return Err(file_problem("remove", file, &error)),
    }
    Ok(())
}

#[cfg(not(windows))]
fn remove_program(program: &Path) -> io::Result<()> {
    fs::remove_file(program)
}

/// A running program cannot be removed there: it goes when it has ended.
#[cfg(windows)]
fn remove_program(program: &Path) -> io::Result<()> {
    self_replace::self_delete_at(program)
}
