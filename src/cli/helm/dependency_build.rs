use super::arguments::DependencyBuildArguments;
use super::{Setting, package};
use crate::cli::Failure;
use jiff::Zoned;
use kapstan_helm::{DependencyChange, DependencyOptions, dependency_build, dependency_update};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Brings the charts together that a chart depends on.
pub(super) fn run(
    setting: &Setting<'_>,
    arguments: &DependencyBuildArguments,
    is_update: bool,
) -> Result<(), Failure> {
    let name = if is_update { "update" } else { "build" };
    let path = match &arguments.chart[..] {
        [] => ".",
        [path] => path,
        _ => {
            return Err(setting.refused(format!(
                "\"helm dependency {name}\" accepts at most 1 argument\n\nUsage:  helm dependency {name} CHART [flags]"
            )));
        }
    };
    bring_together(setting, path, is_update, &mut std::io::stdout().lock())
}

/// The same for the chart at a path; `out` gets what Helm says about it.
pub(super) fn bring_together(
    setting: &Setting<'_>,
    path: &str,
    is_update: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let options = DependencyOptions {
        load: setting.load_options(),
        is_debug: setting.is_debug,
        now: Some(SystemTime::now()),
        generated: now(),
    };
    // Paths are told without what does not matter in them.
    let path: PathBuf = Path::new(path).components().collect();
    let path = if path.as_os_str().is_empty() { ".".into() } else { path };
    let mut said = String::new();
    let make = if is_update { dependency_update } else { dependency_build };
    let made = make(&setting.files, &kapstan_files::slashed(&path), &options, &mut said);
    out.write_all(said.as_bytes())?;
    let change = made.map_err(|error| setting.failure(error))?;
    change_folder(&path, &change)
        .map_err(|error| setting.refused(format!("cannot change `{}`: {error}", path.display())))?
        .map_or(Ok(()), |problem| Err(setting.refused(problem)))
}

/// Carries a change out. Says, in Helm's words, why a lock stays.
fn change_folder(chart: &Path, change: &DependencyChange) -> std::io::Result<Option<String>> {
    let charts = chart.join("charts");
    if change.has_charts {
        fs::create_dir_all(&charts)?;
    }
    change.archives.iter().try_for_each(|one| package::write(&charts.join(&one.name), &one.archive))?;
    change.outdated.iter().try_for_each(|name| fs::remove_file(charts.join(name)))?;
    let Some((name, text)) = &change.lock else { return Ok(None) };
    let place = chart.join(name);
    if let Ok(target) = fs::read_link(&place) {
        return Ok(Some(format!("the {name} file is a symlink to {:?}", target.display().to_string())));
    }
    package::write(&place, text.as_bytes()).map(|()| None)
}

/// The present time as a lock has it: to the nanosecond, without zeros at its end, and `Z` where there is no offset.
fn now() -> String {
    let now = Zoned::now();
    let mut text = now.strftime("%Y-%m-%dT%H:%M:%S").to_string();
    let nanoseconds = format!(".{:09}", now.subsec_nanosecond());
    text.push_str(nanoseconds.trim_end_matches('0').trim_end_matches('.'));
    match now.offset().seconds() {
        0 => text.push('Z'),
        _ => text.push_str(&now.strftime("%:z").to_string()),
    }
    text
}
