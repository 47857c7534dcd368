use super::{Outcome, file_problem, problem};
use serde_json::{Value, json};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What an installer wrote down: which file it installed, with which others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Receipt {
    file: PathBuf,
    content: Value,
}

/// The form of receipts that is understood.
const SCHEMA: u64 = 1;

impl Receipt {
    /// Reads a receipt. There is none where there is no such file.
    pub(super) fn read(file: &Path) -> Outcome<Option<Self>> {
        let text = match fs::read(file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(file_problem("read", file, &error)),
        };
        let unusable = |why: &str| {
            let diagnostic = problem("update::receipt", format!("the receipt `{}` {why}", file.display()));
            Box::new(diagnostic.with_hint("install kapstan again with its installer, which writes it anew"))
        };
        // PowerShell 5 begins its UTF-8 files with a byte order mark.
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
        let content: Value =
            serde_json::from_slice(text).map_err(|error| unusable(&format!("is no JSON: {error}")))?;
        if content["schema"] != json!(SCHEMA) {
            return Err(unusable("has a form that this version does not know"));
        }
        if !content["path"].is_string() {
            return Err(unusable("does not say which file was installed"));
        }
        Ok(Some(Self { file: file.to_owned(), content }))
    }

    /// The file that was installed.
    pub(super) fn path(&self) -> &Path {
        Path::new(self.content["path"].as_str().unwrap_or_default())
    }

    /// The receipt's own file.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// The other files that belong to it: completions, manual pages, the previous program. Absolute ones only.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.paths("files")
    }

    /// Folders that the installer made for them. Absolute ones only.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        self.paths("folders")
    }

    /// The start-up file of a shell to which the installer added a line that it marked.
    pub(super) fn profile(&self) -> Option<PathBuf> {
        self.content["profile"].as_str().map(PathBuf::from).filter(|path| path.is_absolute())
    }

    /// Whether the installer added the program's folder to the `PATH` of the user, where that is no file.
    pub(super) fn is_in_user_path(&self) -> bool {
        self.content["user_path"] == json!(true)
    }

    fn paths(&self, key: &str) -> Vec<PathBuf> {
        let entries = self.content[key].as_array().into_iter().flatten();
        let paths = entries.filter_map(Value::as_str).map(PathBuf::from);
        paths.filter(|path| path.is_absolute()).collect()
    }

    /// Writes down that another version is there now, and the previous one beside it.
    pub(super) fn record(&mut self, version: &str, previous: &Path) -> Outcome<()> {
        self.content["version"] = json!(version);
        let previous = json!(previous.to_string_lossy());
        match self.content["files"].as_array_mut() {
            Some(files) if files.contains(&previous) => {}
            Some(files) => files.push(previous),
            None => self.content["files"] = json!([previous]),
        }
        let text = format!("{:#}\n", self.content);
        let new = self.file.with_extension("json.new");
        fs::write(&new, text)
            .and_then(|()| fs::rename(&new, &self.file))
            .map_err(|error| file_problem("write", &self.file, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::Receipt;
    use std::path::Path;

    #[test]
    fn receipts_keep_what_they_say_beside() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("receipt.json");
        assert_eq!(Receipt::read(&file), Ok(None));
        std::fs::write(
            &file,
            "\u{feff}{\"schema\":1,\"path\":\"/bin/k\",\"version\":\"1\",\"files\":[\"/a\",\"b\"],\"x\":1}",
        )
        .unwrap();
        let mut receipt = Receipt::read(&file).unwrap().unwrap();
        assert_eq!(receipt.path(), Path::new("/bin/k"));
        for _ in 0..2 {
            receipt.record("2", Path::new("/p")).unwrap();
        }
        let receipt = Receipt::read(&file).unwrap().unwrap();
        assert_eq!(receipt.content["version"], "2");
        assert_eq!(receipt.content["x"], 1);
        if cfg!(unix) {
            assert_eq!(receipt.files(), [Path::new("/a"), Path::new("/p")]);
        }
        for bad in ["", "[]", "{\"schema\":2,\"path\":\"/a\"}", "{\"schema\":1}"] {
            std::fs::write(&file, bad).unwrap();
            assert!(Receipt::read(&file).is_err(), "{bad}");
        }
    }
}
