//! Renders a chart as `helm template` does, for comparisons: `template PROFILE NAME CHART [FLAG VALUE]...`.
//!
//! Flags are those of Helm, each with its value: `--values`, `--set`, `--set-string`, `--set-json`, `--set-literal`,
//! `--set-file`, `--show-only`, `--namespace`, `--kube-version`, `--api-versions`, `--include-crds true`,
//! `--is-upgrade true`. Prints what Helm prints, and exits as it does.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program of its own")]

use kapstan_diagnostic::Sources;
use kapstan_files::Disk;
use kapstan_gotemplate::functions::sprig::{FixedClock, Host, Random};
use kapstan_helm::{
    Chart, KubeVersion, Limits, LoadOptions, OutputOptions, Profile, RenderOptions, ValueContext,
    ValueOptions, render, user_values,
};
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(text) => print!("{text}"),
        Err(text) => {
            eprintln!("Error: {text}");
            std::process::exit(1);
        }
    }
}

fn run(arguments: &[String]) -> Result<String, String> {
    let [profile, name, path, flags @ ..] = arguments else { return Err("wrong usage".to_owned()) };
    let profile = Profile::from_name(profile).ok_or("no such profile")?;
    let sources = Sources::new();
    let host = || Host::new(FixedClock::default(), Random::seeded(b"seed"));
    let mut options = RenderOptions::new(name, &host, &sources);
    options.profile = profile;
    let mut values = ValueOptions::default();
    let mut shown = Vec::new();
    for flag in flags.chunks(2) {
        let [flag, value] = flag else { return Err("wrong usage".to_owned()) };
        let list = match flag.as_str() {
            "--values" => &mut values.files,
            "--set" => &mut values.set,
            "--set-string" => &mut values.strings,
            "--set-json" => &mut values.json,
            "--set-literal" => &mut values.literals,
            "--set-file" => &mut values.set_files,
            "--show-only" => &mut shown,
            "--api-versions" => &mut options.api_versions,
            "--namespace" => {
                options.namespace.clone_from(value);
                continue;
            }
            "--kube-version" => {
                options.kube_version = Some(value.clone());
                continue;
            }
            "--include-crds" => {
                options.include_crds = true;
                continue;
            }
            "--is-upgrade" => {
                options.is_upgrade = true;
                continue;
            }
            _ => return Err("wrong usage".to_owned()),
        };
        list.push(value.clone());
    }
    let text = |error: kapstan_helm::Error| error.peer_text(false);
    if let Some(version) = &options.kube_version {
        // Helm looks at this flag before anything else.
        KubeVersion::parse(version, profile).map_err(text)?;
    }
    let files = Disk::new(std::env::current_dir().map_err(|error| error.to_string())?);
    let context = ValueContext { files: &files, standard_input: None, sources: &sources, profile };
    let values = user_values(&values, &context).map_err(text)?;
    let load = LoadOptions { profile, limits: Limits::default(), sources: &sources };
    let chart = Chart::load(&files, Path::new(path), &load).map_err(text)?;
    let rendered = render(&chart, &values, &options).map_err(text)?;
    for warning in &rendered.warnings {
        eprintln!("{}", warning.peer_text.as_deref().unwrap_or(&warning.message));
    }
    if shown.is_empty() {
        return Ok(rendered.text(OutputOptions::default()));
    }
    rendered.show_only(&shown, OutputOptions::default()).map_err(text)
}
