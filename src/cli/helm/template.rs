use super::arguments::TemplateArguments;
use super::dependency_build::bring_together;
use super::outside::{addresses, host};
use super::tree::write_tree;
use super::{Setting, filter};
use crate::cli::{Failure, cpus};
use kapstan_files::{Files, slashed};
use kapstan_helm::template::{Answer, Context, Request};
use kapstan_helm::{Chart, missing_dependencies};
use std::io::{Read, Write};
use std::path::Path;

/// Renders a chart and prints it, or writes it into a folder.
pub(super) fn run(setting: &Setting<'_>, arguments: &TemplateArguments) -> Result<(), Failure> {
    let (name, chart) = named_chart(setting, &arguments.words)?;
    let request =
        Request { name, namespace: Some(setting.namespace.clone()), ..arguments.flags.request.clone() };
    let Answer { name, mut rendered } = render(setting, &request, chart)?;
    setting.warn(&rendered.warnings);
    if let Some(program) = &request.post_renderer {
        rendered
            .post_render(|stream| filter(program, &request.post_renderer_arguments, stream))
            .map_err(|error| setting.failure(error))?;
    }
    let mut out = std::io::stdout().lock();
    if let Some(folder) = &request.output_dir {
        let release = request.release_name.then_some(name.as_str());
        let written = write_tree(Path::new(folder), &rendered.tree(release, request.output()))?;
        written.iter().try_for_each(|path| writeln!(out, "wrote {}", slashed(path)))?;
        // Helm looks for what is to be shown in what is left to print, which is nothing.
        if let Some(pattern) = request.show_only.first() {
            return Err(setting.refused(format!("could not find template {pattern} in chart")));
        }
        return Ok(writeln!(out)?);
    }
    let text = if request.show_only.is_empty() {
        rendered.text(request.output())
    } else {
        rendered.show_only(&request.show_only, request.output()).map_err(|error| setting.failure(error))?
    };
    Ok(out.write_all(text.as_bytes())?)
}

/// Renders a chart of the disk.
fn render(setting: &Setting<'_>, request: &Request, chart: &str) -> Result<Answer, Failure> {
    check_place(setting, chart)?;
    if request.updates_dependencies && !missing_dependencies(&load(setting, chart)?).is_empty() {
        bring_together(setting, chart, true, &mut std::io::stdout().lock())?;
    }
    let standard_input = standard_input(request)?;
    let context = Context {
        files: &setting.files,
        standard_input: standard_input.as_deref(),
        sources: &setting.sources,
        profile: setting.profile,
        host: &|| {
            if request.enable_dns {
                host(request.seed.as_deref()).with_names(addresses)
            } else {
                host(request.seed.as_deref())
            }
        },
        threads: cpus().get(),
    };
    request.run(Path::new(chart), &context).map_err(|error| setting.failure(error))
}

/// The chart of the disk at a path.
pub(super) fn chart(setting: &Setting<'_>, path: &str) -> Result<Chart, Failure> {
    check_place(setting, path)?;
    load(setting, path)
}

/// The chart of the disk at a path that cannot be meant otherwise.
pub(super) fn load(setting: &Setting<'_>, path: &str) -> Result<Chart, Failure> {
    Chart::load(&setting.files, Path::new(path), &setting.load_options())
        .map_err(|error| setting.failure(error))
}

/// What `-` among the values files stands for, read once, where one is.
pub(in crate::cli) fn standard_input(request: &Request) -> std::io::Result<Option<Vec<u8>>> {
    if !request.values.files.iter().any(|file| file.trim() == "-") {
        return Ok(None);
    }
    let mut text = Vec::new();
    std::io::stdin().lock().read_to_end(&mut text)?;
    Ok(Some(text))
}

/// That a chart lies where its user says: what does not is a chart of a repository, which would have to be fetched.
fn check_place(setting: &Setting<'_>, chart: &str) -> Result<(), Failure> {
    if matches!(setting.files.kind(Path::new(chart)), Ok(Some(_)) | Err(_)) {
        return Ok(());
    }
    if Path::new(chart).is_absolute() || chart.starts_with('.') {
        return Err(setting.refused(format!("path \"{chart}\" not found")));
    }
    if chart.contains("://") || chart.contains('/') {
        let text = format!("there is no chart at `{chart}`: charts are files here, and nothing is fetched");
        return Err(setting.refused(text));
    }
    Err(setting
        .refused(format!("non-absolute URLs should be in form of repo_name/path_to_chart, got: {chart}")))
}

fn named_chart<'w>(setting: &Setting<'_>, words: &'w [String]) -> Result<(Option<String>, &'w str), Failure> {
    match words {
        [] => Err(setting.too_few("template", "[NAME] [CHART]")),
        [chart] => Ok((None, chart)),
        [name, chart] => Ok((Some(name.clone()), chart)),
        [_, _, rest @ ..] => {
            let rest = rest.join(", ");
            Err(setting.refused(format!("expected at most two arguments, unexpected arguments: {rest}")))
        }
    }
}
