//! Whatever the template: parsing and rendering end, without a panic.
//!
//!     cargo +nightly fuzz run jinja2 -- -max_total_time=120
#![no_main]

use kapstan_document::{Map, Node};
use kapstan_jinja2::{Context, Environment, Host, Limits, LoadError, Source};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

/// Every template is the one that is fuzzed, so that includes and imports have something to find.
struct OneText(Arc<str>);

impl Host for OneText {
    fn load(&self, name: &str) -> Result<Source, LoadError> {
        Ok(Source { text: self.0.clone(), file: name.to_owned() })
    }
}

fuzz_target!(|text: &str| {
    let limits = Limits { steps: 20_000, output: 1 << 20, ..Limits::DEFAULT };
    let environment = Environment::new(Arc::new(OneText(text.into()))).with_limits(limits);
    let list: Vec<Node> = vec!["a".into(), 1i64.into(), 2.5.into(), true.into(), Node::NULL];
    let map: Map = [("k", Node::from("v")), ("l", list.into())].into_iter().collect();
    let context = Context::new().with_node("d", &map.into()).with_node("n", &3i64.into()).with_node("s", &"text".into());
    let _ = environment.render("fuzzed", &context);
});
