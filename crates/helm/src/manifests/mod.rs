//! From rendered files to manifests: separated, told from hooks, sorted and printed.

mod head;
mod hook;
mod order;
mod output;
mod sort;
mod split;

pub use hook::{Event, Hook};
pub use output::{Document, OutputOptions, Rendered, TreeDocument};
pub(crate) use sort::{RenderedFile, sort};
pub(crate) use split::split;

/// A document that is to be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The template it comes from: `chart/templates/x.yaml`; of a CRD, its file.
    pub path: String,
    /// Its text.
    pub content: String,
    /// Its `apiVersion`, or nothing.
    pub api_version: String,
    /// Its `kind`, or nothing.
    pub kind: String,
    /// Its `metadata.name`, or nothing.
    pub name: String,
}
