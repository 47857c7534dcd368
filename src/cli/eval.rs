use super::Failure;
use super::arguments::EvalArguments;
use super::context::{Context, Outside};
use kapstan_compile::EvaluateRequest;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::json;
use kapstan_document::yaml::{self, WriteOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Blanks of an indentation step in jsonnet's own JSON.
const JSONNET_INDENT: usize = 3;

/// Evaluates a jsonnet file and writes the result as YAML or JSON.
pub(crate) fn run(context: &Context<'_>, arguments: &EvalArguments) -> Result<(), Failure> {
    let section = context.dotfile.section("eval");
    let given = match &arguments.vars {
        Some(vars) => vars.clone(),
        None => section.texts("vars")?.unwrap_or_default(),
    };
    let variable = |text: &String| match text.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(Failure::Usage(format!("--vars needs NAME=VALUE, not `{text}`"))),
    };
    let search_paths = match &arguments.search_paths {
        Some(paths) => paths.clone(),
        None => section
            .texts("search-paths")?
            .map_or_else(|| vec![".".into()], |paths| paths.into_iter().map(PathBuf::from).collect()),
    };
    let value = kapstan_compile::evaluate(EvaluateRequest {
        file: arguments.jsonnet_file.clone(),
        external_variables: given.iter().map(variable).collect::<Result<_, _>>()?,
        search_paths: search_paths.iter().map(|path| context.absolute(path)).collect(),
        files: context.files.clone(),
        sources: context.sources.clone(),
        outside: Arc::new(Outside),
    })?;
    let output = match &arguments.output {
        Some(output) => Some(output.clone()),
        None => section.text("output")?,
    };
    let text = match output.as_deref() {
        Some("json") => json::write(&value, JSONNET_INDENT).map(|text| text + "\n"),
        _ => yaml::write(&value, &WriteOptions::plain()),
    };
    let text = text.map_err(|error| -> Vec<Diagnostic> { vec![error.into_diagnostic()] })?;
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}
