//! Prints what a YAML text loads as, for comparison with PyYAML: one line in Python's `repr` for each text.
//!
//! Reads texts from standard input, each behind a line with its length in bytes. Writes for each a line: `=` and the
//! value, or `!` and the peer's error text as a Python string.

use kapstan_diagnostic::Sources;
use kapstan_document::{python, yaml};
use std::io::{self, BufRead, Read, Write};

fn main() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    let source = Sources::new().add("input.yml", &b""[..]);
    let every_document = std::env::args().any(|argument| argument == "--all");
    let dialect = if std::env::args().any(|argument| argument == "--go") {
        yaml::Dialect::GoYamlV2
    } else {
        yaml::Dialect::PyYaml
    };
    let options = yaml::LoadOptions { dialect, ..yaml::LoadOptions::default() };
    let mut length = String::new();
    while input.read_line(&mut length)? > 0 {
        let mut text = vec![0; length.trim().parse().map_err(io::Error::other)?];
        input.read_exact(&mut text)?;
        length.clear();
        let loaded = if every_document {
            yaml::load_all(&text, source, &options).map(kapstan_document::Node::from)
        } else {
            yaml::load(&text, source, &options)
        };
        match loaded {
            Ok(node) => writeln!(output, "={}", python::repr(&node.value))?,
            Err(error) => {
                let text = error.text("<byte string>");
                let class = error.exception.map(|class| format!("{class}: ")).unwrap_or_default();
                writeln!(output, "!{}", python::repr_str(&(class + &text)))?;
            }
        }
    }
    Ok(())
}
