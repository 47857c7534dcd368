//! How fast Go's formats are written and read, in megabytes of YAML a second, on 5 MB of manifests.
//!
//! With `KAPSTAN_PEER_GO` naming the program made of `tests/differential/go-yaml`, the Go libraries write and read the
//! same documents in the same run.

#![expect(clippy::print_stdout, reason = "the figures are what a benchmark is for")]

use kapstan_diagnostic::Sources;
use kapstan_document::json::go::Style;
use kapstan_document::yaml::Limits;
use kapstan_document::yaml::go::MAX_WRITE_DEPTH;
use kapstan_document::{Map, Node, json, yaml};
use std::time::{Duration, Instant};

const MANIFESTS: usize = 4_500;
const ROUNDS: usize = 10;

fn main() {
    let documents = Node::from((0..MANIFESTS).map(manifest).collect::<Vec<Node>>());
    let text = yaml::go::write(&documents, MAX_WRITE_DEPTH).expect("manifests can be written");
    let source = Sources::new().add("manifests", text.as_bytes());
    measure("toYaml", text.len(), || {
        assert_eq!(yaml::go::write(&documents, MAX_WRITE_DEPTH).map(|text| text.len()), Ok(text.len()));
    });
    measure("toYamlPretty", text.len(), || {
        yaml::go::write_pretty(&documents, MAX_WRITE_DEPTH).expect("manifests can be written");
    });
    measure("toJson", text.len(), || {
        json::go::write(&documents, Style::Compact, MAX_WRITE_DEPTH).expect("manifests can be written");
    });
    measure("fromYaml", text.len(), || {
        yaml::go::load(text.as_bytes(), source, Limits::default()).expect("manifests can be read");
    });
    if let Ok(peer) = std::env::var("KAPSTAN_PEER_GO") {
        run_peer(&peer, &text);
    }
}

/// Prints the best of some rounds.
fn measure(name: &str, length: usize, work: impl Fn()) {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed());
    }
    #[expect(clippy::cast_precision_loss, reason = "a figure to look at")]
    let megabytes = length as f64 / 1e6;
    println!("{name:<21} {:8.1} MB/s ({megabytes:.1} MB)", megabytes / best.as_secs_f64());
}

fn run_peer(peer: &str, text: &str) {
    let path = std::env::temp_dir().join(format!("kapstan-go-{}.yaml", std::process::id()));
    std::fs::write(&path, text).expect("the temporary folder can be written to");
    let status =
        std::process::Command::new(peer).arg("-measure").arg(&path).status().expect("the peer starts");
    std::fs::remove_file(&path).expect("the file is there");
    assert!(status.success(), "the peer failed");
}

fn map(entries: impl IntoIterator<Item = (&'static str, Node)>) -> Node {
    Node::from(Map::from_iter(entries))
}

fn manifest(number: usize) -> Node {
    let labels = || {
        map([
            ("app.kubernetes.io/name", Node::from(format!("service-{number}"))),
            ("app.kubernetes.io/instance", Node::from("production")),
            ("app.kubernetes.io/version", Node::from("1.10")),
        ])
    };
    let container = map([
        ("name", Node::from("main")),
        ("image", Node::from(format!("registry.example.org/team/service-{number}:v1.2.{number}"))),
        ("args", Node::from(vec![Node::from("--listen=0.0.0.0:8080"), Node::from("--log-level=info")])),
        (
            "ports",
            Node::from(vec![map([("containerPort", Node::from(8080)), ("protocol", Node::from("TCP"))])]),
        ),
        (
            "resources",
            map([
                ("limits", map([("cpu", Node::from("500m")), ("memory", Node::from("512Mi"))])),
                ("requests", map([("cpu", Node::from("100m")), ("memory", Node::from("128Mi"))])),
            ]),
        ),
        (
            "env",
            Node::from(vec![
                map([("name", Node::from("REPLICAS")), ("value", Node::from("3"))]),
                map([("name", Node::from("DEBUG")), ("value", Node::from("false"))]),
            ]),
        ),
    ]);
    let script = "#!/bin/sh\nset -eu\nexec /bin/service \"$@\"\n";
    let note =
        "Long descriptions are folded behind column eighty, which takes a walk over the words of the text.";
    map([
        ("apiVersion", Node::from("apps/v1")),
        ("kind", Node::from("Deployment")),
        (
            "metadata",
            map([
                ("name", Node::from(format!("service-{number}"))),
                ("labels", labels()),
                ("annotations", map([("note", Node::from(note)), ("script", Node::from(script))])),
            ]),
        ),
        (
            "spec",
            map([
                ("replicas", Node::from(3)),
                ("selector", map([("matchLabels", labels())])),
                (
                    "template",
                    map([
                        ("metadata", map([("labels", labels())])),
                        ("spec", map([("containers", Node::from(vec![container]))])),
                    ]),
                ),
            ]),
        ),
    ])
}
