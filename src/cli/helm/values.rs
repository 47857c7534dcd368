use super::Session;
use super::arguments::ValuesArguments;
use super::template::{chart, standard_input};
use crate::cli::Failure;
use crate::cli::arguments::OutputFormat;
use kapstan_diagnostic::Span;
use kapstan_files::Disk;
use kapstan_helm::{ValueContext, undeclared, unread, user_values};
use serde_json::json;
use std::io::Write;

/// Lists the values that a user sets and no chart declares, and those that a chart declares and no template names.
pub(super) fn run(session: &Session<'_>, arguments: &ValuesArguments) -> Result<(), Failure> {
    let request = &arguments.flags.request;
    let chart = chart(session, &arguments.chart)?;
    let files = Disk::new(std::env::current_dir()?);
    let standard_input = standard_input(request)?;
    let context = ValueContext {
        files: &files,
        standard_input: standard_input.as_deref(),
        sources: &session.sources,
        profile: session.profile,
    };
    let values = user_values(&request.values, &context).map_err(|error| session.failure(error))?;
    let (undeclared, unread) = (undeclared(&chart, &values), unread(&chart));
    let mut out = std::io::stdout().lock();
    if arguments.output == OutputFormat::Json {
        let set = undeclared.iter().map(
            |value| json!({ "path": value.path, "place": session.place(value.span), "near": value.near }),
        );
        let declared =
            unread.iter().map(|value| json!({ "path": value.path, "place": session.place(value.span) }));
        let shown = json!({ "undeclared": set.collect::<Vec<_>>(), "unread": declared.collect::<Vec<_>>() });
        return Ok(writeln!(out, "{shown}")?);
    }
    for value in &undeclared {
        let near = value.near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        writeln!(out, "{}{}: set, and no chart declares it{near}", prefix(session, value.span), value.path)?;
    }
    for value in &unread {
        writeln!(out, "{}{}: declared, and no template names it", prefix(session, value.span), value.path)?;
    }
    Ok(())
}

fn prefix(session: &Session<'_>, span: Span) -> String {
    session.place(span).map(|place| format!("{place}: ")).unwrap_or_default()
}

impl Session<'_> {
    /// File, line and column of a span.
    fn place(&self, span: Span) -> Option<String> {
        let (source, at) = self.sources.locate(span)?;
        Some(format!("{}:{}:{}", source.name(), at.line, at.column))
    }
}
