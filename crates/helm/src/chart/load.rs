use super::archive::{self, Budget};
use super::directory::{self, too_much};
use super::documents::read_values;
use super::metadata::{Draft, Lock};
use super::{Chart, File, Limits};
use crate::error::{Error, Result};
use crate::yaml::{self, ReadError};
use crate::{Profile, go, log};
use kapstan_diagnostic::{Diagnostic, Sources};
use kapstan_document::Node;
use kapstan_files::{Files, Kind, slashed};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// How charts are loaded.
#[derive(Clone, Copy)]
pub struct LoadOptions<'o> {
    /// Which Helm is followed.
    pub profile: Profile,
    /// What is too much.
    pub limits: Limits,
    /// Where the files that messages point into are kept.
    pub sources: &'o Sources,
}

/// Loads the chart at a path: a folder, or an archive.
pub(super) fn load(files: &dyn Files, path: &Path, options: &LoadOptions<'_>) -> Result<Chart> {
    match files.kind(path) {
        Ok(Some(Kind::Folder)) => load_folder(files, path, options),
        Ok(Some(Kind::File)) => {
            let data = files.read(path).map_err(|error| missing(path, &error.to_string()))?;
            // Helm names a file that is no archive by its whole path.
            archive::check_kind(&go::clean(&slashed(&files.absolute(path))), &data)?;
            load_archive(&data, &path.to_string_lossy(), options)
        }
        Ok(None) => Err(missing(path, "no such file or directory")),
        Err(error) => Err(missing(path, &error.to_string())),
    }
}

fn missing(path: &Path, reason: &str) -> Error {
    Error::new("helm::chart-not-found", format!("stat {}: {reason}", path.display()))
}

fn load_folder(files: &dyn Files, path: &Path, options: &LoadOptions<'_>) -> Result<Chart> {
    if !options.profile.is_v3() {
        // Helm 4 looks at the version of the chart's form before anything else, whatever .helmignore says.
        let chart_file = path.join("Chart.yaml");
        let data = files.read(&chart_file).map_err(|error| {
            let shown = slashed(&files.absolute(&chart_file));
            let reason = go_reason(&error);
            let text = format!("unable to detect chart at {shown}: open {shown}: {reason}");
            Error::new("helm::chart-not-found", text)
        })?;
        check_form(&data, options)?;
    }
    load_files(files, path, options)
}

/// Loads the chart in a folder without a look at its form.
pub(super) fn load_files(files: &dyn Files, path: &Path, options: &LoadOptions<'_>) -> Result<Chart> {
    let read = directory::read(files, path, &options.limits)?;
    let mut budget = Budget::new(&options.limits);
    let name = path.to_string_lossy();
    Loader { options, budget: &mut budget }.assemble(read, &name, 0)
}

fn go_reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// Loads the chart that an archive holds. `name` is the path as the user gave it.
pub(super) fn load_archive(data: &[u8], name: &str, options: &LoadOptions<'_>) -> Result<Chart> {
    archive::check_kind(name, data)?;
    let mut budget = Budget::new(&options.limits);
    let read = archive::read(data, &mut budget, options.profile).map_err(|error| {
        if error.text() == "gzip: invalid header" {
            let text = format!("file '{name}' does not appear to be a valid chart file (details: {error})");
            return Error::new("helm::not-an-archive", text);
        }
        if options.profile.is_v3() {
            return error;
        }
        // Helm 4 says no more than this; the reason goes into our own message.
        let diagnostic = Diagnostic::error("helm::unreadable-archive", error.text()).with_hint(
            "the archive may be incomplete, or made to do harm; `helm package` makes one from a folder",
        );
        Error::with_peer(diagnostic, "unable to load chart archive")
    })?;
    if !options.profile.is_v3() {
        let text = "unable to detect chart version, no Chart.yaml found";
        let chart_file = read.iter().find(|file| file.name == "Chart.yaml");
        let chart_file = chart_file.ok_or_else(|| Error::new("helm::chart-not-found", text))?;
        check_form(&chart_file.data, options)?;
    }
    Loader { options, budget: &mut budget }.assemble(read, name, 0)
}

/// The files of an archive.
pub(crate) fn archive_files(data: &[u8], options: &LoadOptions<'_>) -> Result<Vec<File>> {
    archive::read(data, &mut Budget::new(&options.limits), options.profile)
}

/// Refuses charts whose `apiVersion` is none that Helm 4 knows.
fn check_form(data: &[u8], options: &LoadOptions<'_>) -> Result<()> {
    use super::decode::{Decoder, Target, field_of};
    let source = options.sources.add("Chart.yaml", data);
    let node = yaml::read(data, source).map_err(|error| unreadable("Chart.yaml", error))?;
    let mut decoder = Decoder::default();
    let mut form = String::new();
    for (key, value) in decoder.fields(&node, Target { structure: "", path: "" }, "loader.chartBase") {
        if field_of(&["apiVersion"], key).is_some() {
            decoder.string(value, Target { structure: "chartBase", path: "apiVersion" }, &mut form);
        }
    }
    decoder.finish().map_err(|text| wrong_kind("Chart.yaml", text))?;
    match form.as_str() {
        "" | "v1" | "v2" => Ok(()),
        "v3" => Err(Error::with_peer(
            Diagnostic::error(
                "helm::chart-form",
                "charts of form `v3` are an experiment of Helm's and not supported",
            ),
            "invalid chart apiVersion",
        )),
        _ => Err(Error::new("helm::chart-form", "unsupported chart version")),
    }
}

fn unreadable(file: &str, error: ReadError) -> Error {
    Error::with_peer(error.diagnostic, error.text).within(&format!("cannot load {file}"))
}

fn wrong_kind(file: &str, text: String) -> Error {
    Error::new("helm::invalid-chart", text).within(&format!("cannot load {file}"))
}

struct Loader<'l> {
    options: &'l LoadOptions<'l>,
    budget: &'l mut Budget,
}

impl Loader<'_> {
    /// Makes a chart of its files. `place` is what people see before the names of its files.
    fn assemble(&mut self, files: Vec<File>, place: &str, depth: usize) -> Result<Chart> {
        let limits = self.options.limits;
        if depth > limits.chart_depth {
            let text = format!("charts lie more than {} deep in each other at {place}", limits.chart_depth);
            return Err(Error::new("helm::chart-too-deep", text));
        }
        let mut chart = Chart { place: place.to_owned(), ..Chart::default() };
        let mut draft = None;
        for file in files.iter().filter(|file| file.name == "Chart.yaml") {
            let draft = draft.get_or_insert_with(Draft::default);
            self.take(draft, file, place)?;
            if draft.metadata.api_version.is_empty() {
                "v1".clone_into(&mut draft.metadata.api_version);
            }
            chart.modified = file.modified;
        }
        let mut subcharts: BTreeMap<String, Vec<File>> = BTreeMap::new();
        for file in &files {
            self.sort_in(file, &mut chart, &mut draft, &mut subcharts)?;
        }
        let Some(draft) = draft else {
            return Err(Error::new("helm::chart-not-found", "Chart.yaml file is missing"));
        };
        chart.metadata = draft.validate()?;
        chart.raw = files;
        for (name, files) in subcharts {
            if name.starts_with(['_', '.']) {
                continue;
            }
            let subchart = self.subchart(&name, files, &chart, depth);
            let context = format!("error unpacking subchart {name} in {}", chart.metadata.name);
            chart.dependencies.push(Arc::new(subchart.map_err(|error| error.within(&context))?));
        }
        Ok(chart)
    }

    fn take(&self, draft: &mut Draft, file: &File, place: &str) -> Result<()> {
        let node = self.read(file, place)?;
        draft.take(&node, self.options.profile).map_err(|text| wrong_kind(&file.name, text))
    }

    fn read(&self, file: &File, place: &str) -> Result<Node> {
        let source = self.options.sources.add(shown(place, &file.name), file.data.clone());
        yaml::read(&file.data, source).map_err(|error| unreadable(&file.name, error))
    }

    /// Puts a file where it belongs by its name.
    fn sort_in(
        &self,
        file: &File,
        chart: &mut Chart,
        draft: &mut Option<Draft>,
        subcharts: &mut BTreeMap<String, Vec<File>>,
    ) -> Result<()> {
        match file.name.as_str() {
            "Chart.yaml" => {}
            "Chart.lock" => chart.lock = self.lock(file, chart)?,
            "values.yaml" => {
                let source = self.options.sources.add(shown(&chart.place, &file.name), file.data.clone());
                let values = read_values(&file.data, source, self.options.profile).map_err(|error| {
                    Error::with_peer(error.diagnostic, error.text).within("cannot load values.yaml")
                })?;
                chart.values = Some(values);
            }
            "values.schema.json" => chart.schema = Some(file.clone()),
            "requirements.yaml" => {
                let draft = draft.get_or_insert_with(Draft::default);
                self.take(draft, file, &chart.place)?;
                self.keep_old_file(
                    file,
                    chart,
                    draft,
                    "load.go:120",
                    "Dependencies are handled in Chart.yaml since apiVersion \"v2\". \
                    We recommend migrating dependencies to Chart.yaml.",
                );
            }
            "requirements.lock" => {
                chart.lock = self.lock(file, chart)?;
                let draft = draft.get_or_insert_with(Draft::default);
                self.keep_old_file(
                    file,
                    chart,
                    draft,
                    "load.go:138",
                    "Dependency locking is handled in Chart.lock since apiVersion \
                    \"v2\". We recommend migrating to Chart.lock.",
                );
            }
            name if name.starts_with("templates/") => chart.templates.push(file.clone()),
            name if name.starts_with("charts/") && go::extension(name) != ".prov" => {
                let below = &name["charts/".len()..];
                let first = below.split('/').next().unwrap_or(below).to_owned();
                let below = File { name: below.to_owned(), ..file.clone() };
                subcharts.entry(first).or_default().push(below);
            }
            _ => chart.files.push(file.clone()),
        }
        Ok(())
    }

    fn lock(&self, file: &File, chart: &Chart) -> Result<Option<Lock>> {
        let node = self.read(file, &chart.place)?;
        Lock::read(&node, self.options.profile).map_err(|text| wrong_kind(&file.name, text))
    }

    /// Files of form v1 are to be seen by templates; in form v2 they are out of place.
    fn keep_old_file(&self, file: &File, chart: &mut Chart, draft: &Draft, place: &str, advice: &str) {
        if draft.metadata.api_version == "v1" {
            chart.files.push(file.clone());
        } else {
            let shown = shown(&chart.place, &file.name);
            let text = format!("Warning: {advice}");
            let said = log::printed(self.options.profile, "helm::old-dependency-file", place, &text);
            let message = format!("`{shown}` is out of date");
            chart.warnings.push(Diagnostic { message, ..said }.with_hint(advice));
        }
    }

    fn subchart(&mut self, name: &str, files: Vec<File>, parent: &Chart, depth: usize) -> Result<Chart> {
        let place = format!("{}/charts/{name}", parent.place);
        if go::extension(name) == ".tgz" {
            let first = &files[0];
            if first.name != name {
                let text = format!(
                    "error unpacking subchart tar in {}: expected {name}, got {}",
                    parent.metadata.name, first.name
                );
                return Err(Error::new("helm::invalid-chart", text));
            }
            if depth >= self.options.limits.chart_depth {
                return Err(too_much(&self.options.limits));
            }
            let unpacked = archive::read(&first.data, self.budget, self.options.profile)?;
            return self.assemble(unpacked, &place, depth + 1);
        }
        let inner = files.into_iter().filter_map(|file| {
            let name = file.name.split_once('/')?.1.to_owned();
            Some(File { name, ..file })
        });
        self.assemble(inner.collect(), &place, depth + 1)
    }
}

/// A file of a chart as people see it.
fn shown(place: &str, name: &str) -> String {
    if place.is_empty() || place == "." {
        name.to_owned()
    } else {
        format!("{}/{name}", place.trim_end_matches('/'))
    }
}
