//! `helm dependency build` and `update`, as far as they need no network: charts in folders are packed into `charts/`.

mod digest;
mod gather;
mod resolve;

use crate::chart::{Chart, LoadOptions, Lock};
use crate::error::{Error, Result};
use crate::package::Package;
use crate::yaml;
use kapstan_files::{Files, Kind};
use std::path::Path;
use std::time::SystemTime;

/// How dependencies are brought together.
#[derive(Clone)]
pub struct DependencyOptions<'o> {
    /// How charts are loaded.
    pub load: LoadOptions<'o>,
    /// Whether more is said.
    pub is_debug: bool,
    /// The present time, for files that have none of their own.
    pub now: Option<SystemTime>,
    /// The present time as a lock has it: `2024-05-06T07:08:09.123Z`.
    pub generated: String,
}

/// What is to be done to the folder of a chart.
#[derive(Clone, Debug, Default)]
pub struct DependencyChange {
    /// Whether there has to be a folder `charts`.
    pub has_charts: bool,
    /// The archives to put there.
    pub archives: Vec<Package>,
    /// The names of the files there that are of no use any more.
    pub outdated: Vec<String>,
    /// The lock to write: its name and its text.
    pub lock: Option<(&'static str, String)>,
}

/// Brings the charts together that `Chart.lock` names, as `helm dependency build`; without a lock, as [`dependency_update`].
///
/// `said` gets what Helm prints on the way, also where this fails: with Helm's texts, and for a chart of a repository,
/// unless the very archive that the lock names already lies in `charts/`.
pub fn dependency_build(
    files: &dyn Files,
    path: &str,
    options: &DependencyOptions<'_>,
    said: &mut String,
) -> Result<DependencyChange> {
    let chart = load(files, path, options)?;
    let Some(lock) = &chart.lock else { return update(files, path, &chart, options, said) };
    resolve::check_paths(files, path, &chart, options.is_debug, said)?;
    digest::check(&chart, lock, options.load.profile)?;
    let mut locked = lock.dependencies.clone().unwrap_or_default();
    gather::gather(files, path, &mut locked, options, said)
}

/// Chooses versions and brings the charts together, as `helm dependency update`, and makes a new lock where it changes.
pub fn dependency_update(
    files: &dyn Files,
    path: &str,
    options: &DependencyOptions<'_>,
    said: &mut String,
) -> Result<DependencyChange> {
    let chart = load(files, path, options)?;
    update(files, path, &chart, options, said)
}

fn update(
    files: &dyn Files,
    path: &str,
    chart: &Chart,
    options: &DependencyOptions<'_>,
    said: &mut String,
) -> Result<DependencyChange> {
    let Some(wanted) = &chart.metadata.dependencies else { return Ok(DependencyChange::default()) };
    resolve::check_paths(files, path, chart, options.is_debug, said)?;
    let mut locked = resolve::resolve(files, path, wanted, options)?;
    let mut change = gather::gather(files, path, &mut locked, options, said)?;
    let digest = digest::of(wanted, &locked);
    if chart.lock.as_ref().is_none_or(|lock| lock.digest != digest) {
        let lock = Lock { generated: options.generated.clone(), digest, dependencies: Some(locked) };
        let text = yaml::write_document(&lock.to_node())
            .ok_or_else(|| Error::new("helm::unwritable", "the lock cannot be written"))?;
        let is_old = chart.metadata.api_version == "v1";
        change.lock = Some((if is_old { "requirements.lock" } else { "Chart.lock" }, text));
    }
    Ok(change)
}

fn load(files: &dyn Files, path: &str, options: &DependencyOptions<'_>) -> Result<Chart> {
    let refused = |text: String| Err(Error::new("helm::chart-not-found", text));
    match files.kind(Path::new(path)) {
        Ok(Some(Kind::Folder)) => Chart::load_folder(files, Path::new(path), &options.load),
        Ok(Some(Kind::File)) => refused("only unpacked charts can be updated".to_owned()),
        Ok(None) => refused(format!("could not find {path}: stat {path}: no such file or directory")),
        Err(error) => refused(format!("could not find {path}: stat {path}: {error}")),
    }
}

#[cfg(test)]
mod tests;
