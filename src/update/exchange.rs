use super::executable::Executable;
use super::staging::Staging;
use super::{Outcome, file_problem};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What was put in the place of what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exchanged {
    /// The program's file.
    pub(crate) path: PathBuf,
    /// Where the file is that was there.
    pub(crate) previous: PathBuf,
}

/// Puts `new`, which lies in the same file system, in the program's place, and what was there beside it.
///
/// At every instant there is a whole program at its path, except on Windows between two renames, the first of which is
/// taken back if the second fails.
pub(super) fn put_in_place(new: &Path, executable: &Executable, staging: &Staging) -> Outcome<Exchanged> {
    let (path, previous) = (executable.path(), executable.previous());
    let kept = staging.file("kept");
    let failed = |error: io::Error| file_problem("replace", path, &error);
    prepare(new, path).map_err(failed)?;
    replace(new, path, &kept).map_err(failed)?;
    fs::rename(&kept, &previous).map_err(|error| file_problem("write", &previous, &error))?;
    Ok(Exchanged { path: path.to_owned(), previous })
}

/// Gives the new file the old one's mode, and waits until its bytes are on the disk.
fn prepare(new: &Path, old: &Path) -> io::Result<()> {
    fs::set_permissions(new, fs::metadata(old)?.permissions())?;
    // Windows flushes only what may be written.
    let file = if cfg!(windows) { File::options().write(true).open(new)? } else { File::open(new)? };
    file.sync_all()
}

#[cfg(not(windows))]
fn replace(new: &Path, path: &Path, kept: &Path) -> io::Result<()> {
    // File systems without hard links keep a copy.
    if fs::hard_link(path, kept).is_err() {
        fs::copy(path, kept)?;
    }
    fs::rename(new, path)
}

/// A running program's file can be renamed there, but not replaced.
#[cfg(windows)]
fn replace(new: &Path, path: &Path, kept: &Path) -> io::Result<()> {
    fs::rename(path, kept)?;
    fs::rename(new, path).inspect_err(|_| {
        // If this fails too, the message that follows tells where the program is.
        let _ = fs::rename(kept, path);
    })
}
