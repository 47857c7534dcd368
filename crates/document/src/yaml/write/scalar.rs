//! What the text of a scalar is, and in which style it is written.

use super::analysis::{Analysis, analyze};
use super::atom::Atom;
use super::flow::{Layout, write_double_quoted, write_plain, write_single_quoted};
use super::output::Output;
use super::{MultilineStyle, WriteOptions, block};
use crate::write_error::{WriteError, write_int};
use crate::yaml::{Dialect, PlainTag, plain_tag};
use crate::{Span, python};
use base64::Engine;
use std::borrow::Cow;

/// The text of a scalar, ready to be written.
pub(super) struct Prepared<'a> {
    text: Cow<'a, str>,
    analysis: Analysis,
    /// What it is: decides whether it must be quoted and how long it counts as a key.
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Str,
    Binary,
    /// Known by its form, with this tag: always plain.
    Plain(&'static str),
}

/// How long a key may be in front of `:`, its tag included, although that is not written.
const SIMPLE_KEY: usize = 128;

/// Brings a scalar into text. Fails for integers that Python does not write.
pub(super) fn prepare<'a>(
    atom: Atom<'a>,
    span: Span,
    options: &WriteOptions,
) -> Result<Prepared<'a>, WriteError> {
    let (tag, text): (_, Cow<'a, str>) = match atom {
        Atom::Str(text) => {
            return Ok(Prepared { text: text.into(), analysis: analyze(text), kind: Kind::Str });
        }
        Atom::Bytes(bytes) => {
            let text = base64_lines(bytes);
            return Ok(Prepared { analysis: analyze(&text), text: text.into(), kind: Kind::Binary });
        }
        Atom::Null if options.null_as_empty => ("!!null", "".into()),
        Atom::Null => ("!!null", "null".into()),
        Atom::Bool(true) => ("!!bool", "true".into()),
        Atom::Bool(false) => ("!!bool", "false".into()),
        Atom::Int(value) => {
            let mut text = String::new();
            write_int(&mut text, value, span)?;
            ("!!int", text.into())
        }
        Atom::Float(value) => ("!!float", float_text(value).into()),
        Atom::Date(value) => ("!!timestamp", python::date_str(value).into()),
        Atom::DateTime(value) => ("!!timestamp", python::datetime_str(value).into()),
    };
    let analysis = Analysis { multiline: false, plain: true, single: true, block: true };
    Ok(Prepared { text, analysis, kind: Kind::Plain(tag) })
}

impl Prepared<'_> {
    /// Whether it can stand in front of `:` as a key.
    pub(super) fn is_simple_key(&self) -> bool {
        let tag = match self.kind {
            Kind::Str => "!!str",
            Kind::Binary => "!!binary",
            Kind::Plain(tag) => tag,
        };
        let room = SIMPLE_KEY - tag.len();
        let fits = self.text.len() < room || self.text.chars().nth(room - 1).is_none();
        fits && !self.text.is_empty() && !self.analysis.multiline
    }

    /// Writes it. A key in front of `:` has a layout that may not be split.
    pub(super) fn write(&self, out: &mut Output, layout: Layout, options: &WriteOptions) {
        if self.kind == Kind::Binary {
            out.indicator("!!binary");
        }
        let best_indent = options.best_indent();
        match self.style(layout, options) {
            Style::Plain => write_plain(out, &self.text, layout),
            Style::Single => write_single_quoted(out, &self.text, layout),
            Style::Double => write_double_quoted(out, &self.text, layout),
            Style::Literal => block::write_literal(out, &self.text, layout.indent, best_indent),
            Style::Folded => block::write_folded(out, &self.text, layout.indent, best_indent),
        }
    }

    /// Whether it is written without quotes or block.
    pub(super) fn is_plain(&self, layout: Layout, options: &WriteOptions) -> bool {
        self.style(layout, options) == Style::Plain
    }

    fn style(&self, layout: Layout, options: &WriteOptions) -> Style {
        let Analysis { multiline, plain, single, block } = self.analysis;
        let wanted = match self.kind {
            Kind::Plain(_) => return Style::Plain,
            Kind::Binary => Some(Style::Literal),
            Kind::Str if multiline && self.text.contains('\n') => match options.multiline {
                MultilineStyle::Literal => Some(Style::Literal),
                MultilineStyle::Folded => Some(Style::Folded),
                MultilineStyle::DoubleQuotes => Some(Style::Double),
                MultilineStyle::Quoted => None,
            },
            Kind::Str if options.quote_digits && looks_like_go_number(&self.text) => Some(Style::Single),
            Kind::Str => None,
        };
        match wanted {
            None if plain && plain_tag(Dialect::PyYaml, &self.text) == PlainTag::Str => Style::Plain,
            Some(style @ (Style::Literal | Style::Folded)) if block && layout.split => style,
            None | Some(Style::Single) if single && (layout.split || !multiline) => Style::Single,
            _ => Style::Double,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Plain,
    Single,
    Double,
    Literal,
    Folded,
}

/// Digits that helm's reader would turn into a number with exponent or an octal one.
fn looks_like_go_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() > 1 && (bytes[0] == b'0' || bytes.len() > 6) && bytes.iter().all(u8::is_ascii_digit)
}

/// Python's `repr` in the form that YAML 1.1 reads as a float: `1.0e-07`, `.inf`.
fn float_text(value: f64) -> String {
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let text = python::float_repr(value);
    if text.contains('.') { text } else { text.replacen('e', ".0e", 1) }
}

/// Python's `base64.encodebytes`: lines of 76 characters, each with a line feed.
fn base64_lines(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() / 57 * 77 + 78);
    for line in bytes.chunks(57) {
        base64::engine::general_purpose::STANDARD.encode_string(line, &mut text);
        text.push('\n');
    }
    text
}
