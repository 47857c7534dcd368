//! The way back, and the way out.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use super::install::{installation_for, server_with};
use super::installation::Installation;
use super::release::{Kit, Release};
use crate::{Failure, tree};

/// How the installer marks the line that it adds to the start-up file of a shell.
const MARK: &str = "# added by the kapstan installer";

/// An installation that was updated.
fn updated(kit: &'static Kit) -> Result<Installation, Failure> {
    let server = server_with(&Release::new(kit, &kit.newer())?)?;
    let installation = installation_for(kit, &server)?;
    installation.succeed(&["self", "update"])?;
    Ok(installation)
}

/// Back and forth again; the receipt says each time what is there.
pub fn rollback(kit: &'static Kit) -> Result<(), Failure> {
    let installation = updated(kit)?;
    for version in [kit.version.clone(), kit.newer(), kit.version.clone()] {
        let said = installation.succeed(&["self", "rollback"])?;
        if !said.contains(&version) {
            return Err(format!("it says `{said}`"));
        }
        installation.expect_version(&version)?;
        installation.expect_files(&[&installation.path(), &installation.previous()])?;
        let receipt = installation.read_receipt()?;
        if receipt["version"] != version || receipt["files"].as_array().map(Vec::len) != Some(1) {
            return Err(format!("the receipt says {receipt}"));
        }
    }
    Ok(())
}

/// There is nothing to go back to.
pub fn rollback_without_previous(kit: &'static Kit) -> Result<(), Failure> {
    Installation::new(kit)?.refuse(&["self", "rollback"], &["no previous version", "kapstan.previous"])
}

/// What does not run does not take the program's place.
pub fn rollback_to_what_does_not_run(kit: &'static Kit) -> Result<(), Failure> {
    let installation = Installation::new(kit)?;
    fs::write(installation.previous(), "not a program").map_err(|e| e.to_string())?;
    installation.refuse(&["self", "rollback"], &["does not"])
}

/// What the receipt lists goes, and nothing else.
pub fn uninstall(kit: &'static Kit) -> Result<(), Failure> {
    let installation = updated(kit)?;
    let share = installation.home().join("share");
    let [listed, missing, other] = ["kapstan.fish", "kapstan.1", "notes.txt"].map(|name| share.join(name));
    for file in [&listed, &other] {
        tree::write_file(file, b"text").map_err(|e| e.to_string())?;
    }
    let mine: Vec<PathBuf> = vec![listed.clone(), missing.clone(), installation.previous()];
    installation.write_receipt(&installation.path(), &mine)?;
    let profile = installation.home().join(".profile");
    fs::write(&profile, format!("first\nexport PATH=a {MARK}\nlast\n")).map_err(|e| e.to_string())?;
    let folders = ["made", "made/deep", "share"].map(|name| installation.home().join(name));
    fs::create_dir_all(&folders[1]).map_err(|e| e.to_string())?;
    let mut receipt = installation.read_receipt()?;
    receipt["profile"] = installation.native(&profile).into();
    receipt["folders"] = folders.iter().map(|folder| installation.native(folder)).collect();
    fs::write(installation.receipt(), receipt.to_string()).map_err(|e| e.to_string())?;
    let before = tree::snapshot(&installation.home())?;
    let said = installation.succeed(&["self", "uninstall", "--dry-run"])?;
    if !said.contains("would remove") || tree::snapshot(&installation.home())? != before {
        return Err(format!("the dry run says `{said}`"));
    }
    installation.expect_version(&kit.newer())?;
    let said = installation.succeed(&["self", "uninstall"])?;
    if !said.contains(&installation.native(&missing)) {
        return Err(format!("it says `{said}`"));
    }
    // On Windows the program goes when it has ended.
    for _ in 0..500 {
        if !installation.path().exists() {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    installation.expect_files(&[])?;
    for (file, stays) in [(&listed, false), (&installation.receipt(), false), (&other, true)] {
        if file.exists() != stays {
            return Err(format!("{} {}", file.display(), if stays { "is gone" } else { "is still there" }));
        }
    }
    let left = fs::read_to_string(&profile).map_err(|e| e.to_string())?;
    if left != "first\nlast\n" {
        return Err(format!("the profile is now `{left}`"));
    }
    if folders[0].exists() {
        return Err("a folder that the installer made and that is empty is still there".into());
    }
    Ok(())
}

/// Nobody knows what belongs to a program without a receipt.
pub fn uninstall_without_receipt(kit: &'static Kit) -> Result<(), Failure> {
    let installation = Installation::copied_to(kit, "bin")?;
    installation.refuse(&["self", "uninstall"], &["kapstan"])
}
