//! Evaluates files, one after the other, and prints a line of JSON for each: for comparisons with C++ jsonnet.
//!
//! `evaluate FILE...` prints `{"file": .., "value": ..}` or `{"file": .., "error": ..}`. `evaluate --bench N FILE`
//! evaluates a file N times and prints the time of one evaluation and the memory in use.
#![expect(clippy::print_stdout, reason = "an example talks to its terminal")]

use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Node, Text, Value};
use kapstan_files::{Disk, Files};
use kapstan_jsonnet::{Evaluation, Evaluator, Host, STACK_SIZE, Watched};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

struct Plain(Disk);

impl Host for Plain {
    fn files(&self) -> &dyn Files {
        &self.0
    }

    fn targets(&self, _path: Option<&str>) -> Result<Vec<Text>, Box<Diagnostic>> {
        Ok(Vec::new())
    }

    fn inventory(&self, target: &str, _path: Option<&str>) -> Result<Watched, Box<Diagnostic>> {
        Err(Box::new(Diagnostic::error("example::none", format!("no target {target}"))))
    }

    fn inventory_among_all(&self, target: &str, path: Option<&str>) -> Result<Watched, Box<Diagnostic>> {
        self.inventory(target, path)
    }

    fn topics(&self, _name: Option<&str>) -> Result<Watched, Box<Diagnostic>> {
        Err(Box::new(Diagnostic::error("example::none", "no topics")))
    }

    fn render_jinja2(&self, _path: &str, _context: Node) -> Result<String, Box<Diagnostic>> {
        Err(Box::new(Diagnostic::error("example::none", "no templates")))
    }

    fn trace(&self, line: &str) {
        println!("{line}");
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let evaluating = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(move || run(&arguments));
    evaluating.expect("a thread starts").join().expect("no evaluation panics");
}

fn run(arguments: &[String]) {
    let folder = std::env::current_dir().expect("there is a current folder");
    let host: Rc<dyn Host> = Rc::new(Plain(Disk::new(folder)));
    let evaluator = Evaluator::new();
    let search_paths = [".".to_owned()];
    let evaluate = |file: &str| {
        let variables = [("target", "t")];
        let (host, search_paths, external_variables) = (host.clone(), &search_paths[..], &variables[..]);
        evaluator.evaluate(&Evaluation {
            file,
            search_paths,
            external_variables,
            host,
            sources: &Arc::default(),
        })
    };
    if let [flag, times, file] = arguments
        && flag == "--bench"
    {
        let times: u32 = times.parse().expect("a number of evaluations");
        for part in 0..5 {
            let start = Instant::now();
            for _ in 0..times {
                let _ = evaluate(file);
            }
            println!("{part}: {:?} each, {}", start.elapsed() / times, resident());
        }
        return;
    }
    for file in arguments {
        let (kind, text) = match evaluate(file) {
            Ok(node) => ("value", json(&node)),
            Err(problem) => ("error", quoted(&problem.peer_text.unwrap_or(problem.message))),
        };
        println!("{{\"file\": {}, \"{kind}\": {text}}}", quoted(file));
    }
}

fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default().to_owned()
}

fn json(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:e}"),
        Value::Str(text) => quoted(text),
        Value::Seq(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            let field = |(key, value): (&kapstan_document::Key, &Node)| {
                format!("{}: {}", quoted(key.as_str().unwrap_or_default()), json(value))
            };
            format!("{{{}}}", map.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        _ => unreachable!("jsonnet has no such values"),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}
