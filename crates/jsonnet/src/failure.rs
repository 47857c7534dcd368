use crate::desugar::Desugared;
use crate::evaluator::ParsedFiles;
use crate::imports::file_of;
use crate::peer_words::{runtime_words, static_words};
use crate::session::Session;
use jrsonnet_evaluator::analyze::DiagLevel;
use jrsonnet_evaluator::error::ErrorKind;
use jrsonnet_evaluator::{Error, IStr, StackTraceElement};
use kapstan_diagnostic::{Diagnostic, SourceId, Sources, Span};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use std::io;
use std::ops::Range;

/// The codes of this crate's diagnostics.
const RUNTIME: &str = "jsonnet::runtime";
const STATIC: &str = "jsonnet::static";
const READ: &str = "jsonnet::unreadable";

/// C++ jsonnet shows so many frames, and leaves out those in the middle.
const FRAMES_SHOWN: usize = 20;

/// Traces longer than this lose their middle, and keep so many steps at each end.
const LONGEST_TRACE: usize = 400;
const END_OF_TRACE: usize = 100;

/// Stands in a trace for steps that were left out, followed by the number of calls among them.
const LEFT_OUT: &str = "calls left out: ";

/// A file that cannot be read at all.
pub(crate) fn unreadable(file: &str, error: &io::Error) -> Diagnostic {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "No such file or directory".to_owned(),
        io::ErrorKind::PermissionDenied => "Permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "Is a directory".to_owned(),
        _ => error.to_string(),
    };
    Diagnostic::error(READ, format!("cannot read `{file}`: {}", reason.to_lowercase()))
        .with_peer_text(format!("Opening input file: {file}: {reason}"))
}

/// A source that nests too deep to be parsed.
pub(crate) fn too_deep(session: &Session, file: &str, text: &str, at: usize) -> Diagnostic {
    static_error(session, file, text, at, "Exceeded maximum parse depth limit.")
}

/// A source that is not jsonnet.
pub(crate) fn syntax(session: &Session, file: &str, text: &str, at: usize, message: &str) -> Diagnostic {
    static_error(session, file, text, at, message)
}

fn static_error(session: &Session, file: &str, text: &str, at: usize, message: &str) -> Diagnostic {
    let (line, column) = position(text, at);
    let message = static_words(message);
    let source = session.sources.add(file, text.as_bytes());
    Diagnostic::error(STATIC, message.trim_end_matches('.'))
        .at(Span::new(source, at, at))
        .with_peer_text(format!("STATIC ERROR: {file}:{line}:{column}: {message}"))
}

/// Whatever stopped the evaluation of a file.
pub(crate) fn diagnose(error: &Error, session: &Session, file: &str, parsed: &ParsedFiles) -> Diagnostic {
    let mut places = Places { sources: &session.sources, parsed, known: FxHashMap::default() };
    let message = runtime_words(error.error());
    let cause = session.cause(&message);
    if let Some(cause) = &cause
        && cause.code == STATIC
    {
        return cause.clone();
    }
    let frames: Vec<Place> = ends(&error.trace().0).filter_map(|frame| places.place(frame)).collect();
    let mut diagnostic =
        cause.unwrap_or_else(|| Diagnostic::error(RUNTIME, message.trim_end_matches('.').to_owned()));
    let mentioned = mentioned(&message).and_then(|words| places.find(&words, &frames, file));
    if !diagnostic.span().is_some() {
        diagnostic = diagnostic.at(mentioned.unwrap_or(Span::NONE));
    }
    for (index, frame) in frames.iter().enumerate() {
        let span = places.span(frame);
        if index == 0 && !diagnostic.span().is_some() {
            diagnostic = diagnostic.at(span);
        } else {
            diagnostic = diagnostic.within(words(&frame.description), span);
        }
    }
    if !diagnostic.span().is_some() {
        diagnostic = diagnostic.at(places.start(file));
    }
    diagnostic.with_peer_text(peer_text(&message, &frames))
}

/// The steps of a trace that are looked at.
fn ends(trace: &[StackTraceElement]) -> impl Iterator<Item = &StackTraceElement> {
    let middle = if trace.len() > LONGEST_TRACE { END_OF_TRACE..trace.len() - END_OF_TRACE } else { 0..0 };
    trace[..middle.start].iter().chain(&trace[middle.end..])
}

/// An error whose trace is not so long that it takes time to hand it on: every value that fails keeps a copy of it.
pub(crate) fn shortened(mut error: Error) -> Error {
    let trace = &mut error.trace_mut().0;
    if trace.len() > LONGEST_TRACE {
        let middle = trace.drain(END_OF_TRACE..trace.len() - END_OF_TRACE);
        let desc = format!("{LEFT_OUT}{}", calls(middle.as_slice()));
        drop(middle);
        trace.insert(END_OF_TRACE, StackTraceElement { location: None, desc });
    }
    error
}

/// How many calls deep the evaluation was when it was too deep.
pub(crate) fn depth(error: &Error) -> Option<usize> {
    matches!(error.error(), ErrorKind::StackOverflow).then(|| calls(&error.trace().0))
}

/// The calls among the steps of a trace, as C++ jsonnet counts them.
fn calls(trace: &[StackTraceElement]) -> usize {
    let count = |step: &StackTraceElement| match step.desc.strip_prefix(LEFT_OUT) {
        Some(calls) => calls.parse().unwrap_or_default(),
        None => {
            let is_call =
                step.desc.starts_with("function <") && !step.desc.starts_with("function <kapstan__");
            usize::from(is_call || ["manifestation", "assertion condition"].contains(&&*step.desc))
        }
    };
    trace.iter().map(count).sum()
}

/// How the source spells what a message is about. jrsonnet tells no place for fields that are not there and for imports.
fn mentioned(message: &str) -> Option<Vec<String>> {
    let quoted = |name: &str| vec![format!("\"{name}\""), format!("'{name}'")];
    if let Some(name) = message.strip_prefix("field does not exist: ") {
        let mut spellings = vec![format!(".{name}")];
        spellings.extend(quoted(name).iter().map(|name| format!("[{name}]")));
        return Some(spellings);
    }
    let (name, _) = message.strip_prefix("couldn't open import \"")?.split_once('"')?;
    Some(quoted(name))
}

/// The one place where a text has one of the words; none where there are several, or none.
fn only_place(text: &str, words: &[String]) -> Option<Range<usize>> {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let found = |word: &String| -> Vec<Range<usize>> {
        let places = text.match_indices(word.as_str()).map(|(at, word)| at..at + word.len());
        let whole = |place: &Range<usize>| !is_word(text.as_bytes().get(place.end)) || !word.starts_with('.');
        places.filter(whole).filter(|place| !is_comment(text, place.start)).collect()
    };
    let mut places = words.iter().flat_map(found);
    let first = places.next()?;
    places.next().is_none().then_some(first)
}

/// Whether a comment begins on the line before a place.
fn is_comment(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    line.contains("//") || line.contains('#')
}

/// What is wrong with a source before it is evaluated, if that is why the error came.
pub(crate) fn analysis(
    session: &Session,
    error: &Error,
    file: &str,
    text: &str,
    desugared: &Desugared,
) -> Option<Diagnostic> {
    let ErrorKind::StaticAnalysisError(found) = error.error() else { return None };
    let problem = found.iter().find(|problem| problem.level == DiagLevel::Error)?;
    let at = match &problem.span {
        Some(span) => desugared.original(span.1, span.2).start as usize,
        None => 0,
    };
    Some(static_error(session, file, text, at, &problem.message))
}

/// A step of a trace, in the user's text.
struct Place {
    file: String,
    text: IStr,
    range: Range<u32>,
    description: String,
}

/// The files that a diagnostic points at, each added to the sources once.
struct Places<'a> {
    sources: &'a Sources,
    parsed: &'a ParsedFiles,
    known: FxHashMap<String, SourceId>,
}

impl Places<'_> {
    /// Where a step happened; none for steps in what stands in for imports and operators.
    fn place(&self, frame: &StackTraceElement) -> Option<Place> {
        let location = frame.location.as_ref()?;
        let file = file_of(location.0.source_path())?;
        let parsed = self.parsed.get(file)?;
        if location.0.code() != parsed.desugared.text {
            return None;
        }
        let range = parsed.desugared.original(location.1, location.2);
        if range.is_empty() {
            return None;
        }
        let (file, text, description) = (file.to_owned(), parsed.text.clone(), frame.desc.clone());
        Some(Place { file, text, range, description })
    }

    fn span(&mut self, place: &Place) -> Span {
        let id = self.id(&place.file, &place.text);
        Span::new(id, place.range.start as usize, place.range.end as usize)
    }

    /// The only place of a word in the innermost file that has it once.
    fn find(&mut self, words: &[String], frames: &[Place], file: &str) -> Option<Span> {
        let mut files: Vec<&str> = frames.iter().map(|frame| frame.file.as_str()).chain([file]).collect();
        files.dedup();
        for file in files {
            let parsed = self.parsed;
            let Some(found) = parsed.get(file) else { continue };
            if let Some(place) = only_place(&found.text, words) {
                let id = self.id(file, &found.text);
                return Some(Span::new(id, place.start, place.end));
            }
        }
        None
    }

    /// The beginning of a file.
    fn start(&mut self, file: &str) -> Span {
        let parsed = self.parsed;
        parsed.get(file).map_or(Span::NONE, |found| Span::new(self.id(file, &found.text), 0, 0))
    }

    fn id(&mut self, file: &str, text: &str) -> SourceId {
        match self.known.get(file) {
            Some(id) => *id,
            None => {
                let id = self.sources.add(file, text.as_bytes());
                self.known.insert(file.to_owned(), id);
                id
            }
        }
    }
}

fn peer_text(message: &str, frames: &[Place]) -> String {
    let mut text = format!("RUNTIME ERROR: {message}\n");
    for (index, frame) in frames.iter().enumerate() {
        if frames.len() > FRAMES_SHOWN && (FRAMES_SHOWN / 2..frames.len() - FRAMES_SHOWN / 2).contains(&index)
        {
            if index == FRAMES_SHOWN / 2 {
                text.push_str("\t...\n");
            }
            continue;
        }
        let _ = writeln!(text, "\t{}\t{}", peer_location(frame), peer_name(&frame.description));
    }
    text
}

/// `file:line:column-column` or `file:(line:column)-(line:column)`.
fn peer_location(place: &Place) -> String {
    let file = &place.file;
    let (line, column) = position(&place.text, place.range.start as usize);
    let (last_line, last_column) = position(&place.text, place.range.end as usize);
    if line == last_line {
        format!("{file}:{line}:{column}-{last_column}")
    } else {
        format!("{file}:({line}:{column})-({last_line}:{last_column})")
    }
}

/// Line and column in bytes, both from 1.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    (line, before.len() - start + 1)
}

/// The step in words for people: `calling function f`.
fn words(description: &str) -> String {
    description.replace(['<', '>'], "`")
}

/// What C++ jsonnet calls the thing that was being evaluated, where jrsonnet knows it.
fn peer_name(description: &str) -> String {
    match description.strip_prefix("function <").and_then(|rest| rest.strip_suffix("> call")) {
        Some(name) if !name.contains("__") && !name.starts_with("builtin_") => format!("function <{name}>"),
        _ => String::new(),
    }
}
