//! The snippets of `tests/corpus`, rendered and compared with what real Jinja2 under Kapitan answered: the same bytes, the
//! same words of error.

use kapstan_document::{Key, Map, Node};
use kapstan_jinja2::{Context, Environment, Host, LoadError, Source};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::sync::Arc;

struct Files(HashMap<String, Arc<str>>);

impl Host for Files {
    fn load(&self, name: &str) -> Result<Source, LoadError> {
        match self.0.get(name) {
            Some(text) => Ok(Source { text: text.clone(), file: name.to_owned() }),
            None => Err(LoadError::NotFound(name.to_owned())),
        }
    }
}

fn files_of(snippet: &str) -> Files {
    let mut files = HashMap::new();
    let (mut name, mut lines) = ("main", Vec::new());
    for line in snippet.split('\n') {
        if let Some(next) = line.strip_prefix("%file ") {
            files.insert(name.to_owned(), lines.join("\n").into());
            (name, lines) = (next, Vec::new());
        } else {
            lines.push(line);
        }
    }
    files.insert(name.to_owned(), lines.join("\n").into());
    Files(files)
}

fn node_of(json: &Json) -> Node {
    match json {
        Json::Null => Node::NULL,
        Json::Bool(value) => Node::from(*value),
        Json::Number(value) => match value.as_i64() {
            Some(int) => Node::from(int),
            None => Node::from(value.as_f64().expect("the corpus is well formed")),
        },
        Json::String(value) => Node::from(value.as_str()),
        Json::Array(items) => Node::from(items.iter().map(node_of).collect::<Vec<Node>>()),
        Json::Object(entries) => Node::from(
            entries.iter().map(|(key, value)| (Key::new(key.as_str()), node_of(value))).collect::<Map>(),
        ),
    }
}

fn context() -> Context {
    let json: Json =
        serde_json::from_str(include_str!("corpus/context.json")).expect("the corpus is well formed");
    let entries = json.as_object().expect("the corpus is well formed");
    entries
        .iter()
        .fold(Context::new(), |context, (name, value)| context.with_node(name.as_str(), &node_of(value)))
}

fn check(corpus: &str) {
    let mut differences = Vec::new();
    for line in corpus.lines() {
        let case: Json = serde_json::from_str(line).expect("the corpus is well formed");
        let snippet = case["snippet"].as_str().expect("the corpus is well formed");
        let rendered = Environment::new(Arc::new(files_of(snippet))).render("main", &context());
        let rendered = rendered.map_err(|error| error.peer_text());
        let expected = match case["ok"].as_str() {
            Some(text) => Ok(text),
            None => Err(case["error"].as_str().expect("the corpus is well formed")),
        };
        if rendered.as_deref().map_err(String::as_str) != expected {
            differences.push(format!("{snippet:?}\n  expected {expected:?}\n  got      {rendered:?}"));
        }
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn the_language() {
    check(include_str!("corpus/language.jsonl"));
}

/// Compares with answers that `oracle.py` has just given, when `KAPSTAN_JINJA2_CORPUS` names their file.
#[test]
fn a_generated_corpus() {
    if let Some(path) = std::env::var_os("KAPSTAN_JINJA2_CORPUS") {
        check(&std::fs::read_to_string(path).expect("the file can be read"));
    }
}
