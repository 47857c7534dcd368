use super::head::Head;
use super::hook::{Role, role};
use super::order::rank;
use super::{Hook, Manifest, split};
use crate::error::{Error, Result};
use crate::parallel::in_parallel;
use crate::render::RenderOptions;
use crate::yaml::{self, ReadError};
use crate::{Profile, go, log};
use kapstan_diagnostic::{Diagnostic, SourceId, Sources};
use std::borrow::Cow;

/// What a template came to.
#[derive(Clone, Debug)]
pub(crate) struct RenderedFile {
    /// `chart/templates/x.yaml`.
    pub(crate) path: String,
    /// The output.
    pub(crate) text: Vec<u8>,
}

/// The documents of all rendered files.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    pub(crate) manifests: Vec<Manifest>,
    pub(crate) hooks: Vec<Hook>,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Less output than this is read before another thread has begun.
const WORTH_THREADS: usize = 128 << 10;

/// Separates the documents of all files, reads the head of each, and sorts them by kind.
///
/// Fails for the first document that is no YAML or whose head has wrong kinds, in the words of Helm; the error keeps what
/// was rendered.
pub(crate) fn sort(mut files: Vec<RenderedFile>, options: &RenderOptions<'_>) -> Result<Sorted> {
    files.sort_by(|left, right| left.path.cmp(&right.path));
    // Spans of what reads well are never shown, so that all may point into one empty source.
    let unseen = options.sources.add("rendered", &b""[..]);
    let is_much = files.iter().map(|file| file.text.len()).sum::<usize>() > WORTH_THREADS;
    let threads = if is_much { options.threads } else { 1 };
    let read = in_parallel(&files, threads, |file| read_file(file, unseen, options.sources, options.profile));
    let mut sorted = Sorted::default();
    for file in read {
        let mut file = file.map_err(|error| error.with_rendered(everything(&files)))?;
        sorted.manifests.append(&mut file.manifests);
        sorted.hooks.append(&mut file.hooks);
        sorted.warnings.append(&mut file.warnings);
    }
    let is_v3 = options.profile.is_v3();
    sorted.manifests.sort_by(|left, right| rank(&left.kind, is_v3).cmp(&rank(&right.kind, is_v3)));
    let kind = |hook: &Hook| hook.manifest.kind.clone();
    sorted.hooks.sort_by(|left, right| rank(&kind(left), is_v3).cmp(&rank(&kind(right), is_v3)));
    Ok(sorted)
}

/// The documents of a file.
fn read_file(file: &RenderedFile, unseen: SourceId, sources: &Sources, profile: Profile) -> Result<Sorted> {
    let mut sorted = Sorted::default();
    if go::base(&file.path).starts_with('_') {
        return Ok(sorted);
    }
    let utf8 = std::str::from_utf8(&file.text);
    let text = utf8.map_or_else(|_| String::from_utf8_lossy(&file.text), Cow::Borrowed);
    if text.trim().is_empty() {
        return Ok(sorted);
    }
    if utf8.is_err() {
        yaml::read(&file.text, unseen).map_err(|error| unreadable(file, error))?;
    }
    for content in split(&text, profile) {
        let node =
            yaml::read(content.as_bytes(), unseen).map_err(|_| located(file, &text, content, sources))?;
        let head = Head::read(&node, profile.is_v3()).map_err(|problem| {
            let line = line_of(&text, content);
            let diagnostic = Diagnostic::error(
                "helm::not-a-manifest",
                format!("a document that `{}` renders is no Kubernetes manifest: {problem}", file.path),
            );
            let source = sources.add(format!("{} (rendered)", file.path), text.as_bytes());
            let span = kapstan_diagnostic::Span::new(source, line, line + content.len());
            Error::with_peer(diagnostic.at(span), format!("YAML parse error on {}: {problem}", file.path))
        })?;
        let manifest = Manifest {
            path: file.path.clone(),
            content: content.to_owned(),
            api_version: head.api_version.clone(),
            kind: head.kind.clone(),
            name: head.name.clone(),
        };
        match role(manifest, &head) {
            Role::Manifest(manifest) => sorted.manifests.push(manifest),
            Role::Hook(hook) => sorted.hooks.push(hook),
            Role::Unknown(events) => sorted.warnings.push(unknown_hook(&file.path, &events, profile)),
        }
    }
    Ok(sorted)
}

fn unknown_hook(path: &str, events: &str, profile: Profile) -> Diagnostic {
    let message = format!("a document of `{path}` is left out: no such hook: `{events}`");
    let line = if profile.is_v3() {
        format!("manifest_sorter.go:199: info: skipping unknown hook: {}", go::quote(events))
    } else {
        log::record("INFO", "skipping unknown hooks", &[("hookTypes", events)])
    };
    Diagnostic::warning("helm::unknown-hook", message).with_peer_text(line)
}

/// Where a document begins in the text it is a part of.
fn line_of(text: &str, content: &str) -> usize {
    (content.as_ptr().addr()).saturating_sub(text.as_ptr().addr())
}

/// Reads a document again, with the rendered file as its source, so that its lines count from the top of that.
fn located(file: &RenderedFile, text: &str, content: &str, sources: &Sources) -> Error {
    let source = sources.add(format!("{} (rendered)", file.path), text.as_bytes());
    let start = line_of(text, content);
    match yaml::read(content.as_bytes(), source) {
        Err(mut error) => {
            for label in &mut error.diagnostic.labels {
                let span = label.span;
                label.span = kapstan_diagnostic::Span::new(source, span.start() + start, span.end() + start);
            }
            unreadable(file, error)
        }
        Ok(_) => Error::new("helm::not-a-manifest", format!("YAML parse error on {}", file.path)),
    }
}

fn unreadable(file: &RenderedFile, error: ReadError) -> Error {
    let peer_text = format!("YAML parse error on {}: {}", file.path, error.text);
    let diagnostic =
        error.diagnostic.within(format!("in what `{}` renders", file.path), kapstan_diagnostic::Span::NONE);
    Error::with_peer(diagnostic, peer_text)
}

/// What Helm shows of a rendering that failed: every file as it is. Helm's order is random; ours is that of the paths.
fn everything(files: &[RenderedFile]) -> String {
    let mut text = String::new();
    for file in files {
        let content = String::from_utf8_lossy(&file.text);
        if !content.trim().is_empty() {
            text.push_str(&format!("---\n# Source: {}\n{content}\n", file.path));
        }
    }
    format!("{}\n", text.trim())
}
