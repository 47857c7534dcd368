use crate::{Entry, Files, Kind};
use rustc_hash::FxHashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

/// Files of a run that do not change while it lasts: each is looked at once, however many threads ask.
///
/// What lies below `volatile` is never remembered, nor are large files.
pub struct Cached {
    files: Arc<dyn Files>,
    volatile: PathBuf,
    contents: RwLock<FxHashMap<PathBuf, Arc<[u8]>>>,
    kinds: RwLock<FxHashMap<PathBuf, Option<Kind>>>,
    names: RwLock<FxHashMap<PathBuf, bool>>,
    lists: RwLock<FxHashMap<PathBuf, Vec<Entry>>>,
}

/// Larger files are read again rather than kept.
const LARGEST_KEPT: usize = 1 << 20;

impl Cached {
    /// Remembers what `files` says of everything outside the folder `volatile`.
    pub fn new(files: Arc<dyn Files>, volatile: impl Into<PathBuf>) -> Self {
        Self {
            files,
            volatile: volatile.into(),
            contents: RwLock::default(),
            kinds: RwLock::default(),
            names: RwLock::default(),
            lists: RwLock::default(),
        }
    }

    fn remembered<T: Clone>(
        &self,
        memory: &RwLock<FxHashMap<PathBuf, T>>,
        path: &Path,
        look: impl FnOnce() -> io::Result<T>,
        is_kept: impl FnOnce(&T) -> bool,
    ) -> io::Result<T> {
        if path.starts_with(&self.volatile) {
            return look();
        }
        if let Some(found) = memory.read().unwrap_or_else(PoisonError::into_inner).get(path) {
            return Ok(found.clone());
        }
        let found = look()?;
        if is_kept(&found) {
            memory.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_path_buf(), found.clone());
        }
        Ok(found)
    }
}

impl Files for Cached {
    fn read(&self, path: &Path) -> io::Result<Arc<[u8]>> {
        self.remembered(
            &self.contents,
            path,
            || self.files.read(path),
            |content| content.len() <= LARGEST_KEPT,
        )
    }

    fn list(&self, path: &Path) -> io::Result<Vec<Entry>> {
        self.remembered(&self.lists, path, || self.files.list(path), |_| true)
    }

    fn kind(&self, path: &Path) -> io::Result<Option<Kind>> {
        self.remembered(&self.kinds, path, || self.files.kind(path), |_| true)
    }

    fn lies_at(&self, path: &Path) -> io::Result<bool> {
        self.remembered(&self.names, path, || self.files.lies_at(path), |_| true)
    }

    fn mode(&self, path: &Path) -> io::Result<Option<u32>> {
        self.files.mode(path)
    }

    fn size(&self, path: &Path) -> io::Result<Option<u64>> {
        self.files.size(path)
    }

    fn modified(&self, path: &Path) -> io::Result<Option<SystemTime>> {
        self.files.modified(path)
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        self.files.absolute(path)
    }
}
