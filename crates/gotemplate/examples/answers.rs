//! Answers templates on standard input, one JSON string a line, as the Go program in `tests/differential/sprig` does:
//! `{"out": ...}` in hexadecimal digits, or `{"out": "", "error": ...}`. The argument is a JSON file with the data.
#![expect(clippy::print_stdout, reason = "answering is what this program is for")]

use kapstan_gotemplate::functions::{helm, sprig};
use kapstan_gotemplate::{Functions, LARGE_STACK, Limits, MissingKey, Options, Set, Value, on_large_stack};
use std::io::BufRead;
use std::rc::Rc;

fn main() -> std::io::Result<()> {
    on_large_stack(LARGE_STACK, answer_all)
}

fn answer_all() {
    let data = std::env::args().nth(1).map(|path| std::fs::read(path).expect("the data can be read"));
    let functions = sprig::functions().with(helm::ROWS);
    for line in std::io::stdin().lock().lines() {
        let text = read(&functions, line.expect("a line").as_bytes());
        let text = text.as_text().expect("a string");
        // Calls may change the data, so each template has its own.
        let own = data.as_deref().map_or(Value::Nil, |data| read(&functions, data));
        match answer(&functions, text, own) {
            Ok(out) => {
                let digits: String = out.iter().map(|byte| format!("{byte:02x}")).collect();
                println!("{{\"out\":\"{digits}\"}}");
            }
            Err(error) => println!("{{\"out\":\"\",\"error\":{}}}", quoted(&functions, &error)),
        }
    }
}

fn answer(functions: &Functions, text: &[u8], data: Value) -> Result<Vec<u8>, String> {
    let mut set = Set::new("t", functions.clone());
    set.parse("t", text).map_err(|error| error.to_string())?;
    let clock = sprig::FixedClock { second: 1_700_000_000, nanosecond: 0 };
    let host = sprig::Host::new(clock, sprig::Random::seeded(b"answers"));
    let options = Options {
        missing_key: MissingKey::Zero,
        limits: Limits { stack: LARGE_STACK / 2, ..Limits::default() },
        host: Some(Rc::new(host)),
    };
    let out = set.execute("t", data, &options).map_err(|error| error.to_string())?;
    Ok(out.to_vec())
}

fn read(functions: &Functions, text: &[u8]) -> Value {
    functions.call("mustFromJson", &[Value::str(text)]).expect("the text is JSON")
}

fn quoted(functions: &Functions, text: &str) -> String {
    let quoted = functions.call("mustToJson", &[Value::str(text)]).expect("strings can be written");
    quoted.as_text().expect("it is text").to_str().into_owned()
}
