use super::Setting;
use super::arguments::DependencyListArguments;
use crate::cli::Failure;
use kapstan_helm::dependency_list;
use std::io::Write;

/// Lists the charts that a chart depends on.
pub(super) fn run(setting: &Setting<'_>, arguments: &DependencyListArguments) -> Result<(), Failure> {
    let path = arguments.chart.as_deref().unwrap_or(".");
    let text = dependency_list(&setting.files, path, arguments.max_col_width, &setting.load_options())
        .map_err(|error| setting.failure(error))?;
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}
