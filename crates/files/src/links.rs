use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Replaces every link below a folder by a copy of what it leads to, links in there followed as well. `scratch` is a
/// folder on the same disk, outside the other one, that does not exist yet.
///
/// Fails for links that lead nowhere or to a folder that holds them, and for what is neither a file nor a folder.
pub(crate) fn replace(folder: &Path, scratch: &Path) -> io::Result<()> {
    let links = find(folder)?;
    if links.is_empty() {
        return Ok(());
    }
    fs::create_dir(scratch)?;
    let copy_of = |number: usize| scratch.join(number.to_string());
    // All are copied before the first is replaced: what one leads to may hold others.
    for (number, link) in links.iter().enumerate() {
        copy(link, &copy_of(number), &mut Vec::new())?;
    }
    for (number, link) in links.iter().enumerate() {
        remove(link)?;
        fs::rename(copy_of(number), link)?;
    }
    fs::remove_dir(scratch)
}

fn find(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut waiting = vec![folder.to_path_buf()];
    let mut links = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let file_type = entry.file_type()?;
            if file_type.is_dir() {
                waiting.push(entry.path());
            } else if file_type.is_symlink() {
                links.push(entry.path());
            }
        }
    }
    links.sort();
    Ok(links)
}

/// Copies a file or a folder, links followed. `above` are the folders that are being copied, links resolved.
fn copy(from: &Path, to: &Path, above: &mut Vec<PathBuf>) -> io::Result<()> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("`{}`: {error}", name_of(from)));
    let metadata = fs::metadata(from).map_err(named)?;
    if metadata.is_file() {
        return fs::copy(from, to).map(drop).map_err(named);
    }
    if !metadata.is_dir() {
        return Err(named(io::Error::other("it is neither a file nor a folder")));
    }
    let real = fs::canonicalize(from).map_err(named)?;
    let holder = fs::canonicalize(from.parent().unwrap_or(from)).map_err(named)?;
    if above.contains(&real) || holder.starts_with(&real) {
        return Err(named(io::Error::other("it leads to a folder that holds it")));
    }
    above.push(real);
    fs::create_dir(to)?;
    for entry in fs::read_dir(from).map_err(named)? {
        let name = entry?.file_name();
        copy(&from.join(&name), &to.join(&name), above)?;
    }
    above.pop();
    fs::set_permissions(to, metadata.permissions())
}

fn name_of(link: &Path) -> String {
    link.file_name().unwrap_or(link.as_os_str()).to_string_lossy().into_owned()
}

/// Removes a link; on Windows one to a folder is removed as a folder is.
fn remove(link: &Path) -> io::Result<()> {
    fs::remove_file(link).or_else(|error| if cfg!(windows) { fs::remove_dir(link) } else { Err(error) })
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn tree() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("tree");
        fs::create_dir_all(tree.join("d/e")).unwrap();
        fs::write(tree.join("d/e/a"), "text").unwrap();
        let scratch = folder.path().join("scratch");
        (folder, tree, scratch)
    }

    #[test]
    fn links_to_links_become_what_they_lead_to() {
        let (_folder, tree, scratch) = tree();
        symlink("e", tree.join("d/same")).unwrap();
        symlink("d", tree.join("all")).unwrap();
        symlink("all/same/a", tree.join("file")).unwrap();
        replace(&tree, &scratch).unwrap();
        for path in ["d/same/a", "all/e/a", "all/same/a", "file"] {
            assert_eq!(fs::read_to_string(tree.join(path)).unwrap(), "text", "{path}");
        }
        assert!(find(&tree).unwrap().is_empty());
        assert!(!scratch.exists());
    }

    #[test]
    fn links_that_make_no_tree_are_refused() {
        for target in ["nothing", ".", "..", "../d", "self", "/dev/null"] {
            let (_folder, tree, scratch) = tree();
            symlink(target, tree.join("d/self")).unwrap();
            assert!(replace(&tree, &scratch).is_err(), "{target}");
        }
    }

    #[test]
    fn links_that_hold_each_other_are_refused() {
        let (_folder, tree, scratch) = tree();
        fs::create_dir(tree.join("f")).unwrap();
        symlink("../f", tree.join("d/f")).unwrap();
        symlink("../d", tree.join("f/d")).unwrap();
        let message = replace(&tree, &scratch).unwrap_err().to_string();
        assert!(message.contains("a folder that holds it"), "{message}");
    }
}
