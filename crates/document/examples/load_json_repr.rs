//! Prints what a JSON text loads as, for comparison with Python: one line in Python's `repr` for each text.
//!
//! Reads and writes as `load_repr` does.

use kapstan_diagnostic::Sources;
use kapstan_document::{json, python};
use std::io::{self, BufRead, Read, Write};

fn main() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    let source = Sources::new().add("input.json", &b""[..]);
    let mut length = String::new();
    while input.read_line(&mut length)? > 0 {
        let mut text = vec![0; length.trim().parse().map_err(io::Error::other)?];
        input.read_exact(&mut text)?;
        length.clear();
        match json::load(&text, source) {
            Ok(node) => writeln!(output, "={}", python::repr(&node.value))?,
            Err(error) => writeln!(output, "!{}", python::repr_str(&error.to_string()))?,
        }
    }
    Ok(())
}
