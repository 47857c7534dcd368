//! What `helm dependency list` prints.

use crate::chart::{Chart, Dependency, LoadOptions};
use crate::error::Result;
use crate::{go, pattern};
use kapstan_files::{Files, Kind};
use kapstan_gotemplate::semver::{Constraints, Version};
use std::path::Path;

/// The table of a chart's dependencies and their state, with warnings under it. `path` is where the chart lies, as the
/// user named it; `width` is the widest that a column may be (Helm: 80).
pub fn dependency_list(
    files: &dyn Files,
    path: &str,
    width: usize,
    options: &LoadOptions<'_>,
) -> Result<String> {
    let chart = Chart::load(files, Path::new(path), options)?;
    let folder = go::join(path, "charts");
    let Some(dependencies) = &chart.metadata.dependencies else {
        return Ok(format!("WARNING: no dependencies at {folder}\n"));
    };
    let listing = Listing { files, folder: &folder, chart: &chart, options };
    let mut rows = vec![["NAME", "VERSION", "REPOSITORY", "STATUS"].map(str::to_owned)];
    for dependency in dependencies {
        let Dependency { name, version, repository, .. } = dependency;
        let status = listing.status(dependency).to_owned();
        rows.push([name.clone(), version.clone(), repository.clone(), status]);
    }
    Ok(format!("{}\n\n{}", table(&rows, width), listing.warnings(dependencies)))
}

struct Listing<'l> {
    files: &'l dyn Files,
    folder: &'l str,
    chart: &'l Chart,
    options: &'l LoadOptions<'l>,
}

impl Listing<'_> {
    fn status(&self, dependency: &Dependency) -> &'static str {
        let wanted = format!("{}-*.tgz", dependency.name);
        let names = self.files.list(Path::new(self.folder)).unwrap_or_default();
        let mut archives = Vec::new();
        for entry in names {
            match pattern::matches(&wanted, &entry.name) {
                Ok(true) => archives.push(entry.name),
                Ok(false) => {}
                Err(_) => return "bad pattern",
            }
        }
        if archives.len() > 1 {
            let prefix = format!("{}-", dependency.name);
            archives.retain(|name| {
                let version = name.trim_end_matches(".tgz");
                is_strict(version.strip_prefix(&prefix).unwrap_or(version))
            });
            if archives.len() > 1 {
                return "too many matches";
            }
        }
        if let Some(archive) = archives.first() {
            return self.archive_status(archive, dependency);
        }
        let unpacked = self.chart.dependencies.iter().rfind(|chart| chart.name() == dependency.name);
        match unpacked {
            None => "missing",
            Some(chart) => fitness(dependency, &chart.metadata.version).unwrap_or("unpacked"),
        }
    }

    fn archive_status(&self, archive: &str, dependency: &Dependency) -> &'static str {
        let path = go::join(self.folder, archive);
        match Chart::load(self.files, Path::new(&path), self.options) {
            Err(_) => "corrupt",
            Ok(chart) if chart.name() != dependency.name => "misnamed",
            Ok(chart) => fitness(dependency, &chart.metadata.version).unwrap_or("ok"),
        }
    }

    /// What lies in the folder and is none of the dependencies.
    fn warnings(&self, dependencies: &[Dependency]) -> String {
        let mut text = String::new();
        for entry in self.files.list(Path::new(self.folder)).unwrap_or_default() {
            if entry.kind != Some(Kind::Folder) && go::extension(&entry.name) != ".tgz" {
                continue;
            }
            let path = go::join(self.folder, &entry.name);
            let quoted = go::quote(&path);
            match Chart::load(self.files, Path::new(&path), self.options) {
                Err(_) => text.push_str(&format!("WARNING: {quoted} is not a chart.\n")),
                Ok(chart) if dependencies.iter().any(|dependency| dependency.name == chart.name()) => {}
                Ok(_) => text.push_str(&format!("WARNING: {quoted} is not in Chart.yaml.\n")),
            }
        }
        text
    }
}

/// What is wrong with a version, if anything.
fn fitness(dependency: &Dependency, version: &str) -> Option<&'static str> {
    if version == dependency.version {
        return None;
    }
    match (Constraints::parse(&dependency.version), Version::parse(version)) {
        (Ok(range), Ok(version)) if range.check(&version) => None,
        (Ok(_), Ok(_)) => Some("wrong version"),
        _ => Some("invalid version"),
    }
}

/// Whether a text is a version with all its three numbers.
pub(crate) fn is_strict(text: &str) -> bool {
    let core = text.split(['-', '+']).next().unwrap_or(text);
    let parts: Vec<&str> = core.split('.').collect();
    let is_number = |part: &&str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && (*part == "0" || !part.starts_with('0'))
    };
    parts.len() == 3 && parts.iter().all(is_number) && Version::parse(text).is_ok()
}

/// Columns of equal width with a tab between them; what is too wide ends in dots.
fn table(rows: &[[String; 4]], most: usize) -> String {
    let mut widths = [0; 4];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count().min(most));
        }
    }
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(widths).map(|(cell, width)| resized(cell, width));
        cells.collect::<Vec<_>>().join("\t")
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn resized(cell: &str, width: usize) -> String {
    let length = cell.chars().count();
    if length <= width || width == 0 {
        return format!("{cell:<width$}");
    }
    let kept = width.saturating_sub(3).max(1);
    format!("{}...", cell.chars().take(kept).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Profile};
    use kapstan_diagnostic::Sources;
    use kapstan_files::Memory;

    #[test]
    fn dependencies_are_listed_with_their_state() {
        let files = Memory::new()
            .with(
                "web/Chart.yaml",
                "name: web\nversion: 1\napiVersion: v2\ndependencies:\n- {name: a, version: 1.x, repository: 'https://x'}\n\
                 - {name: b, version: '>2'}\n- {name: c, version: 1}\n",
            )
            .with("web/charts/a/Chart.yaml", "name: a\nversion: 1.2.0\n")
            .with("web/charts/b/Chart.yaml", "name: b\nversion: 1.2.0\n")
            .with("web/charts/d/Chart.yaml", "name: d\nversion: 1.2.0\n");
        let sources = Sources::new();
        let options = LoadOptions { profile: Profile::V4_2, limits: Limits::default(), sources: &sources };
        assert_eq!(
            dependency_list(&files, "web", 80, &options).unwrap(),
            "NAME\tVERSION\tREPOSITORY\tSTATUS       \na   \t1.x    \thttps://x \tunpacked     \n\
             b   \t>2     \t          \twrong version\nc   \t1      \t          \tmissing      \n\n\
             WARNING: \"web/charts/d\" is not in Chart.yaml.\n"
        );
    }
}
