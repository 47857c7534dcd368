//! The program under test, and one run of it.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

use crate::Failure;

/// No run of the suite takes longer, be the machine busy; one that does hangs. An emulator takes ten times as long.
static PATIENCE: LazyLock<Duration> = LazyLock::new(|| {
    let is_emulated = env::var("KAPSTAN_RUNNER").is_ok_and(|runner| !runner.is_empty());
    Duration::from_secs(if is_emulated { 900 } else { 180 })
});

/// Which binary to run, and how.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    /// What runs binaries of another machine: `qemu-aarch64-static`, `wine64`.
    runner: Vec<String>,
}

/// What a run printed and how it ended.
#[derive(Debug)]
pub struct Ended {
    /// The exit status; -1 for a run that was ended by a signal.
    pub status: i32,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

/// How to start a run.
#[derive(Debug, Clone)]
pub struct Start<'a> {
    /// The name to start it through.
    pub name: &'a str,
    /// The arguments.
    pub arguments: &'a [String],
    /// Its working folder.
    pub folder: &'a Path,
    /// What it reads.
    pub stdin: &'a str,
    /// Variables beside the few that every run gets.
    pub env: &'a BTreeMap<String, String>,
}

impl Program {
    /// The binary that `KAPSTAN_BIN` names, or the one that Cargo has just built, run by `KAPSTAN_RUNNER` if that is set.
    pub fn under_test() -> Result<Self, Failure> {
        let path =
            env::var_os("KAPSTAN_BIN").map_or_else(|| env!("CARGO_BIN_EXE_kapstan").into(), PathBuf::from);
        let runner = env::var("KAPSTAN_RUNNER").unwrap_or_default();
        Self::at(&path, runner.split_whitespace().map(String::from).collect())
    }

    /// A real peer: what `KAPSTAN_PEER` names, or the program of this name on the search path.
    pub fn peer(name: &str) -> Result<Self, Failure> {
        if let Some(path) = env::var_os("KAPSTAN_PEER") {
            return Self::at(Path::new(&path), Vec::new());
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let found = env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
        let found = found.ok_or_else(|| format!("no {name} on PATH; name one with KAPSTAN_PEER"))?;
        Self::at(&found, Vec::new())
    }

    /// The same program, copied to another place.
    pub fn moved_to(&self, path: &Path) -> Self {
        Self { path: path.to_path_buf(), runner: self.runner.clone() }
    }

    /// Whether the program can start others of its kind: under an emulator of another processor it cannot.
    pub fn can_start_others(&self) -> bool {
        let itself = || Command::new(&self.path).arg("--version").output();
        self.runs_by_itself() || self.is_for_windows() || itself().is_ok_and(|ended| ended.status.success())
    }

    /// Whether it needs no emulator.
    pub fn runs_by_itself(&self) -> bool {
        self.runner.is_empty()
    }

    fn at(path: &Path, runner: Vec<String>) -> Result<Self, Failure> {
        // Tests of a package run in the package's folder, which is what a relative path means.
        let path = path.canonicalize().map_err(|e| format!("the program {}: {e}", path.display()))?;
        Ok(Self { path, runner })
    }

    /// Whether the program is one for Windows, run there or by wine.
    pub fn is_for_windows(&self) -> bool {
        self.path.extension().is_some_and(|e| e == "exe")
    }

    /// The command of a run, with nothing of the environment of the tests in it.
    ///
    /// `links` is a folder for links to the program under other names.
    pub fn command(&self, start: &Start<'_>, links: &Path) -> Result<Command, Failure> {
        let program = self.named(start.name, links)?;
        let mut words = self.runner.iter().map(PathBuf::from).chain([program]);
        let mut command = Command::new(words.next().expect("the program itself is one of the words"));
        command.args(words).args(start.arguments).current_dir(start.folder).env_clear();
        for (name, value) in env::vars_os() {
            let shown = name.to_string_lossy().to_uppercase();
            let needed = ["PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR"].contains(&shown.as_str())
                || shown.starts_with("WINE")
                || (!self.runner.is_empty() && shown == "HOME");
            if needed {
                command.env(name, value);
            }
        }
        Ok({
            command.envs(start.env);
            command
        })
    }

    fn named(&self, name: &str, links: &Path) -> Result<PathBuf, Failure> {
        if self.path.file_stem().is_some_and(|stem| stem == name) {
            return Ok(self.path.clone());
        }
        let link = links.join(name).with_extension(self.path.extension().unwrap_or_default());
        let made = fs::create_dir_all(links).and_then(|()| {
            // A copy where links need rights: each run finds its own name in its arguments either way.
            if cfg!(unix) {
                crate::tree::link(&self.path, &link)
            } else {
                fs::copy(&self.path, &link).map(drop)
            }
        });
        match made {
            Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
                Err(format!("{}: {e}", link.display()))
            }
            _ => Ok(link),
        }
    }

    /// The program's own file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs to the end. Fails when the run cannot be started or never ends.
    pub fn run(&self, start: &Start<'_>, links: &Path) -> Result<Ended, Failure> {
        finish(self.command(start, links)?, start.stdin)
    }
}

/// Runs a command to its end.
pub fn finish(mut command: Command, stdin: &str) -> Result<Ended, Failure> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = spawn(&mut command)?;
    let mut input = child.stdin.take().expect("it was asked for");
    let mut output = child.stdout.take().expect("it was asked for");
    let mut errors = child.stderr.take().expect("it was asked for");
    thread::scope(|scope| {
        scope.spawn(move || {
            // A run that does not read its input closes it; that is no fault.
            let _ = input.write_all(stdin.as_bytes());
        });
        let stdout = scope.spawn(move || read(&mut output));
        let stderr = scope.spawn(move || read(&mut errors));
        let status = wait(&mut child)?;
        let join =
            |reader: thread::ScopedJoinHandle<'_, Vec<u8>>| reader.join().expect("reading does not panic");
        Ok(Ended { status, stdout: join(stdout), stderr: join(stderr) })
    })
}

/// Starts a command.
pub fn spawn(command: &mut Command) -> Result<Child, Failure> {
    let start = Instant::now();
    loop {
        match command.spawn() {
            Ok(child) => return Ok(child),
            // A program that was just copied is busy while another thread's child still has the file open.
            Err(e) if e.kind() == std::io::ErrorKind::ExecutableFileBusy && start.elapsed() < *PATIENCE => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(e) => return Err(format!("{:?} does not start: {e}", command.get_program())),
        }
    }
}

fn read(from: &mut impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What came before a broken pipe is what the run printed.
    let _ = from.read_to_end(&mut bytes);
    bytes
}

fn wait(child: &mut Child) -> Result<i32, Failure> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) => return Ok(status.code().unwrap_or(-1)),
            None if start.elapsed() > *PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("still running after {} s", PATIENCE.as_secs()));
            }
            None => thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}
