use crate::host::RefStore;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// The refs folder on disk. Writes nothing outside it, not even through links.
#[derive(Clone, Debug)]
pub struct DiskStore {
    base: PathBuf,
    root: PathBuf,
}

impl DiskStore {
    /// Writes below `root`; relative paths, that of the root included, start at `base`.
    pub fn new(base: impl Into<PathBuf>, root: impl AsRef<Path>) -> Self {
        let base = base.into();
        let root = base.join(root);
        Self { base, root }
    }

    /// Makes the folders of a path and writes the content into a nameless neighbour of the file to be.
    fn prepare(&self, path: &Path, content: &[u8]) -> io::Result<(PathBuf, NamedTempFile)> {
        let path = self.base.join(path);
        let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        self.make_folder(folder)?;
        let folder = folder.canonicalize()?;
        let mut builder = Builder::new();
        builder.prefix(".ref-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(&folder)?;
        file.write_all(content)?;
        Ok((folder.join(name), file))
    }

    /// The deepest folder that is there decides where the new ones come to lie.
    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(&self.root)?;
        let root = self.root.canonicalize()?;
        let there = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
        if !there.canonicalize()?.starts_with(&root) {
            let message = format!("`{}` lies outside the refs folder", folder.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
        }
        fs::create_dir_all(folder)
    }
}

impl RefStore for DiskStore {
    fn create(&self, path: &Path, content: &[u8]) -> io::Result<bool> {
        let (path, file) = self.prepare(path, content)?;
        match file.persist_noclobber(path) {
            Ok(_) => Ok(true),
            Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(failed) => Err(failed.error),
        }
    }

    fn replace(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let (path, file) = self.prepare(path, content)?;
        if let Ok(old) = fs::metadata(&path) {
            if old.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            file.as_file().set_permissions(old.permissions())?;
        }
        file.persist(path).map(drop).map_err(|failed| failed.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_creators_one_wins_and_replacing_keeps_the_mode() {
        let folder = tempfile::tempdir().unwrap();
        let store = DiskStore::new(folder.path(), "refs");
        let path = Path::new("refs/a/b");
        assert!(store.create(path, b"one").unwrap());
        assert!(!store.create(path, b"two").unwrap());
        assert_eq!(fs::read(folder.path().join(path)).unwrap(), b"one");
        #[cfg(unix)]
        fs::set_permissions(folder.path().join(path), std::os::unix::fs::PermissionsExt::from_mode(0o640))
            .unwrap();
        store.replace(path, b"three").unwrap();
        assert_eq!(fs::read(folder.path().join(path)).unwrap(), b"three");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(folder.path().join(path)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o640);
        }
        assert_eq!(fs::read_dir(folder.path().join("refs/a")).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("refs")).unwrap();
        fs::create_dir_all(folder.path().join("other")).unwrap();
        std::os::unix::fs::symlink("../other", folder.path().join("refs/out")).unwrap();
        let store = DiskStore::new(folder.path(), "refs");
        let error = store.create(Path::new("refs/out/new/x"), b"one").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(fs::read_dir(folder.path().join("other")).unwrap().count(), 0);
    }
}
