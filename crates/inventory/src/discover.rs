//! Which targets and classes there are: folders walked as the peers walk them.

use crate::problem::{self, DUPLICATE_TARGET, NOT_FOUND, UNREADABLE_FILE};
use crate::rules::Rules;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::Text;
use kapstan_files::{Files, Kind};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// A target and its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetFile {
    /// The stem of the file, or the path with dots where names are composed.
    pub name: Text,
    /// The path below the folder of targets, as Kapitan knows it: `prod/web.yml`.
    pub path: PathBuf,
    /// Whether reclass does not look into its folder (`.git`, `CVS`): Kapitan lists the target, and it stays empty.
    pub is_hidden: bool,
}

/// How deep folders may nest: a link that leads upwards would never end.
const MAX_DEPTH: usize = 60;

struct Found {
    /// Parts of the folder below the one that was walked.
    folder: Vec<String>,
    name: String,
    is_hidden: bool,
}

/// Every `.yml` and `.yaml` file below a folder, in the order of their paths, files before folders.
fn walk(files: &dyn Files, base: &Path, hidden: bool) -> Result<Vec<Found>, Diagnostic> {
    let mut found = Vec::new();
    let mut folders = vec![(Vec::<String>::new(), false)];
    while let Some((folder, is_hidden)) = folders.pop() {
        let path = folder.iter().fold(base.to_path_buf(), |path, part| path.join(part));
        if folder.len() > MAX_DEPTH {
            let message = format!("folders nest more than {MAX_DEPTH} deep at `{}`", path.display());
            return Err(
                Diagnostic::error(UNREADABLE_FILE, message).with_hint("does a symbolic link lead back up?")
            );
        }
        let entries = files.list(&path).map_err(|error| missing(&path, &error))?;
        let mut below = Vec::new();
        for entry in entries {
            if entry.kind == Some(Kind::Folder) {
                let is_skipped = entry.name.starts_with('.') || entry.name == "CVS" || entry.name == "SCCS";
                if !is_skipped || hidden && !entry.is_link {
                    let mut parts = folder.clone();
                    parts.push(entry.name);
                    below.push((parts, is_hidden || is_skipped));
                }
            } else if entry.name.ends_with(".yml") || entry.name.ends_with(".yaml") {
                found.push(Found { folder: folder.clone(), name: entry.name, is_hidden });
            }
        }
        folders.extend(below.into_iter().rev());
    }
    Ok(found)
}

fn missing(path: &Path, error: &std::io::Error) -> Diagnostic {
    let message = match error.kind() {
        std::io::ErrorKind::NotFound => format!("the folder `{}` does not exist", path.display()),
        _ => format!("cannot list the folder `{}`: {error}", path.display()),
    };
    Diagnostic::error(NOT_FOUND, message).with_peer_text(problem::peer("inventory not found"))
}

/// Python's `os.path.splitext` without the extension.
fn stem(name: &str) -> &str {
    match name.rfind('.') {
        Some(at) if !name[..at].bytes().all(|byte| byte == b'.') => &name[..at],
        _ => name,
    }
}

/// The targets, sorted by path. Two files with one name are an error that names both.
pub(crate) fn targets(
    files: &dyn Files,
    folder: &Path,
    rules: &Rules,
) -> Result<Vec<TargetFile>, Vec<Diagnostic>> {
    let mut targets = Vec::new();
    let mut seen: FxHashMap<Text, PathBuf> = FxHashMap::default();
    let mut problems = Vec::new();
    for file in walk(files, folder, true).map_err(|problem| vec![problem])? {
        let mut parts = file.folder.clone();
        let path: PathBuf = parts.iter().chain([&file.name]).collect();
        parts.push(stem(&file.name).to_owned());
        let name: Text = match parts.last() {
            Some(last) if !rules.compose_node_name => last.as_str().into(),
            _ => parts.join(".").into(),
        };
        match seen.get(&name) {
            Some(first) => problems.push(duplicate(&name, first, &path, folder)),
            None => {
                seen.insert(name.clone(), path.clone());
                targets.push(TargetFile { name, path, is_hidden: file.is_hidden });
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    targets.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(targets)
}

fn duplicate(name: &str, first: &Path, second: &Path, folder: &Path) -> Diagnostic {
    let (first_path, second_path) = (folder.join(first), folder.join(second));
    let message = format!(
        "two targets are called `{name}`: `{}` and `{}`",
        first_path.display(),
        second_path.display()
    );
    let peer = format!(
        "Conflicting targets {name}: {} and {}. Consider using '--compose-target-name'.",
        second.display(),
        first.display()
    );
    Diagnostic::error(DUPLICATE_TARGET, message)
        .with_hint("rename one, or compose target names from their paths: `--compose-target-name`")
        .with_peer_text(peer)
}

/// The files of every class name; a name with several files cannot be used.
pub(crate) fn classes(
    files: &dyn Files,
    folder: &Path,
    rules: &Rules,
) -> Result<Vec<(Text, Vec<PathBuf>)>, Diagnostic> {
    let mut classes: Vec<(Text, Vec<PathBuf>)> = Vec::new();
    let mut places: FxHashMap<Text, usize> = FxHashMap::default();
    for file in walk(files, folder, false)? {
        let mut parts = file.folder.clone();
        let path = parts.iter().chain([&file.name]).fold(folder.to_path_buf(), |path, part| path.join(part));
        let stem = stem(&file.name);
        // For reclass-rs an `init` that is in no folder has the empty name, which no entry can have.
        if stem != "init" || parts.is_empty() && !rules.is_reclass_rs {
            parts.push(stem.to_owned());
        }
        let name: Text = parts.join(".").into();
        match places.get(&name) {
            Some(at) => classes[*at].1.push(path),
            None => {
                places.insert(name.clone(), classes.len());
                classes.push((name, vec![path]));
            }
        }
    }
    Ok(classes)
}

/// A folder that must be there is not.
pub(crate) fn no_folder(path: &Path) -> Diagnostic {
    missing(path, &std::io::ErrorKind::NotFound.into())
}
