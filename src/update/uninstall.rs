use super::owner::Surroundings;
use super::{Outcome, file_problem};
use std::cmp::Reverse;
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
    /// The start-up file of a shell from which the installer's line was taken.
    pub(crate) profile: Option<PathBuf>,
    /// The folder that is still in the user's `PATH`, which is no file.
    pub(crate) in_user_path: Option<PathBuf>,
}

/// How the line ends that the installer adds to the start-up file of a shell.
const MARK: &str = "# added by the kapstan installer";

/// Removes the program, what its receipt lists, and the receipt: nothing else, and folders only if they are empty.
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
    if let Some(profile) = receipt.profile() {
        let is_changed =
            clean(&profile, is_dry_run).map_err(|error| file_problem("change", &profile, &error))?;
        done.profile = is_changed.then_some(profile);
    }
    remove(receipt.file(), is_dry_run, &mut done, |file| fs::remove_file(file))?;
    done.in_user_path = receipt.is_in_user_path().then(|| executable.folder().to_owned());
    if !is_dry_run {
        let mut folders = receipt.folders();
        folders.extend(receipt.file().parent().map(Path::to_owned));
        // The deepest first. One that is not empty is somebody's, and stays.
        folders.sort_by_key(|folder| Reverse(folder.components().count()));
        folders.iter().for_each(|folder| drop(fs::remove_dir(folder)));
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

/// Takes the installer's lines out of a start-up file; returns whether there are any.
///
/// The file is written in place: it may be a link, and its owner and mode are the user's.
fn clean(profile: &Path, is_dry_run: bool) -> io::Result<bool> {
    let text = match fs::read(profile) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let kept: Vec<u8> =
        lines.filter(|line| !line.trim_ascii_end().ends_with(MARK.as_bytes())).flatten().copied().collect();
    let is_changed = kept.len() != text.len();
    match (is_changed && !is_dry_run, kept.is_empty()) {
        (true, true) => fs::remove_file(profile)?,
        (true, false) => fs::write(profile, kept)?,
        (false, _) => {}
    }
    Ok(is_changed)
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
