use super::Session;
use super::arguments::{ShowArguments, Shown};
use super::template::chart;
use crate::cli::Failure;
use kapstan_helm::{Show, show};
use std::io::Write;

/// Prints a part of a chart.
pub(super) fn run(session: &Session<'_>, arguments: &ShowArguments) -> Result<(), Failure> {
    let what = arguments.what.map_or("", Shown::name);
    let [path] = &arguments.chart[..] else {
        return Err(session.not_one(&format!("show {what}"), "[CHART]", arguments.chart.len()));
    };
    let part = match arguments.what {
        None | Some(Shown::All) => Show::All,
        Some(Shown::Chart) => Show::Chart,
        Some(Shown::Crds) => Show::Crds,
        Some(Shown::Readme) => Show::Readme,
        Some(Shown::Values) => Show::Values,
    };
    let text = show(&chart(session, path)?, part, session.profile).map_err(|error| session.failure(error))?;
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}
