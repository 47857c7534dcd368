//! The text of values inside longer strings and paths: Python's `str()`, also of what is not rendered yet.

use crate::explain;
use crate::rules::Syntax;
use crate::template::{Part, Template};
use crate::tree::{Kind, Tree};
use kapstan_document::{Key, Scalar, Value, python};
use std::borrow::Cow;
use std::fmt::Write;

/// `str()` of a value.
///
/// A value that waits for interpolation shows as the peer's own objects do: as its reference where it stands alone, in
/// their `repr()` inside a container.
pub(crate) fn str<'a>(tree: &'a Tree, syntax: &Syntax) -> Cow<'a, str> {
    match tree {
        Tree::Plain(node) if syntax.is_reclass_rs => rust_words(&node.value),
        Tree::Plain(node) => python::str(&node.value),
        Tree::Template(template) => Cow::Owned(written(&template.parts, syntax)),
        Tree::Marked(marked) if marked.tree.is_dict() || marked.tree.is_list() => {
            let mut out = String::new();
            write_item(&mut out, &marked.tree);
            Cow::Owned(out)
        }
        Tree::Marked(marked) => str(&marked.tree, syntax),
        Tree::Layers(_) => Cow::Borrowed(LAYERS),
        // What is not rendered yet shows as it is written.
        Tree::Dict(_) | Tree::List(_) if syntax.is_reclass_rs => {
            Cow::Owned(rust_words(&explain::written(tree).value).into_owned())
        }
        Tree::Dict(_) | Tree::List(_) => {
            let mut out = String::new();
            write_repr(&mut out, tree);
            Cow::Owned(out)
        }
    }
}

/// The peer prints an object with its address here, another one in every run.
const LAYERS: &str = "<reclass.values.valuelist.ValueList object>";

fn written(parts: &[Part], syntax: &Syntax) -> String {
    let mut out = String::new();
    for part in parts {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Reference(reference) => {
                out.push_str(&syntax.reference.0);
                out.push_str(&written(&reference.path, syntax));
                out.push_str(&syntax.reference.1);
            }
            Part::Query(query) => out.push_str(query.text().trim()),
        }
    }
    out
}

fn write_repr(out: &mut String, tree: &Tree) {
    match tree {
        Tree::Plain(node) => out.push_str(&python::repr(&node.value)),
        Tree::Dict(dict) => write_dict(out, dict.entries()),
        Tree::List(list) => write_list(out, &list.items),
        Tree::Layers(_) => out.push_str(LAYERS),
        Tree::Template(_) | Tree::Marked(_) => {
            out.push_str("Value(");
            write_item(out, if let Tree::Marked(marked) = tree { &marked.tree } else { tree });
            out.push(')');
        }
    }
}

fn write_dict(out: &mut String, entries: &[(Key, Tree)]) {
    out.push('{');
    for (at, (key, value)) in entries.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        out.push_str(&python::scalar_repr(&key.scalar));
        out.push_str(": ");
        write_repr(out, value);
    }
    out.push('}');
}

fn write_list(out: &mut String, items: &[Tree]) {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        write_repr(out, item);
    }
    out.push(']');
}

/// The peer's name for the kind of value, around its content.
fn write_item(out: &mut String, tree: &Tree) {
    match (tree.kind(), tree) {
        (_, Tree::Template(template)) => write_template(out, template),
        (Kind::Dictionary, _) => {
            out.push_str("DictItem(");
            write_repr(out, tree);
            out.push(')');
        }
        (Kind::List, _) => {
            out.push_str("ListItem(");
            write_repr(out, tree);
            out.push(')');
        }
        _ => {
            out.push_str("ScaItem(");
            write_repr(out, tree);
            out.push(')');
        }
    }
}

fn write_template(out: &mut String, template: &Template) {
    if template.kind() == Kind::Composite {
        write_parts(out, "CompItem", &template.parts);
    } else if let Some(part) = template.parts.first() {
        write_part(out, part);
    }
}

fn write_parts(out: &mut String, name: &str, parts: &[Part]) {
    let _ = write!(out, "{name}([");
    for (at, part) in parts.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        write_part(out, part);
    }
    out.push_str("])");
}

fn write_part(out: &mut String, part: &Part) {
    match part {
        Part::Text(text) => {
            let _ = write!(out, "ScaItem({})", python::repr(&Value::Str(text.clone())));
        }
        Part::Reference(reference) => write_parts(out, "RefItem", &reference.path),
        Part::Query(query) => {
            let _ = write!(out, "InvItem({})", python::repr(&Value::from(query.text())));
        }
    }
}

/// The text that reclass-rs makes of a value: containers as JSON in which every number is a double.
fn rust_words(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Float(number) => Cow::Owned(rust_float(*number)),
        Value::Seq(_) | Value::Map(_) => {
            let mut out = String::new();
            write_json(&mut out, value);
            Cow::Owned(out)
        }
        _ => python::str(value),
    }
}

fn rust_float(number: f64) -> String {
    if number.is_finite() { format!("{number:?}") } else { python::float_repr(number) }
}

fn write_json(out: &mut String, value: &Value) {
    match value {
        Value::Seq(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write_json(out, &item.value);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            // serde_json sorts keys.
            let mut entries: Vec<_> = map.iter().map(|(key, value)| (json_key(&key.scalar), value)).collect();
            entries.sort_by(|(left, _), (right, _)| left.cmp(right));
            for (at, (key, value)) in entries.into_iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write_json_string(out, &key);
                out.push(':');
                write_json(out, &value.value);
            }
            out.push('}');
        }
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(number) => out.push_str(&rust_float(number.to_f64())),
        Value::Float(number) if number.is_finite() => out.push_str(&rust_float(*number)),
        Value::Float(_) => out.push_str("null"),
        other => write_json_string(out, &python::str(other)),
    }
}

fn json_key(scalar: &Scalar) -> Cow<'_, str> {
    match scalar {
        Scalar::Bool(value) => Cow::Borrowed(if *value { "true" } else { "false" }),
        Scalar::Null => Cow::Borrowed("null"),
        other => python::scalar_str(other),
    }
}

fn write_json_string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            other if (other as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", other as u32);
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
