use super::{Outcome, problem};
use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

/// The running program's own file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Executable {
    path: PathBuf,
}

impl Executable {
    /// The file that runs, whatever links lead to it.
    pub(super) fn running() -> Outcome<Self> {
        let found = std::env::current_exe().and_then(|path| path.canonicalize());
        let path = found.map_err(|error| {
            problem("update::executable", format!("cannot find the file of the running program: {error}"))
        })?;
        Ok(Self { path: plain(path) })
    }

    /// Its path, without links.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder that it lies in.
    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// Where the file is kept that was here before: `kapstan.previous`, or `kapstan.previous.exe`.
    pub(super) fn previous(&self) -> PathBuf {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        self.folder().join(format!("{stem}.previous{EXE_SUFFIX}"))
    }

    /// Whether a path, through whatever links, leads to this file.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| plain(path) == self.path)
    }
}

/// The path as people write it: canonical paths of Windows begin with `\\?\`, which few programs understand.
fn plain(path: PathBuf) -> PathBuf {
    let text = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
    let is_drive = |text: &str| text.as_bytes().get(1) == Some(&b':');
    text.filter(|text| is_drive(text)).map(PathBuf::from).unwrap_or(path)
}
