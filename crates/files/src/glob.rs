use crate::{Files, Kind};
use std::io;
use std::path::{Path, PathBuf};

/// Whether a path holds a character that makes it a pattern: `*`, `?` or `[`.
pub fn is_pattern(path: &str) -> bool {
    path.contains(['*', '?', '['])
}

/// The paths that a pattern matches, sorted; none where there is nothing. A path without a pattern matches itself.
///
/// Behaviour: Python's `glob.glob` without `recursive`: `**` is `*`, names that begin with a dot match only where the
/// pattern spells the dot, nothing that fails to be listed matches.
pub fn glob(files: &dyn Files, pattern: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![PathBuf::new()];
    let parts: Vec<_> = pattern.components().collect();
    for (number, part) in parts.iter().enumerate() {
        let text = part.as_os_str().to_string_lossy();
        let is_last = number + 1 == parts.len();
        if !is_pattern(&text) {
            for path in &mut found {
                path.push(part);
            }
            if is_last {
                found.retain(|path| matches!(files.lies_at(path), Ok(true)));
            }
            continue;
        }
        let mut next = Vec::new();
        for folder in &found {
            let Ok(entries) = files.list(folder) else { continue };
            for entry in entries {
                let is_hidden = entry.name.starts_with('.') && !text.starts_with('.');
                let leads_on = is_last || entry.kind == Some(Kind::Folder);
                if leads_on && !is_hidden && fnmatch(&entry.name, &text) {
                    next.push(folder.join(entry.name));
                }
            }
        }
        found = next;
    }
    found.sort();
    Ok(found)
}

/// Whether a name matches a shell pattern: `*`, `?`, `[seq]`, `[!seq]`, case counts.
///
/// Behaviour: Python's `fnmatch.fnmatchcase`; a bracket that is never closed stands for itself.
pub fn fnmatch(name: &str, pattern: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    let (mut at, mut pattern_at) = (0, 0);
    // Where to go on when the last star takes one more character.
    let mut retry: Option<(usize, usize)> = None;
    while at < name.len() {
        if pattern.get(pattern_at) == Some(&'*') {
            pattern_at += 1;
            retry = Some((at, pattern_at));
        } else if let Some(next) = match_one(name[at], &pattern, pattern_at) {
            at += 1;
            pattern_at = next;
        } else if let Some((from, after_star)) = retry {
            at = from + 1;
            pattern_at = after_star;
            retry = Some((at, after_star));
        } else {
            return false;
        }
    }
    pattern[pattern_at..].iter().all(|rest| *rest == '*')
}

/// Matches one character with what stands at a place of the pattern; returns the place behind it.
fn match_one(character: char, pattern: &[char], at: usize) -> Option<usize> {
    match *pattern.get(at)? {
        '?' => Some(at + 1),
        '[' => match closing_bracket(pattern, at) {
            Some(close) => is_in_set(character, &pattern[at + 1..close]).then_some(close + 1),
            None => (character == '[').then_some(at + 1),
        },
        literal => (character == literal).then_some(at + 1),
    }
}

/// The bracket that closes a set: not directly after the opening one or its `!`.
fn closing_bracket(pattern: &[char], open: usize) -> Option<usize> {
    let first = if pattern.get(open + 1) == Some(&'!') { open + 2 } else { open + 1 };
    (first + 1..pattern.len()).find(|at| pattern[*at] == ']').filter(|_| first < pattern.len())
}

fn is_in_set(character: char, set: &[char]) -> bool {
    let (is_negated, set) = match set {
        ['!', rest @ ..] => (true, rest),
        all => (false, all),
    };
    let mut rest = set;
    let mut is_found = false;
    while let Some(first) = rest.first() {
        if let [from, '-', to, ..] = rest {
            is_found |= (*from..=*to).contains(&character);
            rest = &rest[3..];
        } else {
            is_found |= *first == character;
            rest = &rest[1..];
        }
    }
    is_found != is_negated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    #[test]
    fn names_match_as_in_python() {
        for (name, pattern, expected) in [
            ("a.yml", "*.yml", true),
            ("a.yaml", "*.yml", false),
            ("abc", "a?c", true),
            ("abc", "a**c", true),
            ("b1", "[a-c][0-9]", true),
            ("d1", "[a-c][0-9]", false),
            ("d1", "[!a-c]1", true),
            ("]", "[]]", true),
            ("[x", "[x", true),
            ("-", "[a-]", true),
            ("aXbXc", "a*b*c", true),
            ("", "*", true),
            ("a", "", false),
        ] {
            assert_eq!(fnmatch(name, pattern), expected, "{name} {pattern}");
        }
    }

    #[test]
    fn patterns_find_paths_in_order_and_leave_hidden_ones_out() {
        let files =
            Memory::new().with("d/b.j2", "").with("d/a.j2", "").with("d/.c.j2", "").with("e/a.j2", "");
        let found = |pattern: &str| -> Vec<String> {
            let paths = glob(&files, Path::new(pattern)).unwrap();
            paths.iter().map(|path| path.to_string_lossy().replace('\\', "/")).collect()
        };
        assert_eq!(found("*/*.j2"), ["d/a.j2", "d/b.j2", "e/a.j2"]);
        assert_eq!(found("*/a.j2"), ["d/a.j2", "e/a.j2"]);
        assert_eq!(found("d/.*"), ["d/.c.j2"]);
        assert_eq!(found("**/b.j2"), ["d/b.j2"]);
        assert_eq!(found("x/*"), Vec::<String>::new());
        assert_eq!(found("d"), ["d"]);
    }
}
