use crate::{Entry, Files, Kind};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The disk, seen from one folder: relative paths start there.
#[derive(Clone, Debug)]
pub struct Disk {
    base: PathBuf,
}

impl Disk {
    /// The disk seen from `base`, which should be absolute.
    pub fn new(base: impl Into<PathBuf>) -> Self {
        Self { base: base.into() }
    }

    /// The folder at which relative paths start.
    pub fn base(&self) -> &Path {
        &self.base
    }
}

fn kind_of(metadata: &fs::Metadata) -> Kind {
    if metadata.is_dir() { Kind::Folder } else { Kind::File }
}

/// What was found; none if nothing is there.
fn if_there(found: io::Result<fs::Metadata>) -> io::Result<Option<fs::Metadata>> {
    match found {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        found => found.map(Some),
    }
}

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Arc<[u8]>> {
        fs::read(self.base.join(path)).map(Arc::from)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.base.join(path))? {
            let entry = entry?;
            let file_type = entry.file_type()?;
            let is_link = file_type.is_symlink();
            let kind = if is_link {
                fs::metadata(entry.path()).ok().as_ref().map(kind_of)
            } else if file_type.is_dir() {
                Some(Kind::Folder)
            } else {
                Some(Kind::File)
            };
            entries.push(Entry { name: entry.file_name().to_string_lossy().into_owned(), kind, is_link });
        }
        entries.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(entries)
    }

    fn kind(&self, path: &Path) -> io::Result<Option<Kind>> {
        Ok(if_there(fs::metadata(self.base.join(path)))?.as_ref().map(kind_of))
    }

    fn lies_at(&self, path: &Path) -> io::Result<bool> {
        Ok(if_there(fs::symlink_metadata(self.base.join(path)))?.is_some())
    }

    fn mode(&self, path: &Path) -> io::Result<Option<u32>> {
        let metadata = fs::metadata(self.base.join(path))?;
        #[cfg(unix)]
        return Ok(Some(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o7777));
        #[cfg(not(unix))]
        return Ok({
            let _ = metadata;
            None
        });
    }

    fn size(&self, path: &Path) -> io::Result<Option<u64>> {
        let metadata = fs::metadata(self.base.join(path))?;
        Ok(metadata.is_file().then_some(metadata.len()))
    }

    fn modified(&self, path: &Path) -> io::Result<Option<SystemTime>> {
        fs::metadata(self.base.join(path))?.modified().map(Some)
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        self.base.join(path)
    }
}
