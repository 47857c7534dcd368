//! What the text of a scalar is, and in which style it is written.

use super::analysis::{Analysis, analyze};
use super::output::Output;
use super::quoting::reads_as_string;
use super::styles::{self, Layout};
use super::{Flavor, WriteError, through_json};
use crate::{Shape, go_float};
use base64::Engine;
use std::fmt::Write;

/// How many bytes a key may have in front of its `:`.
const LONGEST_SIMPLE_KEY: usize = 128;

/// Writes a scalar as a value.
pub(super) fn write<V>(
    out: &mut Output,
    shape: &Shape<'_, V>,
    indent: usize,
    flavor: Flavor,
) -> Result<(), WriteError> {
    match shape {
        Shape::Bool(value) => out.push(if *value { "true" } else { "false" }),
        Shape::Int(value) => push_number(out, *value),
        Shape::Uint(value) => push_number(out, *value),
        Shape::Float(value) => write_float(out, *value, flavor)?,
        Shape::Time(text) if flavor == Flavor::V3 => out.push(text),
        Shape::Time(text) => write_string(out, text, indent, flavor),
        Shape::Bytes(bytes) => {
            let text = base64::engine::general_purpose::STANDARD.encode(bytes);
            write_string(out, &text, indent, flavor);
        }
        Shape::Str(bytes) => match flavor {
            Flavor::V2 => write_string(out, &through_json::value(bytes)?, indent, flavor),
            Flavor::V3 => match std::str::from_utf8(bytes) {
                Ok(text) => write_string(out, text, indent, flavor),
                Err(_) => write_binary(out, bytes, indent),
            },
        },
        Shape::Unknown(name) => return Err(WriteError::Unknown { name, to_json: flavor == Flavor::V2 }),
        Shape::Null | Shape::List(_) | Shape::Map(_) | Shape::Struct(_) => out.push("null"),
    }
    Ok(())
}

/// Writes a key. Says whether it is a simple one, which has its `:` right behind it.
pub(super) fn write_key(out: &mut Output, key: &str, indent: usize, flavor: Flavor) -> bool {
    let analysis = analyze(key, flavor);
    if analysis.multiline || key.len() > LONGEST_SIMPLE_KEY {
        out.push("? ");
        let layout = Layout { indent: indent + 2, folds: flavor == Flavor::V2 };
        write_styled(out, key, style(key, analysis, flavor), layout);
        return false;
    }
    let layout = Layout { indent, folds: false };
    write_styled(out, key, style(key, analysis, flavor), layout);
    true
}

fn push_number(out: &mut Output, value: impl std::fmt::Display) {
    out.push("");
    let _ = write!(out.text, "{value}");
}

/// Read from JSON, a whole number of 64 bits is an integer.
fn write_float(out: &mut Output, value: f64, flavor: Flavor) -> Result<(), WriteError> {
    out.push("");
    let text = &mut out.text;
    match flavor {
        Flavor::V2 if !value.is_finite() => return Err(WriteError::NotFinite(value)),
        Flavor::V2 if value == 0.0 => text.push('0'),
        Flavor::V2 if value.fract() == 0.0 && reads_as_integer(value) => go_float::push_json(text, value),
        Flavor::V3 if value.is_nan() => text.push_str(".nan"),
        Flavor::V3 if value.is_infinite() => text.push_str(if value > 0.0 { ".inf" } else { "-.inf" }),
        Flavor::V2 | Flavor::V3 => go_float::push_general(text, value),
    }
    Ok(())
}

/// Whether the digits of a whole number in JSON are those of an integer: an `i64`, or a `u64`.
fn reads_as_integer(value: f64) -> bool {
    if value.abs() < 1e18 {
        return true;
    }
    if value.abs() > 1e20 {
        return false;
    }
    let mut digits = String::new();
    go_float::push_json(&mut digits, value);
    digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok()
}

fn write_string(out: &mut Output, text: &str, indent: usize, flavor: Flavor) {
    let layout = Layout { indent, folds: flavor == Flavor::V2 };
    write_styled(out, text, style(text, analyze(text, flavor), flavor), layout);
}

/// What is no UTF-8 is written in base64, with a tag.
fn write_binary(out: &mut Output, bytes: &[u8], indent: usize) {
    const LINE: usize = 70;
    let text = base64::engine::general_purpose::STANDARD.encode(bytes);
    out.push("!!binary ");
    if text.len() < LINE {
        out.push(&text);
        return;
    }
    let mut lines = String::with_capacity(text.len() + text.len() / LINE + 1);
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, behind) = rest.split_at(rest.len().min(LINE));
        lines.push_str(line);
        lines.push('\n');
        rest = behind;
    }
    styles::write_literal(out, &lines, indent);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

fn style(text: &str, analysis: Analysis, flavor: Flavor) -> Style {
    if analysis.multiline && text.contains('\n') {
        return if analysis.block { Style::Literal } else { Style::Double };
    }
    if !reads_as_string(text, flavor) {
        return Style::Double;
    }
    match analysis {
        Analysis { plain: true, .. } => Style::Plain,
        Analysis { single: true, .. } => Style::Single,
        _ => Style::Double,
    }
}

fn write_styled(out: &mut Output, text: &str, style: Style, layout: Layout) {
    match style {
        Style::Plain => styles::write_plain(out, text, layout),
        Style::Single => styles::write_single(out, text, layout),
        Style::Double => styles::write_double(out, text, layout),
        Style::Literal => styles::write_literal(out, text, layout.indent),
    }
}
