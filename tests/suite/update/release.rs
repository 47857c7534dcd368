//! Releases as the project makes them, of the program under test with another version in its text.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::{env, fs};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use blake2::{Blake2b512, Digest};
use ed25519_dalek::{Signer, SigningKey};

use super::server::Answer;
use crate::program::{Program, Start};
use crate::{Failure, tree};

/// A minisign key of the tests.
#[derive(Debug, Clone)]
pub struct Key {
    id: [u8; 8],
    key: SigningKey,
}

impl Key {
    /// The key of this number: the same one in every run.
    pub fn number(number: u8) -> Self {
        Self { id: [number; 8], key: SigningKey::from_bytes(&[number; 32]) }
    }

    /// The public key, as minisign's `-P` takes it.
    pub fn public(&self) -> String {
        STANDARD.encode([b"Ed", &self.id[..], self.key.verifying_key().as_bytes()].concat())
    }

    /// A signature as minisign writes it to a file.
    pub fn sign(&self, bytes: &[u8], comment: &str) -> Vec<u8> {
        let signature = self.key.sign(&Blake2b512::digest(bytes)).to_bytes();
        let global = self.key.sign(&[&signature[..], comment.as_bytes()].concat()).to_bytes();
        let first = STANDARD.encode([b"ED", &self.id[..], &signature].concat());
        let second = STANDARD.encode(global);
        format!("untrusted comment: of a test\n{first}\ntrusted comment: {comment}\n{second}\n").into_bytes()
    }
}

/// What the program under test is.
#[derive(Debug)]
pub struct Kit {
    /// The program.
    pub program: Arc<Program>,
    /// Its version.
    pub version: String,
    target: String,
    bytes: Vec<u8>,
    archives: Mutex<HashMap<String, Arc<Vec<u8>>>>,
}

static KIT: OnceLock<Result<Kit, Failure>> = OnceLock::new();

impl Kit {
    /// Asks the program what it is, once.
    pub fn of(program: &Arc<Program>) -> Result<&'static Self, Failure> {
        KIT.get_or_init(|| Self::ask(program)).as_ref().map_err(Clone::clone)
    }

    fn ask(program: &Arc<Program>) -> Result<Self, Failure> {
        let arguments = ["self", "version", "-o", "json"].map(String::from);
        let folder = env::temp_dir();
        let start = Start {
            name: "kapstan",
            arguments: &arguments,
            folder: &folder,
            stdin: "",
            env: &BTreeMap::new(),
        };
        let ended = program.run(&start, &folder)?;
        let said: serde_json::Value = serde_json::from_slice(&ended.stdout).map_err(|e| e.to_string())?;
        let text = |key: &str| said[key].as_str().map(String::from).ok_or(format!("no {key} in {said}"));
        Ok(Self {
            program: program.clone(),
            version: text("version")?,
            target: text("target")?,
            bytes: fs::read(program.path()).map_err(|e| e.to_string())?,
            archives: Mutex::default(),
        })
    }

    /// A later version.
    pub fn newer(&self) -> String {
        self.version.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect()
    }

    /// An earlier version.
    pub fn older(&self) -> String {
        self.version.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect()
    }

    /// The program of a version: ours, with that version wherever it names its own.
    pub fn program_of(&self, version: &str) -> Result<Vec<u8>, Failure> {
        let (from, to) = (format!("kapstan {}", self.version), format!("kapstan {version}"));
        if from.len() != to.len() {
            return Err(format!("{version} and {} are not of one length", self.version));
        }
        let mut bytes = self.bytes.clone();
        let places: Vec<usize> = find(&bytes, from.as_bytes());
        if places.is_empty() {
            return Err(format!("the program does not hold `{from}`"));
        }
        for place in places {
            bytes[place..place + to.len()].copy_from_slice(to.as_bytes());
        }
        signed_for_its_system(bytes)
    }

    /// The archive's name in a release.
    pub fn archive_name(&self, version: &str) -> String {
        let end = if self.program.is_for_windows() { "zip" } else { "tar.gz" };
        format!("kapstan-{version}-{}.{end}", self.target)
    }

    /// The archive of a version, made once.
    fn archive(&self, version: &str) -> Result<Arc<Vec<u8>>, Failure> {
        let mut archives = self.archives.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(archive) = archives.get(version) {
            return Ok(archive.clone());
        }
        let archive = Arc::new(self.archive_with(&self.program_of(version)?)?);
        archives.insert(version.to_string(), archive.clone());
        Ok(archive)
    }

    /// An archive with this program.
    pub fn archive_with(&self, program: &[u8]) -> Result<Vec<u8>, Failure> {
        let failed = |e: std::io::Error| e.to_string();
        if self.program.is_for_windows() {
            return Ok(zip(&[("kapstan.exe", program), ("README.md", b"kapstan\n")]));
        }
        let mut archive = tar::Builder::new(Vec::new());
        for (name, content) in [("README.md", &b"kapstan\n"[..]), ("kapstan", program)] {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o755);
            archive.append_data(&mut header, name, content).map_err(failed)?;
        }
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        packed.write_all(&archive.into_inner().map_err(failed)?).map_err(failed)?;
        packed.finish().map_err(failed)
    }
}

fn find(text: &[u8], part: &[u8]) -> Vec<usize> {
    let starts = positions(text, part[0]);
    starts.into_iter().filter(|start| text[*start..].starts_with(part)).collect()
}

fn positions(text: &[u8], byte: u8) -> Vec<usize> {
    text.iter().enumerate().filter(|(_, found)| **found == byte).map(|(index, _)| index).collect()
}

/// macOS runs no program whose bytes were changed after it was signed.
fn signed_for_its_system(bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
    if !cfg!(target_os = "macos") {
        return Ok(bytes);
    }
    let file = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
    fs::write(file.path(), bytes).map_err(|e| e.to_string())?;
    let signed = std::process::Command::new("codesign").args(["-s", "-", "-f"]).arg(file.path()).output();
    signed.map_err(|e| format!("codesign: {e}"))?;
    fs::read(file.path()).map_err(|e| e.to_string())
}

/// A zip file of stored files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let mut sum = flate2::Crc::new();
        sum.update(content);
        let size = (content.len() as u32).to_le_bytes();
        let length = (name.len() as u16).to_le_bytes();
        // Version 2.0, no flags, stored, at the start of 1980.
        let common = [
            &[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..],
            &sum.sum().to_le_bytes(),
            &size,
            &size,
            &length,
            &[0, 0],
        ];
        let common = common.concat();
        let offset = (archive.len() as u32).to_le_bytes();
        directory.extend([b"PK\x01\x02\x14\0", &common[..], &[0; 10], &offset, name.as_bytes()].concat());
        archive.extend([b"PK\x03\x04", &common[..], name.as_bytes(), content].concat());
    }
    let (count, start) = ((files.len() as u16).to_le_bytes(), (archive.len() as u32).to_le_bytes());
    let size = (directory.len() as u32).to_le_bytes();
    archive.extend(directory);
    archive.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &start, &[0, 0]].concat());
    archive
}

/// A release: one flat folder.
#[derive(Debug, Clone)]
pub struct Release {
    pub files: BTreeMap<String, Arc<Vec<u8>>>,
}

impl Release {
    /// The release of a version, signed with the tests' first key.
    pub fn new(kit: &Kit, version: &str) -> Result<Self, Failure> {
        Ok(Self::with_archive(kit, version, kit.archive(version)?))
    }

    /// A release with this archive, signed with the tests' first key.
    pub fn with_archive(kit: &Kit, version: &str, archive: Arc<Vec<u8>>) -> Self {
        let name = kit.archive_name(version);
        let digest = hex(&archive);
        let asset = serde_json::json!({ "name": name, "url": name, "digest": format!("sha256:{digest}") });
        let manifest = serde_json::json!({
            "schema": 1,
            "releases": [{ "version": version, "assets": [asset] }],
        });
        let manifest = manifest.to_string().into_bytes();
        let sums = format!("{}  manifest.json\n{digest}  {name}\n", hex(&manifest));
        let mut release = Self { files: BTreeMap::new() };
        release.set(&name, archive);
        release.set("manifest.json", manifest);
        release.set("SHA256SUMS", sums.into_bytes());
        release.sign(&Key::number(1), "SHA256SUMS.minisig", &format!("kapstan {version}"));
        release
    }

    /// Puts a file into it, or other bytes into a file.
    pub fn set(&mut self, name: &str, bytes: impl Into<Arc<Vec<u8>>>) {
        self.files.insert(name.to_string(), bytes.into());
    }

    /// Its file.
    pub fn text(&self, name: &str) -> String {
        String::from_utf8_lossy(&self.files[name]).into_owned()
    }

    /// Signs the sums.
    pub fn sign(&mut self, key: &Key, name: &str, comment: &str) {
        let signature = key.sign(&self.files["SHA256SUMS"], comment);
        self.set(name, signature);
    }

    /// The answers of a server that has it below a folder.
    pub fn below(&self, folder: &str) -> BTreeMap<String, Answer> {
        let file = |(name, bytes): (&String, &Arc<Vec<u8>>)| {
            (format!("/{folder}/{name}"), Answer::File(bytes.clone()))
        };
        self.files.iter().map(file).collect()
    }

    /// Writes it into a folder.
    pub fn write_to(&self, folder: &Path) -> Result<(), Failure> {
        self.files.iter().try_for_each(|(name, bytes)| {
            tree::write_file(&folder.join(name), bytes).map_err(|e| format!("{name}: {e}"))
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    let digest = <sha2::Sha256 as sha2::Digest>::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
