use crate::walk::{files_below, is_yaml};
use kapstan_files::Files;
use memchr::memmem;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// The classes whose names stand in no file of the inventory, sorted. A name counts wherever its text stands.
pub fn unused_classes(files: &dyn Files, inventory: &Path) -> io::Result<Vec<String>> {
    let folder = inventory.join("classes");
    let classes = files_below(files, &folder)?;
    let names = classes.iter().filter(|path| is_yaml(path)).filter_map(|path| below(path, &folder));
    let names = names.map(|path| path.replace(".yml", "").replace(".yaml", "").replace('/', ".")).collect();
    let places = files_below(files, inventory)?;
    unused(files, names, &places, |name, text| {
        let short = name.strip_suffix(".init");
        contains(text, name) || short.is_some_and(|short| contains(text, short))
    })
}

/// The reference files whose paths stand in no compiled file, sorted.
pub fn unused_references(files: &dyn Files, compiled: &Path, references: &Path) -> io::Result<Vec<String>> {
    let names = files_below(files, references)?.iter().filter_map(|path| below(path, references)).collect();
    let places = files_below(files, compiled)?;
    unused(files, names, &places, |name, text| contains(text, name))
}

fn unused(
    files: &dyn Files,
    mut names: BTreeSet<String>,
    places: &[PathBuf],
    is_used: impl Fn(&str, &[u8]) -> bool,
) -> io::Result<Vec<String>> {
    for place in places {
        let text = files.read(place)?;
        names.retain(|name| !is_used(name, &text));
    }
    Ok(names.into_iter().collect())
}

fn contains(text: &[u8], name: &str) -> bool {
    memmem::find(text, name.as_bytes()).is_some()
}

/// The path below a folder, with slashes.
fn below(path: &Path, folder: &Path) -> Option<String> {
    Some(path.strip_prefix(folder).ok()?.to_string_lossy().replace('\\', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kapstan_files::Memory;

    #[test]
    fn names_count_wherever_they_stand() {
        let files = Memory::new()
            .with("inventory/classes/a/b.yml", "")
            .with("inventory/classes/c/init.yml", "")
            .with("inventory/classes/d.yml", "")
            .with("inventory/targets/t.yml", "classes: [a.b, c]");
        assert_eq!(unused_classes(&files, Path::new("inventory")).unwrap(), ["d"]);
    }

    #[test]
    fn references_count_where_they_are_compiled() {
        let files = Memory::new()
            .with("refs/a/b", "")
            .with("refs/c", "")
            .with("compiled/t/x.yml", "x: ?{base64:a/b:1234}");
        assert_eq!(unused_references(&files, Path::new("compiled"), Path::new("refs")).unwrap(), ["c"]);
    }
}
