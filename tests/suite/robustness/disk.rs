//! Disks that refuse: files that may not be read, folders that may not be written, no room.

#[cfg(unix)]
use std::fs;
use std::path::Path;
use std::process::Command;

use super::repository::{Repository, refused, succeeded};
use crate::Failure;
use crate::program::{Ended, Program, finish};
use crate::tree;

const TEXT: &str = "{input_type: jinja2, input_paths: [a.txt], output_path: .}";
/// The user that the kernel gives to files of nobody.
#[cfg(unix)]
const NOBODY: u32 = 65534;

/// A template without the right to read it.
pub fn unreadable_template(program: &Program) -> Result<(), Failure> {
    let repository = Repository::with_items(&[TEXT])?.with_old_output()?;
    repository.write("a.txt", "secret")?;
    forbid(&repository.folder().join("a.txt"), 0o000)?;
    expect_refusal_without_rights(&repository, program, &["a.txt"])
}

/// A class without the right to read it.
pub fn unreadable_class(program: &Program) -> Result<(), Failure> {
    let repository = Repository::with_items(&[TEXT])?.with_old_output()?;
    repository.write("a.txt", "text")?;
    repository.write("inventory/classes/closed.yml", "parameters: {a: 1}\n")?;
    repository.write("inventory/targets/u.yml", "classes: [closed]\n")?;
    forbid(&repository.folder().join("inventory/classes/closed.yml"), 0o000)?;
    expect_refusal_without_rights(&repository, program, &["closed.yml"])
}

/// A repository in which nothing may be made.
pub fn unwritable_folder(program: &Program) -> Result<(), Failure> {
    let repository = Repository::with_items(&[TEXT])?.with_old_output()?;
    repository.write("a.txt", "text")?;
    forbid(&repository.folder(), 0o555)?;
    let result = expect_refusal_without_rights(&repository, program, &[]);
    forbid(&repository.folder(), 0o755)?;
    result
}

#[cfg(unix)]
fn forbid(path: &Path, mode: u32) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|e| e.to_string())
}

#[cfg(not(unix))]
fn forbid(_: &Path, _: u32) -> Result<(), Failure> {
    Err("there are no modes here".into())
}

/// Root may read everything, so that the tests, where they run as root, give the run to nobody.
#[cfg(unix)]
fn expect_refusal_without_rights(
    repository: &Repository,
    program: &Program,
    words: &[&str],
) -> Result<(), Failure> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;

    let folder = repository.folder();
    let failed = |e: std::io::Error| e.to_string();
    let before = tree::snapshot(&folder)?;
    let is_root = fs::metadata(&folder).map_err(failed)?.uid() == 0;
    let mut command = repository.command(program, &["compile"])?;
    if is_root {
        // The binary may lie where nobody may not look; a copy of it lies beside the repository.
        let above = folder.parent().expect("a repository lies in a folder of its own");
        let copy = above.join("kapstan");
        fs::copy(program.path(), &copy).map_err(failed)?;
        fs::set_permissions(above, fs::Permissions::from_mode(0o755)).map_err(failed)?;
        give_away(&folder).map_err(failed)?;
        command = repository.command(&program.moved_to(&copy), &["compile"])?;
        chown(&folder, Some(NOBODY), Some(NOBODY)).map_err(failed)?;
        command.uid(NOBODY).gid(NOBODY);
    }
    let ended = finish(command, "")?;
    refused(&ended, words, &tree::changes(&before, tree::snapshot(&folder)?))
}

#[cfg(not(unix))]
fn expect_refusal_without_rights(_: &Repository, _: &Program, _: &[&str]) -> Result<(), Failure> {
    Err("there are no modes here".into())
}

#[cfg(unix)]
fn give_away(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        std::os::unix::fs::lchown(entry.path(), Some(NOBODY), Some(NOBODY))?;
        if entry.file_type()?.is_dir() {
            give_away(&entry.path())?;
        }
    }
    Ok(())
}

/// A repository whose output is about a megabyte.
fn big_output() -> Result<Repository, Failure> {
    let repository = Repository::with_items(&[TEXT])?.with_old_output()?;
    repository.write("a.txt", "{% for i in range(16384) %}{{ 'sixty-four characters of text, again and again and again, here!' }}{% endfor %}")?;
    Ok(repository)
}

/// A limit on the size of files is met as a full disk is: the write fails.
pub fn file_size_limit(program: &Program) -> Result<(), Failure> {
    let repository = big_output()?;
    let before = tree::snapshot(&repository.folder())?;
    // The signal of the limit is ignored, as it is by most parents of a build.
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$@\"";
    let ended = in_shell(script, &repository.command(program, &["compile"])?)?;
    refused(&ended, &["a.txt"], &tree::changes(&before, tree::snapshot(&repository.folder())?))
}

/// Whether this machine lets a test mount a small disk.
pub fn small_disks_can_be_made() -> bool {
    let script = ["--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs tmpfs /mnt"];
    cfg!(unix) && Command::new("unshare").args(script).output().is_ok_and(|ended| ended.status.success())
}

/// A disk without room: an error, the old tree intact, and no rubbish that takes the last room.
pub fn full_disk(program: &Program) -> Result<(), Failure> {
    let repository = big_output()?;
    let folder = repository.folder();
    // What lies on the small disk is seen only by the run, so that it looks itself at what is left.
    let script = "cp -r . ../saved && mount -t tmpfs -o size=256k tmpfs \"$PWD\" && cd \"$PWD\" && cp -r ../saved/. . || exit 99
        \"$@\"; status=$?
        diff -r . ../saved >&2 && exit $status || exit 98";
    let inner = repository.command(program, &["compile"])?;
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", script, "sh"]);
    command.arg(inner.get_program()).args(inner.get_args()).current_dir(&folder);
    let ended = finish(command, "")?;
    refused(&ended, &["No space left on device"], &tree::Tree::new())?;
    // With room again the same run succeeds.
    succeeded(&repository.run(program, &["compile"])?)
}

fn in_shell(script: &str, inner: &Command) -> Result<Ended, Failure> {
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]).arg(inner.get_program()).args(inner.get_args());
    if let Some(folder) = inner.get_current_dir() {
        command.current_dir(folder);
    }
    finish(command, "")
}
