//! A Kapitan repository in a folder of its own, written by a test.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Failure;
use crate::program::{Ended, Program, Start};
use crate::tree::{self, Entry, Tree};

/// The folder goes away with the value.
pub struct Repository {
    scratch: TempDir,
}

impl Repository {
    /// One with nothing but an empty class.
    pub fn new() -> Result<Self, Failure> {
        let repository = Self { scratch: tempfile::tempdir().map_err(|e| e.to_string())? };
        repository.write("inventory/classes/empty.yml", "{}\n")?;
        fs::create_dir_all(repository.folder().join("inventory/targets")).map_err(|e| e.to_string())?;
        Ok(repository)
    }

    /// One whose target `t` has these compile items, each in YAML's flow style.
    pub fn with_items(items: &[&str]) -> Result<Self, Failure> {
        let repository = Self::new()?;
        repository.add_target("t", items)?;
        Ok(repository)
    }

    /// Adds a target.
    pub fn add_target(&self, name: &str, items: &[&str]) -> Result<(), Failure> {
        let items: String = items.iter().map(|item| format!("      - {item}\n")).collect();
        let text = format!("parameters:\n  kapitan:\n    vars: {{target: {name}}}\n    compile:\n{items}");
        self.write(&format!("inventory/targets/{name}.yml"), &text)
    }

    /// Where it lies.
    pub fn folder(&self) -> PathBuf {
        self.scratch.path().join("work")
    }

    /// Writes one of its files.
    pub fn write(&self, path: &str, text: &str) -> Result<(), Failure> {
        tree::write_file(&self.folder().join(path), text.as_bytes()).map_err(|e| format!("{path}: {e}"))
    }

    /// Runs a command in it.
    pub fn run(&self, program: &Program, arguments: &[&str]) -> Result<Ended, Failure> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        self.start(&arguments, &self.folder(), |start| program.run(start, &self.links()))
    }

    /// The command of a run, for tests that start it themselves.
    pub fn command(&self, program: &Program, arguments: &[&str]) -> Result<std::process::Command, Failure> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        self.start(&arguments, &self.folder(), |start| program.command(start, &self.links()))
    }

    fn start<T>(
        &self,
        arguments: &[String],
        folder: &Path,
        then: impl FnOnce(&Start<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        then(&Start { name: "kapstan", arguments, folder, stdin: "", env: &BTreeMap::new() })
    }

    fn links(&self) -> PathBuf {
        self.scratch.path().join("bin")
    }

    /// What lies under `compiled`.
    pub fn compiled(&self) -> Result<Tree, Failure> {
        tree::snapshot(&self.folder().join("compiled"))
    }

    /// Writes an output of an earlier run, for tests that look whether it stays.
    pub fn with_old_output(self) -> Result<Self, Failure> {
        self.write("compiled/t/old.txt", "old\n")?;
        Ok(self)
    }

    /// That the run failed with exit status 1 and a message with all these words, and changed nothing on the disk.
    pub fn expect_refusal(&self, program: &Program, words: &[&str]) -> Result<(), Failure> {
        let before = tree::snapshot(&self.folder())?;
        let ended = self.run(program, &["compile"])?;
        let changes = tree::changes(&before, tree::snapshot(&self.folder())?);
        refused(&ended, words, &changes)
    }
}

/// That a run ended with status 1, said these words and left no change.
pub fn refused(ended: &Ended, words: &[&str], changes: &Tree) -> Result<(), Failure> {
    let message = String::from_utf8_lossy(&ended.stderr);
    let shown = beginning(&ended.stderr);
    if ended.status != 1 {
        return Err(format!("exit status {}, expected 1\n{shown}", ended.status));
    }
    if let Some(word) = words.iter().find(|word| !message.contains(**word)) {
        return Err(format!("the message does not say `{word}`:\n{shown}"));
    }
    if changes.is_empty() { Ok(()) } else { Err(format!("the run changed {:?}", changes.keys())) }
}

/// As much of a message as helps.
pub fn beginning(message: &[u8]) -> String {
    String::from_utf8_lossy(message).chars().take(1500).collect()
}

/// That a run ended well.
pub fn succeeded(ended: &Ended) -> Result<(), Failure> {
    match ended.status {
        0 => Ok(()),
        status => Err(format!("exit status {status}\n{}", beginning(&ended.stderr))),
    }
}

/// The text of a file in a tree.
pub fn text<'a>(tree: &'a Tree, path: &str) -> Result<&'a str, Failure> {
    match tree.get(path) {
        Some(Entry::File { bytes, .. }) => std::str::from_utf8(bytes).map_err(|e| format!("{path}: {e}")),
        _ => Err(format!("{path} is missing; there are {:?}", tree.keys())),
    }
}
