use crate::links;
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// A tree that is made beside the one it will replace, and takes its place in one step when it is complete.
///
/// Until [`Stage::replace_all`] or [`Stage::replace_folders`] the old tree is as it was, whatever happens; a stage that
/// is dropped before leaves nothing behind, and one that was killed is removed by the next [`Stage::begin`]. Files that
/// come out with the same bytes and the same mode as in the old tree keep their modification time.
#[derive(Debug)]
pub struct Stage {
    /// The folder that the tree replaces, links resolved.
    old: PathBuf,
    /// The folder beside it in which the tree is made.
    root: PathBuf,
    /// The staged tree itself, in `root`, under the name by which the user knows it.
    tree: PathBuf,
    /// Held as long as this stage lives: tells other runs that the folder is in use.
    lock: Option<File>,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// Permissions as on Unix; none for the default of the system.
    pub mode: Option<u32>,
    /// The modification time to give it when its content is new; none for now.
    pub modified: Option<SystemTime>,
    /// Something else may write to the file while it is staged, so that it may not share its storage with the old tree.
    pub is_exposed: bool,
}

impl Attributes {
    /// The system's own.
    pub const DEFAULT: Self = Self { mode: None, modified: None, is_exposed: false };
}

const PREFIX: &str = ".kapstan-stage-";
const LOCK: &str = "lock";

impl Stage {
    /// Begins a tree that will replace the folder `old`, which need not exist. `unique` tells this run from others.
    ///
    /// Removes what killed runs left beside `old`, and puts back a tree that one of them had moved away.
    pub fn begin(old: &Path, unique: &str) -> io::Result<Self> {
        let name = old.file_name().unwrap_or(old.as_os_str()).to_owned();
        let old = fs::canonicalize(old).unwrap_or_else(|_| old.to_path_buf());
        let parent = old.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        remove_leftovers(parent, &old)?;
        let root = parent.join(format!("{PREFIX}{unique}"));
        let lock = claim(&root)?;
        Ok(Self { old, tree: root.join(name), root, lock: Some(lock) })
    }

    /// The folder that holds the staged tree under the old one's name.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder that the tree will replace.
    pub fn replaces(&self) -> &Path {
        &self.old
    }

    /// The staged tree.
    pub fn tree(&self) -> &Path {
        &self.tree
    }

    /// Makes a folder of the tree, and those above it.
    pub fn create_folder(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(self.inside(folder)?)
    }

    /// Writes a file of the tree. Its folder must exist; a file that is there is replaced.
    pub fn write(&self, path: &Path, content: &[u8], attributes: Attributes) -> io::Result<()> {
        let target = self.inside(path)?;
        let old = self.old.join(path);
        let was_there = remove_file_if_there(&target)?;
        let unchanged = is_unchanged(&old, content, attributes);
        if unchanged.is_some() && !attributes.is_exposed && fs::hard_link(&old, &target).is_ok() {
            return Ok(());
        }
        let mut file = match File::create_new(&target) {
            // Only what this run wrote may be in the way, and it has just been removed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && was_there => File::create(&target)?,
            other => other?,
        };
        file.write_all(content)?;
        if let Some(mode) = attributes.mode {
            set_mode(&file, mode)?;
        }
        if let Some(modified) = unchanged.or(attributes.modified) {
            file.set_modified(modified)?;
        }
        Ok(())
    }

    /// Makes every link below a folder of the tree what it points to: for trees that other programs wrote to. Does nothing
    /// where there is no such folder. Fails for links that lead nowhere or to a folder that holds them.
    pub fn replace_links(&self, folder: &Path) -> io::Result<()> {
        let place = self.inside(folder)?;
        if place.is_dir() { links::replace(&place, &self.root.join("links")) } else { Ok(()) }
    }

    /// Gives every file below a folder of the tree that came out as in the old tree the modification time that it has
    /// there: for folders that other programs wrote to. Does nothing where there is no such folder.
    pub fn keep_times(&self, folder: &Path) -> io::Result<()> {
        let entries = match fs::read_dir(self.inside(folder)?) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            let file_type = entry.file_type()?;
            if file_type.is_dir() {
                self.keep_times(&path)?;
            } else if file_type.is_file() {
                let content = fs::read(entry.path())?;
                let attributes = Attributes { mode: mode_of(&entry.metadata()?), ..Attributes::DEFAULT };
                if let Some(modified) = is_unchanged(&self.old.join(&path), &content, attributes) {
                    // Unix lets the owner do this to a file that may not be written.
                    let mut options = File::options();
                    options.read(true).append(cfg!(not(unix)));
                    options.open(entry.path())?.set_modified(modified)?;
                }
            }
        }
        Ok(())
    }

    /// Puts the staged tree in the place of the old one, all of it, and removes the old one.
    pub fn replace_all(self) -> io::Result<()> {
        exchange(&self.tree, &self.old, &self.root.join("replaced"))
    }

    /// Puts the given folders of the staged tree in the place of those of the old one, each in one step, and leaves
    /// everything else of the old tree alone.
    pub fn replace_folders(self, folders: &[PathBuf]) -> io::Result<()> {
        for (number, folder) in folders.iter().enumerate() {
            let staged = self.inside(folder)?;
            let old = self.old.join(folder);
            if let Some(parent) = old.parent() {
                fs::create_dir_all(parent)?;
            }
            exchange(&staged, &old, &self.root.join(format!("replaced-{number}")))?;
        }
        Ok(())
    }

    /// The place of a path of the tree on disk. Fails with `InvalidInput` for a path that would leave the tree.
    fn inside(&self, path: &Path) -> io::Result<PathBuf> {
        let leaves = path.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
        if leaves {
            let message = format!("`{}` leaves the output folder", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(self.tree.join(path))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next run.
        let _ = empty(&self.root).and_then(|()| {
            // Windows keeps the name of a file that is open, and with it the folder.
            self.lock = None;
            remove(&self.root)
        });
    }
}

/// Makes the folder of a stage and takes its lock. Another run that clears up may take an unlocked folder for a leftover.
fn claim(root: &Path) -> io::Result<File> {
    const TRIES: usize = 10;
    let mut tries = 0;
    loop {
        tries += 1;
        match fs::create_dir(root) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists || tries == 1 => return Err(error),
            _ => {}
        }
        match File::create(root.join(LOCK)) {
            Ok(lock) => {
                // Where the file system has no locks the tree is still made; only leftovers of killed runs stay.
                let is_taken = matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
                if !is_taken && root.join(LOCK).exists() {
                    return Ok(lock);
                }
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
        }
        if tries == TRIES {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
    }
}

/// Removes a stage, its lock last: a folder without lock is empty or just made.
fn remove(root: &Path) -> io::Result<()> {
    empty(root)?;
    fs::remove_file(root.join(LOCK))?;
    fs::remove_dir(root)
}

/// Removes what a stage holds but for its lock.
fn empty(root: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        if entry.file_name() == LOCK {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Removes the stages of runs that are no more, and restores `old` where one of them had just moved it away.
fn remove_leftovers(parent: &Path, old: &Path) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let root = entry.path();
        match File::open(root.join(LOCK)) {
            Ok(lock) if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) => continue,
            Ok(_) => {}
            Err(_) => {
                // Empty, or another run is at it.
                let _ = fs::remove_dir(&root);
                continue;
            }
        }
        let moved_away = root.join("replaced");
        if moved_away.is_dir() && fs::symlink_metadata(old).is_err() {
            fs::rename(&moved_away, old)?;
        }
        // Another run may be removing it as well.
        let _ = remove(&root);
    }
    Ok(())
}

/// Puts `new` at the place of `old`, and what was there at `aside` or at the place of `new`.
fn exchange(new: &Path, old: &Path, aside: &Path) -> io::Result<()> {
    if fs::symlink_metadata(old).is_err() {
        return fs::rename(new, old);
    }
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
            Ok(()) => return Ok(()),
            // The file system cannot exchange; two renames can.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => {}
            Err(error) => return Err(error.into()),
        }
    }
    fs::rename(old, aside)?;
    fs::rename(new, old).or_else(|error| {
        fs::rename(aside, old)?;
        Err(error)
    })
}

fn remove_file_if_there(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// When the file at `old` was modified, if it has this content and these permissions.
fn is_unchanged(old: &Path, content: &[u8], attributes: Attributes) -> Option<SystemTime> {
    let metadata = fs::symlink_metadata(old).ok()?;
    if !metadata.is_file() || metadata.len() != content.len() as u64 || !has_mode(&metadata, attributes.mode)
    {
        return None;
    }
    let mut file = File::open(old).ok()?;
    let mut rest = content;
    let mut buffer = [0; 16 * 1024];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return if rest.is_empty() { metadata.modified().ok() } else { None },
            Ok(read) => rest = rest.strip_prefix(&buffer[..read])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

#[cfg(unix)]
fn has_mode(metadata: &fs::Metadata, mode: Option<u32>) -> bool {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let found = metadata.permissions().mode() & 0o7777;
    // A new file without a mode of its own is never executable; a file with further names is not ours alone.
    metadata.nlink() == 1 && mode.map_or(found & 0o111 == 0, |mode| found == mode)
}

#[cfg(not(unix))]
fn has_mode(_metadata: &fs::Metadata, _mode: Option<u32>) -> bool {
    true
}

#[cfg(unix)]
fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(unix)]
fn mode_of(metadata: &fs::Metadata) -> Option<u32> {
    Some(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o7777)
}

#[cfg(not(unix))]
fn mode_of(_metadata: &fs::Metadata) -> Option<u32> {
    None
}

#[cfg(not(unix))]
fn set_mode(_file: &File, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// The folders of `folders` that are not inside another one of them, each once, in order.
pub fn outermost(folders: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let all: BTreeSet<PathBuf> = folders.into_iter().collect();
    let is_inside = |folder: &PathBuf| folder.ancestors().skip(1).any(|above| all.contains(above));
    all.iter().filter(|folder| !is_inside(folder)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(folder: &Path) -> Stage {
        Stage::begin(&folder.join("compiled"), "test").unwrap()
    }

    #[test]
    fn a_dropped_stage_leaves_the_old_tree_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("compiled")).unwrap();
        fs::write(folder.path().join("compiled/a"), "old").unwrap();
        let staged = stage(folder.path());
        staged.create_folder(Path::new("")).unwrap();
        staged.write(Path::new("a"), b"new", Attributes::DEFAULT).unwrap();
        drop(staged);
        assert_eq!(fs::read_to_string(folder.path().join("compiled/a")).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn replacing_keeps_the_time_of_unchanged_files_and_drops_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let compiled = folder.path().join("compiled");
        fs::create_dir(&compiled).unwrap();
        for name in ["same", "changed", "gone"] {
            fs::write(compiled.join(name), "old").unwrap();
            File::open(compiled.join(name)).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        let staged = stage(folder.path());
        staged.create_folder(Path::new("")).unwrap();
        staged.write(Path::new("same"), b"old", Attributes::DEFAULT).unwrap();
        staged.write(Path::new("changed"), b"new", Attributes::DEFAULT).unwrap();
        staged.replace_all().unwrap();
        let modified = |name: &str| fs::metadata(compiled.join(name)).unwrap().modified().unwrap();
        assert_eq!(modified("same"), SystemTime::UNIX_EPOCH);
        assert_ne!(modified("changed"), SystemTime::UNIX_EPOCH);
        assert!(!compiled.join("gone").exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_killed_run_is_cleaned_up_and_its_moved_tree_restored() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(".kapstan-stage-dead");
        fs::create_dir_all(left.join("replaced")).unwrap();
        fs::write(left.join("replaced/a"), "old").unwrap();
        File::create(left.join(LOCK)).unwrap();
        drop(stage(folder.path()));
        assert_eq!(fs::read_to_string(folder.path().join("compiled/a")).unwrap(), "old");
        assert!(!left.exists());
    }

    #[test]
    fn a_stage_in_use_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let first = stage(folder.path());
        let second = Stage::begin(&folder.path().join("compiled"), "other").unwrap();
        assert!(first.root().exists());
        drop(second);
    }

    #[test]
    fn no_path_leaves_the_tree() {
        let folder = tempfile::tempdir().unwrap();
        let staged = stage(folder.path());
        for path in ["../a", "/a", "a/../../b"] {
            let error = staged.write(Path::new(path), b"", Attributes::DEFAULT).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
    }

    #[test]
    fn only_outermost_folders_are_exchanged() {
        let folders = ["a/b", "c", "a", "ab"].map(PathBuf::from);
        assert_eq!(outermost(folders), ["a", "ab", "c"].map(PathBuf::from));
    }
}
