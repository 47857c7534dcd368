//! Whatever the text: the readers and writers of Go's formats do not panic, and YAML that was written is read as the
//! value that it was written from.
//!
//!     cargo +nightly fuzz run go_formats -- -max_total_time=120
#![no_main]

use kapstan_diagnostic::{SourceId, Sources};
use kapstan_document::json::go::Style;
use kapstan_document::yaml::Limits;
use kapstan_document::yaml::go::MAX_WRITE_DEPTH;
use kapstan_document::{Node, json, toml, yaml};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let source = Sources::new().add("fuzzed", Vec::new());
    if let Ok(node) = yaml::go::load(bytes, source, Limits::default()) {
        write(&node, source);
    }
    if let Ok(node) = json::go::load(bytes, source, MAX_WRITE_DEPTH) {
        write(&node, source);
    }
    if let Err(error) = toml::go::load(bytes, 100) {
        let _ = (error.to_string(), error.into_diagnostic(source));
    }
    for document in yaml::go::documents(bytes).into_iter().flatten() {
        if let Err(error) = yaml::go::load_document(&document, source, Limits::default()) {
            let _ = (error.to_string(), error.into_diagnostic(source));
        }
    }
});

fn write(node: &Node, source: SourceId) {
    let _ = toml::go::write(node, MAX_WRITE_DEPTH);
    for style in [Style::Compact, Style::Pretty, Style::Raw] {
        let Ok(text) = json::go::write(node, style, MAX_WRITE_DEPTH) else { continue };
        json::go::load(text.as_bytes(), source, MAX_WRITE_DEPTH).expect("JSON that was written can be read");
    }
    let _ = yaml::go::write_pretty(node, MAX_WRITE_DEPTH);
    // Line breaks other than line feeds do not survive, in go-yaml neither.
    let Ok(text) = yaml::go::write(node, MAX_WRITE_DEPTH) else { return };
    if !text.contains(['\u{2028}', '\u{2029}']) {
        let again = yaml::go::load(text.as_bytes(), source, Limits::default());
        let again = again.expect("YAML that was written can be read");
        assert_eq!(yaml::go::write(&again, MAX_WRITE_DEPTH).as_deref(), Ok(text.as_str()));
    }
}
