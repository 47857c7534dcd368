use kapstan_diagnostic::{Code, Diagnostic, Span};

/// Why a chart cannot be loaded, rendered or written.
#[derive(Clone, Debug)]
pub struct Error {
    diagnostic: Box<Diagnostic>,
    peer_text: String,
    rendered: Option<String>,
    warnings: Vec<Diagnostic>,
}

/// What a step of this crate comes to.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A problem whose message is Helm's own text.
    pub(crate) fn new(code: Code, text: impl Into<String>) -> Self {
        let text = text.into();
        Self::with_peer(Diagnostic::error(code, text.clone()), text)
    }

    /// A problem in our own words, and Helm's text for it.
    pub(crate) fn with_peer(diagnostic: Diagnostic, peer_text: impl Into<String>) -> Self {
        Self {
            diagnostic: Box::new(diagnostic),
            peer_text: peer_text.into(),
            rendered: None,
            warnings: Vec::new(),
        }
    }

    /// Says what was being done; Helm writes it before its text: `cannot load Chart.yaml: ...`.
    pub(crate) fn within(mut self, context: &str) -> Self {
        self.peer_text = format!("{context}: {}", self.peer_text);
        self.diagnostic = Box::new(self.diagnostic.within(context, Span::NONE));
        self
    }

    /// Keeps what had been rendered when the problem came up; Helm has a release from then on.
    pub(crate) fn with_rendered(mut self, text: String) -> Self {
        self.rendered = Some(text);
        self
    }

    /// Keeps what was warned of before the problem came up.
    pub(crate) fn after(mut self, warnings: Vec<Diagnostic>) -> Self {
        self.warnings = warnings;
        self
    }

    /// What was warned of before, in order; the peer text of each is the line that Helm prints.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Helm's text, without `Error: ` and without the hint at `--debug`.
    pub fn text(&self) -> &str {
        &self.peer_text
    }

    /// The text that Helm prints behind `Error: `.
    ///
    /// From rendering on Helm ends it with a hint at `--debug`, unless that flag is set.
    pub fn peer_text(&self, is_debug: bool) -> String {
        match &self.rendered {
            Some(_) if !is_debug => {
                format!("{}\n\nUse --debug flag to render out invalid YAML", self.peer_text)
            }
            _ => self.peer_text.clone(),
        }
    }

    /// What Helm prints to standard output with `--debug` in spite of the error; none before rendering.
    pub fn rendered(&self) -> Option<&str> {
        self.rendered.as_deref()
    }

    /// The problem for people; its peer text is that of a run without `--debug`.
    pub fn into_diagnostic(self) -> Diagnostic {
        let peer_text = self.peer_text(false);
        self.diagnostic.with_peer_text(peer_text)
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.peer_text)
    }
}

impl std::error::Error for Error {}
