//! Charts: what lies in their folder or archive.

mod archive;
mod decode;
mod describe;
mod directory;
mod documents;
mod file;
mod ignore;
mod limits;
mod load;
mod metadata;
mod sniff;
mod tape;
#[cfg(test)]
mod tests;

pub(crate) use decode::{Decoder, Target, field_of};
pub(crate) use documents::{merge, read_values};
pub use file::File;
pub use limits::Limits;
pub use load::LoadOptions;
pub(crate) use load::archive_files;
pub(crate) use metadata::Draft;
pub use metadata::{Dependency, Lock, Maintainer, Metadata};

use crate::error::Result;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::Node;
use kapstan_files::Files;
use std::path::Path;
use std::sync::Arc;

/// A chart, checked, with its subcharts. Shared by threads; rendering does not change it.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Where it lies, as people see it.
    pub place: String,
    /// Every file, as read.
    pub raw: Vec<File>,
    /// What `Chart.yaml` says, with what `requirements.yaml` adds.
    pub metadata: Metadata,
    /// What `Chart.lock` (or `requirements.lock`) says.
    pub lock: Option<Lock>,
    /// The files under `templates/`.
    pub templates: Vec<File>,
    /// The default values: a mapping, or none where the chart has no `values.yaml`.
    pub values: Option<Node>,
    /// `values.schema.json`.
    pub schema: Option<File>,
    /// The files that are none of these: what templates read through `.Files`.
    pub files: Vec<File>,
    /// The charts under `charts/`, by the name of their folder or archive.
    pub dependencies: Vec<Arc<Self>>,
    /// When `Chart.yaml` was last modified.
    pub modified: Option<std::time::SystemTime>,
    /// What is odd about it, but did not prevent loading it. Those of subcharts are theirs.
    pub warnings: Vec<Diagnostic>,
}

impl Chart {
    /// Loads the chart at a path: a folder, or a gzipped tar archive.
    ///
    /// Fails as Helm fails, with its texts, and beyond the limits. A chart within a chart counts with it.
    pub fn load(files: &dyn Files, path: &Path, options: &LoadOptions<'_>) -> Result<Self> {
        load::load(files, path, options)
    }

    /// Loads the chart in a folder, whatever form it says it has.
    pub(crate) fn load_folder(files: &dyn Files, path: &Path, options: &LoadOptions<'_>) -> Result<Self> {
        load::load_files(files, path, options)
    }

    /// Loads the chart that an archive holds. `name` is what messages call the archive.
    pub fn from_archive(data: &[u8], name: &str, options: &LoadOptions<'_>) -> Result<Self> {
        load::load_archive(data, name, options)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.metadata.name
    }

    /// The warnings of the chart and all its subcharts.
    pub fn all_warnings(&self) -> Vec<Diagnostic> {
        let below = self.dependencies.iter().flat_map(|chart| chart.all_warnings());
        self.warnings.iter().cloned().chain(below).collect()
    }
}
