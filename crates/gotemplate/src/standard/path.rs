//! Paths with `/`, as Go's package `path` takes them apart. On Unix `path/filepath` does the same.

/// The path at its shortest: without `.`, doubled `/`, and `..` after a name. Nothing is `.`.
pub(crate) fn clean(path: &[u8]) -> Vec<u8> {
    if path.is_empty() {
        return b".".to_vec();
    }
    let rooted = path.starts_with(b"/");
    let mut names: Vec<&[u8]> = Vec::new();
    for name in path.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." if names.last().is_some_and(|last| *last != b"..") => {
                names.pop();
            }
            b".." if rooted => {}
            name => names.push(name),
        }
    }
    let joined = names.join(&b'/');
    match (rooted, joined.is_empty()) {
        (true, _) => [b"/".as_slice(), &joined].concat(),
        (false, true) => b".".to_vec(),
        (false, false) => joined,
    }
}

/// The last name of a path; `.` of nothing, `/` of slashes only.
pub(crate) fn base(path: &[u8]) -> &[u8] {
    if path.is_empty() {
        return b".";
    }
    let end = path.iter().rposition(|byte| *byte != b'/').map_or(0, |at| at + 1);
    let path = &path[..end];
    let start = path.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    if path.is_empty() { b"/" } else { &path[start..] }
}

/// All but the last name of a path, cleaned.
pub(crate) fn directory(path: &[u8]) -> Vec<u8> {
    let end = path.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    clean(&path[..end])
}

/// From the last dot of the last name on; empty where it has none.
pub(crate) fn extension(path: &[u8]) -> &[u8] {
    for (at, byte) in path.iter().enumerate().rev() {
        match byte {
            b'/' => break,
            b'.' => return &path[at..],
            _ => {}
        }
    }
    b""
}

/// Whether a path starts at the root.
pub(crate) fn is_absolute(path: &[u8]) -> bool {
    path.starts_with(b"/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_paths_apart() {
        for (path, cleaned, last, parent, suffix) in [
            ("", ".", ".", ".", ""),
            ("/", "/", "/", "/", ""),
            ("//", "/", "/", "/", ""),
            ("a/b.c", "a/b.c", "b.c", "a", ".c"),
            ("a/b/", "a/b", "b", "a/b", ""),
            ("a//b/../c", "a/c", "c", "a", ""),
            ("../../a", "../../a", "a", "../..", ""),
            ("/../a", "/a", "a", "/", ""),
            ("a/..", ".", "..", "a", "."),
            (".x", ".x", ".x", ".", ".x"),
            ("a.b/c", "a.b/c", "c", "a.b", ""),
            ("./a.tar.gz", "a.tar.gz", "a.tar.gz", ".", ".gz"),
        ] {
            let bytes = path.as_bytes();
            assert_eq!(clean(bytes), cleaned.as_bytes(), "clean {path}");
            assert_eq!(base(bytes), last.as_bytes(), "base {path}");
            assert_eq!(directory(bytes), parent.as_bytes(), "dir {path}");
            assert_eq!(extension(bytes), suffix.as_bytes(), "ext {path}");
        }
    }
}
