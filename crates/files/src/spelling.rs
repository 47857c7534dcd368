use std::path::Path;

/// A path as text, with `/` between its parts on every system: for what is written into outputs, handed to engines or
/// read by machines, which must not depend on where a run took place. Names that are not UTF-8 lose what is not.
pub fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_by_slashes() {
        assert_eq!(slashed(&Path::new("a/b").join("c")), "a/b/c");
    }

    #[test]
    #[cfg(not(windows))]
    fn a_backslash_in_a_name_stays() {
        assert_eq!(slashed(Path::new("a\\b/c")), "a\\b/c");
    }
}
