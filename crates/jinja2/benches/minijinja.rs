//! How much of Jinja2, as Kapitan uses it, minijinja carries: the snippets of `tests/corpus` rendered by minijinja, set up
//! as closely as its options allow, compared with what real Jinja2 answered.
//!
//! Run with `cargo bench -p kapstan-jinja2 --bench minijinja`; `-- --list` prints what differs.
#![expect(clippy::print_stdout, reason = "a bench reports on standard output")]

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior};
use std::collections::HashMap;

const CORPUS: [(&str, &str); 1] = [("language", include_str!("../tests/corpus/language.jsonl"))];

fn main() {
    let list = std::env::args().any(|argument| argument == "--list");
    let context: serde_json::Value =
        serde_json::from_str(include_str!("../tests/corpus/context.json")).expect("the context is JSON");
    for (name, corpus) in CORPUS {
        let (mut same, mut total, mut failing_alike, mut failing) = (0, 0, 0, 0);
        for line in corpus.lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
            let snippet = case["snippet"].as_str().expect("a snippet is a string");
            let rendered = render(snippet, &context);
            if let Some(expected) = case["ok"].as_str() {
                total += 1;
                let is_same = rendered.as_deref() == Ok(expected);
                same += usize::from(is_same);
                if list && !is_same {
                    println!("{snippet:?}\n  jinja2    {expected:?}\n  minijinja {rendered:?}");
                }
            } else {
                failing += 1;
                failing_alike += usize::from(rendered.is_err());
            }
        }
        println!(
            "{name}: {same} of {total} results the same bytes; fails where Jinja2 fails: {failing_alike} of {failing}"
        );
    }
}

fn render(snippet: &str, context: &serde_json::Value) -> Result<String, String> {
    let files = files_of(snippet);
    let mut env = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    env.set_syntax(syntax.map_err(|error| error.to_string())?);
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    env.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    minijinja_contrib::add_to_environment(&mut env);
    for (name, text) in &files {
        env.add_template(name, text).map_err(|error| error.to_string())?;
    }
    let main = env.get_template("main").map_err(|error| error.to_string())?;
    main.render(value_of(context)).map_err(|error| error.to_string())
}

fn value_of(json: &serde_json::Value) -> minijinja::Value {
    use serde_json::Value as Json;
    match json {
        Json::Null => ().into(),
        Json::Bool(value) => (*value).into(),
        Json::Number(value) if value.is_f64() => value.as_f64().into(),
        Json::Number(value) => value.as_i64().into(),
        Json::String(value) => value.as_str().into(),
        Json::Array(items) => items.iter().map(value_of).collect(),
        Json::Object(entries) => {
            minijinja::Value::from_pairs(entries.iter().map(|(key, value)| (key.as_str(), value_of(value))))
        }
    }
}

fn files_of(snippet: &str) -> HashMap<String, String> {
    let mut files = HashMap::new();
    let (mut name, mut lines) = ("main", Vec::new());
    for line in snippet.split('\n') {
        if let Some(next) = line.strip_prefix("%file ") {
            files.insert(name.to_owned(), lines.join("\n"));
            (name, lines) = (next, Vec::new());
        } else {
            lines.push(line);
        }
    }
    files.insert(name.to_owned(), lines.join("\n"));
    files
}
