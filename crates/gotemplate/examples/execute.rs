//! Executes templates from standard input, one JSON object a line, and writes what came out as hexadecimal: the side of
//! kapstan in tests/differential/gotemplate.
//!
//!     {"template": "{{ .a }}", "defines": "", "data": {"a": 1}, "missing": "zero"}

#![expect(clippy::print_stdout, reason = "an example program prints its results")]
#![expect(clippy::unwrap_used, reason = "its input comes from the comparison")]

use kapstan_diagnostic::Sources;
use kapstan_document::{Node, json};
use kapstan_gotemplate::value::Numbers;
use kapstan_gotemplate::{Functions, LARGE_STACK, Limits, MissingKey, Options, Set, Value, on_large_stack};
use std::io::BufRead;
use support::HELPERS;

#[path = "../tests/support/mod.rs"]
mod support;

fn run(request: &Node) -> Result<Vec<u8>, Vec<u8>> {
    let field = |name: &str| request.get(name).and_then(Node::as_str).unwrap_or_default();
    let functions = Functions::builtins().with(HELPERS);
    let mut set = Set::new("main", functions).with_stack(LARGE_STACK);
    for (name, text) in [("defines", field("defines")), ("page", field("template"))] {
        if name == "page" || !text.is_empty() {
            set.parse(name, text).map_err(|error| error.to_string().into_bytes())?;
        }
    }
    let missing_key = match field("missing") {
        "zero" => MissingKey::Zero,
        "error" => MissingKey::Error,
        _ => MissingKey::Absent,
    };
    let limits = Limits { stack: LARGE_STACK, ..Limits::default() };
    let options = Options { missing_key, limits, ..Options::default() };
    let data =
        request.get("data").map(|data| Value::from_node(data, Numbers::Float64).unwrap()).unwrap_or_default();
    let out = set.execute("page", data, &options).map_err(|error| error.to_string().into_bytes())?;
    Ok(out.as_bytes().to_vec())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn main() {
    let source = Sources::default().add("stdin", Vec::new());
    on_large_stack(LARGE_STACK + (8 << 20), || {
        for line in std::io::stdin().lock().lines() {
            let request = json::load(line.unwrap().as_bytes(), source).unwrap();
            match run(&request) {
                Ok(out) => println!("out {}", hex(&out)),
                Err(error) => println!("error {}", hex(&error)),
            }
        }
    })
    .unwrap();
}
