//! What lies in a folder, and what a run changed in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::Failure;

/// Paths with `/` between their parts, relative to the folder that was looked at.
pub type Tree = BTreeMap<String, Entry>;

/// One thing in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A file: its bytes, and whether it may be executed (always false where there are no modes).
    File { bytes: Vec<u8>, executable: bool },
    /// A folder with nothing in it.
    EmptyFolder,
    /// A symbolic link and where it points to.
    Link(String),
    /// Something that was there before the run and is not any more.
    Removed,
}

/// Everything under `root`.
pub fn snapshot(root: &Path) -> Result<Tree, Failure> {
    let mut tree = Tree::new();
    collect(root, "", &mut tree).map_err(|e| format!("{}: {e}", root.display()))?;
    Ok(tree)
}

fn collect(folder: &Path, prefix: &str, tree: &mut Tree) -> std::io::Result<()> {
    let mut empty = true;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        empty = false;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            let target = fs::read_link(entry.path())?;
            tree.insert(path, Entry::Link(target.to_string_lossy().replace('\\', "/")));
        } else if kind.is_dir() {
            collect(&entry.path(), &path, tree)?;
        } else {
            let bytes = fs::read(entry.path())?;
            tree.insert(path, Entry::File { bytes, executable: is_executable(&entry.path())? });
        }
    }
    if empty && !prefix.is_empty() {
        tree.insert(prefix.to_string(), Entry::EmptyFolder);
    }
    Ok(())
}

#[cfg(unix)]
fn is_executable(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(path)?.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> std::io::Result<bool> {
    Ok(false)
}

/// What is new or different in `after`, and what `before` had that it has not.
pub fn changes(before: &Tree, after: Tree) -> Tree {
    let holds_files =
        |path: &str| after.keys().any(|p| p.strip_prefix(path).is_some_and(|r| r.starts_with('/')));
    let gone = before.iter().filter(|(path, entry)| match entry {
        Entry::EmptyFolder => !after.contains_key(*path) && !holds_files(path),
        _ => !after.contains_key(*path),
    });
    let gone: Vec<_> = gone.map(|(path, _)| (path.clone(), Entry::Removed)).collect();
    let mut changed: Tree =
        after.into_iter().filter(|(path, entry)| before.get(path) != Some(entry)).collect();
    changed.extend(gone);
    changed
}

/// Copies `from` into the existing folder `to`, links as links.
pub fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&entry.path(), &target)?;
        } else if entry.file_type()?.is_symlink() {
            link(&fs::read_link(entry.path())?, &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Makes a symbolic link at `place`.
#[cfg(unix)]
pub fn link(target: &Path, place: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, place)
}

/// Makes a symbolic link at `place`.
#[cfg(windows)]
pub fn link(target: &Path, place: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_file(target, place)
}

/// Writes a file, and the folders on its way.
pub fn write_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, bytes)
}

/// Removes a file or a whole folder.
pub fn remove(path: &Path) -> std::io::Result<()> {
    if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}
