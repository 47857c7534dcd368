//! Runs that are killed, and runs that meet.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::repository::{Repository, beginning, succeeded};
use crate::Failure;
use crate::program::Program;
use crate::tree::{self, Entry, Tree};

const TARGETS: usize = 30;
const FILES: usize = 8;
/// How many instants of a run are tried.
const KILLS: u32 = 60;

fn repository() -> Result<Repository, Failure> {
    let repository = Repository::new()?;
    let items: Vec<String> = (0..FILES)
        .map(|n| format!("{{input_type: jinja2, input_paths: [text.txt], output_path: part{n}}}"))
        .collect();
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    for number in 0..TARGETS {
        repository.add_target(&format!("t{number:02}"), &items)?;
    }
    Ok(repository)
}

/// The one text that all files of a complete tree hold.
fn generation(compiled: &Tree) -> Result<String, Failure> {
    let mut texts: Vec<&[u8]> = Vec::new();
    for (path, entry) in compiled {
        match entry {
            Entry::File { bytes, .. } => texts.push(bytes),
            other => return Err(format!("{path} is {other:?}")),
        }
    }
    if texts.len() != TARGETS * FILES {
        return Err(format!("{} files, expected {}", texts.len(), TARGETS * FILES));
    }
    if texts.iter().any(|t| *t != texts[0]) {
        return Err("files of the old and of the new run are mixed".into());
    }
    Ok(String::from_utf8_lossy(texts[0]).into_owned())
}

/// Whenever a run is killed, `compiled` is the old tree or the new one; the next run is as if nothing had happened.
pub fn killed_at_any_instant(program: &Program) -> Result<(), Failure> {
    let repository = repository()?;
    repository.write("text.txt", "generation 0")?;
    let start = Instant::now();
    succeeded(&repository.run(program, &["compile"])?)?;
    let whole = start.elapsed();
    let undisturbed = tree::snapshot(&repository.folder())?.len();
    let mut last = "generation 0".to_string();
    for number in 1..=KILLS {
        let new = format!("generation {number}");
        repository.write("text.txt", &new)?;
        let mut command = repository.command(program, &["compile"])?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|e| e.to_string())?;
        // From the first instant to a little after the usual end.
        thread::sleep(whole.mul_f64(1.2 * f64::from(number) / f64::from(KILLS)));
        let _ = child.kill();
        child.wait().map_err(|e| e.to_string())?;
        let found = repository.compiled().and_then(|tree| generation(&tree));
        let found = found.map_err(|e| format!("killed after {number}/{KILLS} of 1.2 runs: {e}"))?;
        if found != new && found != last {
            return Err(format!(
                "killed after {number}/{KILLS} of 1.2 runs: {found}, expected {last} or {new}"
            ));
        }
        last = found;
    }
    repository.write("text.txt", "the end")?;
    succeeded(&repository.run(program, &["compile"])?)?;
    let after = tree::snapshot(&repository.folder())?;
    if generation(&repository.compiled()?)? != "the end" {
        return Err("the run after the killed ones did not replace the tree".into());
    }
    if after.len() != undisturbed {
        return Err(format!(
            "killed runs left {} things behind: {:?}",
            after.len() - undisturbed,
            leftovers(&after)
        ));
    }
    Ok(())
}

fn leftovers(tree: &Tree) -> Vec<&String> {
    let known = ["compiled/", "inventory/", "text.txt"];
    tree.keys().filter(|path| !known.iter().any(|k| path.starts_with(k))).take(10).collect()
}

/// Two runs in one repository at the same time: both end, and the tree is whole.
pub fn two_runs_at_once(program: &Program) -> Result<(), Failure> {
    let repository = repository()?;
    repository.write("text.txt", "both")?;
    for _ in 0..5 {
        let ended = thread::scope(|scope| {
            let runs = [(); 2].map(|()| scope.spawn(|| repository.run(program, &["compile"])));
            runs.map(|run| run.join().expect("a run does not panic"))
        });
        let ended: Vec<_> = ended.into_iter().collect::<Result<_, _>>()?;
        // One may refuse because the other is at work; it says so.
        if !ended.iter().any(|run| run.status == 0) {
            return Err(format!("no run succeeded: {}", beginning(&ended[0].stderr)));
        }
        if let Some(run) = ended.iter().find(|run| ![0, 1].contains(&run.status)) {
            return Err(format!("exit status {}: {}", run.status, beginning(&run.stderr)));
        }
        generation(&repository.compiled()?)?;
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}
