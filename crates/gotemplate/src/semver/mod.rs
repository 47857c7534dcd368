//! Semantic versions and constraints on them, as Masterminds/semver 3.5 reads and compares them: Helm does so for
//! charts and clusters, templates through `semver` and `semverCompare`.

mod constraint;
mod version;

pub use constraint::Constraints;
pub use version::Version;

#[cfg(test)]
mod tests;
