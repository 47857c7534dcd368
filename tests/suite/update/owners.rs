//! Programs that somebody else looks after.

use std::path::Path;

use super::install::{expect_no_download, server_with};
use super::installation::Installation;
use super::release::{Kit, Release};
use crate::{Failure, tree};

const UPDATE: &[&str] = &["self", "update"];
const FORCED: &[&str] = &["self", "update", "--force"];

/// A file that no installer put there is changed only by force, and can be brought back.
pub fn no_receipt(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&Release::new(kit, &kit.newer())?)?;
    let mut installation = Installation::copied_to(kit, "bin")?;
    installation.set("KAPSTAN_RELEASES", &server.url());
    installation.refuse(UPDATE, &["--force"])?;
    installation.refuse(&["self", "update", "--dry-run"], &["--force"])?;
    expect_no_download(&server)?;
    installation.succeed(FORCED)?;
    installation.expect_version(&kit.newer())?;
    installation.succeed(&["self", "rollback"])?;
    installation.expect_version(&kit.version)?;
    if installation.receipt().exists() { Err("there is a receipt now".into()) } else { Ok(()) }
}

/// The receipt is that of a program in another place.
pub fn receipt_of_another_file(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&Release::new(kit, &kit.newer())?)?;
    let mut installation = Installation::copied_to(kit, "bin")?;
    installation.set("KAPSTAN_RELEASES", &server.url());
    let other = installation.home().join("elsewhere").join("kapstan");
    for exists in [false, true] {
        if exists {
            tree::write_file(&other, b"another").map_err(|e| e.to_string())?;
        }
        installation.write_receipt(&other, &[])?;
        let place = installation.native(&other);
        installation.refuse(UPDATE, &["the installer put kapstan at", &place])?;
        installation.refuse(&["self", "uninstall"], &["the installer put kapstan at", &place])?;
    }
    installation.succeed(FORCED)?;
    installation.expect_version(&kit.newer())?;
    let receipt = installation.read_receipt()?;
    if receipt["version"] == kit.version { Ok(()) } else { Err(format!("the receipt says {receipt}")) }
}

/// A receipt that cannot be understood is no leave to do anything.
pub fn broken_receipt(kit: &'static Kit) -> Result<(), Failure> {
    let installation = Installation::new(kit)?;
    for broken in ["", "{", "[]", "{\"schema\": 9, \"path\": \"/a\"}", "{\"schema\": 1}"] {
        tree::write_file(&installation.receipt(), broken.as_bytes()).map_err(|e| e.to_string())?;
        installation.refuse(UPDATE, &["receipt"])?;
        installation.refuse(&["self", "uninstall"], &["receipt"])?;
    }
    Ok(())
}

/// Where a package manager keeps its programs, it is named, and force does not help.
pub fn package_managers(kit: &'static Kit) -> Result<(), Failure> {
    for (folder, word) in [
        ("Cellar/kapstan/1.0.0/bin", "brew upgrade"),
        ("nix/store/abc-kapstan/bin", "nix profile upgrade"),
        ("scoop/apps/kapstan/current", "scoop update"),
        (".cargo/bin", "cargo install"),
    ] {
        let installation = Installation::copied_to(kit, folder)?;
        installation.write_receipt(&installation.path(), &[])?;
        for arguments in [UPDATE, FORCED, &["self", "uninstall"], &["self", "rollback"]] {
            installation.refuse(arguments, &["belongs to", word])?;
        }
    }
    Ok(())
}

/// Who packs the program for others can say that it is not to change itself.
pub fn unmanaged(kit: &'static Kit) -> Result<(), Failure> {
    let mut installation = Installation::new(kit)?;
    installation.set("KAPSTAN_UNMANAGED", "1");
    for arguments in [UPDATE, FORCED, &["self", "uninstall"], &["self", "rollback"]] {
        installation.refuse(arguments, &["KAPSTAN_UNMANAGED"])?;
    }
    Ok(())
}

/// In a container, a file without a receipt belongs to the image; one that was installed there does not.
pub fn container(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&Release::new(kit, &kit.newer())?)?;
    let mut installation = Installation::copied_to(kit, "bin")?;
    installation.set("KAPSTAN_RELEASES", &server.url());
    installation.set("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    installation.refuse(UPDATE, &["image of a container"])?;
    let path = installation.path();
    installation.write_receipt(Path::new(&path), &[])?;
    installation.succeed(UPDATE)?;
    installation.expect_version(&kit.newer())
}
