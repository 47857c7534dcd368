use crate::format::quote;
use crate::value::Text;
use std::fmt;

/// A step of the way to an error: what was running where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The name that the text was parsed under.
    pub file: Text,
    /// From 1.
    pub line: usize,
    /// In bytes from the start of the line, from 0.
    pub column: usize,
    /// The template or definition.
    pub template: Text,
    /// The node that was looked at last, in normal form.
    pub expression: Text,
    /// What went wrong there; of an outer frame only what stands before the inner one (`error calling include: `).
    pub message: Text,
    /// Where the message is that of a function that failed: how much of it is `error calling NAME: `.
    pub(crate) lead: usize,
}

impl Frame {
    fn header(&self) -> String {
        let Self { file, line, column, template, expression, .. } = self;
        format!("template: {file}:{line}:{column}: executing {} at <{expression}>: ", quote(template))
    }
}

/// An execution that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What stands before all frames; the whole message where there are none.
    pub(crate) message: Text,
    /// Innermost first.
    pub(crate) frames: Vec<Frame>,
    /// What `fail` or `required` said, if it was one of them.
    pub(crate) user_message: Option<Text>,
}

/// How Helm words an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelmForm {
    /// Helm 3: Go's own line.
    Line,
    /// Helm 4: a paragraph a frame, unless one of the errors on the way is in another form than Go's.
    Frames,
}

impl Error {
    pub(crate) fn bare(message: impl Into<Text>) -> Self {
        Self { message: message.into(), frames: Vec::new(), user_message: None }
    }

    /// The frames, outermost first.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &Frame> {
        self.frames.iter().rev()
    }

    /// What `fail` or `required` said, if it was one of them.
    pub fn user_message(&self) -> Option<&Text> {
        self.user_message.as_ref()
    }

    /// What went wrong, without the way there.
    pub fn message(&self) -> &Text {
        self.frames.first().map_or(&self.message, |frame| &frame.message)
    }

    /// As Helm words it, without its `Error: `.
    pub fn helm_text(&self, form: HelmForm) -> String {
        if let (Some(message), Some(frame)) = (&self.user_message, self.frames.last()) {
            let Frame { file, line, column, .. } = frame;
            return format!("execution error at ({file}:{line}:{column}): {message}");
        }
        match form {
            HelmForm::Line => self.to_string(),
            HelmForm::Frames => self.paragraphs().unwrap_or_else(|| self.to_string()),
        }
    }

    /// Helm 4's paragraphs; none where an error on the way does not start like Go's.
    fn paragraphs(&self) -> Option<String> {
        if !self.message.is_empty() {
            return None;
        }
        let mut paragraphs: Vec<String> = Vec::new();
        let mut push = |text: String| {
            if paragraphs.last() != Some(&text) {
                paragraphs.push(text);
            }
        };
        let mut inner = self.frames.len();
        for frame in self.frames() {
            inner -= 1;
            push(frame.paragraph(inner > 0));
            let rest = frame.message.get(frame.lead..).unwrap_or_default();
            if frame.lead > 0 && (inner == 0 || !rest.is_empty()) {
                let rest = String::from_utf8_lossy(rest);
                if !rest.starts_with("template: no template ") {
                    return None;
                }
                push(format!("{rest}\n"));
            }
        }
        Some(paragraphs.concat().trim().to_owned())
    }
}

impl Frame {
    fn paragraph(&self, has_inner: bool) -> String {
        let Self { file, line, column, template, expression, message, .. } = self;
        let message = format!("{message}{}", if has_inner { "template:" } else { "" });
        let message = message.split_once(" template:").map_or(&*message, |(before, _)| before);
        format!("{file}:{line}:{column}\n  executing {} at <{expression}>:\n    {message}\n", quote(template))
    }
}

/// Go's one line.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)?;
        for frame in self.frames() {
            f.write_str(&frame.header())?;
            frame.message.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
