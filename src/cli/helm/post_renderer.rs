use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

/// Pipes manifests through a program and returns what it prints. Fails with Helm's words.
pub(in crate::cli) fn filter(program: &str, arguments: &[String], manifests: &str) -> Result<String, String> {
    let failed = |problem: String| format!("error while running command {program}. error output:\n{problem}");
    let mut child = Command::new(program)
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
        return Err(failed(format!("{said}: {}", output.status)));
    }
    String::from_utf8(output.stdout).map_err(|_| failed(": its output is not UTF-8".to_owned()))
}
