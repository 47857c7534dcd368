//! Answers as the Go program in `tests/differential/go-yaml` does: a request is a line of JSON,
//! `{"op": "yaml", "value": ...}` or `{"op": "load", "text": ...}`; an answer is a line `{"out": ...}` or `{"err": ...}`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kapstan_diagnostic::Sources;
use kapstan_document::json::{self, go::Style};
use kapstan_document::toml::go::{Item, Moment};
use kapstan_document::yaml::{self, Limits};
use kapstan_document::{Int, Map, Node, Scalar, Shape, Value, View, toml};
use std::io::{BufRead, Write};

/// A value with strings of any bytes, which a [`Node`] does not have.
enum Tree {
    Node(Node),
    Bytes(Vec<u8>),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

impl View for Tree {
    fn view<R>(&self, see: impl FnOnce(Shape<'_, Self>) -> R) -> R {
        match self {
            Self::Bytes(bytes) => see(Shape::Str(bytes)),
            Self::List(items) => see(Shape::List(items)),
            Self::Map(entries) => {
                see(Shape::Map(entries.iter().map(|(key, value)| (key.as_bytes(), value)).collect()))
            }
            Self::Node(node) => match &node.value {
                Value::Bool(value) => see(Shape::Bool(*value)),
                Value::Int(Int::Small(value)) => see(Shape::Int(*value)),
                Value::Int(Int::Big(value)) => match u64::try_from(&**value) {
                    Ok(value) => see(Shape::Uint(value)),
                    Err(_) => see(Shape::Float(Int::Big(value.clone()).to_f64())),
                },
                Value::Float(value) => see(Shape::Float(*value)),
                Value::Str(text) => see(Shape::Str(text.as_bytes())),
                _ => see(Shape::Null),
            },
        }
    }
}

fn tree(node: &Node) -> Tree {
    match &node.value {
        Value::Seq(items) => Tree::List(items.iter().map(tree).collect()),
        Value::Map(map) if map.len() == 1 && map.get("$bytes").is_some() => {
            let encoded = map.get("$bytes").and_then(Node::as_str).unwrap_or_default();
            Tree::Bytes(STANDARD.decode(encoded).expect("base64"))
        }
        Value::Map(map) => Tree::Map(
            map.iter()
                .map(|(key, value)| (key.as_str().unwrap_or_default().to_owned(), tree(value)))
                .collect(),
        ),
        _ => Tree::Node(node.clone()),
    }
}

const DEPTH: usize = 500;

fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        let source = Sources::new().add("request", line.as_bytes());
        let request = json::load(line.as_bytes(), source).expect("a request in JSON");
        let op = request.get("op").and_then(Node::as_str).expect("an op").to_owned();
        let answered = match request.get("value") {
            Some(value) => write(&op, value),
            None => load(&op, &request),
        };
        let (key, text) = match answered {
            Ok(text) => ("out", text),
            Err(problem) => ("err", problem),
        };
        let mut answer = Map::new();
        answer.insert(key, Node::from(text));
        let text = json::go::write(&Node::from(answer), Style::Raw, DEPTH).expect("an answer");
        writeln!(out, "{text}").expect("an answer can be written");
    }
}

fn write(op: &str, value: &Node) -> Result<String, String> {
    let tree = tree(value);
    let json = |style| json::go::write(&tree, style, DEPTH).map_err(|error| error.to_string());
    match op {
        "yaml" => yaml::go::write(&tree, DEPTH).map_err(|error| error.to_string()),
        "pretty" => yaml::go::write_pretty(&tree, DEPTH).map_err(|error| error.to_string()),
        "toml" => toml::go::write(&tree, DEPTH).map_err(|error| error.to_string()),
        "json" => json(Style::Compact),
        "json-pretty" => json(Style::Pretty),
        "json-raw" => json(Style::Raw),
        _ => Err(format!("unknown op {op}")),
    }
}

fn load(op: &str, request: &Node) -> Result<String, String> {
    let text = request.get("text").and_then(Node::as_str).map(|text| text.as_bytes().to_vec());
    let bytes =
        request.get("bytes").and_then(Node::as_str).map(|text| STANDARD.decode(text).expect("base64"));
    let text = text.or(bytes).expect("a text");
    let source = Sources::new().add("text", text.clone());
    let yaml = || yaml::go::load(&text, source, Limits::default());
    let loaded = match op {
        "load" => yaml(),
        "load-map" => yaml().and_then(|root| yaml::go::expect_map(root, "map[string]interface {}")),
        "load-list" => yaml().and_then(|root| yaml::go::expect_list(root, "[]interface {}")),
        "from-json" | "from-json-list" | "from-json-any" => return load_json(op, &text, source),
        "from-toml" => return load_toml(&text),
        "documents" => return show_documents(&text),
        _ => return Err(format!("unknown op {op}")),
    };
    loaded.map(|node| show(&node)).map_err(|error| error.to_string())
}

fn load_json(op: &str, text: &[u8], source: kapstan_diagnostic::SourceId) -> Result<String, String> {
    let loaded = json::go::load(text, source, DEPTH).and_then(|root| match op {
        "from-json" => json::go::expect_map(root, "map[string]interface {}"),
        "from-json-list" => json::go::expect_list(root, "[]interface {}"),
        _ => Ok(root),
    });
    loaded.map(|node| show(&node)).map_err(|error| error.to_string())
}

fn load_toml(text: &[u8]) -> Result<String, String> {
    let entries = toml::go::load(text, DEPTH).map_err(|error| error.to_string())?;
    Ok(show_item(Item::Table(entries)))
}

fn show_item(item: Item) -> String {
    let list =
        |items: Vec<Item>| format!("[{}]", items.into_iter().map(show_item).collect::<Vec<_>>().join(","));
    match item {
        Item::Scalar(Scalar::Int(value)) => format!("i{value}"),
        Item::Scalar(scalar) => show(&Node::from(Value::from(scalar))),
        Item::Moment(Moment::Time(text)) => format!("\"{text}\""),
        Item::Moment(Moment::Zoned(text) | Moment::Local(text) | Moment::Date(text)) => format!("t{text}"),
        Item::List(items) => list(items),
        Item::Tables(tables) => list(tables.into_iter().map(Item::Table).collect()),
        Item::Table(mut entries) => {
            entries.sort_by(|left, right| left.0.cmp(&right.0));
            let mut out = String::from("{");
            for (at, (key, item)) in entries.into_iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                push_quoted(&mut out, &key);
                out.push(':');
                out.push_str(&show_item(item));
            }
            out + "}"
        }
    }
}

fn show_documents(text: &[u8]) -> Result<String, String> {
    let shown = |document: &yaml::go::Document<'_>| {
        let text = document.text.to_vec();
        String::from_utf8_lossy(&text).replace("\r\n", "\n")
    };
    let documents = yaml::go::documents(text)?;
    let list: Vec<Node> = documents.iter().map(|document| Node::from(shown(document))).collect();
    Ok(show(&Node::from(list)))
}

/// A value as the Go program shows it.
fn show(node: &Node) -> String {
    let mut out = String::new();
    push_shown(&mut out, node);
    out
}

fn push_shown(out: &mut String, node: &Node) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => push_bits(out, value.to_f64()),
        Value::Float(value) if value.is_nan() => out.push_str("nan"),
        Value::Float(value) => push_bits(out, *value),
        Value::Str(text) => push_quoted(out, text),
        Value::Seq(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                push_shown(out, item);
            }
            out.push(']');
        }
        Value::Map(map) => {
            let mut entries: Vec<_> =
                map.iter().map(|(key, value)| (key.as_str().expect("text"), value)).collect();
            entries.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (at, (key, value)) in entries.into_iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                push_quoted(out, key);
                out.push(':');
                push_shown(out, value);
            }
            out.push('}');
        }
        other => out.push_str(other.kind()),
    }
}

fn push_bits(out: &mut String, value: f64) {
    let _ = std::fmt::Write::write_fmt(out, format_args!("f{:016x}", value.to_bits()));
}

fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | 0..0x20 | 0x7f.. => {
                let _ = std::fmt::Write::write_fmt(out, format_args!("\\{byte:02x}"));
            }
            _ => out.push(char::from(byte)),
        }
    }
    out.push('"');
}
