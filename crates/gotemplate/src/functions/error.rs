use crate::value::Text;
use std::fmt;

/// Why a function failed. The evaluator makes `error calling NAME: TEXT` of it, with the place of the call.
///
/// Where Go's function panics, the panic's text is given here: in a template both read the same.
#[derive(Clone)]
pub struct CallError(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    message: Text,
    is_user_message: bool,
}

impl CallError {
    /// An error of that text.
    pub fn new(message: impl Into<Text>) -> Self {
        Self(Box::new(Inner { message: message.into(), is_user_message: false }))
    }

    /// What the author of a template says with `fail` or `required`: shown without the way there.
    pub fn user_message(message: impl Into<Text>) -> Self {
        Self(Box::new(Inner { message: message.into(), is_user_message: true }))
    }

    /// Puts a text in front: `fmt.Errorf("PREFIX%w", error)`.
    #[must_use]
    pub fn prefixed(mut self, prefix: &str) -> Self {
        self.0.message = [prefix.as_bytes(), self.0.message.as_bytes()].concat().into();
        self
    }

    /// Its text, as Go's `Error()` gives it.
    pub fn message(&self) -> &Text {
        &self.0.message
    }

    /// Whether it is what `fail` or `required` said.
    pub fn is_user_message(&self) -> bool {
        self.0.is_user_message
    }
}

impl From<String> for CallError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<&str> for CallError {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl fmt::Debug for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.message.fmt(f)
    }
}

impl std::error::Error for CallError {}
