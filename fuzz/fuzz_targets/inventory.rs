//! Whatever a class and a target hold: rendering ends, without a panic, and gives the same twice.
//!
//!     cargo +nightly fuzz run inventory -- -max_total_time=120
//!
//! The input is the class, a line of `=====`, and the target.
#![no_main]

use kapstan_diagnostic::Sources;
use kapstan_document::Node;
use kapstan_files::Memory;
use kapstan_inventory::{Backend, Inventory, Settings};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|text: &str| {
    let (class, target) = text.split_once("=====\n").unwrap_or((text, "classes: [a]\n"));
    for backend in [Backend::Reclass, Backend::ReclassRs] {
        assert_eq!(render(class, target, backend), render(class, target, backend));
    }
});

fn render(class: &str, target: &str, backend: Backend) -> Option<Node> {
    let files = Memory::new().with("inventory/classes/a.yml", class).with("inventory/targets/t.yml", target);
    let settings =
        Settings { path: "inventory".into(), backend, compose_target_name: false, class_wildcards: true };
    let inventory = Inventory::open(Arc::new(files), Arc::new(Sources::new()), settings).ok()?;
    Some(inventory.target("t").ok()?.parameters.clone())
}
