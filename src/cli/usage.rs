use super::arguments::{Color, MessageFormat};
use super::exit::Exit;
use crate::report::Reporter;
use kapstan_diagnostic::{Diagnostic, Sources};
use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;

/// Shows help, which goes to standard output and is success, or what is wrong with the command line, in the format that
/// the command line asks for as far as it can be read.
pub(super) fn report(error: &clap::Error, arguments: &[OsString]) -> Exit {
    let text = error.render();
    if !error.use_stderr() {
        // Nobody is left to tell when the stream is closed.
        let _ = write!(std::io::stdout(), "{text}");
        return Exit::Done;
    }
    if wants_json(arguments) {
        Reporter::new(Arc::new(Sources::new()), MessageFormat::Json, Color::Never).report(&diagnostic(error));
    } else {
        let _ = error.print();
    }
    Exit::Usage
}

fn wants_json(arguments: &[OsString]) -> bool {
    let follows = |name: &OsString, value: &OsString| name == "--message-format" && value == "json";
    arguments.iter().any(|word| word == "--message-format=json")
        || arguments.iter().zip(arguments.iter().skip(1)).any(|(name, value)| follows(name, value))
}

/// What the parser says, without its usage lines.
fn diagnostic(error: &clap::Error) -> Diagnostic {
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let message = lines.next().unwrap_or_default();
    let mut diagnostic = Diagnostic::error("usage", message.strip_prefix("error: ").unwrap_or(message));
    for line in lines.take_while(|line| !line.starts_with("Usage:")) {
        match line.strip_prefix("tip: ") {
            Some(tip) => diagnostic = diagnostic.with_hint(tip),
            None => diagnostic.message = format!("{} {line}", diagnostic.message),
        }
    }
    diagnostic
}
