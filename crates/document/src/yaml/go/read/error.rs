use crate::yaml::{self, Mark};
use crate::{Node, Span};
use kapstan_diagnostic::{Diagnostic, SourceId};
use std::fmt;

/// Why Go reads no value out of a text. Displayed as `sigs.k8s.io/yaml` displays it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Parts>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    /// In whose words the text is.
    stage: Stage,
    /// What Go says, without what the outer functions put in front.
    text: String,
    /// The same for people.
    message: String,
    place: Place,
    /// The reader's own error, where there is one.
    syntax: Option<yaml::Error>,
}

/// At which of Go's steps it went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// go-yaml: from text to untyped values.
    Yaml,
    /// From those into JSON.
    IntoJson,
    /// From JSON into the type that was asked for.
    FromJson,
    /// None of them: a limit of our own.
    Limit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Mark(Mark),
    Span(Span),
}

impl Error {
    /// What the reader refused.
    pub(super) fn syntax(error: yaml::Error) -> Self {
        let line = line_of(&error).map_or_else(String::new, |line| format!("line {line}: "));
        Self(Box::new(Parts {
            stage: Stage::Yaml,
            text: format!("{line}{}", error.problem),
            message: String::new(),
            place: Place::Mark(error.mark),
            syntax: Some(error),
        }))
    }

    /// What go-yaml refuses about values; it does not say where.
    pub(super) fn value(text: impl Into<String>, mark: Mark) -> Self {
        let text = text.into();
        let message = in_back_ticks(&text);
        Self(Box::new(Parts { stage: Stage::Yaml, text, message, place: Place::Mark(mark), syntax: None }))
    }

    pub(super) fn at_stage(stage: Stage, text: String, span: Span) -> Self {
        let message = in_back_ticks(text.strip_prefix("json: ").unwrap_or(&text));
        Self(Box::new(Parts { stage, text, message, place: Place::Span(span), syntax: None }))
    }

    pub(super) fn too_large(text: String) -> Self {
        Self::at_stage(Stage::Limit, text, Span::NONE)
    }

    pub(super) fn too_deep(depth: usize, mark: Mark) -> Self {
        let text = format!("collections nest deeper than {depth} levels");
        Self(Box::new(Parts {
            stage: Stage::Limit,
            message: text.clone(),
            text,
            place: Place::Mark(mark),
            syntax: None,
        }))
    }

    pub(super) fn wrong_kind(found: &Node, go_type: &str) -> Self {
        let text = crate::json::go::wrong_kind(&found.value, go_type);
        let mut error = Self::at_stage(Stage::FromJson, text, found.span);
        let wanted = if go_type.starts_with("[]") { "sequence" } else { "mapping" };
        error.0.message = format!("expected a {wanted}, found a {}", found.value.kind());
        error
    }

    /// What Go says, without what the outer functions put in front.
    pub(super) fn into_text(self) -> String {
        self.0.text
    }

    /// The same error for a text that begins at `offset` of its file.
    pub(super) fn moved(mut self, offset: usize) -> Self {
        let moved = |mark: Mark| Mark { offset: mark.offset + offset, ..mark };
        if let Place::Mark(mark) = self.0.place {
            self.0.place = Place::Mark(moved(mark));
        }
        if let Some(error) = self.0.syntax.take_if(|error| error.character.is_none()) {
            let mut error_there =
                yaml::Error::new(error.problem.clone(), moved(error.mark)).with_code(error.code);
            if let Some((context, mark)) = &error.context {
                error_there = error_there.within(context.clone(), moved(*mark));
            }
            self.0.syntax = Some(error_there);
        }
        self
    }

    /// The problem as people see it, at its place in `source`, the text that was read; Go's text is kept beside it.
    pub fn into_diagnostic(self, source: SourceId) -> Diagnostic {
        let peer_text = self.to_string();
        let Parts { stage, message, place, syntax, .. } = *self.0;
        let diagnostic = match syntax {
            Some(error) => error.into_diagnostic(source),
            None => {
                let code = match stage {
                    Stage::Yaml => "yaml::invalid-value",
                    Stage::IntoJson => "yaml::no-json",
                    Stage::FromJson => "yaml::wrong-kind",
                    Stage::Limit => "yaml::too-large",
                };
                let span = match place {
                    Place::Mark(mark) => Span::new(source, mark.offset, mark.offset),
                    Place::Span(span) => span,
                };
                Diagnostic::error(code, message).at(span)
            }
        };
        diagnostic.with_peer_text(peer_text)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.0.text;
        match self.0.stage {
            Stage::Yaml => write!(f, "error converting YAML to JSON: yaml: {text}"),
            Stage::IntoJson => write!(f, "error converting YAML to JSON: {text}"),
            Stage::FromJson => write!(f, "error unmarshaling JSON: while decoding JSON: {text}"),
            Stage::Limit => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {}

/// The line that go-yaml names: counted from 1 for what the scanner refuses, from 0 for what the parser refuses, and none
/// where that comes to zero or where a character cannot be read.
fn line_of(error: &yaml::Error) -> Option<u32> {
    if error.character.is_some() {
        return None;
    }
    let context = error.context.as_ref();
    match (error.mark.line, context) {
        (0, Some((_, mark))) => Some(mark.line).filter(|line| *line != 0),
        (0, None) => None,
        (line, _) => Some(line + u32::from(is_of_scanner(error))),
    }
}

fn is_of_scanner(error: &yaml::Error) -> bool {
    match &error.context {
        Some((context, _)) => {
            context.starts_with("while scanning")
                || matches!(
                    context.as_ref(),
                    "while parsing a quoted scalar"
                        | "while parsing a tag"
                        | "while parsing a %TAG directive"
                )
        }
        None => error.problem.ends_with("not allowed in this context"),
    }
}

/// Puts literals, which Go shows in back-ticks or single quotes, into back-ticks.
fn in_back_ticks(text: &str) -> String {
    let is_paired = text.matches('\'').count().is_multiple_of(2) && !text.contains('"');
    if is_paired { text.replace('\'', "`") } else { text.to_owned() }
}
