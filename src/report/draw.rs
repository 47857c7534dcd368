use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use kapstan_diagnostic::{Diagnostic, Frame, Label, Severity, Source, Sources, Span};
use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

/// Of longer lines only the place is told: a minified file would fill the screen.
const LONGEST_LINE: usize = 400;

/// The diagnostic with its source lines.
pub(super) fn drawn(diagnostic: &Diagnostic, sources: &Sources, is_colored: bool) -> String {
    let places = diagnostic.labels.iter().filter_map(|label| Some((Drawn::new(label.span, sources)?, label)));
    let places: Vec<(Drawn, &Label)> = places.collect();
    let message = visible(&diagnostic.message);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(&message).id(diagnostic.code));
    for (number, (place, label)) in places.iter().enumerate() {
        if place.text.len() > LONGEST_LINE {
            let origin = Origin::path(place.source.name()).line(place.line as usize);
            group = group.element(origin.char_column(place.column as usize));
            continue;
        }
        let kind = if number == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(place.range.clone());
        let annotation = if label.text.is_empty() { annotation } else { annotation.label(&label.text) };
        group = group.element(
            Snippet::source(&place.text)
                .path(place.source.name())
                .line_start(place.line as usize)
                .annotation(annotation),
        );
    }
    let trace = trace(diagnostic, sources);
    for step in &trace {
        group = group.element(Level::NOTE.message(step));
    }
    for hint in &diagnostic.hints {
        group = group.element(Level::HELP.message(hint));
    }
    let report: &[Group<'_>] = &[group];
    let renderer = if is_colored { Renderer::styled() } else { Renderer::plain() };
    renderer.render(report)
}

/// One line for the problem, in the form that editors know, and one for each step and hint.
pub(super) fn plain(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let mut text = String::new();
    if let Some((source, position)) = sources.locate(diagnostic.span()) {
        let _ = write!(text, "{}:{}:{}: ", visible(source.name()), position.line, position.column);
    }
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let _ = write!(text, "{severity}: {} [{}]", visible(&diagnostic.message), diagnostic.code);
    for label in diagnostic.labels.iter().skip(1) {
        let words = if label.text.is_empty() { "see" } else { &label.text };
        let _ = write!(text, "\n  {}", step(words, label.span, sources));
    }
    for step in trace(diagnostic, sources) {
        let _ = write!(text, "\n  {step}");
    }
    for hint in &diagnostic.hints {
        let _ = write!(text, "\n  hint: {}", visible(hint));
    }
    text
}

/// The way to the problem, innermost step first. Of a long one, as endless recursion has it, the middle is left out.
fn trace(diagnostic: &Diagnostic, sources: &Sources) -> Vec<String> {
    const ENDS: usize = 10;
    let frames: Vec<&Frame> = diagnostic.trace.iter().rev().collect();
    let told = |frames: &[&Frame]| -> Vec<String> {
        frames.iter().map(|frame| step(&frame.text, frame.span, sources)).collect()
    };
    if frames.len() <= 2 * ENDS {
        return told(&frames);
    }
    let mut steps = told(&frames[..ENDS]);
    steps.push(format!("... {} more steps", frames.len() - 2 * ENDS));
    steps.extend(told(&frames[frames.len() - ENDS..]));
    steps
}

fn step(words: &str, span: Span, sources: &Sources) -> String {
    match sources.locate(span) {
        Some((source, position)) => {
            format!("{} ({}:{}:{})", visible(words), visible(source.name()), position.line, position.column)
        }
        None => visible(words),
    }
}

/// The lines that a span touches, and where it lies in them.
struct Drawn {
    source: Arc<Source>,
    text: String,
    line: u32,
    column: u32,
    range: Range<usize>,
}

impl Drawn {
    fn new(span: Span, sources: &Sources) -> Option<Self> {
        let (source, start) = sources.locate(span)?;
        let line = source.line(start.line)?;
        let from = byte_of_column(&line, start.column);
        let width = span.end().saturating_sub(span.start()).max(1);
        let to = (from + width).min(line.len()).max(from);
        let to = (to..=line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len());
        let before = visible(&line[..from]);
        let marked = visible(&line[from..to]);
        let range = before.len()..before.len() + marked.len();
        let text = before + &marked + &visible(&line[to..]);
        Some(Self { source, text, line: start.line, column: start.column, range })
    }
}

fn byte_of_column(line: &str, column: u32) -> usize {
    line.char_indices().nth(column.saturating_sub(1) as usize).map_or(line.len(), |(at, _)| at)
}

/// The text without characters that would steer a terminal; line breaks and tabs stay.
pub(crate) fn visible(text: &str) -> String {
    text.replace(|character: char| character.is_control() && !matches!(character, '\n' | '\t'), "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Diagnostic, Sources) {
        let sources = Sources::new();
        let id = sources.add("inventory/targets/a.yml", "classes:\n  - comon\n".as_bytes());
        let diagnostic = Diagnostic::error("inventory::class-not-found", "class `comon\u{1b}` not found")
            .at(Span::new(id, 13, 18))
            .within("while rendering target `a`", Span::NONE)
            .with_hint("did you mean `common`?");
        (diagnostic, sources)
    }

    #[test]
    fn plain_text_has_the_form_that_editors_know() {
        let (diagnostic, sources) = example();
        let expected =
            "inventory/targets/a.yml:2:5: error: class `comon\u{fffd}` not found [inventory::class-not-found]
  while rendering target `a`
  hint: did you mean `common`?";
        assert_eq!(plain(&diagnostic, &sources), expected);
    }

    #[test]
    fn long_ways_are_told_by_their_ends() {
        let (mut diagnostic, sources) = example();
        for number in 0..30 {
            diagnostic = diagnostic.within(format!("call {number}"), Span::NONE);
        }
        let text = plain(&diagnostic, &sources);
        assert!(text.contains("\n  ... 11 more steps\n"), "{text}");
        assert!(text.contains("call 29") && !text.contains("call 12"), "{text}");
    }

    #[test]
    fn of_long_lines_the_place_is_told() {
        let sources = Sources::new();
        let id = sources.add("a.json", "x".repeat(1000).as_bytes());
        let diagnostic = Diagnostic::error("a::b", "wrong").at(Span::new(id, 500, 501));
        assert!(drawn(&diagnostic, &sources, false).contains("--> a.json:1:501"));
    }

    #[test]
    fn drawings_show_the_line() {
        let (diagnostic, sources) = example();
        let drawing = drawn(&diagnostic, &sources, false);
        assert!(drawing.contains("--> inventory/targets/a.yml:2:5"), "{drawing}");
        assert!(drawing.contains("  - comon"), "{drawing}");
        assert!(drawing.contains("^^^^^"), "{drawing}");
        assert!(!drawing.contains('\u{1b}'), "{drawing}");
    }
}
