//! How many small templates a core renders in a second, beside minijinja; `jinja2.py` says the same of Jinja2.
#![expect(clippy::print_stdout, reason = "a bench reports on standard output")]

use kapstan_document::{Key, Map, Node};
use kapstan_jinja2::{Context, Environment, Host, LoadError, Source};
use serde_json::Value as Json;
use std::sync::Arc;
use std::time::Instant;

const TEMPLATE: &str = include_str!("service.j2");
const COUNT: u32 = 2_000;

struct One(Arc<str>);

impl Host for One {
    fn load(&self, _name: &str) -> Result<Source, LoadError> {
        Ok(Source { text: self.0.clone(), file: "service.j2".to_owned() })
    }
}

fn main() {
    let json: Json =
        serde_json::from_str(include_str!("../tests/corpus/context.json")).expect("the context is JSON");
    let nodes: Vec<(&str, Node)> = json
        .as_object()
        .expect("it is an object")
        .iter()
        .map(|(name, value)| (name.as_str(), node_of(value)))
        .collect();
    let host: Arc<dyn Host> = Arc::new(One(TEMPLATE.into()));
    let context =
        || nodes.iter().fold(Context::new(), |context, (name, node)| context.with_node(*name, node));
    let env = Environment::new(host.clone());
    report("kapstan, parsed once", || env.render("service.j2", &context()).map_or(0, |text| text.len()));
    report("kapstan, parsed every time", || {
        Environment::new(host.clone()).render("service.j2", &context()).map_or(0, |text| text.len())
    });
    let mut other = minijinja::Environment::new();
    let syntax = minijinja::syntax::SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    other.set_syntax(syntax.expect("the delimiters are the usual ones"));
    other.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    other.add_template("service.j2", TEMPLATE).expect("minijinja parses it");
    let value = value_of(&json);
    report("minijinja, parsed once", || {
        let template = other.get_template("service.j2").expect("it was added");
        template.render(value.clone()).map_or(0, |text| text.len())
    });
}

/// The seconds that this thread has had a core for, where the system tells: other work must not count.
fn on_cpu() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(stat.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

fn report(what: &str, render: impl Fn() -> usize) {
    let start = (Instant::now(), on_cpu());
    let bytes: usize = (0..COUNT).map(|_| render()).sum();
    let elapsed = start.0.elapsed().as_secs_f64();
    let seconds = start.1.zip(on_cpu()).map_or(elapsed, |(start, end)| end - start);
    println!("{what}: {:.0} renders/s, {} bytes each", f64::from(COUNT) / seconds, bytes / COUNT as usize);
}

fn node_of(json: &Json) -> Node {
    match json {
        Json::Null => Node::NULL,
        Json::Bool(value) => Node::from(*value),
        Json::Number(value) => {
            value.as_i64().map_or_else(|| Node::from(value.as_f64().unwrap_or(0.0)), Node::from)
        }
        Json::String(value) => Node::from(value.as_str()),
        Json::Array(items) => Node::from(items.iter().map(node_of).collect::<Vec<Node>>()),
        Json::Object(entries) => Node::from(
            entries.iter().map(|(key, value)| (Key::new(key.as_str()), node_of(value))).collect::<Map>(),
        ),
    }
}

fn value_of(json: &Json) -> minijinja::Value {
    match json {
        Json::Null => ().into(),
        Json::Bool(value) => (*value).into(),
        Json::Number(value) => value.as_i64().map_or_else(|| value.as_f64().into(), minijinja::Value::from),
        Json::String(value) => value.as_str().into(),
        Json::Array(items) => items.iter().map(value_of).collect(),
        Json::Object(entries) => {
            minijinja::Value::from_pairs(entries.iter().map(|(key, value)| (key.as_str(), value_of(value))))
        }
    }
}
