//! Whatever was loaded: the writers do not panic, and YAML that was written is loaded and written again as it was.
//!
//!     cargo +nightly fuzz run writers -- -max_total_time=120
#![no_main]

use kapstan_diagnostic::Sources;
use kapstan_document::yaml::{self, LoadOptions, MultilineStyle, WriteOptions};
use kapstan_document::{Node, json, prune, toml};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(node) = load(bytes) {
        write(&node);
    }
});

fn load(bytes: &[u8]) -> Result<Node, yaml::Error> {
    yaml::load(bytes, Sources::new().add("fuzzed", Vec::new()), &LoadOptions::default())
}

fn write(node: &Node) {
    let _ = json::write(node, 2);
    let _ = toml::write(node);
    let _ = prune(node);
    for options in [WriteOptions::plain(), WriteOptions::compiled(MultilineStyle::Literal, 2)] {
        let _ = yaml::write_documents(node, &options);
        let Ok(text) = yaml::write(node, &options) else { continue };
        let again = load(text.as_bytes()).expect("what was written can be loaded");
        assert_eq!(yaml::write(&again, &options).as_deref(), Ok(text.as_str()));
    }
}
