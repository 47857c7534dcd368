use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

/// Pipes manifests through a program and returns what it prints. Fails with Helm's words.
pub(in crate::cli) fn filter(program: &str, arguments: &[String], manifests: &str) -> Result<String, String> {
    let program = place(program);
    let failed = |problem: String| {
        format!("error while running command {}. error output:\n{problem}", program.display())
    };
    let mut child = Command::new(&program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(format!(": {error}")))?;
    let stdin = child.stdin.take();
    let output = thread::scope(|scope| {
        scope.spawn(move || {
            // A program that does not read its input closes it, which is no fault.
            stdin.map(|mut stdin| stdin.write_all(manifests.as_bytes()))
        });
        child.wait_with_output()
    });
    let output = output.map_err(|error| failed(format!(": {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let status = match output.status.code() {
            Some(code) => format!("exit status {code}"),
            None => output.status.to_string(),
        };
        return Err(failed(format!("{said}: {status}")));
    }
    String::from_utf8(output.stdout).map_err(|_| failed(": its output is not UTF-8".to_owned()))
}

/// Where a program is: below the current folder, or in the first folder of the search path that has it.
fn place(program: &str) -> PathBuf {
    if program.contains(std::path::is_separator) {
        return std::path::absolute(program).unwrap_or_else(|_| program.into());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&folders).map(|folder| folder.join(program));
    places.find(|place| place.is_file()).unwrap_or_else(|| program.into())
}
