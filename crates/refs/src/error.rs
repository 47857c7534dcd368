use crate::tag::{Tag, short};
use kapstan_diagnostic::{Code, Diagnostic, Span};
use std::path::{Path, PathBuf};

/// The class of exception that Kapitan raises for a problem. Its compile run reports some of them in other words than
/// others, and retries a dictionary value after two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raised {
    /// `RefError`.
    Ref,
    /// `RefBackendError`.
    Backend,
    /// `RefFromFuncError`.
    FromFunction,
    /// `RefHashMismatchError`.
    HashMismatch,
    /// Any other `KapitanError`.
    Kapitan,
    /// `KeyError`.
    Key,
    /// `AttributeError`.
    Attribute,
    /// `TypeError`.
    Type,
    /// `ValueError` and its kin (`binascii.Error`, `UnicodeDecodeError`).
    Value,
    /// A `YAMLError`.
    Yaml,
    /// `OSError` and its kin.
    Os,
    /// Nothing: Kapitan has no such check, or loops, or runs out of memory.
    Nothing,
}

impl Raised {
    /// The name of the class in Python; empty for [`Raised::Nothing`].
    pub fn class_name(self) -> &'static str {
        match self {
            Self::Ref => "RefError",
            Self::Backend => "RefBackendError",
            Self::FromFunction => "RefFromFuncError",
            Self::HashMismatch => "RefHashMismatchError",
            Self::Kapitan => "KapitanError",
            Self::Key => "KeyError",
            Self::Attribute => "AttributeError",
            Self::Type => "TypeError",
            Self::Value => "ValueError",
            Self::Yaml => "YAMLError",
            Self::Os => "OSError",
            Self::Nothing => "",
        }
    }

    /// Whether it is one of Kapitan's own exceptions, whose text a compile run shows as it is.
    pub fn is_kapitan_error(self) -> bool {
        matches!(self, Self::Ref | Self::Backend | Self::FromFunction | Self::HashMismatch | Self::Kapitan)
    }
}

/// What is wrong with a reference. Never holds a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    code: Code,
    message: String,
    hints: Vec<String>,
    raised: Raised,
    peer_text: String,
    tag: Option<String>,
    offset: usize,
    file: Option<PathBuf>,
    span: Span,
}

impl Error {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            code,
            message: message.into(),
            hints: Vec::new(),
            raised: Raised::Nothing,
            peer_text: String::new(),
            tag: None,
            offset: 0,
            file: None,
            span: Span::NONE,
        }))
    }

    pub(crate) fn raised(mut self, raised: Raised, peer_text: impl Into<String>) -> Self {
        self.0.raised = raised;
        self.0.peer_text = peer_text.into();
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hints.push(hint.into());
        self
    }

    pub(crate) fn in_file(mut self, file: &Path) -> Self {
        self.0.file.get_or_insert_with(|| file.to_owned());
        self
    }

    /// The innermost tag stays: it is the one that says most.
    pub(crate) fn in_tag(mut self, tag: &Tag<'_>) -> Self {
        if self.0.tag.is_none() {
            self.0.tag = Some(short(&tag.shown()).into_owned());
            self.0.offset = tag.start;
        }
        self
    }

    pub(crate) fn at(mut self, span: Span) -> Self {
        self.0.span = self.0.span.or(span);
        self
    }

    /// The stable name of this kind of problem.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The problem in our words: lower case, no full stop.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The class of exception that Kapitan raises here.
    pub fn raised_class(&self) -> Raised {
        self.0.raised
    }

    /// The text of Kapitan's exception (`str(e)`); empty where it has none.
    pub fn peer_text(&self) -> &str {
        &self.0.peer_text
    }

    /// The tag that was at work, fit for messages.
    pub fn tag(&self) -> Option<&str> {
        self.0.tag.as_deref()
    }

    /// Where the tag begins in the text that was processed, in bytes.
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// The ref file that was at work.
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// Whether Kapitan tries the same dictionary value again after the others.
    pub(crate) fn is_retried(&self) -> bool {
        matches!(self.0.raised, Raised::Ref | Raised::Key)
    }

    pub(crate) fn is(&self, raised: Raised) -> bool {
        self.0.raised == raised
    }

    /// The same problem, raised again as another exception with another text.
    pub(crate) fn raised_again(self, raised: Raised, peer_text: impl Into<String>) -> Self {
        self.raised(raised, peer_text)
    }

    /// The problem as data to draw: with the place of the tag, where that is known, and the ref file.
    pub fn into_diagnostic(self) -> Diagnostic {
        let Inner { code, message, hints, peer_text, tag, file, span, .. } = *self.0;
        let mut diagnostic = Diagnostic::error(code, message).at(span);
        if let Some(file) = file {
            diagnostic = diagnostic.within(format!("in the ref file `{}`", file.display()), Span::NONE);
        }
        if let Some(tag) = tag {
            diagnostic = diagnostic.within(format!("in the reference tag `{tag}`"), span);
        }
        diagnostic.hints = hints;
        diagnostic.peer_text = (!peer_text.is_empty()).then_some(peer_text);
        diagnostic
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}

impl From<Error> for Diagnostic {
    fn from(error: Error) -> Self {
        error.into_diagnostic()
    }
}
