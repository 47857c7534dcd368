use super::Setting;
use super::arguments::ValuesArguments;
use super::template::chart;
use crate::cli::Failure;
use crate::cli::arguments::OutputFormat;
use kapstan_diagnostic::Span;
use kapstan_helm::{undeclared, unread};
use serde_json::json;
use std::io::Write;

/// Lists the values that a user sets and no chart declares, and those that a chart declares and no template names.
pub(super) fn run(setting: &Setting<'_>, arguments: &ValuesArguments) -> Result<(), Failure> {
    let request = &arguments.flags.request;
    let chart = chart(setting, &arguments.chart)?;
    let values = setting.user_values(request)?;
    let (undeclared, unread) = (undeclared(&chart, &values), unread(&chart, &values));
    let mut out = std::io::stdout().lock();
    if arguments.output == OutputFormat::Json {
        let set = undeclared.iter().map(
            |value| json!({ "path": value.path, "place": setting.place(value.span), "near": value.near }),
        );
        let declared =
            unread.iter().map(|value| json!({ "path": value.path, "place": setting.place(value.span) }));
        let shown = json!({ "undeclared": set.collect::<Vec<_>>(), "unread": declared.collect::<Vec<_>>() });
        return Ok(writeln!(out, "{shown}")?);
    }
    for value in &undeclared {
        let near = value.near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        writeln!(out, "{}{}: set, and no chart declares it{near}", prefix(setting, value.span), value.path)?;
    }
    for value in &unread {
        writeln!(out, "{}{}: declared, and no template names it", prefix(setting, value.span), value.path)?;
    }
    Ok(())
}

fn prefix(setting: &Setting<'_>, span: Span) -> String {
    setting.place(span).map(|place| format!("{place}: ")).unwrap_or_default()
}

impl Setting<'_> {
    /// File, line and column of a span.
    fn place(&self, span: Span) -> Option<String> {
        let (source, at) = self.sources.locate(span)?;
        Some(format!("{}:{}:{}", source.name(), at.line, at.column))
    }
}
