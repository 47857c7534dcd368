//! What `helm show` prints.

use crate::chart::{Chart, File};
use crate::error::{Error, Result};
use crate::jsonpath::JsonPath;
use crate::render::crd_files;
use crate::{Profile, yaml};

/// What is to be shown of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// Everything.
    All,
    /// `Chart.yaml`
    Chart,
    /// `values.yaml`, as it is.
    Values,
    /// The README.
    Readme,
    /// The CRDs, of subcharts too.
    Crds,
}

const READMES: &[&str] = &["readme.md", "readme.txt", "readme"];

/// The text that `helm show values --jsonpath` prints of a chart: nothing where the template asks for what is not there.
///
/// Fails where the template is none.
pub fn show_json_path(chart: &Chart, template: &str) -> Result<String> {
    let parsed = JsonPath::parse(template).map_err(|problem| {
        Error::new("helm::json-path", format!("error parsing jsonpath {template}: {problem}"))
    });
    let Some(values) = &chart.values else { return Ok(String::new()) };
    Ok(parsed?.print(values).unwrap_or_default())
}

/// The text that `helm show` prints of a chart.
pub fn show(chart: &Chart, what: Show, profile: Profile) -> Result<String> {
    let wants = |part: Show| what == part || what == Show::All;
    let is_all = what == Show::All;
    let mut text = String::new();
    let mut add = |content: &[u8], has_line: bool| {
        if has_line {
            text.push_str("---\n");
        }
        text.push_str(&String::from_utf8_lossy(content));
        text.push('\n');
    };
    if wants(Show::Chart) {
        let metadata = yaml::write_document(&chart.metadata.to_node(true))
            .ok_or_else(|| Error::new("helm::unwritable", "Chart.yaml cannot be written"))?;
        add(metadata.as_bytes(), false);
    }
    if wants(Show::Values)
        && let Some(file) = chart.raw.iter().find(|file| file.name == "values.yaml")
    {
        add(&file.data, is_all);
    }
    if wants(Show::Readme)
        && let Some(file) = readme(&chart.files)
    {
        add(&file.data, is_all);
    }
    if wants(Show::Crds) {
        for (at, file) in crd_files(chart).into_iter().enumerate() {
            // Helm 3 separates the CRDs from the rest, not from one another.
            let is_separated = if profile.is_v3() { is_all && at == 0 } else { true };
            add(&file.data, is_separated && !file.data.starts_with(b"---"));
        }
    }
    Ok(text)
}

fn readme(files: &[File]) -> Option<&File> {
    files.iter().find(|file| READMES.iter().any(|name| file.name.eq_ignore_ascii_case(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, LoadOptions};
    use kapstan_diagnostic::Sources;
    use kapstan_files::Memory;
    use std::path::Path;

    #[test]
    fn parts_are_shown_with_lines_between_them() {
        let files = Memory::new()
            .with("web/Chart.yaml", "name: web\nversion: 1.10\napiVersion: v2\n")
            .with("web/values.yaml", "a: 1\n")
            .with("web/ReadMe.md", "hi")
            .with("web/crds/a.yaml", "x: 1\n")
            .with("web/crds/b.yaml", "---\ny: 1\n");
        let sources = Sources::new();
        let options = LoadOptions { profile: Profile::V4_2, limits: Limits::default(), sources: &sources };
        let chart = Chart::load(&files, Path::new("web"), &options).unwrap();
        let metadata = "apiVersion: v2\nname: web\nversion: \"1.1\"\n\n";
        assert_eq!(show(&chart, Show::Chart, Profile::V4_2).unwrap(), metadata);
        assert_eq!(
            show(&chart, Show::All, Profile::V4_2).unwrap(),
            format!("{metadata}---\na: 1\n\n---\nhi\n---\nx: 1\n\n---\ny: 1\n\n")
        );
        assert_eq!(show(&chart, Show::Crds, Profile::V3).unwrap(), "x: 1\n\n---\ny: 1\n\n");
    }
}
