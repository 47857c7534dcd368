use super::Setting;
use super::arguments::DependencyListArguments;
use crate::cli::Failure;
use kapstan_files::Disk;
use kapstan_helm::{Limits, LoadOptions, dependency_list};
use std::io::Write;

/// Lists the charts that a chart depends on.
pub(super) fn run(setting: &Setting<'_>, arguments: &DependencyListArguments) -> Result<(), Failure> {
    let path = arguments.chart.as_deref().unwrap_or(".");
    let files = Disk::new(std::env::current_dir()?);
    let options =
        LoadOptions { profile: setting.profile, limits: Limits::default(), sources: &setting.sources };
    let text = dependency_list(&files, path, arguments.max_col_width, &options)
        .map_err(|error| setting.failure(error))?;
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}
