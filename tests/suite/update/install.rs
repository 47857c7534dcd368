//! Updates that succeed, and those that find nothing to do.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use super::installation::Installation;
use super::release::{Key, Kit, Release};
use super::server::{Answer, Server};
use crate::Failure;

/// Where the newest stable release lies.
const LATEST: &str = "latest/download";

/// A server with this release as the newest.
pub fn server_with(release: &Release) -> Result<Server, Failure> {
    Server::start(release.below(LATEST))
}

/// An installation that takes its releases from a server.
pub fn installation_for(kit: &'static Kit, server: &Server) -> Result<Installation, Failure> {
    let mut installation = Installation::new(kit)?;
    installation.set("KAPSTAN_RELEASES", &server.url());
    Ok(installation)
}

fn failed(error: io::Error) -> Failure {
    error.to_string()
}

/// That the server was not asked for an archive.
pub fn expect_no_download(server: &Server) -> Result<(), Failure> {
    let found = server.requests().into_iter().find(|line| line.contains(".tar.gz") || line.contains(".zip"));
    found.map_or(Ok(()), |line| Err(format!("an archive was downloaded: {line}")))
}

/// The newest version takes the program's place; the one before stays; nothing else is left.
pub fn newest(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&Release::new(kit, &kit.newer())?)?;
    let installation = installation_for(kit, &server)?;
    let said = installation.succeed(&["self", "update"])?;
    if !said.contains(&kit.newer()) || !said.contains("self rollback") {
        return Err(format!("it says `{said}`"));
    }
    installation.expect_version(&kit.newer())?;
    installation.expect_files(&[&installation.path(), &installation.previous()])?;
    if fs::read(installation.previous()).map_err(failed)? != fs::read(kit.program.path()).map_err(failed)? {
        return Err("the previous version is not the one that was there".into());
    }
    let receipt = installation.read_receipt()?;
    let listed = serde_json::json!([installation.native(&installation.previous())]);
    if receipt["version"] != kit.newer() || receipt["files"] != listed || receipt["source"] != "install.sh" {
        return Err(format!("the receipt says {receipt}"));
    }
    let again = installation.succeed(&["self", "update"])?;
    if again.contains("up to date") { Ok(()) } else { Err(format!("the second update says `{again}`")) }
}

/// A version that is named is installed also if it is older, with or without `v`.
pub fn named_older(kit: &'static Kit) -> Result<(), Failure> {
    let older = kit.older();
    let server = Server::start(Release::new(kit, &older)?.below(&format!("download/v{older}")))?;
    for name in [older.clone(), format!("v{older}")] {
        let installation = installation_for(kit, &server)?;
        installation.succeed(&["self", "update", &name])?;
        installation.expect_version(&older)?;
    }
    Ok(())
}

/// The preview channel has a place of its own.
pub fn preview_channel(kit: &'static Kit) -> Result<(), Failure> {
    let mut answers = Release::new(kit, &kit.newer())?.below("download/channel-preview");
    answers.extend(Release::new(kit, &kit.version)?.below(LATEST));
    let server = Server::start(answers)?;
    let installation = installation_for(kit, &server)?;
    installation.succeed(&["self", "update", "--channel", "stable"])?;
    installation.expect_version(&kit.version)?;
    installation.succeed(&["self", "update", "--channel", "preview"])?;
    installation.expect_version(&kit.newer())
}

/// Nothing is downloaded where the newest version is there.
pub fn up_to_date(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&Release::new(kit, &kit.version)?)?;
    let installation = installation_for(kit, &server)?;
    let said = installation.succeed(&["self", "update"])?;
    if !said.contains("up to date") {
        return Err(format!("it says `{said}`"));
    }
    installation.expect_files(&[&installation.path()])?;
    expect_no_download(&server)
}

/// Who has a later version than the channel keeps it.
pub fn newest_is_older(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&Release::new(kit, &kit.older())?)?;
    let installation = installation_for(kit, &server)?;
    installation.succeed(&["self", "update"])?;
    installation.succeed(&["self", "update", "--force"])?;
    installation.expect_version(&kit.version)?;
    expect_no_download(&server)
}

/// `--force` installs the version that is there.
pub fn same_again_by_force(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&Release::new(kit, &kit.version)?)?;
    let installation = installation_for(kit, &server)?;
    installation.succeed(&["self", "update", "--force"])?;
    installation.expect_version(&kit.version)?;
    installation.expect_files(&[&installation.path(), &installation.previous()])
}

/// A mirror may be a folder: laid out as a server, or one release.
pub fn from_a_folder(kit: &'static Kit) -> Result<(), Failure> {
    let release = Release::new(kit, &kit.newer())?;
    for below in [LATEST, ""] {
        let mirror = tempfile::tempdir().map_err(failed)?;
        release.write_to(&mirror.path().join(below))?;
        let installation = Installation::new(kit)?;
        installation.succeed(&["self", "update", "--mirror", &installation.native(mirror.path())])?;
        installation.expect_version(&kit.newer())?;
    }
    // Relative to the folder that it is run in.
    let installation = Installation::new(kit)?;
    release.write_to(&installation.home().join("releases"))?;
    installation.succeed(&["self", "update", "--mirror", "releases"])?;
    installation.expect_version(&kit.newer())
}

/// The newest release is found through redirections, as on GitHub.
pub fn redirected(kit: &'static Kit) -> Result<(), Failure> {
    let version = kit.newer();
    let release = Release::new(kit, &version)?;
    let there = format!("download/v{version}");
    let mut answers = release.below(&there);
    let elsewhere =
        |name: &String| (format!("/{LATEST}/{name}"), Answer::Elsewhere(format!("/{there}/{name}")));
    answers.extend(release.files.keys().map(elsewhere));
    let server = Server::start(answers)?;
    let installation = installation_for(kit, &server)?;
    installation.succeed(&["self", "update"])?;
    installation.expect_version(&version)
}

/// While keys change, a release has two signatures, and either is enough.
pub fn second_key(kit: &'static Kit) -> Result<(), Failure> {
    let comment = format!("kapstan {}", kit.newer());
    let mut release = Release::new(kit, &kit.newer())?;
    release.sign(&Key::number(2), "SHA256SUMS.next.minisig", &comment);
    let server = server_with(&release)?;
    for number in [1, 2] {
        let installation = installation_for(kit, &server)?;
        installation.succeed(&["self", "update", "--public-key", &Key::number(number).public()])?;
        installation.expect_version(&kit.newer())?;
    }
    Ok(())
}

/// A key may be a file, as minisign writes it.
pub fn key_in_a_file(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&Release::new(kit, &kit.newer())?)?;
    let mut installation = installation_for(kit, &server)?;
    installation.set("KAPSTAN_PUBLIC_KEY", "");
    fs::create_dir_all(installation.home()).map_err(failed)?;
    let text = format!("untrusted comment: minisign public key 1\n{}\n", Key::number(1).public());
    fs::write(installation.home().join("mine.pub"), text).map_err(failed)?;
    installation.succeed(&["self", "update", "--public-key", "mine.pub"])?;
    installation.expect_version(&kit.newer())
}

/// `--check` says by its exit status whether there is an update, needs no receipt, and changes nothing.
pub fn check(kit: &'static Kit) -> Result<(), Failure> {
    for (version, status, word) in [
        (kit.newer(), 100, "available"),
        (kit.version.clone(), 0, "up to date"),
        (kit.older(), 0, "up to date"),
    ] {
        let server = server_with(&Release::new(kit, &version)?)?;
        let mut installation = Installation::copied_to(kit, "bin")?;
        installation.set("KAPSTAN_RELEASES", &server.url());
        let said = installation.expect(&["self", "update", "--check"], status)?;
        if !said.contains(word) {
            return Err(format!("it says `{said}` for {version}"));
        }
        let json = installation.expect(&["self", "update", "--check", "-o", "json"], status)?;
        let json: serde_json::Value = serde_json::from_str(&json).map_err(|e| e.to_string())?;
        let expected =
            serde_json::json!({ "current": kit.version, "available": version, "update": status == 100 });
        if json != expected {
            return Err(format!("the JSON is {json}"));
        }
        installation.expect_files(&[&installation.path()])?;
        expect_no_download(&server)?;
    }
    Ok(())
}

/// A dry run verifies the release, says what would be done and does not do it.
pub fn dry_run(kit: &'static Kit) -> Result<(), Failure> {
    let mut release = Release::new(kit, &kit.newer())?;
    let server = server_with(&release)?;
    let mut installation = installation_for(kit, &server)?;
    let said = installation.succeed(&["self", "update", "--dry-run"])?;
    if !said.contains("would install") || !said.contains(&kit.archive_name(&kit.newer())) {
        return Err(format!("it says `{said}`"));
    }
    installation.expect_files(&[&installation.path()])?;
    expect_no_download(&server)?;
    release.sign(&Key::number(2), "SHA256SUMS.minisig", &format!("kapstan {}", kit.newer()));
    let server = server_with(&release)?;
    installation.set("KAPSTAN_RELEASES", &server.url());
    installation.refuse(&["self", "update", "--dry-run"], &["not signed"])
}

/// What cannot be meant is told before anything is looked at.
pub fn wrong_arguments(kit: &'static Kit) -> Result<(), Failure> {
    let installation = Installation::new(kit)?;
    for arguments in [
        &["self", "update", "newest"][..],
        &["self", "update", "../1.0.0"],
        &["self", "update", "1.0.0", "--channel", "preview"],
        &["self", "update", "--channel", "nightly"],
        &["self", "update", "--check", "--dry-run"],
        &["completions", "tcsh"],
        &["man", "nothing"],
        &["man", "compile", "--output", "pages"],
    ] {
        installation.expect(arguments, 2)?;
    }
    installation.refuse(&["self", "update", "--public-key", "no-such-key"], &["no-such-key"])
}

/// Completions and manual pages that the installer wrote are those of the new version after it.
pub fn companions_are_renewed(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&Release::new(kit, &kit.newer())?)?;
    let installation = installation_for(kit, &server)?;
    let share = installation.home().join("share");
    // The last one is the file in which fish finds PATH, not completions.
    let files = [
        "completions/kapstan",
        "_kapstan",
        "vendor_completions.d/kapstan.fish",
        "_kapstan.ps1",
        "kapstan-compile.1",
        "conf.d/kapstan.fish",
    ];
    let files = files.map(|name| share.join(name));
    for file in &files {
        crate::tree::write_file(file, b"old").map_err(failed)?;
    }
    let gone = share.join("kapstan.1");
    installation.write_receipt(&installation.path(), &[&files[..], std::slice::from_ref(&gone)].concat())?;
    installation.succeed(&["self", "update"])?;
    let words =
        ["complete -F _kapstan", "#compdef kapstan", "complete -c kapstan", "Register-ArgumentCompleter"];
    for (file, word) in files.iter().zip(words.into_iter().chain([&*kit.newer(), "old"])) {
        let text = fs::read_to_string(file).map_err(failed)?;
        if !text.contains(word) {
            return Err(format!("{} does not hold `{word}`", file.display()));
        }
    }
    if gone.exists() { Err("a page that somebody removed is back".into()) } else { Ok(()) }
}

/// A copy is the whole program, for whoever has no `cp`; it replaces what is there, and leaves nothing else.
pub fn copy(kit: &'static Kit) -> Result<(), Failure> {
    let installation = Installation::copied_to(kit, "bin")?;
    let folder = installation.home().join("shared/programs");
    let name = installation.path().file_name().ok_or("the program has no name")?.to_owned();
    for _ in 0..2 {
        let said = installation.succeed(&["self", "install", "--to", &installation.native(&folder)])?;
        if !said.contains("kapstan is at") {
            return Err(format!("it says `{said}`"));
        }
        let found = fs::read_dir(&folder).map_err(failed)?.count();
        let is_same =
            fs::read(folder.join(&name)).map_err(failed)? == fs::read(installation.path()).map_err(failed)?;
        if found != 1 || !is_same {
            return Err(format!("{} holds {found} files, the same bytes: {is_same}", folder.display()));
        }
        fs::write(folder.join(&name), "an older one").map_err(failed)?;
    }
    let file = installation.home().join("file");
    fs::write(&file, "").map_err(failed)?;
    installation.refuse(&["self", "install", "--to", &installation.native(&file)], &["cannot make"])
}

/// The proxy of the environment is asked, except for this machine and for what `NO_PROXY` names.
pub fn proxy(kit: &'static Kit) -> Result<(), Failure> {
    let proxy = Server::start(BTreeMap::new())?;
    let server = server_with(&Release::new(kit, &kit.version)?)?;
    let mut installation = installation_for(kit, &server)?;
    installation.set("HTTPS_PROXY", &proxy.url());
    installation.succeed(&["self", "update"])?;
    if !proxy.requests().is_empty() {
        return Err("a server of this machine was reached through the proxy".into());
    }
    installation.set("KAPSTAN_RELEASES", "https://releases.invalid/kapstan");
    installation.refuse(&["self", "update"], &["releases.invalid"])?;
    if !proxy.requests().iter().any(|line| line.starts_with("CONNECT releases.invalid:443")) {
        return Err(format!("the proxy was asked for {:?}", proxy.requests()));
    }
    let asked = proxy.requests().len();
    installation.set("NO_PROXY", "releases.invalid");
    installation.refuse(&["self", "update"], &["releases.invalid"])?;
    if proxy.requests().len() == asked { Ok(()) } else { Err("NO_PROXY is not followed".into()) }
}

/// Started through a link, the file that the link leads to is replaced, and the link stays.
pub fn through_a_link(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&Release::new(kit, &kit.newer())?)?;
    let installation = installation_for(kit, &server)?;
    let links = installation.home().join("links");
    fs::create_dir_all(&links).map_err(failed)?;
    let link = links.join("kapstan");
    crate::tree::link(&installation.path(), &link).map_err(failed)?;
    let inner = installation.command(&["self", "update"])?;
    let mut command = std::process::Command::new(&link);
    command.args(inner.get_args()).env_clear().current_dir(&links);
    command.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    super::installation::said(&crate::program::finish(command, "")?, 0)?;
    installation.expect_version(&kit.newer())?;
    let leads = fs::read_link(&link).map_err(failed)?;
    if leads == installation.path() { Ok(()) } else { Err(format!("the link leads to {}", leads.display())) }
}

/// The new file has the mode of the old one.
pub fn mode_is_kept(kit: &'static Kit) -> Result<(), Failure> {
    let server = server_with(&Release::new(kit, &kit.newer())?)?;
    let installation = installation_for(kit, &server)?;
    set_mode(&installation.path(), 0o750)?;
    installation.succeed(&["self", "update"])?;
    let mode = mode(&installation.path())?;
    if mode == 0o750 { Ok(()) } else { Err(format!("the mode is {mode:o}")) }
}

#[cfg(unix)]
pub fn set_mode(path: &Path, mode: u32) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(failed)
}

#[cfg(not(unix))]
pub fn set_mode(_: &Path, _: u32) -> Result<(), Failure> {
    Err("there are no modes here".into())
}

#[cfg(unix)]
fn mode(path: &Path) -> Result<u32, Failure> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(path).map_err(failed)?.permissions().mode() & 0o7777)
}

#[cfg(not(unix))]
fn mode(_: &Path) -> Result<u32, Failure> {
    Err("there are no modes here".into())
}
