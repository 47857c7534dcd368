use super::companions::tidy;
use super::exchange::{Exchanged, put_in_place};
use super::keys::Keys;
use super::mirror::{Mirror, Wanted};
use super::owner::Surroundings;
use super::release::Verified;
use super::staging::Staging;
use super::transport::{Transport, Unreadable};
use super::{Outcome, file_problem, problem, smoke};
use crate::program;
use kapstan_diagnostic::Diagnostic;
use std::cmp::Ordering;
use std::env::consts::EXE_SUFFIX;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// No unpacked archive is larger.
const LARGEST_CONTENT: u64 = 512 << 20;

/// An update as it is wanted.
pub(crate) struct Request<'a> {
    pub(crate) mirror: &'a Mirror,
    pub(crate) keys: &'a Keys,
    pub(crate) wanted: Wanted,
    /// Install although no installer put the program here, and although it is this version.
    pub(crate) is_forced: bool,
    /// Stop before anything is downloaded or changed.
    pub(crate) is_dry_run: bool,
    /// Hears what takes its time.
    pub(crate) progress: &'a dyn Fn(&str),
}

/// What there is to update to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Newest {
    /// The version of the release.
    pub(crate) version: String,
    /// Whether `update` would install it.
    pub(crate) is_update: bool,
}

/// What an update did.
#[derive(Debug)]
pub(crate) struct Updated {
    /// What there is.
    pub(crate) newest: Newest,
    /// The archive that was taken, or would be.
    pub(crate) archive: String,
    /// What was put in place, if anything was.
    pub(crate) exchanged: Option<Exchanged>,
    /// What did not prevent it.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Looks what there is, and changes nothing. The answer is one that was signed.
pub(crate) fn check(request: &Request<'_>) -> Outcome<Newest> {
    let release =
        Verified::find(&Transport::new(request.mirror), request.mirror, &request.wanted, request.keys)?;
    Ok(newest(&release, request))
}

/// Puts the release that is wanted in the program's place, unless it is there already or, where no version is named,
/// something newer is.
pub(crate) fn update(surroundings: &Surroundings, request: &Request<'_>) -> Outcome<Updated> {
    let receipt = surroundings.may_change(request.is_forced)?;
    let transport = Transport::new(request.mirror);
    let release = Verified::find(&transport, request.mirror, &request.wanted, request.keys)?;
    let newest = newest(&release, request);
    let archive = release.archive.clone();
    if !newest.is_update || request.is_dry_run {
        return Ok(Updated { newest, archive, exchanged: None, warnings: Vec::new() });
    }
    let executable = &surroundings.executable;
    let staging = Staging::beside(executable)?;
    (request.progress)(&format!("downloading {archive}"));
    let new = unpack(release, transport, &staging, executable.path())?;
    expect_version(&new, &newest.version)?;
    let exchanged = put_in_place(&new, executable, &staging)?;
    let warnings = receipt.map(|receipt| tidy(receipt, &newest.version, &exchanged, &staging));
    Ok(Updated { newest, archive, exchanged: Some(exchanged), warnings: warnings.unwrap_or_default() })
}

fn newest(release: &Verified, request: &Request<'_>) -> Newest {
    let is_update = match (release.compare(program::version()), &request.wanted) {
        (Ordering::Greater, _) => true,
        (Ordering::Equal, _) => request.is_forced,
        (Ordering::Less, wanted) => matches!(wanted, Wanted::Version(_)),
    };
    Newest { version: release.version.clone(), is_update }
}

/// Downloads the archive, compares its digest with the signed one, and unpacks the program into the staging folder.
fn unpack(release: Verified, transport: Transport, staging: &Staging, target: &Path) -> Outcome<PathBuf> {
    let (archive, version) = (release.archive.clone(), release.version.clone());
    let failed = |error: self_update::Error| about(&error, &archive, target);
    // Archive and program stay in the file system of the program: /tmp may be small, or forbid programs.
    // It was set before only if this is the second update of one run, which there is not.
    let _ = tempfile::env::override_temp_dir(staging.path());
    let new = staging.file(&format!("new{EXE_SUFFIX}"));
    let mut update = self_update::backends::custom::Update::configure();
    update
        .source(release)
        .http_client(Arc::new(transport))
        .release_tag(version)
        .current_version(program::version())
        .target(program::TARGET)
        .bin_name("kapstan")
        .bin_path_in_archive(format!("kapstan{EXE_SUFFIX}"))
        .bin_install_path(&new)
        .verify_release_digest(true)
        .verify_archive(|path| expect_size(path).map_err(self_update::Error::Io))
        .show_output(false)
        .show_download_progress(false)
        .no_confirm(true);
    update.build().and_then(|update| update.update()).map_err(failed)?;
    Ok(new)
}

/// That the archive does not hold more than any release does.
fn expect_size(archive: &Path) -> io::Result<()> {
    let size = unpacked_size(File::open(archive)?)?;
    if size <= LARGEST_CONTENT {
        Ok(())
    } else {
        Err(io::Error::other("it holds more than any release does"))
    }
}

#[cfg(not(windows))]
fn unpacked_size(archive: File) -> io::Result<u64> {
    let content = flate2::read::GzDecoder::new(io::BufReader::new(archive));
    io::copy(&mut io::Read::take(content, LARGEST_CONTENT + 1), &mut io::sink())
}

#[cfg(windows)]
fn unpacked_size(archive: File) -> io::Result<u64> {
    let archive = zip::ZipArchive::new(archive).map_err(io::Error::other)?;
    Ok(archive.decompressed_size().and_then(|size| u64::try_from(size).ok()).unwrap_or(u64::MAX))
}

/// What self_update met, in our words.
fn about(error: &self_update::Error, archive: &str, target: &Path) -> Box<Diagnostic> {
    use self_update::Error as Met;
    match error {
        Met::NotFound { .. } => problem("update::not-found", format!("there is no `{archive}`")),
        Met::Transport(why) => problem("update::cannot-fetch", format!("cannot read `{archive}`: {why}")),
        Met::ChecksumMismatch { .. } => {
            let message = format!("`{archive}` is not the file that was signed");
            let hint = "the download was cut short or somebody changed it: nothing of it was used";
            Box::new(problem("update::digest", message).with_hint(hint))
        }
        Met::Io(error) => match Unreadable::behind(error) {
            Some(why) => problem("update::cannot-fetch", format!("cannot read `{archive}`: {why}")),
            None => file_problem("update", target, error),
        },
        other => problem("update::archive", format!("cannot use `{archive}`: {other}")),
    }
}

fn expect_version(new: &Path, version: &str) -> Outcome<()> {
    let found = smoke::version_of(new)?;
    if found == version {
        return Ok(());
    }
    let message = format!("the release calls itself {version}, its program {found}: it was not installed");
    Err(problem("update::does-not-run", message))
}
