//! Whatever the template: parsing and executing end, without a panic.
//!
//! Who executes frees maps that contain themselves (`take_apart`); this target leaves them, so leaks do not count.
//!
//!     cargo +nightly fuzz run gotemplate -- -max_total_time=120 -detect_leaks=0
#![no_main]

use kapstan_gotemplate::functions::{helm, sprig};
use kapstan_gotemplate::{Limits, List, MissingKey, Options, Set, Value};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let mut set = Set::new("gotpl", sprig::functions().with(helm::ROWS));
    // What is fuzzed is the template, what it includes, and what it hands to `tpl`.
    if set.parse("fuzzed", text).is_err() {
        return;
    }
    let list = Value::list(vec!["a".into(), Value::Int(1), Value::Float64(2.5), true.into(), Value::Nil]);
    let map = Value::map([("k", "v".into()), ("l", list), ("s", Value::List(List::strings(["x", "y"])))]);
    let data = Value::map([("m", map), ("n", Value::Float64(3.0)), ("t", Value::str(text))]);
    let limits = Limits { steps: 20_000, output: 1 << 20, ..Limits::default() };
    let options = Options { missing_key: MissingKey::Zero, limits, ..Options::default() };
    let _ = set.execute("fuzzed", data, &options).map_err(|error| error.to_string());
});
