//! The commands: arguments become requests, results become text. What a command knows about formats is in the crates.

mod argocd;
pub(crate) mod arguments;
mod compile;
mod completions;
mod context;
mod dotfile;
mod eval;
mod examples;
mod exit;
mod fault;
mod helm;
mod init;
mod inventory;
mod itself;
mod lint;
mod list;
mod man;
mod refs;
mod searchvar;
mod spelling;
mod template;
mod usage;
mod version;

use crate::report::Reporter;
use arguments::{Arguments, Command};
use clap::{CommandFactory, FromArgMatches};
use context::Context;
use exit::Exit;
use kapstan_diagnostic::{Diagnostic, Sources};
use kapstan_document::{Key, python};
use std::ffi::OsString;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

/// Whose command line it is, by the name that the program was started with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Persona {
    /// Our own.
    Kapstan,
    /// Kapitan's: what differs from it elsewhere is as it is there.
    Kapitan,
}

impl Persona {
    /// The name that one types.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Kapstan => "kapstan",
            Self::Kapitan => "kapitan",
        }
    }
}

/// Why a command did not succeed.
pub(crate) enum Failure {
    /// These problems; exit status 1.
    Problems(Vec<Diagnostic>),
    /// The command line does not make sense; exit status 2.
    Usage(String),
    /// A value in `.kapitan` that would be wrong on the command line; exit status 2.
    WrongValue(Box<Diagnostic>),
    /// Everything is said already.
    Silent(Exit),
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(problems: Vec<Diagnostic>) -> Self {
        Self::Problems(problems)
    }
}

impl From<Arc<Vec<Diagnostic>>> for Failure {
    fn from(problems: Arc<Vec<Diagnostic>>) -> Self {
        Self::Problems(Arc::unwrap_or_clone(problems))
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(problem: Box<Diagnostic>) -> Self {
        Self::Problems(vec![*problem])
    }
}

impl From<std::io::Error> for Failure {
    /// Standard output that is closed wants no more: that is success.
    fn from(error: std::io::Error) -> Self {
        // Of a pipe with a name, as terminals on Windows have, it says that nothing is connected.
        const NOT_CONNECTED: i32 = 233;
        let is_closed = error.kind() == std::io::ErrorKind::BrokenPipe
            || cfg!(windows) && error.raw_os_error() == Some(NOT_CONNECTED);
        if is_closed {
            return Self::Silent(Exit::Done);
        }
        Self::Problems(vec![Diagnostic::error(
            "output::cannot-write",
            format!("cannot write the result: {error}"),
        )])
    }
}

/// A key that has to be a string for what was asked.
fn not_a_string(key: &Key) -> Vec<Diagnostic> {
    let name = python::scalar_str(&key.scalar);
    let message = format!("the key `{name}` is no string: it cannot be searched or joined to others");
    vec![Diagnostic::error("inventory::not-a-string-key", message).at(key.span)]
}

/// Runs the command line and returns the exit status.
pub(crate) fn main(arguments: impl Iterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.collect();
    if let Some((_, compat)) = HELMS.iter().find(|(name, _)| is_called(arguments.first(), name)) {
        return helm::main(arguments, *compat);
    }
    let persona = persona(arguments.first());
    let mut program = table();
    program.build();
    let mut arguments = spelling::spell_out(&program, arguments.into_iter());
    if let Some(name) = arguments.first_mut().filter(|_| cfg!(windows)) {
        // Usage texts name the program as one types it, which is without `.exe`.
        *name = Path::new(name).with_extension("").into_os_string();
    }
    let matches = program.try_get_matches_from(&arguments);
    let parsed = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(parsed) => parsed,
        Err(error) => return usage::report(&error, &arguments) as u8,
    };
    let sources = Arc::new(Sources::new());
    let reporter = Reporter::new(sources.clone(), parsed.global.message_format, parsed.global.color);
    let exit = match fault::guard(|| run(parsed, persona, &reporter, sources)) {
        Ok(Ok(())) => Exit::Done,
        Ok(Err(Failure::Silent(exit))) => exit,
        Ok(Err(Failure::Usage(message))) => {
            reporter.report(&Diagnostic::error("usage", message));
            Exit::Usage
        }
        Ok(Err(Failure::WrongValue(problem))) => {
            reporter.report(&problem);
            Exit::Usage
        }
        Ok(Err(Failure::Problems(problems))) => {
            reporter.report_all(&problems);
            Exit::Input
        }
        Err(fault) => {
            reporter.report(&fault);
            Exit::Fault
        }
    };
    exit as u8
}

/// The names under which the program answers as Helm, and which Helm each means.
const HELMS: &[(&str, Option<&str>)] = &[("helm", None), ("helm3", Some("3")), ("helm4", Some("4"))];

/// The parser's table.
fn table() -> clap::Command {
    spelling::as_argparse(Arguments::command())
}

fn persona(program: Option<&OsString>) -> Persona {
    if is_called(program, "kapitan") { Persona::Kapitan } else { Persona::Kapstan }
}

/// Whether the program was started under a name.
fn is_called(program: Option<&OsString>, name: &str) -> bool {
    let stem = program.and_then(|program| Path::new(program).file_stem());
    stem.is_some_and(|stem| stem == name)
}

fn run(
    parsed: Arguments,
    persona: Persona,
    reporter: &Reporter,
    sources: Arc<Sources>,
) -> Result<(), Failure> {
    if parsed.global.version {
        return Ok(writeln!(std::io::stdout(), "{}", version::text(persona))?);
    }
    let Some(command) = parsed.command else {
        writeln!(std::io::stdout(), "{}", Arguments::command().render_long_help())?;
        return Err(Failure::Silent(Exit::Input));
    };
    // Only the commands that need the repository look at it: the others work in one that is broken.
    let context = || Context::new(persona, reporter, sources);
    match command {
        Command::Compile(arguments) => compile::run(&context()?, &arguments),
        Command::List(arguments) => list::run(&context()?, &arguments),
        Command::Inventory(arguments) => inventory::run(&context()?, &arguments),
        Command::Secrets(arguments) => {
            let message = "secrets are called refs now: see `kapstan refs --help`";
            if !arguments.rest.is_empty() {
                return Err(Failure::Usage(message.to_owned()));
            }
            Err(vec![Diagnostic::error("secrets::renamed", message)].into())
        }
        Command::Searchvar(arguments) => searchvar::run(&context()?, &arguments),
        Command::Refs(arguments) => refs::run(&context()?, &arguments),
        Command::Lint(arguments) => lint::run(&context()?, &arguments),
        Command::Init(arguments) => init::run(&context()?, &arguments),
        Command::Eval(arguments) => eval::run(&context()?, &arguments),
        Command::Template(arguments) => template::run(&context()?, &arguments),
        Command::Argocd(arguments) => argocd::run(&context()?, &arguments),
        Command::Helm(arguments) => helm::run(&context()?, &arguments),
        Command::Itself(arguments) => itself::run(reporter, &arguments),
        Command::Completions(arguments) => completions::run(persona, &table(), &arguments),
        Command::Man(arguments) => man::run(persona, table(), &arguments),
    }
}

/// How many CPUs this process may use.
fn cpus() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
