//! A kapstan installed in a folder of its own, as the installer does it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::release::{Key, Kit};
use crate::program::{Ended, Program, Start, finish};
use crate::{Failure, tree};

/// The folder goes away with the value.
pub struct Installation {
    scratch: TempDir,
    /// The tools of releases.
    pub kit: &'static Kit,
    program: Program,
    /// Variables of its runs.
    pub env: BTreeMap<String, String>,
}

impl Installation {
    /// One with a receipt, which trusts the tests' first key.
    pub fn new(kit: &'static Kit) -> Result<Self, Failure> {
        let installation = Self::copied_to(kit, "bin")?;
        installation.write_receipt(&installation.path(), &[])?;
        Ok(installation)
    }

    /// One that nobody wrote a receipt for, in this folder.
    pub fn copied_to(kit: &'static Kit, folder: &str) -> Result<Self, Failure> {
        let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
        let folder = scratch.path().canonicalize().map_err(|e| e.to_string())?.join(folder);
        let name = if kit.program.is_for_windows() { "kapstan.exe" } else { "kapstan" };
        let copied =
            fs::create_dir_all(&folder).and_then(|()| fs::copy(kit.program.path(), folder.join(name)));
        copied.map_err(|e| format!("{}: {e}", folder.display()))?;
        let program = kit.program.moved_to(&folder.join(name));
        let mut installation = Self { scratch, kit, program, env: BTreeMap::new() };
        if kit.program.is_for_windows() {
            // Wine sets the first to a folder of its own.
            for variable in ["LOCALAPPDATA", "XDG_CONFIG_HOME"] {
                installation.set(variable, &installation.native(&installation.home().join(".config")));
            }
        } else {
            installation.set("HOME", &installation.native(&installation.home()));
        }
        installation.set("KAPSTAN_PUBLIC_KEY", &Key::number(1).public());
        Ok(installation)
    }

    /// Sets a variable of its runs.
    pub fn set(&mut self, name: &str, value: &str) {
        self.env.insert(name.to_string(), value.to_string());
    }

    /// The installed file.
    pub fn path(&self) -> PathBuf {
        self.program.path().to_path_buf()
    }

    /// The folder of the installed file.
    pub fn folder(&self) -> PathBuf {
        self.path().parent().expect("files lie in folders").to_path_buf()
    }

    /// Where the previous version is kept.
    pub fn previous(&self) -> PathBuf {
        let name = if self.program.is_for_windows() { "kapstan.previous.exe" } else { "kapstan.previous" };
        self.folder().join(name)
    }

    /// The home folder of its user.
    pub fn home(&self) -> PathBuf {
        self.scratch.path().join("home")
    }

    /// The receipt.
    pub fn receipt(&self) -> PathBuf {
        self.home().join(".config").join("kapstan").join("receipt.json")
    }

    /// What the receipt says.
    pub fn read_receipt(&self) -> Result<serde_json::Value, Failure> {
        let text = fs::read(self.receipt()).map_err(|e| e.to_string())?;
        serde_json::from_slice(&text).map_err(|e| e.to_string())
    }

    /// Writes a receipt for a program and the files beside it.
    pub fn write_receipt(&self, program: &Path, files: &[PathBuf]) -> Result<(), Failure> {
        let receipt = serde_json::json!({
            "schema": 1,
            "path": self.native(program),
            "version": self.kit.version,
            "files": files.iter().map(|file| self.native(file)).collect::<Vec<_>>(),
            "source": "install.sh",
        });
        tree::write_file(&self.receipt(), receipt.to_string().as_bytes()).map_err(|e| e.to_string())
    }

    /// A path as the program writes it: under wine, the disk is drive Z.
    pub fn native(&self, path: &Path) -> String {
        let text = path.to_string_lossy().into_owned();
        if self.program.is_for_windows() && cfg!(unix) {
            return format!("Z:{}", text.replace('/', "\\"));
        }
        text
    }

    /// The command of a run, in the home folder.
    pub fn command(&self, arguments: &[&str]) -> Result<Command, Failure> {
        let home = self.home();
        fs::create_dir_all(&home).map_err(|e| e.to_string())?;
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let start =
            Start { name: "kapstan", arguments: &arguments, folder: &home, stdin: "", env: &self.env };
        self.program.command(&start, &self.scratch.path().join("links"))
    }

    /// Runs it.
    pub fn run(&self, arguments: &[&str]) -> Result<Ended, Failure> {
        finish(self.command(arguments)?, "")
    }

    /// Runs it, and expects exit status 0. Returns what it printed.
    pub fn succeed(&self, arguments: &[&str]) -> Result<String, Failure> {
        self.expect(arguments, 0)
    }

    /// Runs it, and expects this exit status. Returns what it printed, messages last.
    pub fn expect(&self, arguments: &[&str], status: i32) -> Result<String, Failure> {
        said(&self.run(arguments)?, status)
    }

    /// Runs it, and expects that it fails with a message with these words, that nothing changed but what killed or
    /// running updates may leave, and that the program still works.
    pub fn refuse(&self, arguments: &[&str], words: &[&str]) -> Result<(), Failure> {
        let before = tree::snapshot(&self.folder())?;
        let message = self.expect(arguments, 1)?;
        let missing: Vec<_> = words.iter().filter(|word| !message.contains(**word)).collect();
        if !missing.is_empty() {
            return Err(format!("the message does not say {missing:?}:\n{message}"));
        }
        let changes = tree::changes(&before, tree::snapshot(&self.folder())?);
        if !changes.is_empty() {
            return Err(format!("the run changed {:?}", changes.keys()));
        }
        self.expect_version(&self.kit.version)
    }

    /// That the installed program runs and says this version.
    pub fn expect_version(&self, version: &str) -> Result<(), Failure> {
        let said = self.succeed(&["--version"])?;
        if said.trim_end() == format!("kapstan {version}") {
            return Ok(());
        }
        Err(format!("the program says `{}`, not version {version}", said.trim_end()))
    }

    /// That the folder of the program holds these files and no others.
    pub fn expect_files(&self, expected: &[&Path]) -> Result<(), Failure> {
        let listed = fs::read_dir(self.folder()).map_err(|e| e.to_string())?;
        let mut found: Vec<_> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
        found.sort();
        let mut expected: Vec<_> = expected.iter().map(|path| path.to_path_buf()).collect();
        expected.sort();
        if found == expected { Ok(()) } else { Err(format!("there is {found:?}, expected {expected:?}")) }
    }
}

/// What a run printed, messages last, if it ended with this status.
pub fn said(ended: &Ended, status: i32) -> Result<String, Failure> {
    let text = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
    if ended.status == status {
        return Ok(text.into_owned());
    }
    Err(format!("exit status {}, expected {status}\n{text}", ended.status))
}
