//! How fast the YAML and JSON writers are, in megabytes of output a second, on 16 MB of manifests.
//!
//! With `KAPSTAN_PEER_PYTHON` naming the Python of a Kapitan installation, PyYAML's emitters write the same documents
//! in the same run: the one in C, and the one in Python that Kapitan uses.

#![expect(clippy::print_stdout, reason = "the figures are what a benchmark is for")]

use kapstan_document::yaml::{self, MultilineStyle, WriteOptions};
use kapstan_document::{Map, Node, json};
use std::time::{Duration, Instant};

const MANIFESTS: usize = 14_000;
const ROUNDS: usize = 20;

const PEER: &str = "
import json, sys, time, yaml
from kapitan.utils import PrettyDumper
documents = json.load(open(sys.argv[1]))
for name, dumper, part in (('CSafeDumper', yaml.CSafeDumper, 1), ('Kapitan', PrettyDumper.get_dumper_for_style('literal'), 16)):
    some = documents[: len(documents) // part]
    start = time.perf_counter()
    text = yaml.dump_all(some, Dumper=dumper, default_flow_style=False)
    seconds = time.perf_counter() - start
    print(f'PyYAML, {name:<13} {len(text) / seconds / 1e6:8.1f} MB/s')
";

fn main() {
    let documents = Node::from((0..MANIFESTS).map(manifest).collect::<Vec<Node>>());
    for (name, options) in [
        ("yaml, literal", WriteOptions::compiled(MultilineStyle::Literal, 2)),
        ("yaml, quoted", WriteOptions::plain()),
    ] {
        measure(name, || {
            yaml::write_documents(&documents, &options).expect("manifests can be written").len()
        });
    }
    measure("json, indent 2", || json::write(&documents, 2).expect("manifests can be written").len());
    if let Ok(python) = std::env::var("KAPSTAN_PEER_PYTHON") {
        run_peer(&python, &documents);
    }
}

/// Prints the best of some rounds.
fn measure(name: &str, write: impl Fn() -> usize) {
    let mut best = Duration::MAX;
    let mut length = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        length = write();
        best = best.min(start.elapsed());
    }
    #[expect(clippy::cast_precision_loss, reason = "a figure to look at")]
    let megabytes = length as f64 / 1e6;
    println!("{name:<21} {:8.1} MB/s ({megabytes:.1} MB)", megabytes / best.as_secs_f64());
}

fn run_peer(python: &str, documents: &Node) {
    let text = json::write(documents, 0).expect("manifests can be written");
    let path = std::env::temp_dir().join(format!("kapstan-write-{}.json", std::process::id()));
    std::fs::write(&path, text).expect("the temporary folder can be written to");
    let status = std::process::Command::new(python).args(["-c", PEER]).arg(&path).status();
    println!("the peer: {}", status.map_or_else(|error| error.to_string(), |status| status.to_string()));
    let _ = std::fs::remove_file(path);
}

/// A workload, or a map of configuration files, as they appear in catalogs.
fn manifest(number: usize) -> Node {
    let name = format!("service-{number}");
    let mut labels = Map::new();
    labels.insert("app.kubernetes.io/name", name.as_str());
    labels.insert("app.kubernetes.io/part-of", "platform");
    labels.insert("app.kubernetes.io/version", "1.27");
    let mut metadata = Map::new();
    metadata.insert("name", name.as_str());
    metadata.insert("namespace", format!("team-{}", number % 40));
    metadata.insert("labels", labels.clone());
    metadata.insert(
        "annotations",
        entries(&[("checksum/config", &format!("{:064x}", number * 7919)), ("note", NOTE)]),
    );
    let mut manifest = Map::new();
    manifest.insert("metadata", metadata);
    if number.is_multiple_of(4) {
        manifest.insert("apiVersion", "v1");
        manifest.insert("kind", "ConfigMap");
        manifest.insert("data", entries(&[("app.conf", CONFIGURATION), ("mode", "0644"), ("empty", "")]));
        return manifest.into();
    }
    manifest.insert("apiVersion", "apps/v1");
    manifest.insert("kind", "Deployment");
    manifest.insert("spec", deployment(&name, number, labels));
    manifest.into()
}

fn deployment(name: &str, number: usize, labels: Map) -> Map {
    let mut port = Map::new();
    port.insert("containerPort", 8080i64);
    port.insert("name", "http");
    let environment: Vec<Node> = (0..6)
        .map(|at| {
            entries(&[("name", &format!("SETTING_{at}")), ("value", &format!("{}", number * at))]).into()
        })
        .collect();
    let mut container = Map::new();
    container.insert("name", name);
    container
        .insert("image", format!("registry.example.com/platform/{name}:v{}.{}", number % 9, number % 31));
    container.insert(
        "args",
        ["--listen=:8080", "--log-format=json", "-v", "--cache-size=64"].map(Node::from).to_vec(),
    );
    container.insert("ports", vec![Node::from(port)]);
    container.insert("env", environment);
    container
        .insert("securityContext", Map::from_iter([("readOnlyRootFilesystem", true), ("privileged", false)]));
    let mut pod = Map::new();
    pod.insert("containers", vec![Node::from(container)]);
    pod.insert("nodeSelector", Map::new());
    pod.insert("terminationGracePeriodSeconds", 30i64);
    let mut template = Map::new();
    template.insert("metadata", Map::from_iter([("labels", labels)]));
    template.insert("spec", pod);
    let mut spec = Map::new();
    spec.insert("replicas", 3i64);
    spec.insert("template", template);
    spec
}

fn entries(entries: &[(&str, &str)]) -> Map {
    entries.iter().copied().collect()
}

const NOTE: &str = "Managed by the platform team; changes made by hand are lost with the next run, so please open a \
                    request instead: they are answered within a day.";

const CONFIGURATION: &str = "server {\n    listen 8080;\n    location / {\n        proxy_pass http://localhost:9000;\n\
                             \n        proxy_set_header Host $host;\n    }\n}\n# limits\nworker_connections = 1024\n";
