//! What comes into `charts/`, and what goes.

use super::resolve::{chart_at, constraints, is_local, place, remote};
use super::{DependencyChange, DependencyOptions};
use crate::chart::{Chart, Dependency};
use crate::error::{Error, Result};
use crate::go;
use crate::package::{Package, PackageOptions, archive};
use kapstan_files::{Files, Kind};
use kapstan_gotemplate::semver::Version;
use std::path::Path;

/// Packs the charts that are folders, and looks for the others. A dependency gets the version that was found.
pub(super) fn gather(
    files: &dyn Files,
    path: &str,
    dependencies: &mut [Dependency],
    options: &DependencyOptions<'_>,
    said: &mut String,
) -> Result<DependencyChange> {
    let folder = go::join(path, "charts");
    if matches!(files.kind(Path::new(&folder)), Ok(Some(Kind::File))) {
        let text = format!("{} is not a directory", go::quote(&folder));
        return Err(Error::new("helm::not-a-folder", text));
    }
    let gathering = Gathering { files, path, folder: &folder, options };
    said.push_str(&format!("Saving {} charts\n", dependencies.len()));
    let mut change = DependencyChange { has_charts: true, ..DependencyChange::default() };
    let mut kept = Vec::new();
    for dependency in dependencies.iter_mut() {
        if dependency.repository.is_empty() {
            said.push_str(&format!(
                "Dependency {} did not declare a repository. Assuming it exists in the charts directory\n",
                dependency.name
            ));
            gathering.check_unpacked(dependency, said)?;
        } else if is_local(dependency) {
            if options.is_debug {
                let Dependency { name, repository, .. } = &dependency;
                said.push_str(&format!("Archiving {name} from repo {repository}\n"));
            }
            let (version, package) = gathering.pack(dependency).map_err(|error| unsaved(error, said))?;
            dependency.version = version;
            change.archives.retain(|other| other.name != package.name);
            change.archives.push(package);
        } else {
            let archive = format!("{}-{}.tgz", dependency.name, dependency.version);
            if !gathering.has(&archive, dependency) {
                return Err(unsaved(remote(dependency), said));
            }
            let Dependency { name, repository, .. } = &dependency;
            said.push_str(&format!("Already downloaded {name} from repo {repository}\n"));
            kept.push(archive);
        }
    }
    said.push_str("Deleting outdated charts\n");
    kept.extend(change.archives.iter().map(|package| package.name.clone()));
    change.outdated = gathering.outdated(&kept, dependencies, said);
    Ok(change)
}

/// An error that Helm tells twice.
fn unsaved(error: Error, said: &mut String) -> Error {
    said.push_str(&format!("Save error occurred:  {error}\n"));
    error
}

struct Gathering<'g> {
    files: &'g dyn Files,
    path: &'g str,
    folder: &'g str,
    options: &'g DependencyOptions<'g>,
}

impl Gathering<'_> {
    /// That a chart lies unpacked in the folder, in a version that will do.
    fn check_unpacked(&self, dependency: &Dependency, said: &mut String) -> Result<()> {
        let Dependency { name, version, .. } = dependency;
        let place = go::join(self.folder, name);
        let chart = Chart::load_folder(self.files, Path::new(&place), &self.options.load)
            .map_err(|error| error.within(&format!("unable to load chart '{place}'")))?;
        let range = constraints(name, version)?;
        let found = chart.metadata.version;
        let parsed = Version::parse(&found).map_err(|problem| {
            let text = format!("invalid version {version} for dependency {name}: {problem}");
            Error::new("helm::version", text)
        })?;
        if range.check(&parsed) {
            return Ok(());
        }
        let text = format!("dependency {name} at version {found} does not satisfy the constraint {version}");
        Err(unsaved(Error::new("helm::no-fitting-version", text), said))
    }

    /// The archive of a chart in a folder, and its version.
    fn pack(&self, dependency: &Dependency) -> Result<(String, Package)> {
        let Dependency { name, version, repository, .. } = dependency;
        let place = place(self.files, self.path, repository)?;
        let chart = chart_at(self.files, &place, self.options)?;
        let range = constraints(name, version)?;
        let found = chart.metadata.version.clone();
        let parsed = Version::parse(&found).map_err(|problem| Error::new("helm::version", problem))?;
        if !range.check(&parsed) {
            let text = format!("can't get a valid version for dependency {name}");
            return Err(Error::new("helm::no-fitting-version", text));
        }
        let options = PackageOptions {
            profile: self.options.load.profile,
            now: self.options.now,
            ..PackageOptions::default()
        };
        Ok((found, archive(&chart, &options)?))
    }

    /// Whether an archive in the folder is the chart that is meant.
    fn has(&self, archive: &str, dependency: &Dependency) -> bool {
        let place = go::join(self.folder, archive);
        let Ok(data) = self.files.read(Path::new(&place)) else { return false };
        Chart::from_archive(&data, &place, &self.options.load).is_ok_and(|chart| {
            chart.metadata.name == dependency.name && chart.metadata.version == dependency.version
        })
    }

    /// The archives in the folder that belong to no dependency.
    fn outdated(&self, kept: &[String], dependencies: &[Dependency], said: &mut String) -> Vec<String> {
        let mut outdated = Vec::new();
        for entry in self.files.list(Path::new(self.folder)).unwrap_or_default() {
            if (entry.kind == Some(Kind::Folder) && !entry.is_link) || kept.contains(&entry.name) {
                continue;
            }
            let place = go::join(self.folder, &entry.name);
            match self.name_of(&place, entry.kind) {
                Ok(name) => {
                    let is_here = |one: &Dependency| one.repository.is_empty() && one.name == name;
                    if !dependencies.iter().any(is_here) {
                        outdated.push(entry.name);
                    }
                }
                Err(problem) => {
                    said.push_str(&format!("Could not verify {place} for deletion: {problem} (Skipping)\n"));
                }
            }
        }
        outdated
    }

    fn name_of(&self, place: &str, kind: Option<Kind>) -> std::result::Result<String, String> {
        match kind {
            None => return Err(format!("stat {place}: no such file or directory")),
            Some(Kind::Folder) => return Err("cannot load a directory".to_owned()),
            Some(Kind::File) => {}
        }
        let data = self.files.read(Path::new(place)).map_err(|error| format!("open {place}: {error}"))?;
        let chart =
            Chart::from_archive(&data, place, &self.options.load).map_err(|error| error.to_string())?;
        Ok(chart.metadata.name)
    }
}
