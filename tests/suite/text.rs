//! What differs from run to run is made equal; what differs from what was expected is shown.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

static DURATION: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b\d+\.\d+s\b"));
static PROCESSES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\d+ concurrent (process(es)?|threads?): \(\d+ CPUs? available\)"));

/// What wine says beside the program when a process ends while another thread of it talks to wine's server.
static WINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^wine client error:.*\n"));

static STAGE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\.kapstan-stage-[0-9a-f]+-[0-9a-f]+"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant")
}

/// Replaces the path of the folder a case ran in by `<dir>`.
pub fn without_folder(bytes: &[u8], folder: &Path, on_windows: bool) -> Vec<u8> {
    let path = folder.to_string_lossy();
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.to_vec() };
    if !on_windows {
        return text.replace(&*path, "<dir>").into_bytes();
    }
    // Under wine the folder is seen through drive Z.
    let slashes = path.replace('\\', "/");
    let backslashes = slashes.replace('/', "\\");
    let in_json = backslashes.replace('\\', "\\\\");
    let spellings = [
        format!("Z:{slashes}"),
        format!("Z:{backslashes}"),
        format!("Z:{in_json}"),
        in_json,
        path.into_owned(),
        slashes,
    ];
    spellings.iter().fold(text.to_string(), |text, path| text.replace(path, "<dir>")).into_bytes()
}

/// Messages without durations, the names of stages, the number of processors and Windows' path separators.
pub fn stable_messages(bytes: &[u8], on_windows: bool) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.to_vec() };
    let text = DURATION.replace_all(text, "0.00s");
    let text = PROCESSES.replace_all(&text, "N concurrent processes: (N CPU available)");
    let text = STAGE.replace_all(&text, "<stage>");
    let text = WINE.replace_all(&text, "");
    with_slashes(text.as_bytes(), on_windows)
}

/// A text in which Windows' path separators are the others'; other backslashes become the same on both sides.
pub fn with_slashes(bytes: &[u8], on_windows: bool) -> Vec<u8> {
    let text = std::str::from_utf8(bytes).ok().filter(|_| on_windows);
    text.map_or_else(|| bytes.to_vec(), |text| text.replace("\\\\", "\\").replace('\\', "/").into_bytes())
}

/// The first place where two texts differ, a few lines around it, or nothing where they are equal.
pub fn difference(expected: &[u8], found: &[u8]) -> Option<String> {
    const BEFORE: usize = 3;
    const SHOWN: usize = 12;
    if expected == found {
        return None;
    }
    let (expected, found) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(found));
    let (expected, found): (Vec<_>, Vec<_>) =
        (expected.split_inclusive('\n').collect(), found.split_inclusive('\n').collect());
    let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
    let tail =
        expected[same..].iter().rev().zip(found[same..].iter().rev()).take_while(|(a, b)| a == b).count();
    let mut shown = format!("  at line {}:\n", same + 1);
    for line in &expected[same.saturating_sub(BEFORE)..same] {
        show(&mut shown, ' ', line);
    }
    for line in expected[same..expected.len() - tail].iter().take(SHOWN) {
        show(&mut shown, '-', line);
    }
    for line in found[same..found.len() - tail].iter().take(SHOWN) {
        show(&mut shown, '+', line);
    }
    Some(shown)
}

fn show(shown: &mut String, mark: char, line: &str) {
    let text = line.strip_suffix('\n').unwrap_or(line);
    let end = if line.ends_with('\n') { "" } else { " (no line end)" };
    let visible = text.replace('\r', "\\r").replace('\t', "\\t");
    let _ = writeln!(shown, "  {mark} {visible}{end}");
}
