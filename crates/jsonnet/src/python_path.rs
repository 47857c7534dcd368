//! Paths as Python's `os.path` treats them on POSIX: as text.

/// `os.path.join(base, path)`.
pub(crate) fn join(base: &str, path: &str) -> String {
    if path.starts_with('/') || base.is_empty() {
        return path.to_owned();
    }
    if base.ends_with('/') { format!("{base}{path}") } else { format!("{base}/{path}") }
}

/// `os.path.normpath(path)`: without empty parts, `.` and, by name, `..`.
pub(crate) fn normalize(path: &str) -> String {
    if path.is_empty() {
        return ".".to_owned();
    }
    // POSIX leaves the meaning of exactly two leading slashes open, and so does Python.
    let root = match path.bytes().take_while(|byte| *byte == b'/').count() {
        0 => "",
        2 => "//",
        _ => "/",
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if parts.is_empty() && !root.is_empty() => {}
            _ => parts.push(part),
        }
    }
    let joined = format!("{root}{}", parts.join("/"));
    if joined.is_empty() { ".".to_owned() } else { joined }
}

/// The folder part with its slash, as C++ jsonnet hands it to an import callback; empty where there is none.
pub(crate) fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_and_normalized_as_in_python() {
        for (base, path, joined) in
            [("a", "b", "a/b"), ("a/", "b", "a/b"), ("", "b", "b"), ("a", "/b", "/b"), ("a", "", "a/")]
        {
            assert_eq!(join(base, path), joined);
        }
        for (path, normal) in [
            ("", "."),
            ("a/./b//c", "a/b/c"),
            ("a/../b", "b"),
            ("../a", "../a"),
            ("a/../../b", "../b"),
            ("/../a", "/a"),
            ("//a", "//a"),
            ("///a", "/a"),
            ("a/..", "."),
        ] {
            assert_eq!(normalize(path), normal);
        }
    }
}
