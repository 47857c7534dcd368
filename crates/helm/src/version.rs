//! Versions of charts and ranges of them.

use kapstan_gotemplate::semver::{Constraints, Version};

/// Whether a text is a version, loosely: one to three numbers, perhaps a `v` before and a pre-release or metadata behind.
pub(crate) fn is_version(text: &str) -> bool {
    Version::parse(text).is_ok()
}

/// Whether a version is in a range; false where either is malformed.
pub(crate) fn is_in_range(range: &str, version: &str) -> bool {
    match (Constraints::parse(range), Version::parse(version)) {
        (Ok(range), Ok(version)) => range.check(&version),
        _ => false,
    }
}
