//! Small pieces of Go's standard library whose results end up in texts or decide what is accepted.

/// Whether Go's `unicode.IsPrint` is true of a character.
pub(crate) fn is_print(character: char) -> bool {
    kapstan_gotemplate::unicode::is_print(character)
}

/// Whether Go's `unicode.IsSpace` is true of a character.
pub(crate) fn is_space(character: char) -> bool {
    // Rust's white space is the same Unicode property.
    character.is_whitespace()
}

/// A text as `%q` shows it.
pub(crate) fn quote(text: &str) -> String {
    kapstan_gotemplate::format::quote(text.as_bytes())
}

/// The last element of a path (`path.Base`).
pub(crate) fn base(path: &str) -> &str {
    if path.is_empty() {
        return ".";
    }
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return "/";
    }
    trimmed.rsplit('/').next().unwrap_or(trimmed)
}

/// The shortest path that means the same (`path.Clean`).
pub(crate) fn clean(path: &str) -> String {
    let is_rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if is_rooted => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (is_rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

/// Two paths joined and cleaned (`path.Join`).
pub(crate) fn join(folder: &str, name: &str) -> String {
    match (folder.is_empty(), name.is_empty()) {
        (true, true) => String::new(),
        (true, false) => clean(name),
        (false, true) => clean(folder),
        (false, false) => clean(&format!("{folder}/{name}")),
    }
}

/// The extension with its dot, or nothing (`path.Ext`).
pub(crate) fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rfind('.').map_or("", |dot| &name[dot..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_follows_go() {
        for (text, expected) in [
            ("a\"b\\", r#""a\"b\\""#),
            ("\u{1}\n\u{7f}", r#""\x01\n\x7f""#),
            ("é 日", "\"é 日\""),
            ("\u{85}\u{200b}", r#""\u0085\u200b""#),
            ("\u{e0001}", r#""\U000e0001""#),
        ] {
            assert_eq!(quote(text), expected);
        }
    }

    #[test]
    fn paths_are_cleaned() {
        for (path, expected) in [
            ("a//b/../c", "a/c"),
            ("../a", "../a"),
            ("/../a", "/a"),
            ("", "."),
            ("a/..", "."),
            ("./a/.", "a"),
        ] {
            assert_eq!(clean(path), expected);
        }
        assert_eq!(extension("a.b/c"), "");
        assert_eq!(extension("c.tar.gz"), ".gz");
        assert_eq!(base("a/b/"), "b");
    }
}
