use crate::Profile;
use regex::Regex;
use std::sync::LazyLock;

static OF_V3: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[\t\n\f\r ]*\n)---[\t\n\f\r ]*").expect("the pattern is valid"));
static OF_V4: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^---[ \t]*").expect("the pattern is valid"));

/// The documents of a rendered file, without blank ones.
///
/// Helm 3 cuts blanks off both ends of each, Helm 4.2 off the beginning only.
pub(crate) fn split(text: &str, profile: Profile) -> Vec<&str> {
    if profile.is_v3() {
        let pieces = OF_V3.split(text.trim()).filter(|piece| !piece.is_empty());
        return pieces.map(str::trim).collect();
    }
    let pieces = OF_V4.split(text.trim_start());
    pieces.filter(|piece| !piece.trim().is_empty()).map(str::trim_start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_separated_as_each_helm_does() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            ("a: 1\n---\nb: 2\n", &["a: 1\n", "b: 2\n"], &["a: 1", "b: 2"]),
            ("\n---\n\na: 1\n\n", &["a: 1\n\n"], &["a: 1"]),
            ("---a: 1\n---b: 2", &["a: 1\n", "b: 2"], &["a: 1", "b: 2"]),
            ("a: |\n---\n  x\n", &["a: |\n", "x\n"], &["a: |", "x"]),
            ("a: 1\n ---\nb: 2", &["a: 1\n ---\nb: 2"], &["a: 1\n ---\nb: 2"]),
            ("a: 1\n--- # x\nb: 2", &["a: 1\n", "# x\nb: 2"], &["a: 1", "# x\nb: 2"]),
            ("----\na: 1", &["-\na: 1"], &["-\na: 1"]),
            ("  \n", &[], &[]),
        ];
        for (text, new, old) in cases {
            assert_eq!(split(text, Profile::V4_2), *new, "{text:?}");
            assert_eq!(split(text, Profile::V3), *old, "{text:?}");
        }
    }
}
