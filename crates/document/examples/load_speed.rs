//! Measures how fast a YAML file is read: events alone, then values. Takes the path of a file.

use kapstan_diagnostic::Sources;
use kapstan_document::yaml::{self, EventKind, Reader};
use std::io::{self, Write};
use std::time::Instant;

fn main() -> io::Result<()> {
    let path =
        std::env::args().nth(1).ok_or_else(|| io::Error::other("the path of a YAML file is wanted"))?;
    let bytes = std::fs::read(path)?;
    let source = Sources::new().add("input.yml", &b""[..]);
    let text = yaml::decode(&bytes).map_err(io::Error::other)?;
    let mut output = io::stdout().lock();
    for _ in 0..3 {
        let start = Instant::now();
        let mut reader = Reader::new(&text);
        let mut events = 0u32;
        while reader.next_event().map_err(io::Error::other)?.kind != EventKind::StreamEnd {
            events += 1;
        }
        let read = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let documents =
            yaml::load_all(&bytes, source, &yaml::LoadOptions::default()).map_err(io::Error::other)?;
        let loaded = start.elapsed().as_secs_f64();
        let megabytes = bytes.len() as f64 / 1e6;
        writeln!(
            output,
            "{megabytes:.1} MB, {events} events, {} documents: events {:.0} MB/s, values {:.0} MB/s",
            documents.len(),
            megabytes / read,
            megabytes / loaded
        )?;
    }
    Ok(())
}
