use super::Limits;
use super::file::{File, without_mark};
use super::ignore::Ignore;
use crate::error::{Error, Result};
use crate::go;
use kapstan_files::{Files, Kind, slashed};
use std::path::Path;

/// The files of a chart that lies in a folder: sorted, links followed, without what `.helmignore` leaves out.
pub(crate) fn read(files: &dyn Files, folder: &Path, limits: &Limits) -> Result<Vec<File>> {
    let ignore_file = folder.join(".helmignore");
    let rules = match files.kind(&ignore_file) {
        Ok(Some(_)) => {
            let data = files.read(&ignore_file).map_err(|error| unreadable(".helmignore", &error))?;
            String::from_utf8_lossy(&data).into_owned()
        }
        _ => String::new(),
    };
    let mut walk =
        Walk { files, folder, limits, ignore: Ignore::parse(&rules)?, found: Vec::new(), bytes: 0 };
    walk.enter("", 0)?;
    Ok(walk.found)
}

struct Walk<'f> {
    files: &'f dyn Files,
    folder: &'f Path,
    limits: &'f Limits,
    ignore: Ignore,
    found: Vec<File>,
    bytes: usize,
}

impl Walk<'_> {
    fn enter(&mut self, below: &str, depth: usize) -> Result<()> {
        if depth > self.limits.folder_depth {
            let text = format!("folders of the chart lie more than {depth} deep in each other at {below}");
            return Err(Error::new("helm::chart-too-deep", text));
        }
        let path = self.folder.join(below);
        let entries = self.files.list(&path).map_err(|error| unreadable(below, &error))?;
        for entry in entries {
            let name = go::join(below, &entry.name);
            match entry.kind {
                None => {
                    let shown = slashed(&self.files.absolute(&self.folder.join(&name)));
                    let text = format!("error evaluating symlink {shown}: lstat: no such file or directory");
                    return Err(Error::new("helm::broken-link", text));
                }
                Some(Kind::Folder) if self.ignore.ignores(&name, true) => {}
                Some(Kind::Folder) => self.enter(&name, depth + 1)?,
                Some(Kind::File) if self.ignore.ignores(&name, false) => {}
                Some(Kind::File) => self.take(name, &entry.name)?,
            }
        }
        Ok(())
    }

    fn take(&mut self, name: String, base: &str) -> Result<()> {
        let path = self.folder.join(&name);
        let most = self.limits.file_bytes;
        let too_large = || {
            let text = format!("chart file {} is larger than the maximum file size {most}", go::quote(base));
            Err(Error::new("helm::chart-too-large", text))
        };
        // Before it is read: a device never ends.
        match self.files.size(&path).map_err(|error| unreadable(&name, &error))? {
            None => {
                let shown = slashed(&self.files.absolute(&path));
                let text = format!("cannot load irregular file {shown} as it has file mode type bits set");
                return Err(Error::new("helm::irregular-file", text));
            }
            Some(bytes) if bytes > most as u64 => return too_large(),
            Some(_) => {}
        }
        let data = self.files.read(&path).map_err(|error| unreadable(&name, &error))?;
        if data.len() > most {
            return too_large();
        }
        self.bytes += data.len();
        if self.found.len() >= self.limits.files || self.bytes > self.limits.total_bytes {
            return Err(too_much(self.limits));
        }
        let modified = self.files.modified(&path).ok().flatten();
        self.found.push(File { name, data: without_mark(data), modified });
        Ok(())
    }
}

/// The chart is more than the limits allow.
pub(super) fn too_much(limits: &Limits) -> Error {
    let text = format!(
        "the chart has more than {} files or {} bytes with its subcharts",
        limits.files, limits.total_bytes
    );
    Error::new("helm::chart-too-large", text)
}

fn unreadable(name: &str, error: &std::io::Error) -> Error {
    Error::new("helm::unreadable", format!("error reading {name}: {error}"))
}
