use super::executable::Executable;
use super::{Outcome, file_problem, problem};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PREFIX: &str = ".kapstan-update-";
const LOCK: &str = "lock";

/// A folder beside the program for what is not in place yet: there a rename is one step. It goes away with the value.
///
/// While it is there, no other update begins; what a killed one left behind is removed by the next.
#[derive(Debug)]
pub(super) struct Staging {
    // Before the folder, so that it is closed when that is removed, which Windows wants.
    _lock: File,
    folder: TempDir,
}

impl Staging {
    /// Makes the folder. Fails where that is not allowed, and where another update is running.
    pub(super) fn beside(executable: &Executable) -> Outcome<Self> {
        let place = executable.folder();
        remove_leftovers(place)?;
        let made = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place);
        let folder = made.map_err(|error| file_problem("write in", place, &error))?;
        let lock =
            locked(&folder.path().join(LOCK)).map_err(|error| file_problem("write in", place, &error))?;
        Ok(Self { _lock: lock, folder })
    }

    /// A path in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The folder itself.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn locked(path: &Path) -> std::io::Result<File> {
    let lock = File::create(path)?;
    // Where files cannot be locked, two updates at once are the user's to avoid.
    let _ = lock.try_lock();
    Ok(lock)
}

/// Removes the folders of updates that do not run any more.
fn remove_leftovers(place: &Path) -> Outcome<()> {
    // A folder that cannot be listed is told when something is written there.
    let entries = fs::read_dir(place).into_iter().flatten().filter_map(Result::ok);
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        let lock = File::open(entry.path().join(LOCK));
        if lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock))) {
            let message = format!("another update is running: it works in `{}`", entry.path().display());
            return Err(problem("update::running", message));
        }
        // What stays does no harm.
        let _ = fs::remove_dir_all(entry.path());
    }
    Ok(())
}
