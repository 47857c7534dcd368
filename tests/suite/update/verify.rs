//! `kapstan self verify`: releases that somebody downloaded.

use std::fs;

use super::installation::Installation;
use super::release::{Key, Kit, Release};
use crate::Failure;

const VERIFY: &[&str] = &["self", "verify", "SHA256SUMS"];

/// The newer release in the folder of the runs.
fn downloaded(kit: &'static Kit) -> Result<(Installation, Release), Failure> {
    let (installation, release) = (Installation::new(kit)?, Release::new(kit, &kit.newer())?);
    release.write_to(&installation.home())?;
    Ok((installation, release))
}

/// Every file that is there is as it was signed; what is not there is counted.
pub fn good(kit: &'static Kit) -> Result<(), Failure> {
    let (installation, _) = downloaded(kit)?;
    let (newer, archive) = (kit.newer(), kit.archive_name(&kit.newer()));
    let all = installation.succeed(&["self", "verify"])?;
    let expected =
        format!("SHA256SUMS: signed, kapstan {newer}\nmanifest.json: as signed\n{archive}: as signed\n");
    if all != expected {
        return Err(format!("it says:\n{all}"));
    }
    fs::remove_file(installation.home().join(&archive)).map_err(|e| e.to_string())?;
    let some = installation.succeed(&["self", "verify", "SHA256SUMS", "--release", &format!("v{newer}")])?;
    if !some.ends_with("manifest.json: as signed\n1 of the files are not here\n") {
        return Err(format!("it says:\n{some}"));
    }
    let json = installation.succeed(&["self", "verify", "-o", "json"])?;
    let json: serde_json::Value = serde_json::from_str(&json).map_err(|e| e.to_string())?;
    let expected = serde_json::json!({ "version": newer, "files": ["manifest.json"], "absent": [archive] });
    if json == expected { Ok(()) } else { Err(format!("it says {json}")) }
}

/// A file was changed, the list was changed, or another key signed it.
pub fn changed(kit: &'static Kit) -> Result<(), Failure> {
    let (installation, mut release) = downloaded(kit)?;
    let home = installation.home();
    fs::write(home.join("manifest.json"), "{}").map_err(|e| e.to_string())?;
    installation.refuse(VERIFY, &["manifest.json", "not the file that was signed"])?;
    release.sign(&Key::number(2), "SHA256SUMS.minisig", &format!("kapstan {}", kit.newer()));
    release.write_to(&home)?;
    installation.refuse(VERIFY, &["not signed by a key that kapstan trusts"])?;
    fs::remove_file(home.join("SHA256SUMS.minisig")).map_err(|e| e.to_string())?;
    installation.refuse(VERIFY, &["there is no signature"])?;
    installation.refuse(&["self", "verify", "no-such-list"], &["no-such-list"])
}

/// What is signed is another release, no release, or files elsewhere.
pub fn other(kit: &'static Kit) -> Result<(), Failure> {
    let (installation, mut release) = downloaded(kit)?;
    let wanted = ["self", "verify", "SHA256SUMS", "--release", &kit.older()];
    installation.refuse(&wanted, &[&format!("one for `kapstan {}`", kit.newer())])?;
    release.sign(&Key::number(1), "SHA256SUMS.minisig", "another project 1.0");
    release.write_to(&installation.home())?;
    installation.refuse(VERIFY, &["one for `another project 1.0`"])?;
    release.set("SHA256SUMS", format!("{}  ../bin/kapstan\n", "0".repeat(64)).into_bytes());
    release.sign(&Key::number(1), "SHA256SUMS.minisig", &format!("kapstan {}", kit.newer()));
    release.write_to(&installation.home())?;
    installation.refuse(VERIFY, &["`../bin/kapstan`, which is not a file beside it"])
}
