use super::{Outcome, problem};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A program that says nothing for so long does not work.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts the program under our name, whatever its file is called: as `kapitan` it says Kapitan's version.
#[cfg(unix)]
fn command(program: &Path) -> Command {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(program);
    command.arg0("kapstan");
    command
}

#[cfg(not(unix))]
fn command(program: &Path) -> Command {
    Command::new(program)
}

/// Runs a program of ours with `--version` and returns the version that it prints.
pub(super) fn version_of(program: &Path) -> Outcome<String> {
    let failed = |why: String| problem("update::does-not-run", format!("`{}` {why}", program.display()));
    let mut child = command(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(format!("does not start: {error}")))?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| failed(format!("does not end: {error}")))? {
            Some(status) => break status,
            None if start.elapsed() > PATIENCE => {
                // It is of no use either way.
                let _ = child.kill();
                let _ = child.wait();
                return Err(failed("does not end".to_owned()));
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    let mut said = String::new();
    if let Some(output) = child.stdout.take() {
        // Text that cannot be read is not the version.
        let _ = output.take(1024).read_to_string(&mut said);
    }
    let version = said.trim_end().strip_prefix("kapstan ").filter(|_| status.success());
    version.map(str::to_owned).ok_or_else(|| failed(format!("does not work: it ended with {status}")))
}
