use super::Failure;
use super::arguments::TemplateArguments;
use super::context::Context;
use super::helm::{host, standard_input};
use kapstan_diagnostic::Diagnostic;
use kapstan_helm::{Profile, RenderOptions, ValueContext, render_text, user_values};
use std::io::{ErrorKind, Write};

/// Runs a Go template with values and prints what it makes.
pub(crate) fn run(context: &Context<'_>, arguments: &TemplateArguments) -> Result<(), Failure> {
    let request = &arguments.flags.request;
    let failure = |error: kapstan_helm::Error| Failure::Problems(vec![error.into_diagnostic()]);
    let standard_input = standard_input(request)?;
    let profile = Profile::default();
    let values = ValueContext {
        files: &*context.files,
        standard_input: standard_input.as_deref(),
        sources: &context.sources,
        profile,
    };
    let values = user_values(&request.values, &values).map_err(failure)?;
    let path = arguments.file.to_string_lossy();
    let text = context.files.read(&arguments.file).map_err(|error| {
        let message = match error.kind() {
            ErrorKind::NotFound => format!("there is no file `{path}`"),
            _ => format!("cannot read `{path}`: {error}"),
        };
        Failure::Problems(vec![Diagnostic::error("template::unreadable", message)])
    })?;
    let make_host = || host(request.seed.as_deref());
    let options = RenderOptions::new("", &make_host, &context.sources);
    let made = render_text(&path, text, &values, &options).map_err(failure)?;
    Ok(std::io::stdout().lock().write_all(&made)?)
}
