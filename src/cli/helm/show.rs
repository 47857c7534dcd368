use super::Setting;
use super::arguments::{HelmProgram, ShowArguments, Shown};
use super::template::chart;
use crate::cli::Failure;
use clap::CommandFactory;
use kapstan_helm::{Show, show};
use std::io::Write;

/// Prints a part of a chart.
pub(super) fn run(setting: &Setting<'_>, arguments: &ShowArguments) -> Result<(), Failure> {
    let Some(what) = arguments.what else {
        let mut program = HelmProgram::command();
        let show = program.find_subcommand_mut("show").map(clap::Command::render_long_help);
        return Ok(write!(std::io::stdout(), "{}", show.unwrap_or_default())?);
    };
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
    let text = show(&chart(setting, path)?, part, setting.profile).map_err(|error| setting.failure(error))?;
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}
