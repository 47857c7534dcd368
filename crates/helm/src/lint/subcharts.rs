use super::Linter;
use crate::dependencies::missing;

/// Whether the charts under `charts/` are those that are declared.
pub(super) fn check(linter: &mut Linter<'_>) {
    let loaded = linter.chart();
    let problem = loaded.as_ref().err().map(|error| format!("unable to load chart\n\t{}", error.text()));
    if !linter.error("", problem) {
        return;
    }
    let Ok(chart) = loaded else { return };
    let shown = linter.shown.clone();
    let declared: Vec<&str> =
        chart.metadata.dependencies.iter().flatten().map(|dependency| dependency.name.as_str()).collect();
    let unknown: Vec<&str> = chart
        .dependencies
        .iter()
        .map(|subchart| subchart.name())
        .filter(|name| !declared.contains(name))
        .collect();
    linter.error(
        &shown,
        (!unknown.is_empty())
            .then(|| format!("chart metadata is missing these dependencies: {}", unknown.join(","))),
    );
    let missing = missing(&chart).join(",");
    linter.warning(
        &shown,
        (!missing.is_empty()).then(|| format!("chart directory is missing these dependencies: {missing}")),
    );
}
