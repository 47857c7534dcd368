use kapstan_files::{Files, Kind};
use std::io;
use std::path::{Path, PathBuf};

/// How deeply folders may be nested; links to folders are not followed.
const DEEPEST: usize = 100;

/// Every file below a folder: those of a folder first, then those of its folders, each sorted by name. None where the
/// folder is not there.
pub fn files_below(files: &dyn Files, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if files.kind(folder)? != Some(Kind::Folder) {
        return Ok(found);
    }
    collect(files, folder, 0, &mut found)?;
    Ok(found)
}

fn collect(files: &dyn Files, folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if depth > DEEPEST {
        return Err(io::Error::other(format!("folders are nested more than {DEEPEST} deep")));
    }
    let entries = files.list(folder)?;
    let (folders, others): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|entry| entry.kind == Some(Kind::Folder));
    found.extend(others.iter().filter(|entry| entry.kind.is_some()).map(|entry| folder.join(&entry.name)));
    for below in folders.iter().filter(|entry| !entry.is_link) {
        collect(files, &folder.join(&below.name), depth + 1, found)?;
    }
    Ok(())
}

/// Whether a path names a YAML file.
pub(crate) fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}
