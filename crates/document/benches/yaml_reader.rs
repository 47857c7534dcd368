//! Reads a stream of 30 000 Deployment manifests (16 MB) as events, and the same stream with libyaml-safer in the same
//! run. Prints megabytes per second, the best and the middle of several passes each.
//!
//!     cargo bench -p kapstan-document --bench yaml_reader
//!
//! With `-- FILE` it writes the stream to that file, for measuring other readers.

use kapstan_document::yaml::{EventKind, Reader, decode};
use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{self, Write as _};
use std::time::Instant;

const MANIFESTS: usize = 30_000;
const PASSES: usize = 7;

fn main() -> io::Result<()> {
    let stream = manifests();
    if let Some(file) = std::env::args().nth(1).filter(|argument| !argument.starts_with('-')) {
        return std::fs::write(file, stream);
    }
    let megabytes = stream.len() as f64 / 1e6;
    let mut output = io::stdout().lock();
    writeln!(output, "{MANIFESTS} manifests, {megabytes:.1} MB")?;
    let ascii = measure("kapstan", &stream, PASSES, kapstan, &mut output)?;
    let other = measure("libyaml-safer 0.3.0", &stream, 3, libyaml_safer, &mut output)?;
    writeln!(output, "ratio of the best passes: {:.1}", ascii / other)?;
    let foreign = stream.replace("team: shop", "team: L\u{e4}den");
    measure("kapstan, one character in each manifest beyond ASCII", &foreign, PASSES, kapstan, &mut output)?;
    Ok(())
}

/// Measures a reader. Returns the speed of the best pass.
fn measure(
    name: &str,
    stream: &str,
    passes: usize,
    read: fn(&str) -> usize,
    output: &mut impl io::Write,
) -> io::Result<f64> {
    let mut speeds = Vec::new();
    let mut events = 0;
    for _ in 0..passes {
        let begin = Instant::now();
        events = read(black_box(stream));
        speeds.push(stream.len() as f64 / 1e6 / begin.elapsed().as_secs_f64());
    }
    speeds.sort_by(f64::total_cmp);
    let best = speeds[speeds.len() - 1];
    let middle = speeds[speeds.len() / 2];
    writeln!(output, "{name}: best {best:.0} MB/s, middle {middle:.0} MB/s, {events} events")?;
    Ok(best)
}

/// From bytes to events; looks at the values, so that nothing can be left out.
fn kapstan(stream: &str) -> usize {
    let text = decode(stream.as_bytes()).expect("the stream is UTF-8");
    let mut reader = Reader::new(&text);
    let mut events = 0;
    loop {
        let event = reader.next_event().expect("the stream is YAML");
        events += 1;
        match &black_box(&event).kind {
            EventKind::Scalar(scalar) => {
                black_box(scalar.value.len());
            }
            EventKind::StreamEnd => return events,
            _ => {}
        }
    }
}

fn libyaml_safer(stream: &str) -> usize {
    let mut bytes = stream.as_bytes();
    let mut parser = libyaml_safer::Parser::new();
    parser.set_input_string(&mut bytes);
    let mut events = 0;
    loop {
        let event = parser.parse().expect("the stream is YAML");
        events += 1;
        match &black_box(&event).data {
            libyaml_safer::EventData::Scalar { value, .. } => {
                black_box(value.len());
            }
            libyaml_safer::EventData::StreamEnd => return events,
            _ => {}
        }
    }
}

fn manifests() -> String {
    let mut stream = String::new();
    for number in 0..MANIFESTS {
        let replicas = number % 5 + 1;
        let port = 8000 + number % 1000;
        let written = write!(
            stream,
            r#"---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-{number}
  namespace: shop
  labels:
    app.kubernetes.io/name: web-{number}
    team: shop
spec:
  replicas: {replicas}
  selector:
    matchLabels: {{app: web-{number}}}
  template:
    metadata:
      labels: {{app: web-{number}}}
    spec:
      # Rolled out by hand.
      containers:
      - name: web
        image: "registry.example.com/shop/web:1.{number}.0"
        args: ['--port', '{port}']
        ports:
        - containerPort: {port}
        resources:
          limits:
            memory: 128Mi
"#
        );
        written.expect("a string takes any text");
    }
    stream
}
