use super::arguments::CompileArguments;
use super::context::{Context, Outside};
use super::dotfile::Section;
use super::{Failure, cpus, helm, version};
use crate::report::{CompileProgress, show_changes};
use kapstan_compile::{CompileRequest, CompileSettings, Progress, Staged, Targets, Wanted};
use kapstan_diagnostic::{Diagnostic, nearest};
use kapstan_document::yaml::MultilineStyle;
use kapstan_refs as refs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The file with filters in Python that is looked at where none is named.
const JINJA2_FILTERS: &str = "lib/jinja2_filters.py";

/// Compiles the wanted targets and puts the tree in place, or shows what would change.
pub(crate) fn run(context: &Context<'_>, arguments: &CompileArguments) -> Result<(), Failure> {
    let is_quiet = arguments.quiet || context.dotfile.section("compile").flag("quiet");
    let progress = CompileProgress::new(context.reporter, is_quiet, cpus().get());
    let compiled = stage_telling(context, arguments, &progress)?;
    let count = compiled.targets.len();
    if arguments.diff {
        show_changes(&compiled.changes()?)?;
        return Ok(());
    }
    compiled.put_in_place().map_err(|problem| vec![problem])?;
    progress.done(count);
    Ok(())
}

/// Compiles the wanted targets into a tree that is not put in place, and says nothing but what is wrong.
pub(super) fn stage(context: &Context<'_>, arguments: &CompileArguments) -> Result<Staged, Failure> {
    stage_telling(context, arguments, &CompileProgress::new(context.reporter, true, cpus().get()))
}

fn stage_telling(
    context: &Context<'_>,
    arguments: &CompileArguments,
    progress: &CompileProgress<'_>,
) -> Result<Staged, Failure> {
    let section = context.dotfile.section("compile");
    if !(arguments.ignore_version_check || section.flag("ignore-version-check")) {
        version::check(&context.dotfile, context.persona)?;
    }
    let settings = settings(context, arguments, section)?;
    let targets = context.targets(&arguments.backend, arguments.inventory_path.as_ref(), section)?;
    tell_unknown_names(context, &settings.wanted, &targets);
    if arguments.force || section.flag("force") {
        let message = "--force is deprecated and does nothing alone: use --force-fetch";
        context.reporter.report(&Diagnostic::warning("compile::deprecated-flag", message));
    }
    let references = references(context, arguments, section)?;
    let request = CompileRequest {
        settings,
        files: context.files.clone(),
        sources: context.sources.clone(),
        targets,
        references,
        host: Arc::new(Outside),
    };
    let compiled = kapstan_compile::compile(request, progress)?;
    context.reporter.report_all(&compiled.warnings);
    Ok(compiled.value)
}

fn settings(
    context: &Context<'_>,
    arguments: &CompileArguments,
    section: Section<'_>,
) -> Result<CompileSettings, Failure> {
    let search_paths = match &arguments.search_paths {
        Some(given) => given.clone(),
        None => match section.texts("search-paths")? {
            Some(paths) => paths.into_iter().map(PathBuf::from).collect(),
            None => vec![".".into(), "lib".into()],
        },
    };
    let path = |given: &Option<PathBuf>, flag: &str, default: &str| -> Result<PathBuf, Failure> {
        let from_dotfile = section.path(flag)?;
        Ok(context.absolute(given.clone().or(from_dotfile).unwrap_or_else(|| default.into())))
    };
    let style = match &arguments.yaml_multiline_string_style {
        Some(style) => Some(style.clone()),
        None => {
            let styles = ["literal", "folded", "double-quotes"];
            section.choice("yaml-multiline-string-style", &styles, context.reporter)?
        }
    };
    let number = |given: Option<i64>, flag: &str| -> Result<Option<i64>, Failure> {
        match given {
            Some(number) => Ok(Some(number)),
            None => section.number(flag),
        }
    };
    let jinja2_filters = path(&arguments.jinja2_filters, "jinja2-filters", JINJA2_FILTERS)?;
    Ok(CompileSettings {
        search_paths: search_paths.iter().map(|path| context.absolute(path)).collect(),
        output_path: path(&arguments.output_path, "output-path", ".")?,
        inventory_path: context.absolute(context.inventory_path(arguments.inventory_path.as_ref(), section)?),
        wanted: wanted(arguments, section)?,
        fetch: [("fetch", arguments.fetch), ("force-fetch", arguments.force_fetch)]
            .iter()
            .any(|(flag, is_set)| *is_set || section.flag(flag)),
        parallelism: parallelism(number(arguments.parallelism, "parallelism")?)?,
        indent: number(arguments.indent, "indent")?.unwrap_or(2),
        multiline_style: style.map_or(MultilineStyle::Literal, |style| MultilineStyle::from_name(&style)),
        null_as_empty: arguments.yaml_dump_null_as_empty || section.flag("yaml-dump-null-as-empty"),
        helm_profile: helm::profile(arguments.helm_compat.clone().or(section.text("helm-compat")?))?,
        needs_jinja2_filters: jinja2_filters != context.absolute(JINJA2_FILTERS),
        jinja2_filters,
        run_name: run_name().into(),
    })
}

/// Names that no target has are passed over beside one that is found; they may be typing mistakes.
fn tell_unknown_names(context: &Context<'_>, wanted: &Wanted, targets: &Targets) {
    let Wanted::Named(names) = wanted else { return };
    let is_known = |name: &String| targets.names().iter().any(|known| **known == **name);
    if !names.iter().any(is_known) {
        return;
    }
    for name in names.iter().filter(|name| !is_known(name)) {
        let message = format!("no target is named `{name}`: it is passed over");
        let warning = Diagnostic::warning("compile::unknown-target", message);
        let warning = match nearest(name, targets.names().iter().map(|name| &**name)) {
            Some(near) => warning.with_hint(format!("did you mean `{near}`?")),
            None => warning,
        };
        context.reporter.report(&warning);
    }
}

fn wanted(arguments: &CompileArguments, section: Section<'_>) -> Result<Wanted, Failure> {
    // Where there are labels, names do not matter.
    let labels = match &arguments.labels {
        Some(labels) => Some(labels.clone()),
        None => section.texts("labels")?,
    };
    if let Some(labels) = labels.filter(|labels| !labels.is_empty()) {
        return Ok(Wanted::Labelled(pairs(&labels)?));
    }
    let names = match &arguments.targets {
        Some(names) => Some(names.clone()),
        None => section.texts("targets")?,
    };
    Ok(names.filter(|names| !names.is_empty()).map_or(Wanted::All, Wanted::Named))
}

/// Labels as `key=value`.
pub(crate) fn pairs(labels: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let pair = |label: &String| match label.split_once('=') {
        Some((key, value)) if !value.contains('=') => Ok((key.to_owned(), value.to_owned())),
        _ => Err(Diagnostic::error(
            "compile::wrong-label",
            format!("label `{label}` does not have the form `key=value`"),
        )
        .with_hint("for example: kapstan compile -l env=prod app=example")),
    };
    labels.iter().map(pair).collect::<Result<_, _>>().map_err(|problem| vec![problem].into())
}

fn parallelism(given: Option<i64>) -> Result<NonZeroUsize, Failure> {
    match given {
        None | Some(0) => Ok(cpus()),
        Some(number) => usize::try_from(number).ok().and_then(NonZeroUsize::new).ok_or_else(|| {
            let message = format!("--parallelism must be at least 1, not {number}");
            vec![Diagnostic::error("compile::parallelism", message)].into()
        }),
    }
}

/// A name that no other run on this machine has.
fn run_name() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}-{:x}", std::process::id(), now.as_nanos())
}

fn references(
    context: &Context<'_>,
    arguments: &CompileArguments,
    section: Section<'_>,
) -> Result<refs::References, Failure> {
    let from_dotfile = section.path("refs-path")?;
    let refs_path = arguments.refs_path.clone().or(from_dotfile).unwrap_or_else(|| "./refs".into());
    let reveal = (arguments.reveal || section.flag("reveal")) && !arguments.no_reveal;
    let host = super::context::references_host(context, &refs_path);
    let settings =
        refs::Settings { refs_path, embed_refs: arguments.embed_refs || section.flag("embed-refs"), reveal };
    Ok(refs::References::new(settings, host))
}
