use crate::text;
use std::fmt;

/// What kind of exception Python would raise. Some are caught inside the language (a missing attribute becomes an
/// undefined value), all others end the render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Broken template text.
    TemplateSyntax,
    /// A template that no search path has.
    TemplateNotFound,
    /// Jinja2's `TemplateRuntimeError`.
    TemplateRuntime,
    /// An operation on an undefined value.
    Undefined,
    /// A filter that refuses its arguments.
    FilterArgument,
    /// Python's `TypeError`.
    Type,
    /// Python's `ValueError`.
    Value,
    /// Python's `KeyError`.
    Key,
    /// Python's `IndexError`.
    Index,
    /// Python's `AttributeError`.
    Attribute,
    /// Python's `ZeroDivisionError`.
    ZeroDivision,
    /// Python's `OverflowError`.
    Overflow,
    /// Python's `StopIteration`.
    StopIteration,
    /// Python's `AssertionError`.
    Assertion,
    /// Python's `RuntimeError`.
    Runtime,
    /// Too deep: Python's `RecursionError`.
    Recursion,
    /// Kapitan's `CompileError`, raised by its filters and by the host.
    Compile,
    /// The budget of the render is used up.
    Budget,
}

impl Class {
    /// Whether it is one of Jinja2's own exceptions, which Kapitan reports with their place.
    pub fn is_template_error(self) -> bool {
        matches!(
            self,
            Self::TemplateSyntax
                | Self::TemplateNotFound
                | Self::TemplateRuntime
                | Self::Undefined
                | Self::FilterArgument
        )
    }
}

/// A step of the way to an error: which template was being rendered, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The file of the template, as the loader named it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// What of the template was running.
    pub part: Part,
}

/// What of a template a [`Frame`] stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The template itself.
    Top,
    /// A block of that name.
    Block(String),
    /// A macro of that name; empty for a `call` block.
    Macro(String),
    /// A recursive loop, or the condition of a loop.
    Loop,
    /// Its text: it could not be parsed.
    Source,
}

/// A template that could not be rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderError {
    /// What Python would have raised.
    pub class: Class,
    /// The exception's text.
    pub message: String,
    /// The way there, innermost step first.
    pub frames: Vec<Frame>,
    /// What the user may do, where something can be said.
    pub hint: Option<String>,
}

impl RenderError {
    pub(crate) fn new(class: Class, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { class, message: message.into(), frames: Vec::new(), hint: None })
    }

    /// Where it happened: the innermost step.
    pub fn place(&self) -> Option<&Frame> {
        self.frames.first()
    }

    /// The text that Kapitan makes of it: Jinja2's own errors with the innermost place outside of blocks, others bare.
    pub fn peer_text(&self) -> String {
        if !self.class.is_template_error() {
            return self.message.clone();
        }
        let place = self.frames.iter().find(|frame| !matches!(frame.part, Part::Block(_)));
        match place {
            Some(frame) => {
                format!("Jinja2 TemplateError: {}, at {}:{}", self.message, frame.file, frame.line)
            }
            None => format!("Jinja2 TemplateError: {}", self.message),
        }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.peer_text())
    }
}

impl std::error::Error for RenderError {}

/// What evaluation returns.
pub(crate) type Outcome<T> = Result<T, Box<RenderError>>;

pub(crate) fn type_error<T>(message: impl Into<String>) -> Outcome<T> {
    Err(RenderError::new(Class::Type, message))
}

pub(crate) fn value_error<T>(message: impl Into<String>) -> Outcome<T> {
    Err(RenderError::new(Class::Value, message))
}

pub(crate) fn index_error<T>(message: impl Into<String>) -> Outcome<T> {
    Err(RenderError::new(Class::Index, message))
}

pub(crate) fn raise<T>(class: Class, message: impl Into<String>) -> Outcome<T> {
    Err(RenderError::new(class, message))
}

/// The error of a syntax rule; `file` is what the loader called the template.
pub(crate) fn syntax_error(message: impl Into<String>, file: &str, line: u32) -> Box<RenderError> {
    let mut error = RenderError::new(Class::TemplateSyntax, message);
    error.frames.push(Frame { file: file.to_owned(), line, part: Part::Source });
    error
}

/// `'text'` as Python quotes it in messages.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::new();
    text::repr_str(text, &mut out);
    out
}
