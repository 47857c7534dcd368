use super::Setting;
use super::arguments::LintArguments;
use super::outside::host;
use crate::cli::Failure;
use kapstan_files::{Files, Kind, slashed};
use kapstan_helm::{LintMessage, LintSeverity, RenderOptions, lint};
use std::io::Write;
use std::path::Path;

/// Checks charts and prints what was found about each.
pub(super) fn run(setting: &Setting<'_>, arguments: &LintArguments) -> Result<(), Failure> {
    if arguments.charts.is_empty() {
        return Err(setting.too_few("lint", "PATH"));
    }
    let request = &arguments.flags.request;
    let values = setting.user_values(request)?;
    let make_host = || host(request.seed.as_deref());
    let options = RenderOptions {
        profile: setting.profile,
        namespace: setting.namespace.clone(),
        skip_schema: request.skip_schema_validation,
        kube_version: request.kube_version.clone(),
        lint: true,
        ..RenderOptions::new("test-release", &make_host, &setting.sources)
    };
    let mut charts = arguments.charts.clone();
    if arguments.with_subcharts {
        let mut found = Vec::new();
        for chart in &arguments.charts {
            subcharts(&setting.files, &Path::new(chart).join("charts"), &mut found);
        }
        charts.extend(found);
    }
    let (mut failed, mut noted) = (0, 0);
    let mut out = std::io::stdout().lock();
    for chart in &charts {
        let found = lint(&setting.files, chart, &values, &options);
        let (messages, error) = match found {
            Ok(messages) => (messages, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let worst = messages.iter().map(|message| message.severity).max().unwrap_or(LintSeverity::Info);
        let limit = if arguments.strict { LintSeverity::Warning } else { LintSeverity::Error };
        let is_worth_telling = error.is_some() || worst > LintSeverity::Info;
        failed += usize::from(error.is_some() || worst >= limit);
        noted += usize::from(is_worth_telling);
        if arguments.quiet && !is_worth_telling {
            continue;
        }
        writeln!(out, "==> Linting {chart}")?;
        if let Some(error) = error {
            writeln!(out, "Error {error}")?;
        }
        let is_shown = |message: &&LintMessage| !arguments.quiet || message.severity > LintSeverity::Info;
        messages.iter().filter(is_shown).try_for_each(|message| writeln!(out, "{message}"))?;
        writeln!(out)?;
    }
    let summary = format!("{} chart(s) linted, {failed} chart(s) failed", charts.len());
    if failed > 0 {
        return Err(setting.refused(summary));
    }
    if !arguments.quiet || noted > 0 {
        writeln!(out, "{summary}")?;
    }
    Ok(())
}

/// The charts below a folder, each before those within it: folders with a Chart.yaml, and archives.
fn subcharts(files: &dyn Files, folder: &Path, found: &mut Vec<String>) {
    const DEEPEST: usize = 100;
    if folder.components().count() > DEEPEST {
        return;
    }
    for entry in files.list(folder).unwrap_or_default() {
        let path = folder.join(&entry.name);
        if entry.kind == Some(Kind::Folder) && !entry.is_link {
            subcharts(files, &path, found);
        } else if entry.name == "Chart.yaml" {
            found.push(slashed(folder));
        } else if entry.name.ends_with(".tgz") || entry.name.ends_with(".tar.gz") {
            found.push(slashed(&path));
        }
    }
}
