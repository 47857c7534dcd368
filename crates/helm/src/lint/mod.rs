//! The checks of `helm lint`.

mod chart_file;
mod crds;
mod deprecations;
mod duplicates;
mod names;
mod subcharts;
mod templates;
mod urls;
mod values;

use crate::chart::{Chart, LoadOptions, archive_files};
use crate::error::{Error, Result};
use crate::render::RenderOptions;
use crate::{Profile, go};
use kapstan_document::Node;
use kapstan_files::{Files, Memory, slashed};
use std::fmt;
use std::path::{Path, PathBuf};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LintSeverity {
    /// Worth knowing.
    Info,
    /// Not as it should be.
    Warning,
    /// Will not work.
    Error,
}

/// What a check found. Displayed as Helm prints it: `[WARNING] templates/: directory does not exist`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintMessage {
    /// How bad it is.
    pub severity: LintSeverity,
    /// The file or folder, below the chart.
    pub path: String,
    /// What is wrong.
    pub text: String,
}

impl fmt::Display for LintMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.severity {
            LintSeverity::Info => "INFO",
            LintSeverity::Warning => "WARNING",
            LintSeverity::Error => "ERROR",
        };
        write!(f, "[{name}] {}: {}", self.path, self.text)
    }
}

/// A chart in a folder, and what was found about it.
pub(crate) struct Linter<'l> {
    pub(crate) files: &'l dyn Files,
    pub(crate) folder: PathBuf,
    /// How messages name the folder.
    pub(crate) shown: String,
    pub(crate) values: &'l Node,
    pub(crate) options: &'l RenderOptions<'l>,
    pub(crate) messages: Vec<LintMessage>,
}

/// Checks the chart at a path, a folder or an archive, with the values of a user.
///
/// Of `options` the namespace, the version of Kubernetes, the profile and what rendering needs count. Fails, in Helm's
/// words, where there is no chart.
pub fn lint(
    files: &dyn Files,
    path: &str,
    values: &Node,
    options: &RenderOptions<'_>,
) -> Result<Vec<LintMessage>> {
    if path.ends_with(".tgz") || path.ends_with(".tar.gz") {
        let unpacked = unpack(files, path, options)?;
        return lint_folder(&unpacked, PathBuf::from(UNPACKED), path, values, options);
    }
    let shown = slashed(&files.absolute(Path::new(path)));
    lint_folder(files, PathBuf::from(path), shown.trim_end_matches('/'), values, options)
}

/// Where the files of an archive lie while they are checked.
const UNPACKED: &str = "chart";

fn unpack(files: &dyn Files, path: &str, options: &RenderOptions<'_>) -> Result<Memory> {
    let data = files.read(Path::new(path)).map_err(|_| {
        Error::new(
            "helm::unreadable",
            format!("unable to open tarball: open {path}: no such file or directory"),
        )
    })?;
    let load =
        LoadOptions { profile: options.profile, limits: crate::Limits::default(), sources: options.sources };
    let unpacked = archive_files(&data, &load).map_err(|error| error.within("unable to extract tarball"))?;
    let at = |name: &str| Path::new(UNPACKED).join(name);
    Ok(unpacked.into_iter().fold(Memory::new(), |memory, file| memory.with(at(&file.name), &file.data)))
}

fn lint_folder(
    files: &dyn Files,
    folder: PathBuf,
    shown: &str,
    values: &Node,
    options: &RenderOptions<'_>,
) -> Result<Vec<LintMessage>> {
    if !matches!(files.kind(&folder.join("Chart.yaml")), Ok(Some(_))) {
        let path = go::join(&folder.to_string_lossy(), "Chart.yaml");
        let text =
            format!("unable to check Chart.yaml file in chart: stat {path}: no such file or directory");
        return Err(Error::new("helm::chart-not-found", text));
    }
    let mut linter = Linter { files, folder, shown: shown.to_owned(), values, options, messages: Vec::new() };
    chart_file::check(&mut linter);
    values::check(&mut linter);
    templates::check(&mut linter);
    subcharts::check(&mut linter);
    if !options.profile.is_v3() {
        crds::check(&mut linter);
    }
    Ok(linter.messages)
}

impl Linter<'_> {
    pub(crate) fn profile(&self) -> Profile {
        self.options.profile
    }

    /// Notes what is wrong, if anything; whether nothing is.
    pub(crate) fn rule(&mut self, severity: LintSeverity, path: &str, problem: Option<String>) -> bool {
        let is_fine = problem.is_none();
        self.messages.extend(problem.map(|text| LintMessage { severity, path: path.to_owned(), text }));
        is_fine
    }

    pub(crate) fn error(&mut self, path: &str, problem: Option<String>) -> bool {
        self.rule(LintSeverity::Error, path, problem)
    }

    pub(crate) fn warning(&mut self, path: &str, problem: Option<String>) -> bool {
        self.rule(LintSeverity::Warning, path, problem)
    }

    pub(crate) fn read(&self, name: &str) -> Option<std::sync::Arc<[u8]>> {
        self.files.read(&self.folder.join(name)).ok()
    }

    pub(crate) fn chart(&self) -> Result<Chart> {
        let LoadOptions { profile, limits, sources } = LoadOptions {
            profile: self.profile(),
            limits: crate::Limits::default(),
            sources: self.options.sources,
        };
        Chart::load_folder(self.files, &self.folder, &LoadOptions { profile, limits, sources })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kapstan_diagnostic::Sources;
    use kapstan_document::Map;
    use kapstan_gotemplate::functions::sprig::{FixedClock, Host, Random};

    fn messages(files: &Memory, profile: Profile) -> Vec<String> {
        let sources = Sources::new();
        let host = || Host::new(FixedClock::default(), Random::seeded(b"x"));
        let options = RenderOptions { profile, ..RenderOptions::new("x", &host, &sources) };
        let messages = lint(files, "web", &Map::new().into(), &options).unwrap();
        messages.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_bare_chart_has_advice() {
        let files = Memory::new().with("web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2\nfoo: 1\n");
        assert_eq!(
            messages(&files, Profile::V4_2),
            [
                "[WARNING] Chart.yaml: failed to strictly parse chart metadata file\n\terror unmarshaling JSON: while \
                 decoding JSON: json: unknown field \"foo\"",
                "[ERROR] Chart.yaml: version should be of type string but it's of type float64",
                "[INFO] Chart.yaml: icon is recommended",
                "[WARNING] Chart.yaml: version '1.2' is not a valid SemVerV2",
                "[INFO] values.yaml: file does not exist",
                "[WARNING] templates/: directory does not exist",
            ]
        );
        assert_eq!(messages(&files, Profile::V3).len(), 3);
    }

    #[test]
    fn manifests_are_looked_at() {
        let files = Memory::new()
            .with("web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.0\nicon: https://x/y.png\n")
            .with("web/values.yaml", "a: 1\n")
            .with("web/templates/a.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: B_d}\n")
            .with("web/templates/b.yaml", "  kind: {{ required \"no\" .Values.zz }}\n")
            .with(
                "web/templates/c.yaml",
                "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: x}\n",
            )
            .with("web/templates/d.json", "");
        let found = messages(&files, Profile::V4_2);
        let name = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
                    start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
                    '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
        assert_eq!(
            found,
            [
                format!(
                    "[WARNING] templates/a.yaml: object name does not conform to Kubernetes naming requirements: \"B_d\": \
                     metadata.name: Invalid value: \"B_d\": {name}"
                ),
                "[ERROR] templates/a.yaml: a Deployment must contain matchLabels or matchExpressions, and \"B_d\" does not"
                    .to_owned(),
                "[WARNING] templates/b.yaml: document starts with an illegal indent: \"  kind: \", which may cause parsing \
                 problems"
                    .to_owned(),
                format!(
                    "[WARNING] templates/b.yaml: object name does not conform to Kubernetes naming requirements: \"\": \
                     metadata.name: Invalid value: \"\": {name}"
                ),
                "[WARNING] templates/c.yaml: policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in \
                 v1.25+; use policy/v1 PodDisruptionBudget"
                    .to_owned(),
                "[ERROR] templates/d.json: file extension '.json' not valid. Valid extensions are .yaml, .yml, .tpl, or .txt"
                    .to_owned(),
            ]
        );
    }
}
