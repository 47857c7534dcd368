use crate::yaml::Mark;
use std::borrow::Cow;
use std::fmt;

/// Why a text is no YAML, in libyaml's words.
///
/// It is displayed as PyYAML displays it for a text without a file name; [`Error::text`] takes the name. The fields are
/// those of [`ErrorParts`]; they lie elsewhere because results that are nearly always good ought to be small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<ErrorParts>);

/// What an [`Error`] consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorParts {
    /// What was being read, and where that began: "while scanning a simple key".
    pub context: Option<(Cow<'static, str>, Mark)>,
    /// What is wrong: "could not find expected ':'".
    pub problem: Cow<'static, str>,
    /// Where.
    pub mark: Mark,
    /// The character or byte that may not occur in YAML at all, when that is the problem.
    pub character: Option<Character>,
    /// The class of the Python exception that comes out of PyYAML without words of its own and without a place
    /// (`ValueError` for a day that does not exist), when it is one. The mark is that of the value.
    pub exception: Option<&'static str>,
    /// The stable name of this kind of problem, for diagnostics.
    pub code: &'static str,
}

/// A character or byte that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Character {
    /// The code point or byte; -1 where there is none, as in an incomplete sequence.
    pub value: i32,
    /// Its place in the input, in bytes from 0, with the byte order mark counted.
    pub position: usize,
}

impl Error {
    /// An error without context.
    pub fn new(problem: impl Into<Cow<'static, str>>, mark: Mark) -> Self {
        Self(Box::new(ErrorParts {
            context: None,
            problem: problem.into(),
            mark,
            character: None,
            exception: None,
            code: "yaml::syntax",
        }))
    }

    /// Adds what was being read, and where that began.
    #[must_use]
    pub fn within(mut self, context: impl Into<Cow<'static, str>>, mark: Mark) -> Self {
        self.0.context = Some((context.into(), mark));
        self
    }

    /// Names the kind of problem.
    #[must_use]
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.0.code = code;
        self
    }

    /// Makes it the message of a Python exception.
    #[must_use]
    pub fn with_exception(mut self, exception: &'static str) -> Self {
        self.0.exception = Some(exception);
        self
    }

    /// The error for a character that YAML does not allow.
    pub(super) fn unacceptable(character: Character) -> Self {
        Self::unreadable("control characters are not allowed", character)
    }

    /// The error for a byte or character that cannot be decoded. Its mark has an offset, but no line and column.
    pub(super) fn unreadable(problem: &'static str, character: Character) -> Self {
        let mark = Mark { offset: character.position, ..Mark::default() };
        let mut error = Self::new(problem, mark).with_code("yaml::unreadable-character");
        error.0.character = Some(character);
        error
    }

    /// The text that PyYAML prints for this error in the file called `name`; without a file the name is
    /// `<unicode string>` or `<byte string>`.
    ///
    /// Two to four lines, without a line break at the end; of a Python exception the message alone.
    pub fn text(&self, name: &str) -> String {
        if let Some(Character { value, position }) = self.character {
            let value = if value < 0 { format!("-{:03x}", -value) } else { format!("{value:04x}") };
            let problem = &self.problem;
            return format!(
                "unacceptable character #x{value}: {problem}\n  in \"{name}\", position {position}"
            );
        }
        if self.exception.is_some() {
            return self.problem.to_string();
        }
        let place =
            |mark: Mark| format!("  in \"{name}\", line {}, column {}", mark.line + 1, mark.column + 1);
        let mut lines = Vec::with_capacity(4);
        if let Some((context, mark)) = &self.context {
            lines.push(context.to_string());
            if (mark.line, mark.column) != (self.mark.line, self.mark.column) {
                lines.push(place(*mark));
            }
        }
        lines.push(self.problem.to_string());
        lines.push(place(self.mark));
        lines.join("\n")
    }
}

impl std::ops::Deref for Error {
    type Target = ErrorParts;

    fn deref(&self) -> &ErrorParts {
        &self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text("<unicode string>"))
    }
}

impl std::error::Error for Error {}
