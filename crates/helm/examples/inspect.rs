//! Looks at a chart as `helm lint`, `helm show`, `helm dependency list` and `helm package` do, for comparisons:
//! `inspect PROFILE lint|show|dependencies|package CHART`. The archive of `package` goes to standard output.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program of its own")]

use kapstan_diagnostic::Sources;
use kapstan_document::Map;
use kapstan_files::Disk;
use kapstan_gotemplate::functions::sprig::{FixedClock, Host, Random};
use kapstan_helm::{
    Chart, Limits, LintSeverity, LoadOptions, PackageOptions, Profile, RenderOptions, Show, dependency_list,
    lint, package, show,
};
use std::io::Write;
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Err(text) = run(&arguments) {
        eprintln!("Error: {text}");
        std::process::exit(1);
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [profile, command, path] = arguments else { return Err("wrong usage".to_owned()) };
    let profile = Profile::from_name(profile).ok_or("no such profile")?;
    let sources = Sources::new();
    let host = || Host::new(FixedClock::default(), Random::seeded(b"seed"));
    let files = Disk::new(std::env::current_dir().map_err(|error| error.to_string())?);
    let load = LoadOptions { profile, limits: Limits::default(), sources: &sources };
    let text = |error: kapstan_helm::Error| error.text().to_owned();
    let chart = || Chart::load(&files, Path::new(path), &load).map_err(text);
    match command.as_str() {
        "lint" => {
            let options = RenderOptions { profile, ..RenderOptions::new("x", &host, &sources) };
            let messages = lint(&files, path, &Map::new().into(), &options).map_err(text)?;
            println!("==> Linting {path}");
            for message in &messages {
                println!("{message}");
            }
            let failed = usize::from(messages.iter().any(|message| message.severity == LintSeverity::Error));
            println!("\n1 chart(s) linted, {failed} chart(s) failed");
        }
        "show" => print!("{}", show(&chart()?, Show::All, profile).map_err(text)?),
        "dependencies" => print!("{}", dependency_list(&files, path, 80, &load).map_err(text)?),
        _ => {
            let package = package(&chart()?, &PackageOptions::default()).map_err(text)?;
            std::io::stdout().write_all(&package.archive).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}
