use super::answer;
use crate::cli::Failure;
use crate::cli::arguments::ExplainArguments;
use crate::cli::context::Context;
use crate::report::visible;
use kapstan_compile::Targets;
use kapstan_diagnostic::{Diagnostic, Position, Sources, Span};
use kapstan_document::json::{self, WriteOptions};
use kapstan_document::{Node, python};
use kapstan_files::slashed;
use kapstan_inventory::{Effect, Explanation, Inventory, Layer};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Longer values are cut off in text.
const LONGEST_VALUE: usize = 60;

/// Tells which lines set a value of a target, in order, and what each did.
pub(super) fn run(
    context: &Context<'_>,
    arguments: &ExplainArguments,
    targets: &Targets,
) -> Result<(), Failure> {
    let path = arguments.path.as_deref().unwrap_or_default();
    let found = explain(targets.inventory(), &arguments.target, path)?;
    let sources = &context.sources;
    let rows: Vec<Value> = found.iter().map(|found| as_json(found, sources)).collect();
    let mut text = String::new();
    for found in &found {
        let _ = writeln!(text, "{} = {}", visible(&found.path), short(&found.value));
        tell(&mut text, &found.layers, 1, sources);
    }
    answer(&arguments.place, &rows.into(), &text)
}

/// A path may be written with dots, and from `parameters` on, as in `inventory --pattern`.
fn explain(
    inventory: &Inventory,
    target: &str,
    path: &str,
) -> Result<Vec<Explanation>, Arc<Vec<Diagnostic>>> {
    let explained = inventory.explain(target, path);
    if explained.is_ok() || inventory.target(target).is_err() {
        return explained;
    }
    let with_colons = path.replace('.', ":");
    let below = with_colons.strip_prefix("parameters:").unwrap_or(&with_colons);
    inventory.explain(target, below).or(explained)
}

fn tell(text: &mut String, layers: &[Layer], depth: usize, sources: &Sources) {
    if layers.is_empty() {
        let _ = writeln!(text, "{:1$}comes with what a reference brings", "", depth * 2);
    }
    for layer in layers {
        let note = if layer.is_overridden { "  (overridden)" } else { "" };
        let place = match place(layer, sources) {
            Some((file, position)) => format!("{}:{}:{}", visible(&file), position.line, position.column),
            None => "(set for every target)".to_owned(),
        };
        let written = short(&layer.written);
        let _ = writeln!(text, "{:2$}{place}  {}  {written}{note}", "", verb(layer.effect), depth * 2);
        for reference in &layer.references {
            let _ = writeln!(text, "{:1$}${{{2}}}", "", depth * 2 + 2, visible(&reference.path));
            tell(text, &reference.layers, depth + 2, sources);
        }
    }
}

fn verb(effect: Effect) -> &'static str {
    match effect {
        Effect::Sets => "sets",
        Effect::Replaces => "replaces",
        Effect::Merges => "merges",
        Effect::Appends => "appends",
    }
}

fn place(layer: &Layer, sources: &Sources) -> Option<(String, Position)> {
    locate(layer.span, sources).or_else(|| {
        let is_file = layer.file != Path::new("");
        is_file.then(|| (slashed(&layer.file), Position { line: 1, column: 1 }))
    })
}

fn locate(span: Span, sources: &Sources) -> Option<(String, Position)> {
    let (source, position) = sources.locate(span)?;
    Some((source.name().to_owned(), position))
}

/// The value on one line.
fn short(value: &Node) -> String {
    let text = visible(&one_line(value));
    if text.chars().count() <= LONGEST_VALUE {
        return text;
    }
    let start: String = text.chars().take(LONGEST_VALUE).collect();
    start + "…"
}

fn one_line(value: &Node) -> String {
    let options = WriteOptions { indent: None, sort_keys: false };
    json::write_with(value, options).unwrap_or_else(|_| python::repr(&value.value))
}

fn as_json(found: &Explanation, sources: &Sources) -> Value {
    json!({
        "path": found.path,
        "value": value_as_json(&found.value),
        "layers": layers_as_json(&found.layers, sources),
    })
}

fn layers_as_json(layers: &[Layer], sources: &Sources) -> Value {
    let row = |layer: &Layer| {
        let place = place(layer, sources);
        let references = layer.references.iter().map(|reference| {
            json!({ "path": reference.path, "layers": layers_as_json(&reference.layers, sources) })
        });
        json!({
            "class": layer.class.as_deref(),
            "file": place.as_ref().map(|(file, _)| file),
            "line": place.as_ref().map(|(_, position)| position.line),
            "column": place.as_ref().map(|(_, position)| position.column),
            "effect": verb(layer.effect),
            "written": value_as_json(&layer.written),
            "overridden": layer.is_overridden,
            "references": references.collect::<Vec<_>>(),
        })
    };
    layers.iter().map(row).collect()
}

/// What JSON has no word for (dates, sets, `nan`) is written as Python shows it.
fn value_as_json(value: &Node) -> Value {
    let text = one_line(value);
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}
