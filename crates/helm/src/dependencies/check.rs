use crate::Profile;
use crate::chart::Chart;
use crate::error::{Error, Result};
use kapstan_diagnostic::Diagnostic;

/// The names of the dependencies for which the chart has no subchart.
pub fn missing(chart: &Chart) -> Vec<&str> {
    let declared = chart.metadata.dependencies.iter().flatten().map(|dependency| dependency.name.as_str());
    declared.filter(|name| !chart.dependencies.iter().any(|subchart| subchart.name() == *name)).collect()
}

/// Refuses a chart that lacks subcharts which it declares.
pub(crate) fn check(chart: &Chart, profile: Profile) -> Result<()> {
    let missing = missing(chart);
    if missing.is_empty() {
        return Ok(());
    }
    let missing = missing.join(", ");
    let advice = if profile.is_v3() {
        "An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch \
         missing dependencies"
    } else {
        "an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' to fetch \
         missing dependencies"
    };
    let diagnostic = Diagnostic::error(
        "helm::missing-dependencies",
        format!("chart `{}` lacks subcharts that it declares: {missing}", chart.name()),
    )
    .with_hint("`helm dependency build` fetches them");
    let text = format!("{advice}: found in Chart.yaml, but missing in charts/ directory: {missing}");
    Err(Error::with_peer(diagnostic, text))
}
