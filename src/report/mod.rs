//! What people see: diagnostics drawn, told plainly or as JSON, and progress.

mod changes;
mod draw;
mod json;
mod progress;

use crate::cli::arguments::{Color, MessageFormat};
use kapstan_diagnostic::{Diagnostic, Sources};
use std::io::{IsTerminal, Write};
use std::sync::Arc;

pub(crate) use changes::show_changes;
pub(crate) use draw::visible;
pub(crate) use json::as_json;
pub(crate) use progress::CompileProgress;

/// Writes messages to standard error, in the way the user wants them.
pub(crate) struct Reporter {
    pub(crate) sources: Arc<Sources>,
    format: MessageFormat,
    is_colored: bool,
    is_drawn: bool,
}

impl Reporter {
    /// Looks at the terminal once.
    pub(crate) fn new(sources: Arc<Sources>, format: MessageFormat, color: Color) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let is_colored = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        };
        Self { sources, format, is_colored, is_drawn: is_terminal || color == Color::Always }
    }

    /// Writes one diagnostic.
    pub(crate) fn report(&self, diagnostic: &Diagnostic) {
        let text = match self.format {
            MessageFormat::Json => json::line(diagnostic, &self.sources),
            MessageFormat::Text if self.is_drawn => draw::drawn(diagnostic, &self.sources, self.is_colored),
            MessageFormat::Text => draw::plain(diagnostic, &self.sources),
        };
        self.line(&text);
    }

    /// Writes all of them, in order.
    pub(crate) fn report_all<'d>(&self, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        for diagnostic in diagnostics {
            self.report(diagnostic);
        }
    }

    /// Writes a line that is no diagnostic: progress, notes. JSON lines leave it out.
    pub(crate) fn note(&self, text: &str) {
        if self.format == MessageFormat::Text {
            self.line(text);
        }
    }

    /// Whether messages are JSON lines.
    pub(crate) fn is_json(&self) -> bool {
        self.format == MessageFormat::Json
    }

    /// Writes a finding: as the peer words it, or as JSON with its place.
    pub(crate) fn finding(&self, peer_text: &str, diagnostic: &Diagnostic) {
        match self.format {
            MessageFormat::Text => self.line(&draw::visible(peer_text)),
            MessageFormat::Json => self.report(diagnostic),
        }
    }

    fn line(&self, text: &str) {
        // Nobody is left to tell when standard error is closed.
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }
}
