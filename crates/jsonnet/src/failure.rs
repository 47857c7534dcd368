use crate::imports::file_of;
use crate::session::Session;
use jrsonnet_evaluator::error::ErrorKind;
use jrsonnet_evaluator::{Error, Span as JsonnetSpan, StackTraceElement};
use jrsonnet_ir_parser::ParseError;
use kapstan_diagnostic::{Diagnostic, SourceId, Sources, Span};
use rustc_hash::FxHashMap;
use std::io;

/// The codes of this crate's diagnostics.
const RUNTIME: &str = "jsonnet::runtime";
const STATIC: &str = "jsonnet::static";
const READ: &str = "jsonnet::unreadable";

/// C++ jsonnet shows so many frames, and leaves out those in the middle.
const FRAMES_SHOWN: usize = 20;

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
pub(crate) fn too_deep(file: &str, text: &str, at: usize) -> Diagnostic {
    static_error(file, text, at, "Exceeded maximum parse depth limit.")
}

/// A source that is not jsonnet.
pub(crate) fn syntax(file: &str, text: &str, error: &ParseError) -> Diagnostic {
    static_error(file, text, error.location.1 as usize, &error.message)
}

fn static_error(file: &str, text: &str, at: usize, message: &str) -> Diagnostic {
    let (line, column) = position(text, at);
    Diagnostic::error(STATIC, message.trim_end_matches('.'))
        .with_peer_text(format!("STATIC ERROR: {file}:{line}:{column}: {message}"))
}

/// Whatever stopped an evaluation.
pub(crate) fn diagnose(error: &Error, session: &Session, sources: &Sources) -> Diagnostic {
    let mut places = Places { sources, known: FxHashMap::default() };
    if let ErrorKind::StaticAnalysisError(found) = error.error() {
        return analysis(found, &mut places);
    }
    let message = message(error.error());
    if let Some(cause) = session.cause(&message)
        && cause.code == STATIC
    {
        return cause;
    }
    let frames: Vec<&StackTraceElement> =
        error.trace().0.iter().filter(|frame| frame.location.as_ref().is_some_and(is_users)).collect();
    let mut diagnostic = session
        .cause(&message)
        .unwrap_or_else(|| Diagnostic::error(RUNTIME, message.trim_end_matches('.').to_owned()));
    for (index, frame) in frames.iter().enumerate() {
        let Some(location) = &frame.location else { continue };
        let span = places.span(location);
        if index == 0 && !diagnostic.span().is_some() {
            diagnostic = diagnostic.at(span);
        } else {
            diagnostic = diagnostic.within(words(&frame.desc), span);
        }
    }
    let text = peer_text(&message, &frames);
    diagnostic.with_peer_text(text)
}

/// A place in a file of the user, not in what stands in for an import.
fn is_users(location: &JsonnetSpan) -> bool {
    location.0.code() != crate::imports::STAND_IN
}

fn analysis(found: &[jrsonnet_evaluator::analyze::Diagnostic], places: &mut Places<'_>) -> Diagnostic {
    use jrsonnet_evaluator::analyze::DiagLevel;
    let first = found.iter().find(|problem| problem.level == DiagLevel::Error);
    let Some(problem) = first else { return Diagnostic::error(STATIC, "the source is not valid") };
    let Some(location) = &problem.span else { return Diagnostic::error(STATIC, problem.message.clone()) };
    let file = file_of(location.0.source_path()).unwrap_or_default();
    let (line, column) = position(location.0.code(), location.1 as usize);
    Diagnostic::error(STATIC, problem.message.clone())
        .at(places.span(location))
        .with_peer_text(format!("STATIC ERROR: {file}:{line}:{column}: {}", problem.message))
}

/// The files that a diagnostic points at, each added to the sources once.
struct Places<'a> {
    sources: &'a Sources,
    known: FxHashMap<String, SourceId>,
}

impl Places<'_> {
    fn span(&mut self, location: &JsonnetSpan) -> Span {
        let Some(file) = file_of(location.0.source_path()) else { return Span::NONE };
        let id = match self.known.get(file) {
            Some(id) => *id,
            None => {
                let id = self.sources.add(file, location.0.code().as_bytes());
                self.known.insert(file.to_owned(), id);
                id
            }
        };
        Span::new(id, location.1 as usize, location.2 as usize)
    }
}

fn peer_text(message: &str, frames: &[&StackTraceElement]) -> String {
    let mut text = format!("RUNTIME ERROR: {message}\n");
    for (index, frame) in frames.iter().enumerate() {
        if frames.len() > FRAMES_SHOWN && (FRAMES_SHOWN / 2..frames.len() - FRAMES_SHOWN / 2).contains(&index)
        {
            if index == FRAMES_SHOWN / 2 {
                text.push_str("\t...\n");
            }
            continue;
        }
        let Some(location) = &frame.location else { continue };
        text.push_str(&format!("\t{}\t{}\n", peer_location(location), peer_name(&frame.desc)));
    }
    text
}

/// `file:line:column-column` or `file:(line:column)-(line:column)`.
fn peer_location(location: &JsonnetSpan) -> String {
    let file = file_of(location.0.source_path()).unwrap_or_default();
    let (line, column) = position(location.0.code(), location.1 as usize);
    let (last_line, last_column) = position(location.0.code(), location.2 as usize);
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
        Some(name) => format!("function <{name}>"),
        None => String::new(),
    }
}

/// The words of C++ jsonnet for an error of jrsonnet.
fn message(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::RuntimeError(text) | ErrorKind::AssertionFailed(text) => text.to_string(),
        ErrorKind::NoSuchField(name, _) => format!("field does not exist: {name}"),
        ErrorKind::ArrayBoundsError(index, length) => {
            format!("array bounds error: {index} not within [0, {length})")
        }
        ErrorKind::StringBoundsError(index, length) => {
            format!("string bounds error: {index} not within [0, {length})")
        }
        ErrorKind::BinaryOperatorDoesNotOperateOnValues(operator, left, right) => {
            format!("binary operator {operator} requires matching types, got {left} and {right}.")
        }
        ErrorKind::UnaryOperatorDoesNotOperateOnType(operator, kind) => {
            format!("unary operator {operator} does not operate on type {kind}")
        }
        ErrorKind::UndefinedExternalVariable(name) => format!("undefined external variable: {name}"),
        ErrorKind::OnlyFunctionsCanBeCalledGot(kind) => format!("only functions can be called, got {kind}"),
        ErrorKind::FunctionParameterNotBoundInCall(name, _) => {
            format!("function parameter {name} not bound in call.")
        }
        ErrorKind::DivisionByZero => "division by zero.".to_owned(),
        ErrorKind::StackOverflow | ErrorKind::InfiniteRecursionDetected => {
            "max stack frames exceeded.".to_owned()
        }
        other => other.to_string(),
    }
}
