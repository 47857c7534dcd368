use crate::{Entry, Files, Kind};
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Files in memory, for tests and for what the binary carries. Folders exist where a file lies below them.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
}

impl Memory {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    #[must_use]
    pub fn with(mut self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Self {
        self.files.insert(normal(path.as_ref()), content.as_ref().into());
        self
    }
}

/// Drops `.`, resolves `..` by name and takes `/` for the root of the map.
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => parts.push(name),
            Component::ParentDir => {
                parts.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    parts
}

impl Files for Memory {
    fn read(&self, path: &Path) -> io::Result<Arc<[u8]>> {
        match self.files.get(&normal(path)) {
            Some(content) => Ok(content.clone()),
            None if self.kind(path)?.is_some() => Err(io::ErrorKind::IsADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<Entry>> {
        match self.kind(path)? {
            Some(Kind::Folder) => {}
            Some(Kind::File) => return Err(io::ErrorKind::NotADirectory.into()),
            None => return Err(io::ErrorKind::NotFound.into()),
        }
        let folder = normal(path);
        let mut entries: Vec<Entry> = Vec::new();
        for below in self.files.keys().filter_map(|file| file.strip_prefix(&folder).ok()) {
            let mut components = below.components();
            let Some(first) = components.next() else { continue };
            let name = first.as_os_str().to_string_lossy().into_owned();
            let kind = if components.next().is_some() { Kind::Folder } else { Kind::File };
            if entries.last().is_none_or(|last| last.name != name) {
                entries.push(Entry { name, kind: Some(kind), is_link: false });
            }
        }
        entries.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(entries)
    }

    fn kind(&self, path: &Path) -> io::Result<Option<Kind>> {
        let path = normal(path);
        if self.files.contains_key(&path) {
            return Ok(Some(Kind::File));
        }
        let is_folder = path.as_os_str().is_empty() || self.files.keys().any(|file| file.starts_with(&path));
        Ok(is_folder.then_some(Kind::Folder))
    }

    fn lies_at(&self, path: &Path) -> io::Result<bool> {
        Ok(self.kind(path)?.is_some())
    }

    fn mode(&self, _path: &Path) -> io::Result<Option<u32>> {
        Ok(None)
    }

    fn size(&self, path: &Path) -> io::Result<Option<u64>> {
        Ok(Some(self.read(path)?.len() as u64))
    }

    fn modified(&self, _path: &Path) -> io::Result<Option<SystemTime>> {
        Ok(None)
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        Path::new("/").join(normal(path))
    }
}
