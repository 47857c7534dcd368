//! Renders inventories for comparison with the peers.
//!
//! Usage: `render [--reclass-rs] [--compose] [--wildcards] [--summary] < folders`, one inventory folder a line. Prints a line for each
//! target: folder, name, and the result in Python's notation, which shows types and the order of keys; or what is wrong.

use kapstan_diagnostic::{Diagnostic, Sources};
use kapstan_document::{Map, Node, python};
use kapstan_files::Disk;
use kapstan_inventory::{Backend, Inventory, Settings, Target};
use std::io::{BufRead, Write};
use std::sync::Arc;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for folder in std::io::stdin().lock().lines() {
        let folder = folder?;
        let settings = Settings {
            path: folder.clone().into(),
            backend: if has("--reclass-rs") { Backend::ReclassRs } else { Backend::Reclass },
            compose_target_name: has("--compose"),
            class_wildcards: has("--wildcards"),
        };
        let base = std::env::current_dir()?;
        match Inventory::open(Arc::new(Disk::new(base)), Arc::new(Sources::new()), settings) {
            Ok(inventory) => write_targets(&mut out, &folder, &inventory, has("--summary"))?,
            Err(problems) => writeln!(out, "{folder}\t\tERR\t{}", describe(&problems))?,
        }
        writeln!(out, "{folder}\t\tEND")?;
        out.flush()?;
    }
    Ok(())
}

fn write_targets(
    out: &mut impl Write,
    folder: &str,
    inventory: &Inventory,
    summary: bool,
) -> std::io::Result<()> {
    for file in inventory.targets() {
        let name = &file.name;
        match inventory.target(name) {
            Ok(target) if summary => {
                writeln!(out, "{folder}\t{name}\tOK\t{}", target.parameters.as_map().map_or(0, Map::len))?;
            }
            Ok(target) => writeln!(out, "{folder}\t{name}\tOK\t{}", python::repr(&as_node(&target).value))?,
            Err(problems) => writeln!(out, "{folder}\t{name}\tERR\t{}", describe(&problems))?,
        }
    }
    Ok(())
}

fn as_node(target: &Target) -> Node {
    let texts = |texts: &[Arc<str>]| texts.iter().cloned().map(Node::from).collect::<Vec<_>>();
    let mut map = Map::new();
    map.insert("classes", texts(&target.classes));
    map.insert("applications", texts(&target.applications));
    map.insert("parameters", target.parameters.clone());
    map.insert("exports", target.exports.clone());
    map.into()
}

fn describe(problems: &[Diagnostic]) -> String {
    let texts = problems.iter().map(|problem| {
        let peer = problem.peer_text.as_deref().unwrap_or_default();
        format!("{} {} [{peer:?}]", problem.code, problem.message.escape_debug())
    });
    texts.collect::<Vec<_>>().join(" | ")
}
