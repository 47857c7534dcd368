use super::Limits;
use super::directory::too_much;
use super::file::{File, without_mark};
use super::sniff::content_type;
use super::tape::{Tape, TapeError};
use crate::error::{Error, Result};
use crate::{Profile, go};
use std::sync::Arc;

/// What all archives of a chart may still unpack to.
#[derive(Debug)]
pub(super) struct Budget {
    pub(super) files: usize,
    pub(super) bytes: usize,
    pub(super) limits: Limits,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { files: limits.files, bytes: limits.total_bytes, limits: *limits }
    }
}

/// Refuses what is no archive, in Helm's words. `name` is the path as the user gave it.
pub(super) fn check_kind(name: &str, data: &[u8]) -> Result<()> {
    if data.starts_with(b"\x1f\x8b\x08") {
        return Ok(());
    }
    let text = if name.ends_with(".yml") || name.ends_with(".yaml") {
        format!("file '{name}' seems to be a YAML file, but expected a gzipped archive")
    } else {
        let found = content_type(data);
        format!("file '{name}' does not appear to be a gzipped archive; got '{found}'")
    };
    Err(Error::new("helm::not-an-archive", text))
}

/// The files of a chart archive: without its first folder, links as empty files.
///
/// Fails for what is no gzipped tar, for names that lead out of the archive and beyond the limits.
pub(super) fn read(data: &[u8], budget: &mut Budget, profile: Profile) -> Result<Vec<File>> {
    let limits = budget.limits;
    let mut tape = Tape::open(data).map_err(|error| unreadable(&error))?;
    let mut remaining = limits.archive_bytes;
    let mut files = Vec::new();
    while let Some(entry) = tape.next_entry().map_err(|error| unreadable(&error))? {
        if entry.is_folder || entry.is_global_header {
            continue;
        }
        let name = inner_name(&entry.name)?;
        if entry.size > remaining as u64 {
            return Err(archive_too_large(limits.archive_bytes, profile));
        }
        if entry.size > limits.file_bytes as u64 {
            let quoted = go::quote(&entry.name);
            let text = format!(
                "decompressed chart file {quoted} is larger than the maximum file size {}",
                limits.file_bytes
            );
            return Err(Error::new("helm::chart-too-large", text));
        }
        let content = tape.content().map_err(|error| unreadable(&error))?;
        remaining = remaining.saturating_sub(content.len());
        if (content.len() as u64) < entry.size || remaining == 0 {
            return Err(archive_too_large(limits.archive_bytes, profile));
        }
        if budget.files == 0 || content.len() > budget.bytes {
            return Err(too_much(&limits));
        }
        budget.files -= 1;
        budget.bytes -= content.len();
        files.push(File { name, data: without_mark(Arc::from(content)), modified: entry.modified });
    }
    if files.is_empty() {
        return Err(Error::new("helm::empty-archive", "no files in chart archive"));
    }
    Ok(files)
}

/// The path within the chart of an archive member.
fn inner_name(name: &str) -> Result<String> {
    let refused = |text: &str| Err(Error::new("helm::hostile-archive", text));
    let delimiter = if name.contains('\\') { '\\' } else { '/' };
    let (first, rest) = name.split_once(delimiter).unwrap_or((name, ""));
    let rest = if delimiter == '\\' { rest.replace('\\', "/") } else { rest.to_owned() };
    if rest.starts_with('/') {
        return refused("chart illegally contains absolute paths");
    }
    let cleaned = go::clean(&rest);
    if cleaned == "." {
        let quoted = go::quote(name);
        return refused(&format!("chart illegally contains content outside the base directory: {quoted}"));
    }
    if cleaned.starts_with("..") {
        return refused("chart illegally references parent directory");
    }
    if let [drive, b':', b'/', ..] = cleaned.as_bytes()
        && drive.is_ascii_alphabetic()
    {
        return refused("chart contains illegally named files");
    }
    if first == "Chart.yaml" {
        return refused("chart yaml not in base directory");
    }
    Ok(cleaned)
}

fn archive_too_large(most: usize, profile: Profile) -> Error {
    let what = if profile.is_v3() { "maximum file size" } else { "maximum size" };
    Error::new("helm::chart-too-large", format!("decompressed chart is larger than the {what} {most}"))
}

fn unreadable(error: &TapeError) -> Error {
    Error::new("helm::unreadable-archive", error.text())
}
