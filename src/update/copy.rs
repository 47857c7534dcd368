use super::executable::Executable;
use super::{Outcome, file_problem};
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Puts a copy of the running program into a folder, as `kapstan`, and returns its path.
///
/// For machines without `cp`: an init container shares the program so. The folder is made if it is missing; what is there
/// under that name is replaced at once, by a whole file. Nothing is written down: the copy belongs to whoever asked for it.
pub(crate) fn copy_to(folder: &Path) -> Outcome<PathBuf> {
    let executable = Executable::running()?;
    fs::create_dir_all(folder).map_err(|error| file_problem("make", folder, &error))?;
    let path = folder.join(format!("kapstan{EXE_SUFFIX}"));
    let new = folder.join(format!(".kapstan.new.{}{EXE_SUFFIX}", std::process::id()));
    copy(executable.path(), &new).and_then(|()| fs::rename(&new, &path)).map_err(|error| {
        // It may be there in part, or not at all.
        let _ = fs::remove_file(&new);
        file_problem("write", &path, &error)
    })?;
    Ok(path)
}

/// Copies a program so that everyone may run it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(to, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}
