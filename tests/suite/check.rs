//! Runs a case in a copy of its input and compares what it left with `expected/`.

use std::fs;
use std::path::Path;

use crate::Failure;
use crate::case::{Case, Peer, Step};
use crate::program::{Ended, Program, Start};
use crate::text::{difference, stable_messages, with_slashes, without_folder};
use crate::tree::{self, Entry, Tree};

/// Whose answer is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The program's: tree, both streams, exit status.
    Ours,
    /// The peer's: tree, standard output, exit status. Its messages are its own, unless ours are meant to be its words.
    Peer(Peer),
}

impl Side {
    fn compares_messages(self, step: &Step) -> bool {
        step.compares_messages() && (self == Self::Ours || step.has_messages_of_peer())
    }
}

/// What a case left behind.
struct Left {
    steps: Vec<Ended>,
    tree: Tree,
}

/// Runs the case; with `bless` its answer becomes what is expected, exit statuses excepted.
pub fn check(case: &Case, program: &Program, side: Side, bless: bool) -> Result<(), Failure> {
    let left = run(case, program, side)?;
    let mut problems = Vec::new();
    for (number, (step, ended)) in case.steps.iter().zip(&left.steps).enumerate() {
        if step.status != ended.status {
            let stderr = String::from_utf8_lossy(&ended.stderr);
            let run = number + 1;
            problems
                .push(format!("run {run}: exit status {}, expected {}\n{stderr}", ended.status, step.status));
        }
    }
    if bless {
        write_expected(case, &left, side).map_err(|e| format!("expected/ cannot be written: {e}"))?;
    } else {
        compare_streams(case, &left, side, program.is_for_windows(), &mut problems)?;
        let mut expected = read_expected(case)?;
        if program.is_for_windows() {
            without_modes(&mut expected);
        }
        compare_trees(&expected, &left.tree, &mut problems);
    }
    if problems.is_empty() { Ok(()) } else { Err(format!("{}\n\n{}", case.shows, problems.join("\n"))) }
}

fn run(case: &Case, program: &Program, side: Side) -> Result<Left, Failure> {
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let root = scratch.path().canonicalize().map_err(|e| e.to_string())?;
    let folder = root.join("work");
    prepare(case, &folder).map_err(|e| format!("the input cannot be copied: {e}"))?;
    let before = tree::snapshot(&folder)?;
    let mut steps = Vec::new();
    for step in &case.steps {
        for path in &step.remove {
            tree::remove(&folder.join(path)).map_err(|e| format!("{path}: {e}"))?;
        }
        for (path, text) in &step.write {
            tree::write_file(&folder.join(path), text.as_bytes()).map_err(|e| format!("{path}: {e}"))?;
        }
        let (name, arguments) = match side {
            Side::Ours => (&*step.args0, step.command.clone()),
            Side::Peer(peer) => step.for_peer(peer),
        };
        let start = Start {
            name,
            arguments: &arguments,
            folder: &folder.join(&step.folder),
            stdin: &step.stdin,
            env: &step.env,
        };
        let mut ended = program.run(&start, &root.join("bin"))?;
        let windows = program.is_for_windows();
        ended.stdout = without_folder(&ended.stdout, &folder, windows);
        ended.stderr = stable_messages(&without_folder(&ended.stderr, &folder, windows), windows);
        steps.push(ended);
    }
    let mut tree = tree::changes(&before, tree::snapshot(&folder)?);
    for entry in tree.values_mut() {
        if let Entry::File { bytes, .. } = entry {
            *bytes = without_folder(bytes, &folder, program.is_for_windows());
        }
    }
    Ok(Left { steps, tree })
}

fn prepare(case: &Case, folder: &Path) -> std::io::Result<()> {
    fs::create_dir(folder)?;
    let input = case.input_folder();
    if input.is_dir() {
        tree::copy(&input, folder)?;
    }
    for (place, target) in &case.links {
        tree::link(Path::new(target), &folder.join(place))?;
    }
    Ok(())
}

fn compare_streams(
    case: &Case,
    left: &Left,
    side: Side,
    on_windows: bool,
    problems: &mut Vec<String>,
) -> Result<(), Failure> {
    for (number, (step, ended)) in case.steps.iter().zip(&left.steps).enumerate() {
        let mut streams = Vec::new();
        if step.compares_output() {
            streams.push(("stdout", &ended.stdout));
        }
        if side.compares_messages(step) {
            streams.push(("stderr", &ended.stderr));
        }
        for (stream, found) in streams {
            let name = case.stream_file(stream, number);
            let expected = fs::read(case.folder.join("expected").join(&name)).unwrap_or_default();
            let expected = with_slashes(&expected, on_windows && stream == "stderr");
            if let Some(shown) = difference(&expected, found) {
                problems.push(format!("{name} differs (- expected, + found)\n{shown}"));
            }
        }
    }
    Ok(())
}

fn compare_trees(expected: &Tree, found: &Tree, problems: &mut Vec<String>) {
    for (path, entry) in expected {
        match (entry, found.get(path)) {
            (_, None) => problems.push(format!("{path} is missing: {}", describe(entry))),
            (a, Some(b)) if a == b => {}
            (Entry::File { bytes: a, executable: x }, Some(Entry::File { bytes: b, executable: y })) => {
                match difference(a, b) {
                    Some(shown) => problems.push(format!("{path} differs (- expected, + found)\n{shown}")),
                    None => problems.push(format!("{path}: executable is {y}, expected {x}")),
                }
            }
            (a, Some(b)) => problems.push(format!("{path} is {}, expected {}", describe(b), describe(a))),
        }
    }
    for (path, entry) in found.iter().filter(|(path, _)| !expected.contains_key(*path)) {
        problems.push(format!("{path} was not expected: {}", describe(entry)));
    }
}

fn describe(entry: &Entry) -> String {
    match entry {
        Entry::File { bytes, .. } => {
            let text: String = String::from_utf8_lossy(bytes).chars().take(400).collect();
            format!("a file of {} bytes\n{text}", bytes.len())
        }
        Entry::EmptyFolder => "an empty folder".into(),
        Entry::Link(target) => format!("a link to {target}"),
        Entry::Removed => "removed".into(),
    }
}

/// What Git cannot hold stands in lists: folders with nothing in them, and paths that the run removed.
const LISTS: [(&str, Entry); 2] = [("empty-folders", Entry::EmptyFolder), ("removed", Entry::Removed)];

fn read_expected(case: &Case) -> Result<Tree, Failure> {
    let folder = case.folder.join("expected");
    if !folder.is_dir() {
        return Ok(Tree::new());
    }
    let mut tree = tree::snapshot(&folder)?;
    tree.retain(|path, _| !is_stream(path));
    for (name, entry) in LISTS {
        if let Some(Entry::File { bytes, .. }) = tree.remove(name) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            tree.extend(text.lines().map(|path| (path.to_string(), entry.clone())));
        }
    }
    Ok(tree)
}

/// Windows has no files that may be executed, and wine makes none.
fn without_modes(tree: &mut Tree) {
    for entry in tree.values_mut() {
        if let Entry::File { executable, .. } = entry {
            *executable = false;
        }
    }
}

fn is_stream(path: &str) -> bool {
    ["stdout", "stderr"]
        .iter()
        .any(|s| path == *s || path.strip_prefix(s).is_some_and(|rest| rest.starts_with('.')))
}

fn write_expected(case: &Case, left: &Left, side: Side) -> std::io::Result<()> {
    let folder = case.folder.join("expected");
    let messages = |number| folder.join(case.stream_file("stderr", number));
    let kept: Vec<_> = (0..case.steps.len()).map(|number| fs::read(messages(number)).ok()).collect();
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    for (number, (step, ended)) in case.steps.iter().zip(&left.steps).enumerate() {
        if step.compares_output() && !ended.stdout.is_empty() {
            tree::write_file(&folder.join(case.stream_file("stdout", number)), &ended.stdout)?;
        }
        let is_told = side == Side::Ours || step.has_messages_of_peer();
        let stderr = if is_told { Some(&ended.stderr) } else { kept[number].as_ref() };
        if let Some(bytes) = stderr.filter(|bytes| step.compares_messages() && !bytes.is_empty()) {
            tree::write_file(&messages(number), bytes)?;
        }
    }
    for (path, entry) in &left.tree {
        if let Entry::File { bytes, executable } = entry {
            let file = folder.join(path);
            tree::write_file(&file, bytes)?;
            set_executable(&file, *executable)?;
        }
    }
    for (name, kind) in LISTS {
        let listed: String = left
            .tree
            .iter()
            .filter(|(_, entry)| **entry == kind)
            .map(|(path, _)| format!("{path}\n"))
            .collect();
        if !listed.is_empty() {
            tree::write_file(&folder.join(name), listed.as_bytes())?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn set_executable(file: &Path, executable: bool) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(if executable { 0o755 } else { 0o644 }))
}

#[cfg(not(unix))]
fn set_executable(_: &Path, _: bool) -> std::io::Result<()> {
    Ok(())
}
