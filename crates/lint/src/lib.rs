//! Checks of a repository that need no rendering.
//!
//! Files come in, findings go out as data: what is odd in the form of a YAML file, classes that no file names, and
//! reference files that no compiled file names. Behaviour: Kapitan's `lint`; lists are sorted.

mod directives;
mod form;
mod orphans;
mod walk;

pub use form::{Finding, check_form};
pub use orphans::{unused_classes, unused_references};
pub use walk::files_below;
