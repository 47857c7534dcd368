//! Which version of each dependency is meant.

use super::DependencyOptions;
use crate::chart::{Chart, Dependency};
use crate::error::{Error, Result};
use crate::go;
use kapstan_diagnostic::Diagnostic;
use kapstan_files::{Files, Kind};
use kapstan_gotemplate::semver::{Constraints, Version};
use std::path::Path;

/// What stands before the path of a chart in a folder.
const LOCAL: &str = "file://";

/// Whether a dependency is a chart in a folder.
pub(super) fn is_local(dependency: &Dependency) -> bool {
    dependency.repository.starts_with(LOCAL)
}

/// That the folders are there which a chart names.
pub(super) fn check_paths(
    files: &dyn Files,
    path: &str,
    chart: &Chart,
    is_debug: bool,
    said: &mut String,
) -> Result<()> {
    for dependency in chart.metadata.dependencies.iter().flatten().filter(|one| is_local(one)) {
        place(files, path, &dependency.repository)?;
        if is_debug {
            said.push_str(&format!("Repository from local path: {}\n", dependency.repository));
        }
    }
    Ok(())
}

/// The folder that `file://path` means, which is a path below that of the chart unless it begins with `/`.
pub(super) fn place(files: &dyn Files, chart: &str, repository: &str) -> Result<String> {
    let path = repository.strip_prefix(LOCAL).unwrap_or(repository);
    let place = if path.starts_with('/') { go::clean(path) } else { go::join(chart, path) };
    match files.lies_at(Path::new(&place)) {
        Ok(true) => Ok(place),
        Ok(false) => Err(Error::new("helm::dependency-not-found", format!("directory {place} not found"))),
        Err(error) => Err(Error::new("helm::dependency-not-found", format!("stat {place}: {error}"))),
    }
}

/// The chart in a folder; a file holds none, whatever it is.
pub(super) fn chart_at(files: &dyn Files, place: &str, options: &DependencyOptions<'_>) -> Result<Chart> {
    match files.kind(Path::new(place)) {
        Ok(Some(Kind::File)) => Err(Error::new("helm::chart-not-found", "Chart.yaml file is missing")),
        _ => Chart::load_folder(files, Path::new(place), &options.load),
    }
}

/// The dependencies with the versions that are there.
pub(super) fn resolve(
    files: &dyn Files,
    path: &str,
    wanted: &[Dependency],
    options: &DependencyOptions<'_>,
) -> Result<Vec<Dependency>> {
    let (mut locked, mut missing) = (Vec::new(), Vec::new());
    for dependency in wanted {
        let Dependency { name, version, repository, .. } = dependency;
        let range = constraints(&go::quote(name), version)?;
        let chosen = if repository.is_empty() {
            place(files, path, &go::join("charts", name))?;
            Some(version.clone())
        } else if is_local(dependency) {
            let place = place(files, path, repository)?;
            let found = chart_at(files, &place, options)?.metadata.version;
            Version::parse(&found).is_ok_and(|found| range.check(&found)).then_some(found)
        } else {
            return Err(remote(dependency));
        };
        match chosen {
            Some(version) => locked.push(Dependency {
                name: name.clone(),
                version,
                repository: repository.clone(),
                ..Dependency::default()
            }),
            None => {
                let [name, repository, version] = [name, repository, version].map(|text| go::quote(text));
                missing.push(format!("{name} (repository {repository}, version {version})"));
            }
        }
    }
    if missing.is_empty() {
        return Ok(locked);
    }
    let text = format!(
        "can't get a valid version for {} subchart(s): {}. Make sure a matching chart version exists in the repo, or change \
         the version constraint in Chart.yaml",
        missing.len(),
        missing.join(", ")
    );
    Err(Error::new("helm::no-fitting-version", text))
}

/// A range of versions. `name` is the dependency as the message names it.
pub(super) fn constraints(name: &str, range: &str) -> Result<Constraints> {
    Constraints::parse(range).map_err(|problem| {
        let text = format!("dependency {name} has an invalid version/constraint format: {problem}");
        Error::new("helm::version", text)
    })
}

/// That a dependency would have to be fetched.
pub(super) fn remote(dependency: &Dependency) -> Error {
    let Dependency { name, repository, .. } = dependency;
    let text = format!(
        "dependency `{name}` comes from `{repository}`: that needs the network, and charts are files here"
    );
    let hint = "`helm dependency build` keeps an archive in charts/ that Chart.lock names";
    Error::with_peer(Diagnostic::error("helm::unavailable", text.clone()).with_hint(hint), text)
}
