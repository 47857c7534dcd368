use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::io::Write;

/// Shows help, which is success, or says what is wrong with the command line as Helm does, with exit status 1.
pub(crate) fn report(error: &clap::Error) -> u8 {
    // Nobody is left to tell when a stream is closed.
    if error.use_stderr() {
        let _ = writeln!(std::io::stderr().lock(), "Error: {}", text(error));
        return 1;
    }
    let _ = write!(std::io::stdout().lock(), "{}", error.render());
    0
}

/// A problem with the command line in Helm's words, where it has words for it.
fn text(error: &clap::Error) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let flag = context(ContextKind::InvalidArg);
    let name = flag.split([' ', '=']).next().unwrap_or(flag);
    match error.kind() {
        ErrorKind::UnknownArgument if name.starts_with("--") => format!("unknown flag: {name}"),
        ErrorKind::UnknownArgument => {
            let letter = name.chars().nth(1).unwrap_or('-');
            format!("unknown shorthand flag: '{letter}' in {name}")
        }
        ErrorKind::InvalidValue if context(ContextKind::InvalidValue).is_empty() => {
            format!("flag needs an argument: {name}")
        }
        _ => {
            let text = error.render().to_string();
            let first = text.lines().next().unwrap_or_default();
            first.strip_prefix("error: ").unwrap_or(first).to_owned()
        }
    }
}
