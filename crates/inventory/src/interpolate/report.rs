use super::render::Unresolved;
use crate::problem;
use crate::store::Store;
use crate::tree::Tree;
use kapstan_diagnostic::{Diagnostic, SourceId, Span};
use std::path::Path;

/// What went wrong while a target was interpolated.
pub(crate) struct Report<'a> {
    target: &'a str,
    store: &'a Store,
    /// With the peer's line about each, where it has one.
    problems: Vec<Found>,
    is_stopped: bool,
    pub(crate) warnings: Vec<Diagnostic>,
}

struct Found {
    problem: Diagnostic,
    line: Option<String>,
    /// Whether the peer goes on after it, to report all of its kind together.
    is_grouped: bool,
}

impl<'a> Report<'a> {
    pub(super) fn new(target: &'a str, store: &'a Store) -> Self {
        Self { target, store, problems: Vec::new(), is_stopped: false, warnings: Vec::new() }
    }

    pub(super) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// A problem after which there is no use in going on.
    pub(super) fn fatal(&mut self, problem: Diagnostic, line: Option<String>) {
        self.is_stopped = true;
        self.problems.push(Found { problem, line, is_grouped: false });
    }

    /// A problem of one value.
    pub(super) fn collect(&mut self, problem: Diagnostic, line: String) {
        self.problems.push(Found { problem, line: Some(line), is_grouped: false });
    }

    pub(super) fn unresolved(&mut self, unresolved: &Unresolved, path: &str, stops: bool) {
        let shown = format!("${{{}}}", unresolved.miss.path);
        let span = self.narrow(unresolved.span, &shown);
        let problem = problem::unresolved(&unresolved.miss, &shown, span);
        let line = format!("Cannot resolve {shown}, at {path}, in {}", self.uri_of(unresolved.span));
        self.is_stopped |= stops;
        self.problems.push(Found { problem, line: Some(line), is_grouped: !stops });
    }

    /// A reference that leads nowhere, in a layer that another one replaces.
    pub(super) fn undefined(&mut self, unresolved: &Unresolved) {
        let shown = format!("${{{}}}", unresolved.miss.path);
        let span = self.narrow(unresolved.span, &shown);
        let message = format!("`{shown}` leads nowhere, and its value is replaced later");
        let peer = format!("[WARNING] Reference '{}' undefined", unresolved.text);
        let warning =
            Diagnostic::warning(problem::REFERENCE_NOT_FOUND, message).at(span).with_peer_text(peer);
        self.warnings.push(warning);
    }

    pub(super) fn add_source(&self, text: &str) -> SourceId {
        self.store.sources.add("a default", text.as_bytes())
    }

    pub(super) fn narrow(&self, span: Span, needle: &str) -> Span {
        problem::narrow(&self.store.sources, span, needle)
    }

    /// How the peer names the files of a value: all its layers'.
    pub(super) fn uri(&self, value: &Tree) -> String {
        let uris: Vec<String> = value.layers().iter().map(|layer| self.uri_of(layer.span())).collect();
        uris.join("; ")
    }

    fn uri_of(&self, span: Span) -> String {
        let source = span.source().and_then(|id| self.store.sources.get(id));
        source.map_or_else(|| "__auto__".to_owned(), |source| self.store.uri(Path::new(source.name())))
    }

    /// The problems, or none. The first of those that the peer would print carries its text.
    pub(crate) fn into_problems(self) -> Vec<Diagnostic> {
        let all: Vec<&str> = self.problems.iter().filter_map(|found| found.line.as_deref()).collect();
        let fatal = self.problems.iter().find(|found| !found.is_grouped);
        let text = match fatal {
            Some(found) => found.line.clone(),
            None => (!all.is_empty()).then(|| all.join("\n   ")),
        };
        let carrier = self.problems.iter().position(|found| !found.is_grouped).unwrap_or(0);
        let text = text.map(|text| problem::peer(&format!("-> {}\n   {text}", self.target)));
        let with_text = self.problems.into_iter().enumerate().map(|(at, found)| {
            let problem =
                found.problem.within(format!("while rendering target `{}`", self.target), Span::NONE);
            match &text {
                Some(text) if at == carrier => problem.with_peer_text(text.clone()),
                _ => problem,
            }
        });
        with_text.collect()
    }
}
