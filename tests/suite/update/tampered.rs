//! Releases that are not as they were signed, or not what they say: nothing of them is used.

use std::sync::Arc;

use super::install::{expect_no_download, installation_for, server_with};
use super::release::{Key, Kit, Release};
use crate::Failure;

const UPDATE: &[&str] = &["self", "update"];

fn newer(kit: &'static Kit) -> Result<Release, Failure> {
    Release::new(kit, &kit.newer())
}

/// That an update to the release is refused with these words.
fn refuse(kit: &'static Kit, release: &Release, words: &[&str]) -> Result<(), Failure> {
    let server = server_with(release)?;
    installation_for(kit, &server)?.refuse(UPDATE, words)
}

/// That it is refused before the archive is downloaded.
fn refuse_early(kit: &'static Kit, release: &Release, words: &[&str]) -> Result<(), Failure> {
    let server = server_with(release)?;
    let installation = installation_for(kit, &server)?;
    installation.refuse(UPDATE, words)?;
    installation.expect(&["self", "update", "--check"], 1)?;
    expect_no_download(&server)
}

/// One bit of the archive is another one.
pub fn archive(kit: &'static Kit) -> Result<(), Failure> {
    let mut release = newer(kit)?;
    let name = kit.archive_name(&kit.newer());
    let mut bytes = release.files[&name].to_vec();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    release.set(&name, bytes);
    refuse(kit, &release, &["not the file that was signed"])
}

/// The archive and its sum were exchanged together.
pub fn sums(kit: &'static Kit) -> Result<(), Failure> {
    let mut release = newer(kit)?;
    let other = Release::with_archive(kit, &kit.newer(), Arc::new(kit.archive_with(b"#!/bin/sh\n")?));
    for name in ["SHA256SUMS", "manifest.json", &kit.archive_name(&kit.newer())] {
        release.set(name, other.files[name].clone());
    }
    refuse_early(kit, &release, &["not signed by a key that kapstan trusts"])
}

/// The manifest has another digest than was signed.
pub fn manifest(kit: &'static Kit) -> Result<(), Failure> {
    let mut release = newer(kit)?;
    let text = release.text("manifest.json").replace("\"schema\":1", "\"schema\":1 ");
    release.set("manifest.json", text.into_bytes());
    refuse_early(kit, &release, &["manifest.json", "not the file that was signed"])
}

/// The signature is good, by a key that is not trusted.
pub fn wrong_key(kit: &'static Kit) -> Result<(), Failure> {
    let mut release = newer(kit)?;
    release.sign(&Key::number(2), "SHA256SUMS.minisig", &format!("kapstan {}", kit.newer()));
    refuse_early(kit, &release, &["not signed by a key that kapstan trusts", "nothing of it was used"])
}

/// Without another key being named, only the project's are trusted.
pub fn project_key(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&newer(kit)?)?;
    let mut installation = installation_for(kit, &server)?;
    installation.env.remove("KAPSTAN_PUBLIC_KEY");
    installation.refuse(UPDATE, &["not signed by a key that kapstan trusts"])
}

/// There is no signature.
pub fn no_signature(kit: &'static Kit) -> Result<(), Failure> {
    let mut release = newer(kit)?;
    release.files.remove("SHA256SUMS.minisig");
    refuse_early(kit, &release, &["no signature"])
}

/// What stands there is no signature.
pub fn broken_signature(kit: &'static Kit) -> Result<(), Failure> {
    let mut release = newer(kit)?;
    let good = release.text("SHA256SUMS.minisig");
    let comment = good.replace("trusted comment: kapstan", "trusted comment: Kapstan");
    for broken in
        ["", "\n\n\n\n", &good[..good.len() / 2], "untrusted comment: a\nAAAA\nb\nAAAA\n", &*comment]
    {
        release.set("SHA256SUMS.minisig", broken.as_bytes().to_vec());
        refuse_early(kit, &release, &["not signed by a key that kapstan trusts"])?;
    }
    Ok(())
}

/// An old release, rightly signed, is given out as a new one.
pub fn signature_of_another_version(kit: &'static Kit) -> Result<(), Failure> {
    let mut release = newer(kit)?;
    release.sign(&Key::number(1), "SHA256SUMS.minisig", &format!("kapstan {}", kit.older()));
    refuse_early(kit, &release, &[&format!("for `kapstan {}`", kit.older())])?;
    // The other way round: the folder of a version that is named holds another one.
    let answers = newer(kit)?.below(&format!("download/v{}", kit.older()));
    let server = super::server::Server::start(answers)?;
    let installation = installation_for(kit, &server)?;
    installation.refuse(&["self", "update", &kit.older()], &["does not name the release"])
}

/// The signature is the project's, but of something else.
pub fn signature_of_another_file(kit: &'static Kit) -> Result<(), Failure> {
    let mut release = newer(kit)?;
    let signature = Key::number(1).sign(b"something else", &format!("kapstan {}", kit.newer()));
    release.set("SHA256SUMS.minisig", signature);
    refuse_early(kit, &release, &["not signed by a key that kapstan trusts"])
}

/// The archive holds another version than the release says.
pub fn program_of_another_version(kit: &'static Kit) -> Result<(), Failure> {
    let archive = kit.archive_with(&kit.program_of(&kit.older())?)?;
    let release = Release::with_archive(kit, &kit.newer(), Arc::new(archive));
    refuse(kit, &release, &["calls itself", &kit.older()])
}

/// What was signed does not run.
pub fn program_that_does_not_run(kit: &'static Kit) -> Result<(), Failure> {
    let archive = kit.archive_with(b"\x7fELF nothing that runs")?;
    let release = Release::with_archive(kit, &kit.newer(), Arc::new(archive));
    refuse(kit, &release, &["does not"])
}

/// The archive lacks the program.
pub fn archive_without_program(kit: &'static Kit) -> Result<(), Failure> {
    let archive = match kit.program.is_for_windows() {
        true => b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec(),
        false => packed(&[0; 1024][..])?,
    };
    refuse(kit, &Release::with_archive(kit, &kit.newer(), Arc::new(archive)), &["cannot"])
}

/// What was signed is no archive.
pub fn broken_archive(kit: &'static Kit) -> Result<(), Failure> {
    refuse(kit, &Release::with_archive(kit, &kit.newer(), Arc::new(b"nothing".to_vec())), &["cannot"])
}

/// The archive holds more than any release.
pub fn archive_bomb(kit: &'static Kit) -> Result<(), Failure> {
    if kit.program.is_for_windows() {
        // Its zip files name their sizes: the largest that can be written is refused.
        let mut bytes = kit.archive_with(b"program")?;
        let place = bytes.windows(4).position(|four| four == b"PK\x01\x02").ok_or("no directory")? + 24;
        bytes[place..place + 4].copy_from_slice(&[0xfe, 0xff, 0xff, 0xff]);
        return refuse(kit, &Release::with_archive(kit, &kit.newer(), Arc::new(bytes)), &["cannot"]);
    }
    let archive = packed_zeros(513 << 20)?;
    let release = Release::with_archive(kit, &kit.newer(), Arc::new(archive));
    refuse(kit, &release, &["more than any release"])
}

fn packed_zeros(count: u64) -> Result<Vec<u8>, Failure> {
    packed(std::io::Read::take(std::io::repeat(0), count))
}

fn packed(mut content: impl std::io::Read) -> Result<Vec<u8>, Failure> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::copy(&mut content, &mut packed).and_then(|_| packed.finish()).map_err(|e| e.to_string())
}

/// The release has nothing for this machine.
pub fn no_archive_for_the_target(kit: &'static Kit) -> Result<(), Failure> {
    let mut release = newer(kit)?;
    let name = kit.archive_name(&kit.newer());
    let sums = release.text("SHA256SUMS").replace(&name, "kapstan-for-another-machine.tar.gz");
    release.set("SHA256SUMS", sums.into_bytes());
    release.sign(&Key::number(1), "SHA256SUMS.minisig", &format!("kapstan {}", kit.newer()));
    refuse_early(kit, &release, &["has no archive for"])
}

/// A manifest without end is not read to it.
pub fn endless_manifest(kit: &'static Kit) -> Result<(), Failure> {
    let mut release = newer(kit)?;
    release.set("manifest.json", vec![b' '; 3 << 20]);
    refuse_early(kit, &release, &["larger than any such file"])?;
    for broken in
        ["", "[]", "{\"schema\":1}", "{\"schema\":2,\"releases\":[]}", "{\"schema\":1,\"releases\":[]}"]
    {
        release.set("manifest.json", broken.as_bytes().to_vec());
        refuse_early(kit, &release, &["manifest.json"])?;
    }
    Ok(())
}
