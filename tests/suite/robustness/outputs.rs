//! Times, order and streams of what a run writes.

use std::fs::File;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use super::repository::{Repository, succeeded, text};
use crate::Failure;
use crate::program::Program;

const TEXTS: &str = "{input_type: jinja2, input_paths: [texts], output_path: .}";

/// A file whose bytes do not change keeps its modification time; one whose bytes change does not.
pub fn unchanged_files_keep_their_time(program: &Program) -> Result<(), Failure> {
    let repository = Repository::with_items(&[TEXTS])?;
    repository.write("texts/same.txt", "same")?;
    repository.write("texts/other.txt", "before")?;
    succeeded(&repository.run(program, &["compile"])?)?;
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let place = |name: &str| repository.folder().join("compiled/t").join(name);
    for name in ["same.txt", "other.txt"] {
        let file = File::options().write(true).open(place(name)).map_err(|e| e.to_string())?;
        file.set_modified(long_ago).map_err(|e| e.to_string())?;
    }
    repository.write("texts/other.txt", "after")?;
    for arguments in [&["compile"][..], &["compile", "-t", "t"][..]] {
        succeeded(&repository.run(program, arguments)?)?;
        let modified =
            |name: &str| place(name).metadata().and_then(|m| m.modified()).map_err(|e| e.to_string());
        if modified("same.txt")? != long_ago {
            return Err(format!("{arguments:?} touched a file that did not change"));
        }
        if modified("other.txt")? == long_ago {
            return Err(format!("{arguments:?} left the time of a file that changed"));
        }
    }
    match text(&repository.compiled()?, "t/other.txt")? {
        "after" => Ok(()),
        other => Err(format!("the changed file holds {other}")),
    }
}

/// One thread or many: the same bytes, and the same messages but for durations.
pub fn same_tree_at_any_parallelism(program: &Program) -> Result<(), Failure> {
    let repository = Repository::new()?;
    for number in 0..40 {
        repository.add_target(&format!("t{number:02}"), &[TEXTS])?;
    }
    repository.write("texts/a.txt", "{{ target }} {{ inventory_global | length }}")?;
    let mut trees = Vec::new();
    for threads in ["1", "2", "7"] {
        succeeded(&repository.run(program, &["compile", "-p", threads])?)?;
        trees.push(repository.compiled()?);
    }
    if text(&trees[0], "t07/a.txt")? != "t07 40" {
        return Err("the templates were not rendered".into());
    }
    if trees.windows(2).all(|pair| pair[0] == pair[1]) { Ok(()) } else { Err("the trees differ".into()) }
}

/// A reader that has seen enough (`kapstan inventory | head -1`) is no error.
pub fn closed_pipe_is_success(program: &Program) -> Result<(), Failure> {
    let repository = Repository::new()?;
    let many: String = (0..20_000).map(|n| format!("  key{n}: value of some length\n")).collect();
    repository.write("inventory/targets/t.yml", &format!("parameters:\n{many}"))?;
    let mut command = repository.command(program, &["inventory"])?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    drop(child.stdout.take());
    let ended = child.wait_with_output().map_err(|e| e.to_string())?;
    if ended.status.success() && ended.stderr.is_empty() {
        return Ok(());
    }
    Err(format!("{}: {}", ended.status, String::from_utf8_lossy(&ended.stderr)))
}
