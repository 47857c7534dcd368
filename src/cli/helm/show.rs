use super::arguments::{ShowArguments, Shown};
use super::template::chart;
use super::{Setting, show_help};
use crate::cli::Failure;
use kapstan_helm::{Show, show, show_json_path};
use std::io::Write;

/// Prints a part of a chart.
pub(super) fn run(setting: &Setting<'_>, arguments: &ShowArguments) -> Result<(), Failure> {
    let Some(what) = arguments.what else {
        return show_help("show");
    };
    if arguments.json_path.is_some() && what != Shown::Values {
        return Err(setting.refused("unknown flag: --jsonpath"));
    }
    let [path] = &arguments.chart[..] else {
        return Err(setting.not_one(&format!("show {}", what.name()), "[CHART]", arguments.chart.len()));
    };
    let part = match what {
        Shown::All => Show::All,
        Shown::Chart => Show::Chart,
        Shown::Crds => Show::Crds,
        Shown::Readme => Show::Readme,
        Shown::Values => Show::Values,
    };
    let chart = chart(setting, path)?;
    let text = match arguments.json_path.as_deref().filter(|template| !template.is_empty()) {
        Some(template) => show_json_path(&chart, template),
        None => show(&chart, part, setting.profile),
    };
    let text = text.map_err(|error| setting.failure(error))?;
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}
