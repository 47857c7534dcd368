//! What this program is: name, version, target, and what it was made of.

use std::hint::black_box;

/// Name and version as one text, which stands in the file as such: packagers find it there, and the tests of the update
/// make a release of another version by changing it.
static NAME_AND_VERSION: &str = concat!("kapstan ", env!("CARGO_PKG_VERSION"));

/// The target that this program was compiled for: `x86_64-unknown-linux-musl`.
pub(crate) const TARGET: &str = env!("KAPSTAN_TARGET");

/// The commit that it was built from, where whoever built it said so in `KAPSTAN_COMMIT`.
pub(crate) const COMMIT: Option<&str> = option_env!("KAPSTAN_COMMIT");

/// A crate that this program is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its version.
    pub(crate) version: &'static str,
}

/// The crates from outside that `Cargo.lock` names for this program on any target, sorted by name and version.
pub(crate) const DEPENDENCIES: &[Dependency] = include!(concat!(env!("OUT_DIR"), "/dependencies.rs"));

/// `kapstan 1.2.3`.
pub(crate) fn name_and_version() -> &'static str {
    // Without this the compiler takes the text apart.
    black_box(NAME_AND_VERSION)
}

/// `1.2.3`.
pub(crate) fn version() -> &'static str {
    name_and_version().trim_start_matches("kapstan ")
}

/// The commit, where it is known.
pub(crate) fn commit() -> Option<&'static str> {
    COMMIT.filter(|commit| !commit.is_empty())
}

#[cfg(test)]
mod tests {
    use super::DEPENDENCIES;

    #[test]
    fn the_crates_inside_are_known() {
        let names: Vec<_> = DEPENDENCIES.iter().map(|dependency| dependency.name).collect();
        for name in ["clap", "annotate-snippets", "jrsonnet-evaluator", "rayon"] {
            assert!(names.contains(&name), "{name}");
        }
        for name in ["libtest-mimic", "criterion", "libyaml-safer", "kapstan-compile"] {
            assert!(!names.contains(&name), "{name}");
        }
        assert!(DEPENDENCIES.is_sorted_by_key(|dependency| dependency.name));
    }
}
