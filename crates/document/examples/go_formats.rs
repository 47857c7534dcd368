//! Answers as the Go program in `tests/differential/go-yaml` does: a request is a line of JSON,
//! `{"op": "yaml", "value": ...}` or `{"op": "load", "text": ...}`; an answer is a line `{"out": ...}` or `{"err": ...}`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kapstan_diagnostic::Sources;
use kapstan_document::json::{self, go::Style};
use kapstan_document::{Int, Map, Node, Shape, Value, View, yaml};
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
        "json" => json(Style::Compact),
        "json-pretty" => json(Style::Pretty),
        "json-raw" => json(Style::Raw),
        _ => Err(format!("unknown op {op}")),
    }
}

fn load(op: &str, request: &Node) -> Result<String, String> {
    let _ = request;
    Err(format!("unknown op {op}"))
}
