//! The engine as a whole, over a refs folder on disk.

mod command;
mod compile;
mod functions;
mod reveal;

use crate::{Context, DiskStore, Error, Host, Randomness, References, Settings};
use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use kapstan_document::{Map, Node};
use kapstan_files::Disk;
use std::io;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// The same bytes in every run.
struct Seeded(Mutex<ChaCha20Rng>);

impl Randomness for Seeded {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        self.0.lock().unwrap().fill_bytes(bytes);
        Ok(())
    }
}

/// A repository with a refs folder.
struct Repository {
    folder: TempDir,
    references: References,
}

fn repository(files: &[(&str, &str)]) -> Repository {
    repository_with(files, |_| {})
}

fn repository_with(files: &[(&str, &str)], change: impl FnOnce(&mut Settings)) -> Repository {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let mut settings = Settings { refs_path: "refs".into(), embed_refs: false, reveal: false };
    change(&mut settings);
    let environment = |name: &str| (name == "KAPITAN_VAR_HOME_PLANET").then(|| "earth".to_owned());
    let host = Host {
        files: Arc::new(Disk::new(folder.path())),
        store: Arc::new(DiskStore::new(folder.path(), &settings.refs_path)),
        environment: Arc::new(environment),
        randomness: Arc::new(Seeded(Mutex::new(ChaCha20Rng::from_seed([7; 32])))),
    };
    let references = References::new(settings, host);
    Repository { folder, references }
}

impl Repository {
    fn compile(&self, text: &str) -> Result<String, Error> {
        self.references.process_text(text.into(), &Context::NONE).map(|text| text.to_string())
    }

    fn reveal(&self, text: &str) -> Result<String, Error> {
        Ok(self.references.reveal_text(text, &Context::NONE)?.unwrap_or_else(|| text.to_owned()))
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(path)).unwrap()
    }

    fn has(&self, path: &str) -> bool {
        self.folder.path().join(path).exists()
    }
}

/// What Kapitan says of an error: class and text.
fn peer(error: &Error) -> String {
    format!("{}: {}", error.raised_class().class_name(), error.peer_text())
}

fn map<const N: usize>(entries: [(&str, Node); N]) -> Node {
    Node::from(Map::from_iter(entries))
}

const HELLO: (&str, &str) = ("refs/b", "data: aGVsbG8=\nencoding: original\ntype: base64\n");
