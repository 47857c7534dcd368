//! What goes wrong on the way: the network, the disk, rights, the end of the run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::install::{installation_for, server_with};
use super::installation::{Installation, said};
use super::release::{Kit, Release};
use super::server::{Answer, Server};
use crate::Failure;
use crate::program::{self, finish};

const UPDATE: &[&str] = &["self", "update"];

/// A server that answers for the archive in its own way.
fn server_with_archive(
    kit: &'static Kit,
    answer: impl FnOnce(std::sync::Arc<Vec<u8>>) -> Answer,
) -> Result<Server, Failure> {
    let release = Release::new(kit, &kit.newer())?;
    let name = kit.archive_name(&kit.newer());
    let mut answers = release.below("latest/download");
    answers.insert(format!("/latest/download/{name}"), answer(release.files[&name].clone()));
    Server::start(answers)
}

/// The connection ends before the archive does.
pub fn truncated_download(kit: &'static Kit) -> Result<(), Failure> {
    for count in [0, 1, 100_000] {
        let server = server_with_archive(kit, |bytes| Answer::CutShort(bytes, count))?;
        installation_for(kit, &server)?.refuse(UPDATE, &[&kit.archive_name(&kit.newer())])?;
    }
    // As if the file itself had been cut: only its digest tells.
    let server = server_with_archive(kit, |bytes| Answer::File(bytes[..100_000].to_vec().into()))?;
    installation_for(kit, &server)?.refuse(UPDATE, &["not the file that was signed", "cut short"])
}

/// Files of the release are missing.
pub fn not_found(kit: &'static Kit) -> Result<(), Failure> {
    for name in ["manifest.json", "SHA256SUMS", &kit.archive_name(&kit.newer())] {
        let mut release = Release::new(kit, &kit.newer())?;
        release.files.remove(name);
        let server = server_with(&release)?;
        installation_for(kit, &server)?.refuse(UPDATE, &["there is no", name])?;
    }
    let server = Server::start(BTreeMap::new())?;
    let installation = installation_for(kit, &server)?;
    installation.refuse(&["self", "update", "1.2.3"], &["there is no", "download/v1.2.3/manifest.json"])?;
    installation.refuse(&["self", "update", "--mirror", "no-such-folder"], &["there is no", "no-such-folder"])
}

/// The server fails, or sends one in circles.
pub fn server_errors(kit: &'static Kit) -> Result<(), Failure> {
    let place = "/latest/download/manifest.json";
    for (answer, word) in [
        (Answer::Status(500), "500"),
        (Answer::Status(403), "403"),
        (Answer::Elsewhere(place.to_string()), "manifest.json"),
    ] {
        let server = Server::start(BTreeMap::from([(place.to_string(), answer)]))?;
        installation_for(kit, &server)?.refuse(UPDATE, &["cannot read", word])?;
    }
    let server = server_with_archive(kit, |_| Answer::Status(503))?;
    installation_for(kit, &server)?.refuse(UPDATE, &["cannot read", "503"])
}

/// Nobody listens.
pub fn no_server(kit: &'static Kit) -> Result<(), Failure> {
    let server = Server::start(BTreeMap::new())?;
    let installation = installation_for(kit, &server)?;
    drop(server);
    installation.refuse(UPDATE, &["cannot read", "manifest.json"])
}

/// Releases are fetched over https, except from this machine.
pub fn plain_http(kit: &'static Kit) -> Result<(), Failure> {
    let installation = Installation::new(kit)?;
    installation.refuse(&["self", "update", "--mirror", "http://releases.invalid"], &["use https"])?;
    installation
        .refuse(&["self", "update", "--mirror", "ftp://releases.invalid"], &["neither https nor a folder"])
}

/// A run that is killed in the middle of the download leaves the program, and the next one removes what it left.
pub fn killed_half_way(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with_archive(kit, |bytes| Answer::Stalls(bytes, 100_000))?;
    let mut installation = installation_for(kit, &server)?;
    for _ in 0..3 {
        let mut run = spawn(installation.command(UPDATE)?)?;
        server.wait_for(&kit.archive_name(&kit.newer()))?;
        std::thread::sleep(std::time::Duration::from_millis(50));
        run.kill().and_then(|()| run.wait()).map_err(|e| e.to_string())?;
        installation.expect_version(&kit.version)?;
    }
    let server = server_with(&Release::new(kit, &kit.newer())?)?;
    installation.set("KAPSTAN_RELEASES", &server.url());
    installation.succeed(UPDATE)?;
    installation.expect_version(&kit.newer())?;
    installation.expect_files(&[&installation.path(), &installation.previous()])
}

/// A second update does not disturb the first.
pub fn two_at_once(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with_archive(kit, |bytes| Answer::Stalls(bytes, 100_000))?;
    let mut installation = installation_for(kit, &server)?;
    let mut first = spawn(installation.command(UPDATE)?)?;
    let waited = server.wait_for(&kit.archive_name(&kit.newer()));
    let good = server_with(&Release::new(kit, &kit.newer())?)?;
    installation.set("KAPSTAN_RELEASES", &good.url());
    let refused = waited.and_then(|()| installation.refuse(UPDATE, &["another update is running"]));
    first.kill().and_then(|()| first.wait()).map_err(|e| e.to_string())?;
    refused
}

fn spawn(mut command: Command) -> Result<std::process::Child, Failure> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    program::spawn(&mut command)
}

/// Who may not write where the program lies is told so, before anything is downloaded.
#[cfg(unix)]
pub fn no_permission(kit: &'static Kit) -> Result<(), Failure> {
    use super::install::{expect_no_download, set_mode};
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;

    /// The user that the kernel gives to files of nobody.
    const NOBODY: u32 = 65534;
    let server = server_with(&Release::new(kit, &kit.newer())?)?;
    let installation = installation_for(kit, &server)?;
    let folder = installation.folder();
    let above = folder.parent().expect("it lies in the folder of the test");
    set_mode(above, 0o755)?;
    set_mode(&folder, 0o555)?;
    let is_root = fs::metadata(&folder).map_err(|e| e.to_string())?.uid() == 0;
    for arguments in [UPDATE, &["self", "uninstall"]] {
        let mut command = installation.command(arguments)?;
        if is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        let message = said(&finish(command, "")?, 1)?;
        for word in ["ermission denied", "run it with the rights of whoever installed kapstan"] {
            if !message.contains(word) {
                return Err(format!("{arguments:?} does not say `{word}`:\n{message}"));
            }
        }
    }
    set_mode(&folder, 0o755)?;
    installation.expect_version(&kit.version)?;
    installation.expect_files(&[&installation.path()])?;
    if !installation.receipt().is_file() {
        return Err("the receipt is gone".into());
    }
    expect_no_download(&server)
}

#[cfg(not(unix))]
pub fn no_permission(_: &'static Kit) -> Result<(), Failure> {
    Err("there are no modes here".into())
}

/// A disk with room for the program, but not for its download, or not for a second program.
pub fn no_space(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&Release::new(kit, &kit.newer())?)?;
    let installation = installation_for(kit, &server)?;
    let folder = installation.folder();
    let size = fs::metadata(installation.path()).map_err(|e| e.to_string())?.len() / 1024;
    for room in [size + size / 2, size * 2 + size / 2] {
        // What lies on the small disk is seen only by the run, so that it looks itself at what is left.
        let script = format!(
            "cp \"$1\" ../saved && mount -t tmpfs -o size={room}k tmpfs \"{0}\" && cp ../saved \"$1\" || exit 99
            \"$@\"; status=$?
            test \"$(ls -A \"{0}\")\" = kapstan && cmp \"$1\" ../saved && \"$1\" --version >&2 && exit $status || exit 98",
            folder.display()
        );
        let inner = installation.command(UPDATE)?;
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", &script, "sh"]);
        command.arg(inner.get_program()).args(inner.get_args());
        command.current_dir(inner.get_current_dir().unwrap_or(Path::new(".")));
        command.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let message = said(&finish(command, "")?, 1)?;
        let version = format!("kapstan {}", kit.version);
        if !message.contains("No space left on device") || !message.contains(&version) {
            return Err(format!("it says `{message}`"));
        }
    }
    installation.succeed(UPDATE).map(drop)
}
