//! Templates that do not parse or do not run: Helm's text, and our own message with the way there.

use super::options::RenderOptions;
use super::templates::Templates;
use crate::error::Error;
use kapstan_diagnostic::{Diagnostic, Position, Span};
use kapstan_gotemplate::{Frame, HelmForm, ParseError};

/// A template that does not parse.
pub(super) fn parsed(error: &ParseError, templates: &Templates, options: &RenderOptions<'_>) -> Error {
    let path = error.name.to_str().into_owned();
    let span = place(&path, error.line, None, templates, options);
    let message = format!("template `{path}` does not parse: {}", error.message);
    Error::with_peer(Diagnostic::error("helm::template-syntax", message).at(span), error.helm_text())
}

/// A template that does not run to its end.
pub(super) fn executed(
    error: &kapstan_gotemplate::Error,
    templates: &Templates,
    options: &RenderOptions<'_>,
) -> Error {
    let form = if options.profile.is_v3() { HelmForm::Line } else { HelmForm::Frames };
    let (code, message) = match error.user_message() {
        Some(message) => ("helm::template-failed", message.to_string()),
        None => ("helm::template", error.message().to_string()),
    };
    let mut diagnostic = Diagnostic::error(code, message);
    let frames: Vec<&Frame> = error.frames().collect();
    if let Some((innermost, outer)) = frames.split_last() {
        diagnostic =
            diagnostic.with_label(frame_place(innermost, templates, options), &*expression(innermost));
        for frame in outer.iter().rev().take(MOST_FRAMES) {
            let step = format!("in `{}`, at `{}`", frame.template, shortened(&expression(frame)));
            diagnostic = diagnostic.within(step, frame_place(frame, templates, options));
        }
    }
    Error::with_peer(diagnostic, error.helm_text(form))
}

/// A longer way is not of use to anybody.
const MOST_FRAMES: usize = 20;

fn expression(frame: &Frame) -> String {
    frame.expression.to_string()
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut characters = text.char_indices();
    match characters.nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn frame_place(frame: &Frame, templates: &Templates, options: &RenderOptions<'_>) -> Span {
    place(&frame.file.to_str(), frame.line, Some(frame.column), templates, options)
}

/// A line, and a column where there is one, of a template.
fn place(
    path: &str,
    line: usize,
    column: Option<usize>,
    templates: &Templates,
    options: &RenderOptions<'_>,
) -> Span {
    let Some(text) = templates.text(path) else { return Span::NONE };
    let id = options.sources.add(path, text);
    let Some(source) = options.sources.get(id) else { return Span::NONE };
    let line = u32::try_from(line).unwrap_or(u32::MAX);
    let start = source.offset(Position { line, column: 1 });
    match column {
        Some(column) => Span::new(id, start + column, start + column + 1),
        None => Span::new(id, start, start + source.line(line).map_or(1, |line| line.len())),
    }
}
