use kapstan_diagnostic::{Diagnostic, Severity, Sources, Span};
use serde_json::{Value, json};

/// The diagnostic as one JSON object on one line.
pub(super) fn line(diagnostic: &Diagnostic, sources: &Sources) -> String {
    as_json(diagnostic, sources).to_string()
}

/// The diagnostic as an object with the keys `severity`, `code`, `message`, `labels`, `trace` and `hints`.
pub(crate) fn as_json(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let labels = diagnostic.labels.iter().map(|label| with_place(label.span, &label.text, sources));
    let trace = diagnostic.trace.iter().map(|frame| with_place(frame.span, &frame.text, sources));
    json!({
        "severity": severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "labels": labels.collect::<Vec<_>>(),
        "trace": trace.collect::<Vec<_>>(),
        "hints": diagnostic.hints,
    })
}

/// A text and its place: file, and lines and columns from 1; places are null where there is none.
fn with_place(span: Span, text: &str, sources: &Sources) -> Value {
    match sources.locate(span) {
        Some((source, start)) => {
            let end = source.position(span.end());
            json!({
                "text": text,
                "file": source.name(),
                "line": start.line,
                "column": start.column,
                "end_line": end.line,
                "end_column": end.column,
            })
        }
        None => json!({ "text": text, "file": null }),
    }
}
