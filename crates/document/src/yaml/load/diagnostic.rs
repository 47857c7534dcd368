use super::code;
use crate::yaml::Error;
use kapstan_diagnostic::{Diagnostic, SourceId, Span};

impl Error {
    /// The problem as people see it, at its place in `source`, the text that was read.
    ///
    /// PyYAML's text is kept beside it, as for a text without a name; a Python exception with its class in front.
    pub fn into_diagnostic(self, source: SourceId) -> Diagnostic {
        let at = |offset: usize| Span::new(source, offset, offset);
        let place = at(self.character.map_or(self.mark.offset, |character| character.position));
        let peer_text = match self.exception {
            Some(class) => format!("{class}: {}", self.problem),
            None => self.to_string(),
        };
        let (message, label, context) = match (self.code, &self.context) {
            (code::DUPLICATE_ANCHOR, _) => {
                ("the anchor is defined twice".to_owned(), "again here", Some("defined here"))
            }
            (code::SEVERAL_DOCUMENTS, _) => {
                let message = "expected one document, found another one behind it".to_owned();
                (message, "the next document begins here", Some("the first document"))
            }
            (_, context) => (self.message(), "", context.as_ref().map(|(text, _)| text.as_ref())),
        };
        let diagnostic =
            Diagnostic::error(self.code, message).with_label(place, label).with_peer_text(peer_text);
        match (context, &self.context) {
            (Some(text), Some((_, mark))) if *mark != self.mark => {
                diagnostic.with_label(at(mark.offset), text)
            }
            _ => diagnostic,
        }
    }

    fn message(&self) -> String {
        match self.exception {
            None | Some("ValueError") => in_back_ticks(&self.problem),
            Some("KeyError") => format!("the value is no boolean: {}", in_back_ticks(&self.problem)),
            Some("IndexError") => "the value is no number: it has no digits".to_owned(),
            Some("OverflowError") => "the number is too large".to_owned(),
            Some(_) => "the value is no timestamp".to_owned(),
        }
    }
}

/// Puts literals, which libyaml and Python show in single quotes, into back-ticks.
fn in_back_ticks(problem: &str) -> String {
    let parts: Vec<&str> = problem.split('\'').collect();
    // An odd number of parts: every quote has its partner.
    let is_paired = parts.len() % 2 == 1 && !problem.contains('"') && !problem.contains("\\'");
    if is_paired { parts.join("`") } else { problem.to_owned() }
}
