use crate::Span;
use std::borrow::Cow;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; the result stands.
    Warning,
    /// There is no result.
    Error,
}

/// The stable name of a kind of problem, `room::what-is-wrong`: `inventory::class-not-found`.
pub type Code = &'static str;

/// A place in a source, with what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// A few words, or nothing where the place says enough.
    pub text: String,
}

/// A step of the way to the problem: "while rendering target `prod`", "in class `common`".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The step, in words.
    pub text: String,
    /// Its place, where it has one; otherwise [`Span::NONE`].
    pub span: Span,
}

/// One problem, complete: readable without knowing what the program was doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The stable name of this kind of problem.
    pub code: Code,
    /// Lower case, no full stop, literals in back-ticks: "class `app.mysql` not found".
    pub message: String,
    /// Places; the first is the primary one.
    pub labels: Vec<Label>,
    /// The way there, outermost step first.
    pub trace: Vec<Frame>,
    /// What the user may do: "did you mean `app.mysql8`?".
    pub hints: Vec<String>,
    /// The text that the peer prints for this problem, where scripts may depend on it.
    pub peer_text: Option<String>,
}

/// A value, with the warnings that came up on the way to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked<T> {
    /// The result.
    pub value: T,
    /// Problems that did not prevent it.
    pub warnings: Vec<Diagnostic>,
}

/// What a feature returns: a checked value, or every problem that was found.
pub type Outcome<T> = Result<Checked<T>, Vec<Diagnostic>>;

impl Diagnostic {
    /// An error without a place; add what is known with the `with_` methods.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message.into())
    }

    /// A warning without a place.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message.into())
    }

    fn new(severity: Severity, code: Code, message: String) -> Self {
        Self {
            severity,
            code,
            message,
            labels: Vec::new(),
            trace: Vec::new(),
            hints: Vec::new(),
            peer_text: None,
        }
    }

    /// Adds a place without words. Does nothing for [`Span::NONE`].
    #[must_use]
    pub fn at(self, span: Span) -> Self {
        self.with_label(span, "")
    }

    /// Adds a place and what there is to say about it. Does nothing for [`Span::NONE`].
    #[must_use]
    pub fn with_label<'a>(mut self, span: Span, text: impl Into<Cow<'a, str>>) -> Self {
        if span.is_some() {
            self.labels.push(Label { span, text: text.into().into_owned() });
        }
        self
    }

    /// Adds a step of the way, outside those that are there already.
    #[must_use]
    pub fn within(mut self, text: impl Into<String>, span: Span) -> Self {
        self.trace.insert(0, Frame { text: text.into(), span });
        self
    }

    /// Adds something that the user may do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds the peer's own text for this problem.
    #[must_use]
    pub fn with_peer_text(mut self, text: impl Into<String>) -> Self {
        self.peer_text = Some(text.into());
        self
    }

    /// The primary place, or [`Span::NONE`].
    pub fn span(&self) -> Span {
        self.labels.first().map_or(Span::NONE, |label| label.span)
    }
}

impl<T> From<T> for Checked<T> {
    fn from(value: T) -> Self {
        Self { value, warnings: Vec::new() }
    }
}

impl<T> Checked<T> {
    /// The same warnings around another value.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Checked<U> {
        Checked { value: make(self.value), warnings: self.warnings }
    }
}
