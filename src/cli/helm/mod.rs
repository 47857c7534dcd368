//! `kapstan helm`, and the same under the name `helm`: charts as Helm renders them.

mod arguments;
mod dependency;
mod dependency_build;
mod flags;
mod lint;
mod outside;
mod package;
mod post_renderer;
mod refusal;
mod show;
mod template;
mod tree;
mod usage;
mod values;
mod version;

pub(crate) use arguments::HelmArguments;
pub(crate) use flags::ValueFlags;
pub(super) use outside::host;
pub(super) use post_renderer::filter;
pub(super) use template::standard_input;

use super::context::Context;
use super::exit::Exit;
use super::{Failure, fault};
use crate::report::Reporter;
use arguments::{DependencyCommand, HelmCommand, HelmProgram};
use clap::{CommandFactory, FromArgMatches};
use kapstan_diagnostic::{Diagnostic, Sources};
use kapstan_document::Node;
use kapstan_files::Disk;
use kapstan_helm::template::Request;
use kapstan_helm::{Limits, LoadOptions, Profile, ValueContext, user_values};
use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;

/// What the commands have at hand.
struct Setting<'r> {
    files: Disk,
    reporter: &'r Reporter,
    sources: Arc<Sources>,
    profile: Profile,
    is_debug: bool,
    /// Whether errors are worded as Helm's.
    has_words_of_helm: bool,
    namespace: String,
}

/// Says which Helm is followed where nothing else does.
const COMPAT_VARIABLE: &str = "KAPSTAN_HELM_COMPAT";

/// Runs the command line of a program that is called `helm` and returns the exit status, which is Helm's.
///
/// `named` is the Helm that the name means, where it means one.
pub(crate) fn main(arguments: Vec<OsString>, named: Option<&str>) -> u8 {
    let matches = HelmProgram::command().try_get_matches_from(arguments);
    let parsed = match matches.and_then(|matches| HelmProgram::from_arg_matches(&matches)) {
        Ok(parsed) => parsed,
        Err(error) => return usage::report(&error),
    };
    let sources = Arc::new(Sources::new());
    let reporter = Reporter::new(sources.clone(), parsed.message_format, parsed.color);
    let run = || {
        let compat = parsed.helm.global.helm_compat.clone().or_else(|| named.map(str::to_owned));
        run_command(&reporter, sources, &parsed.helm, compat, true)
    };
    match fault::guard(run) {
        Ok(Ok(())) => 0,
        Ok(Err(Failure::Silent(exit))) => exit as u8,
        Ok(Err(Failure::Usage(message))) => tell(&message),
        Ok(Err(Failure::WrongValue(problem))) => tell(&problem.message),
        Ok(Err(Failure::Problems(problems))) => {
            for problem in &problems {
                tell(problem.peer_text.as_deref().unwrap_or(&problem.message));
            }
            Exit::Input as u8
        }
        Err(fault) => {
            reporter.report(&fault);
            Exit::Fault as u8
        }
    }
}

/// Writes a message as Helm does.
fn tell(text: &str) -> u8 {
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(std::io::stderr().lock(), "Error: {text}");
    1
}

/// Runs a command below `kapstan helm`. `.kapitan` may say which Helm is followed.
pub(crate) fn run(context: &Context<'_>, arguments: &HelmArguments) -> Result<(), Failure> {
    let in_dotfile = context.dotfile.section("helm").text("helm-compat")?;
    let compat = arguments.global.helm_compat.clone().or(in_dotfile);
    run_command(context.reporter, context.sources.clone(), arguments, compat, arguments.global.helm_errors)
}

fn run_command(
    reporter: &Reporter,
    sources: Arc<Sources>,
    arguments: &HelmArguments,
    compat: Option<String>,
    has_words_of_helm: bool,
) -> Result<(), Failure> {
    let global = &arguments.global;
    let variable = || std::env::var("HELM_NAMESPACE").ok().filter(|name| !name.is_empty());
    let setting = Setting {
        files: Disk::new(std::env::current_dir()?),
        reporter,
        sources,
        profile: profile(
            compat.or_else(|| std::env::var(COMPAT_VARIABLE).ok().filter(|name| !name.is_empty())),
        )?,
        is_debug: global.flags.request.is_debug,
        has_words_of_helm,
        namespace: global
            .flags
            .request
            .namespace
            .clone()
            .or_else(variable)
            .unwrap_or_else(|| "default".to_owned()),
    };
    let Some(command) = &arguments.command else {
        writeln!(std::io::stdout(), "{}", HelmProgram::command().render_long_help())?;
        return Ok(());
    };
    match command {
        HelmCommand::Template(arguments) => template::run(&setting, arguments),
        HelmCommand::Lint(arguments) => lint::run(&setting, arguments),
        HelmCommand::Show(arguments) => show::run(&setting, arguments),
        HelmCommand::Package(arguments) => package::run(&setting, arguments),
        HelmCommand::Dependency(arguments) => match &arguments.command {
            None => show_help("dependency"),
            Some(command) => run_dependency(&setting, command),
        },
        HelmCommand::Values(arguments) => values::run(&setting, arguments),
        HelmCommand::Version(arguments) => version::run(&setting, arguments),
        HelmCommand::Other(words) => Err(refusal::of_helm(words)),
    }
}

fn run_dependency(setting: &Setting<'_>, command: &DependencyCommand) -> Result<(), Failure> {
    match command {
        DependencyCommand::List(arguments) => dependency::run(setting, arguments),
        DependencyCommand::Build(arguments) => dependency_build::run(setting, arguments, false),
        DependencyCommand::Update(arguments) => dependency_build::run(setting, arguments, true),
        DependencyCommand::Other(words) => Err(refusal::of_dependency(words)),
    }
}

/// Shows the help of a command that was named without what is to be done.
fn show_help(name: &str) -> Result<(), Failure> {
    let mut program = HelmProgram::command();
    let help = program.find_subcommand_mut(name).map(clap::Command::render_long_help);
    Ok(write!(std::io::stdout(), "{}", help.unwrap_or_default())?)
}

/// The Helm to follow by its name; the newest where there is none.
pub(super) fn profile(name: Option<String>) -> Result<Profile, Failure> {
    let Some(name) = name else { return Ok(Profile::default()) };
    Profile::from_name(&name)
        .ok_or_else(|| Failure::Usage(format!("`{name}` is no Helm to follow: there are 4.2 and 3")))
}

impl Setting<'_> {
    fn load_options(&self) -> LoadOptions<'_> {
        LoadOptions { profile: self.profile, limits: Limits::default(), sources: &self.sources }
    }

    /// The values of a user, from files of the disk and the command line.
    fn user_values(&self, request: &Request) -> Result<Node, Failure> {
        let standard_input = standard_input(request)?;
        let context = ValueContext {
            files: &self.files,
            standard_input: standard_input.as_deref(),
            sources: &self.sources,
            profile: self.profile,
        };
        user_values(&request.values, &context).map_err(|error| self.failure(error))
    }

    /// Tells of warnings: with Helm's own lines, or as diagnostics.
    fn warn(&self, warnings: &[Diagnostic]) {
        if !self.has_words_of_helm {
            return self.reporter.report_all(warnings);
        }
        for warning in warnings {
            self.reporter.finding(warning.peer_text.as_deref().unwrap_or(&warning.message), warning);
        }
    }

    /// What an error of the engine comes to: told in Helm's words, or as a diagnostic.
    fn failure(&self, error: kapstan_helm::Error) -> Failure {
        self.warn(error.warnings());
        if !self.has_words_of_helm {
            return vec![error.into_diagnostic()].into();
        }
        if let Some(rendered) = error.rendered().filter(|_| self.is_debug) {
            // What can be seen helps, and the error is what counts.
            let _ = write!(std::io::stdout().lock(), "{rendered}");
        }
        tell(&error.peer_text(self.is_debug));
        Failure::Silent(Exit::Input)
    }

    /// That a command wants arguments that are not there.
    fn too_few(&self, command: &str, usage: &str) -> Failure {
        let text = format!(
            "\"helm {command}\" requires at least 1 argument\n\nUsage:  helm {command} {usage} [flags]"
        );
        if self.has_words_of_helm {
            self.refused(text)
        } else {
            Failure::Usage(format!("`kapstan helm {command}` wants {usage}"))
        }
    }

    /// That a command wants one argument, and there are none or several.
    fn not_one(&self, command: &str, usage: &str, found: usize) -> Failure {
        if found == 0 && !self.has_words_of_helm {
            return self.too_few(command, usage);
        }
        let text =
            format!("\"helm {command}\" requires 1 argument\n\nUsage:  helm {command} {usage} [flags]");
        self.refused(text)
    }

    /// A problem that is Helm's own text.
    fn refused(&self, text: impl Into<String>) -> Failure {
        let text = text.into();
        if self.has_words_of_helm {
            tell(&text);
            return Failure::Silent(Exit::Input);
        }
        vec![Diagnostic::error("helm::usage", text)].into()
    }
}
