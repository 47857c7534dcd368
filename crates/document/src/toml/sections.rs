use super::text::quote;
use crate::key_order::type_name;
use crate::write_error::{MAX_BYTES, WriteError, write_int};
use crate::{Key, Map, Node, Scalar, Span, Value, python};

/// How deeply arrays, and tables in arrays, may be nested.
const MAX_DEPTH: usize = 200;

/// Writes a value as Python's `toml.dumps(value)`, toml 0.10.2: entries in their order, those with null left out, first
/// scalars and arrays, then arrays of tables, then tables.
///
/// Empty strings, sequences and sets make an empty text, as an empty mapping does. Fails where Python raises an
/// exception: for other values that are no mapping, for keys that are no strings, for arrays that mix tables with
/// other values, and for strings that begin with certain control characters.
pub fn write(node: &Node) -> Result<String, WriteError> {
    if matches!(node.value, Value::Date(_) | Value::DateTime(_)) {
        // The original makes an empty table by calling the class of the value, which here asks for a year.
        let peer_text = "function missing required argument 'year' (pos 1)";
        return Err(WriteError::of_type("TOML needs a mapping here, not a date", peer_text, node.span));
    }
    let top = sections_of(node, "", 0)?;
    let mut out = top.text;
    let mut tables = top.tables;
    while !tables.is_empty() {
        let mut inner_tables = Map::new();
        for (name, table) in tables.iter() {
            let name = name.as_str().unwrap_or_default();
            let Sections { text, tables } = sections_of(table, name, 0)?;
            if !text.is_empty() || tables.is_empty() {
                if !out.is_empty() && !out.ends_with("\n\n") {
                    out.push('\n');
                }
                push_header(&mut out, name);
                out.push_str(&text);
            }
            for (inner, table) in tables.iter() {
                inner_tables.insert(dotted(name, inner), table.clone());
            }
            check_length(&out, table.span)?;
        }
        tables = inner_tables;
    }
    Ok(out)
}

/// A table: what stands below its header, and the tables in it, by their quoted names.
struct Sections {
    text: String,
    tables: Map,
}

/// Takes a table apart; `path` is its name in headers, empty at the top.
fn sections_of(node: &Node, path: &str, depth: usize) -> Result<Sections, WriteError> {
    let mut sections = Sections { text: String::new(), tables: Map::new() };
    let map = match &node.value {
        Value::Map(map) => map,
        empty @ (Value::Seq(_) | Value::Set(_) | Value::Str(_) | Value::Bytes(_)) if !empty.is_truthy() => {
            return Ok(sections);
        }
        other => {
            // The original quotes the first member before it fails to look it up.
            first_member(other).map_or(Ok(String::new()), |name| header_name(name, node.span))?;
            return Err(not_a_table(other, node.span));
        }
    };
    let path = if path.is_empty() || path.ends_with('.') { path.to_owned() } else { format!("{path}.") };
    let mut arrays = String::new();
    for key in map.keys() {
        // The original looks the entry up again by the text of its key.
        let text = python::scalar_str(&key.scalar);
        let name = header_name(&text, key.span)?;
        let value = map.get(&text).ok_or_else(|| key_error(key))?;
        match &value.value {
            Value::Map(_) => {
                sections.tables.insert(name.as_str(), value.clone());
            }
            Value::Seq(items) if items.iter().any(|item| item.as_map().is_some()) => {
                for item in items.iter() {
                    write_array_table(&mut arrays, item, &format!("{path}{name}"), depth)?;
                }
            }
            Value::Null => {}
            _ => {
                sections.text.push_str(&name);
                sections.text.push_str(" = ");
                write_value(&mut sections.text, value, depth)?;
                sections.text.push('\n');
            }
        }
        check_length(&arrays, value.span)?;
        check_length(&sections.text, value.span)?;
    }
    sections.text.push_str(&arrays);
    Ok(sections)
}

/// Writes one table of an array of tables. What is written inside it stands before the empty line, if it is no table
/// itself, and behind it otherwise.
fn write_array_table(out: &mut String, item: &Node, path: &str, depth: usize) -> Result<(), WriteError> {
    if depth == MAX_DEPTH {
        return Err(WriteError::too_deep(item.span));
    }
    out.push_str("[[");
    out.push_str(path);
    out.push_str("]]\n");
    let Sections { text, mut tables } = sections_of(item, path, depth + 1)?;
    let mut behind = String::from("\n");
    if text.starts_with('[') {
        behind.push_str(&text);
    } else {
        out.push_str(&text);
    }
    while !tables.is_empty() {
        let mut inner_tables = Map::new();
        for (name, table) in tables.iter() {
            let name = name.as_str().unwrap_or_default();
            let table_path = format!("{path}.{name}");
            let inner = sections_of(table, &table_path, depth + 1)?;
            if !inner.text.is_empty() {
                push_header(&mut behind, &table_path);
                behind.push_str(&inner.text);
            }
            for (inner, table) in inner.tables.iter() {
                inner_tables.insert(dotted(name, inner), table.clone());
            }
            check_length(&behind, table.span)?;
        }
        tables = inner_tables;
    }
    out.push_str(&behind);
    Ok(())
}

/// Writes a value behind `=` or in an array.
fn write_value(out: &mut String, node: &Node, depth: usize) -> Result<(), WriteError> {
    match &node.value {
        Value::Seq(items) => write_array(out, items.iter(), node.span, depth),
        // In an array a mapping and a set are the array of their keys, and bytes the array of their numbers.
        Value::Map(map) | Value::Set(map) => {
            let keys: Vec<Node> =
                map.keys().map(|key| Node::new(Value::from(key.scalar.clone()), key.span)).collect();
            write_array(out, keys.iter(), node.span, depth)
        }
        Value::Bytes(bytes) => {
            let numbers: Vec<Node> = bytes.iter().map(|byte| i64::from(*byte).into()).collect();
            write_array(out, numbers.iter(), node.span, depth)
        }
        scalar => write_scalar(out, scalar, node.span),
    }
}

fn write_array<'n>(
    out: &mut String,
    items: impl Iterator<Item = &'n Node>,
    span: Span,
    depth: usize,
) -> Result<(), WriteError> {
    if depth == MAX_DEPTH {
        return Err(WriteError::too_deep(span));
    }
    out.push('[');
    for item in items {
        out.push(' ');
        write_value(out, item, depth + 1)?;
        out.push(',');
        check_length(out, item.span)?;
    }
    out.push(']');
    Ok(())
}

fn write_scalar(out: &mut String, value: &Value, span: Span) -> Result<(), WriteError> {
    match value {
        // Only an array can hold it here.
        Value::Null => out.push_str("\"None\""),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => write_int(out, value, span)?,
        Value::Float(value) => {
            out.push_str(&python::float_repr(*value).replace("e+0", "e+").replace("e-0", "e-"));
        }
        Value::Str(text) => out.push_str(&quote(text, span)?),
        Value::Date(date) => out.push_str(&python::date_str(*date)),
        Value::DateTime(time) => {
            out.push_str(&python::datetime_isoformat(time, 'T').replace("+00:00", "Z"));
        }
        Value::Bytes(_) | Value::Seq(_) | Value::Map(_) | Value::Set(_) => {}
    }
    Ok(())
}

fn push_header(out: &mut String, path: &str) {
    out.push('[');
    out.push_str(path);
    out.push_str("]\n");
}

fn dotted(outer: &str, inner: &Key) -> Key {
    Key::new(format!("{outer}.{}", inner.as_str().unwrap_or_default()))
}

/// A key as it stands in headers and in front of `=`.
fn header_name(key: &str, span: Span) -> Result<String, WriteError> {
    if is_bare(key) { Ok(key.to_owned()) } else { quote(key, span) }
}

/// The text of what Python's iteration over a value yields first, where that can be a string.
fn first_member(value: &Value) -> Option<&str> {
    match value {
        Value::Str(text) => text.char_indices().nth(1).map_or(Some(text), |(end, _)| text.get(..end)),
        Value::Seq(items) => items.first()?.as_str(),
        Value::Set(members) => members.keys().next()?.as_str(),
        _ => None,
    }
}

/// Whether a key needs no quotes. Python's `$` also matches before a final line feed.
fn is_bare(key: &str) -> bool {
    let key = key.strip_suffix('\n').unwrap_or(key);
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

fn check_length(text: &str, span: Span) -> Result<(), WriteError> {
    if text.len() > MAX_BYTES { Err(WriteError::too_long(span)) } else { Ok(()) }
}

fn key_error(key: &Key) -> WriteError {
    WriteError::of_value(
        format!("a key of TOML must be a string, not `{}`", python::scalar_str(&key.scalar)),
        format!("KeyError: {}", python::repr_str(&python::scalar_str(&key.scalar))),
        key.span,
    )
}

/// What stands where a table must stand: Python's message depends on what one can do with the value.
fn not_a_table(value: &Value, span: Span) -> WriteError {
    let peer_text = match value {
        Value::Seq(_) => "list indices must be integers or slices, not str".to_owned(),
        Value::Str(_) => "string indices must be integers, not 'str'".to_owned(),
        Value::Bytes(_) => "byte indices must be integers or slices, not str".to_owned(),
        Value::Set(_) => "'set' object is not subscriptable".to_owned(),
        other => {
            let name = other.as_scalar().map_or("object", |scalar: Scalar| type_name(&scalar));
            format!("'{name}' object is not iterable")
        }
    };
    WriteError::of_type(format!("TOML needs a mapping here, not a {}", value.kind()), &peer_text, span)
}
