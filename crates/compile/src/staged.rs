use crate::run::CompiledTarget;
use kapstan_diagnostic::Diagnostic;
use kapstan_files::{Stage, outermost};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A compiled tree that is complete and not yet in place.
#[derive(Debug)]
pub struct Staged {
    stage: Stage,
    is_all: bool,
    folders: Vec<PathBuf>,
    /// The targets, in the order in which they were selected.
    pub targets: Vec<CompiledTarget>,
}

/// What putting the tree in place would do to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, from `compiled/`.
    pub path: PathBuf,
    /// What it holds now; none if it is not there.
    pub before: Option<Vec<u8>>,
    /// What it will hold; none if it will not be there.
    pub after: Option<Vec<u8>>,
}

impl Staged {
    pub(crate) fn new(
        stage: Stage,
        is_all: bool,
        folders: Vec<PathBuf>,
        targets: Vec<CompiledTarget>,
    ) -> Self {
        Self { stage, is_all, folders: outermost(folders), targets }
    }

    /// Puts the tree in place: all of `compiled/` if all targets were compiled, otherwise the folders of those that were.
    pub fn put_in_place(self) -> Result<(), Diagnostic> {
        let result =
            if self.is_all { self.stage.replace_all() } else { self.stage.replace_folders(&self.folders) };
        result.map_err(|error| {
            Diagnostic::error(
                "compile::cannot-replace",
                format!("cannot put the new `compiled/` in place: {error}"),
            )
        })
    }

    /// What would change, sorted by path.
    pub fn changes(&self) -> io::Result<Vec<Change>> {
        let all = [PathBuf::new()];
        let folders: &[PathBuf] = if self.is_all { &all } else { &self.folders };
        let mut paths = BTreeSet::new();
        for folder in folders {
            for root in [self.stage.tree(), self.stage.replaces()] {
                list_files(root, folder, &mut paths)?;
            }
        }
        let mut changes = Vec::new();
        for path in paths {
            let before = read_if_there(&self.stage.replaces().join(&path))?;
            let after = read_if_there(&self.stage.tree().join(&path))?;
            if before != after {
                changes.push(Change { path, before, after });
            }
        }
        Ok(changes)
    }
}

fn list_files(root: &Path, folder: &Path, found: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    let entries = match fs::read_dir(root.join(folder)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            list_files(root, &path, found)?;
        } else {
            found.insert(path);
        }
    }
    Ok(())
}

fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
