use kapstan_helm::TreeDocument;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// Writes documents below a folder as `helm template --output-dir` does. Returns a path for each document.
///
/// Nothing is written where a path would leave the folder.
pub(super) fn write_tree(folder: &Path, documents: &[TreeDocument]) -> io::Result<Vec<PathBuf>> {
    for document in documents {
        let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !Path::new(&document.path).components().all(stays) {
            let message = format!("`{}` leaves `{}`", document.path, folder.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
    }
    documents.iter().map(|document| write(folder, document)).collect()
}

fn write(folder: &Path, document: &TreeDocument) -> io::Result<PathBuf> {
    let path = folder.join(&document.path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let is_appended = document.is_appended || (document.is_hook && path.exists());
    let mut file =
        OpenOptions::new().create(true).write(true).append(is_appended).truncate(!is_appended).open(&path)?;
    file.write_all(document.text.as_bytes())?;
    Ok(path)
}
