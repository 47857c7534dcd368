//! What an installer put beside the program: the receipt says what is there now, and the new program writes its
//! completions and manual pages anew.

use super::exchange::Exchanged;
use super::receipt::Receipt;
use super::staging::Staging;
use super::{Outcome, file_problem, problem};
use kapstan_diagnostic::Diagnostic;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Writes down what is there now, and renews what belongs to the program. The program is in place whatever fails here.
pub(super) fn tidy(
    mut receipt: Receipt,
    version: &str,
    exchanged: &Exchanged,
    staging: &Staging,
) -> Vec<Diagnostic> {
    let as_warning = |problem: Box<Diagnostic>| Diagnostic::warning(problem.code, problem.message);
    let recorded = receipt.record(version, &exchanged.previous);
    let renewed = renew(&receipt.files(), &exchanged.path, staging);
    [recorded, renewed].into_iter().filter_map(Result::err).map(as_warning).collect()
}

/// Writes those of the files anew that are completions or manual pages and still there.
fn renew(files: &[PathBuf], program: &Path, staging: &Staging) -> Outcome<()> {
    let pages = staging.file("man");
    let is_page = |file: &PathBuf| file.extension().is_some_and(|end| end == "1");
    if files.iter().any(is_page) {
        output(program, &["man", "--output", &pages.to_string_lossy()])?;
    }
    for file in files.iter().filter(|file| file.is_file()) {
        let text = match shell(file) {
            Some(shell) => output(program, &["completions", shell])?,
            // A page that the new version has not stays as it is.
            None if is_page(file) => match fs::read(pages.join(file.file_name().unwrap_or_default())) {
                Ok(text) => text,
                Err(_) => continue,
            },
            None => continue,
        };
        fs::write(file, text).map_err(|error| file_problem("write", file, &error))?;
    }
    Ok(())
}

/// The shell whose completions a file holds, by the name and folder where shells look for them.
fn shell(file: &Path) -> Option<&'static str> {
    let folder = file.parent().and_then(Path::file_name).unwrap_or_default();
    match file.file_name()?.to_str()? {
        "kapstan.bash" => Some("bash"),
        "kapstan" if folder == "completions" => Some("bash"),
        "_kapstan" => Some("zsh"),
        // fish reads settings from a file of this name elsewhere.
        "kapstan.fish" if folder == "completions" || folder == "vendor_completions.d" => Some("fish"),
        "_kapstan.ps1" => Some("powershell"),
        _ => None,
    }
}

fn output(program: &Path, arguments: &[&str]) -> Outcome<Vec<u8>> {
    let ended = Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output();
    match ended {
        Ok(ended) if ended.status.success() => Ok(ended.stdout),
        _ => {
            let message = format!(
                "completions and manual pages are those of the previous version: `kapstan {}` failed",
                arguments[0]
            );
            Err(problem("update::companions", message))
        }
    }
}
