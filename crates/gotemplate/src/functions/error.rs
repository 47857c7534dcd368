use crate::parse::ParseError;
use crate::run::Error;
use crate::value::Text;
use std::fmt;

/// Why a function failed. The evaluator makes `error calling NAME: TEXT` of it, with the place of the call.
///
/// Where Go's function panics, the panic's text is given here: in a template both read the same.
#[derive(Clone, Debug)]
pub struct CallError {
    error: Box<Error>,
    is_parse_error: bool,
}

impl CallError {
    /// An error of that text.
    pub fn new(message: impl Into<Text>) -> Self {
        Error::bare(message).into()
    }

    /// What the author of a template says with `fail` or `required`: shown without the way there.
    pub fn user_message(message: impl Into<Text>) -> Self {
        let message = message.into();
        let mut error = Error::bare(message.clone());
        error.user_message = Some(message);
        error.into()
    }

    /// Puts a text in front: `fmt.Errorf("PREFIX%w", error)`.
    #[must_use]
    pub fn prefixed(mut self, prefix: impl AsRef<[u8]>) -> Self {
        self.error.message = [prefix.as_ref(), self.error.message.as_bytes()].concat().into();
        self
    }

    /// Its text, as Go's `Error()` gives it.
    pub fn message(&self) -> String {
        self.error.to_string()
    }

    /// Whether it is what `fail` or `required` said.
    pub fn is_user_message(&self) -> bool {
        self.error.user_message.is_some()
    }

    /// Whether a text did not parse ([`crate::Call::execute_text`]).
    pub fn is_parse_error(&self) -> bool {
        self.is_parse_error
    }

    pub(crate) fn into_error(self) -> Box<Error> {
        self.error
    }
}

impl From<Error> for CallError {
    fn from(error: Error) -> Self {
        Self { error: Box::new(error), is_parse_error: false }
    }
}

impl From<Box<Error>> for CallError {
    fn from(error: Box<Error>) -> Self {
        Self { error, is_parse_error: false }
    }
}

impl From<ParseError> for CallError {
    fn from(error: ParseError) -> Self {
        Self { error: Box::new(Error::bare(error.to_string())), is_parse_error: true }
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

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for CallError {}
