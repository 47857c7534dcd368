//! Everything that can be wrong with an inventory, as diagnostics: our words, the places, and the peer's text.

use crate::lookup::Miss;
use crate::template::ParseError;
use crate::tree::Kind;
use kapstan_diagnostic::{Diagnostic, SourceId, Sources, Span, nearest};
use kapstan_document::{Key, Node};

pub(crate) const CONFIG: &str = "inventory::config";
pub(crate) const NOT_FOUND: &str = "inventory::not-found";
pub(crate) const UNREADABLE_FILE: &str = "inventory::unreadable-file";
pub(crate) const DUPLICATE_TARGET: &str = "inventory::duplicate-target";
pub(crate) const UNKNOWN_TARGET: &str = "inventory::target-not-found";
pub(crate) const DUPLICATE_CLASS: &str = "inventory::duplicate-class";
pub(crate) const CLASS_NOT_FOUND: &str = "inventory::class-not-found";
pub(crate) const CLASS_CYCLE: &str = "inventory::class-cycle";
pub(crate) const CLASS_NAME: &str = "inventory::class-name";
pub(crate) const CLASS_PATTERN: &str = "inventory::class-pattern";
pub(crate) const CLASS_MAPPING: &str = "inventory::class-mapping";
pub(crate) const WRONG_TYPE: &str = "inventory::wrong-type";
pub(crate) const KEY: &str = "inventory::key";
pub(crate) const REFERENCE_SYNTAX: &str = "inventory::reference-syntax";
pub(crate) const REFERENCE_NOT_FOUND: &str = "inventory::reference-not-found";
pub(crate) const REFERENCE_CYCLE: &str = "inventory::reference-cycle";
pub(crate) const TYPE_MISMATCH: &str = "inventory::type-mismatch";
pub(crate) const CONSTANT: &str = "inventory::constant";
pub(crate) const QUERY: &str = "inventory::query";
pub(crate) const TOO_LARGE: &str = "inventory::too-large";

/// What Kapitan puts before every message of reclass.
pub(crate) fn peer(message: &str) -> String {
    format!("Inventory reclass error: {message}")
}

/// A file whose bytes from `at` on are no UTF-8. The peers open their files as UTF-8 text before any YAML is read, so the
/// UTF-16 that YAML allows is out as well.
pub(crate) fn not_utf8(content: &[u8], source: SourceId, at: usize) -> Diagnostic {
    let span = Span::new(source, at, at);
    let problem = match content {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
            Diagnostic::error(UNREADABLE_FILE, "the file is UTF-16, and can only be UTF-8")
        }
        _ => Diagnostic::error(UNREADABLE_FILE, "the file is not UTF-8"),
    };
    match content.get(at) {
        Some(byte) => problem.with_label(span, format!("byte 0x{byte:02x} begins no character")),
        None => problem.at(span),
    }
}

pub(crate) fn bad_pattern(pattern: &str, reason: &str, span: Span) -> Diagnostic {
    let message = format!("`{}` is no regular expression", pattern.escape_debug());
    Diagnostic::error(CONFIG, message).with_label(span, reason)
}

pub(crate) fn config_type(name: &str, expected: &str, found: &Node) -> Diagnostic {
    let message = format!("`{name}` in the inventory's configuration must be {expected}");
    Diagnostic::error(CONFIG, message).with_label(found.span, format!("this is a {}", found.value.kind()))
}

pub(crate) fn wrong_type(what: &str, expected: &str, found: &Node) -> Diagnostic {
    let message = format!("{what} must be {expected}, not a {}", found.value.kind());
    Diagnostic::error(WRONG_TYPE, message).at(found.span)
}

pub(crate) fn empty_key(key: &Key) -> Diagnostic {
    let hint = "a key of the parameters may not be empty, nor consist of a prefix alone";
    Diagnostic::error(KEY, "empty key").at(key.span).with_hint(hint)
}

pub(crate) fn empty_class_name(span: Span) -> Diagnostic {
    Diagnostic::error(CLASS_NAME, "empty class name").at(span)
}

pub(crate) fn invalid_class_name(name: &str, invalid: char, span: Span) -> Diagnostic {
    let problem =
        Diagnostic::error(CLASS_NAME, format!("class name `{name}` holds the character `{invalid}`"))
            .at(span);
    let problem = if invalid == '/' {
        problem.with_hint(format!("parts of a class name are joined by dots: `{}`", name.replace('/', ".")))
    } else {
        problem
    };
    problem.with_peer_text(peer(&format!("Invalid character '{invalid}' in class name '{name}'.")))
}

/// A string whose references cannot be read; `path` leads to it.
pub(crate) fn unreadable(error: &ParseError, span: Span, path: &str, uri: &str) -> Diagnostic {
    let message = format!("{} at character {} of the string", error.message, error.column + 1);
    let place = if path.is_empty() { String::new() } else { format!(", at {path}") };
    let text = format!("-> \n   Parse error: $[{}]{place}, in {uri}\n   {}", error.line, error.peer);
    let problem = Diagnostic::error(REFERENCE_SYNTAX, message).at(span).with_peer_text(peer(&text));
    if error.message.contains("inventory query") {
        return problem;
    }
    problem.with_hint("write `\\${` where no reference is meant")
}

pub(crate) fn class_not_found<'a>(
    name: &str,
    span: Span,
    known: impl IntoIterator<Item = &'a str>,
    peer_text: String,
) -> Diagnostic {
    let problem = Diagnostic::error(CLASS_NOT_FOUND, format!("class `{name}` not found")).at(span);
    let problem = match nearest(name, known) {
        Some(near) => problem.with_hint(format!("did you mean `{near}`?")),
        None => problem,
    };
    problem.with_peer_text(peer_text)
}

pub(crate) fn class_cycle(names: &[&str], span: Span) -> Diagnostic {
    let first = names.first().copied().unwrap_or_default();
    let message = if names.len() < 2 {
        format!("class `{first}` includes itself")
    } else {
        let way: Vec<String> = names.iter().chain(names.first()).map(|name| format!("`{name}`")).collect();
        format!("classes include each other in a circle: {}", way.join(" -> "))
    };
    Diagnostic::error(CLASS_CYCLE, message).with_label(span, format!("`{first}` again"))
}

pub(crate) fn class_name_unresolved(name: &str, reason: &str, span: Span, peer_text: String) -> Diagnostic {
    Diagnostic::error(CLASS_NAME, format!("class name `{name}` cannot be resolved: {reason}"))
        .at(span)
        .with_hint(
            "a class name sees the parameters of the classes merged before it, and of these no references",
        )
        .with_peer_text(peer_text)
}

/// A reference that leads nowhere, at the place of the string that makes it.
pub(crate) fn unresolved(miss: &Miss, reference: &str, span: Span) -> Diagnostic {
    let problem =
        Diagnostic::error(REFERENCE_NOT_FOUND, format!("cannot resolve `{reference}`: {}", miss.reason))
            .at(span);
    match &miss.near {
        Some(near) => problem.with_hint(format!("did you mean `{near}`?")),
        None => problem,
    }
}

pub(crate) fn cycle(reference: &str, path: &str, span: Span) -> Diagnostic {
    let message = format!("`{path}` needs itself: the reference `{reference}` leads back to it");
    Diagnostic::error(REFERENCE_CYCLE, message).at(span)
}

pub(crate) fn too_deep(path: &str, span: Span) -> Diagnostic {
    let shown: String = path.chars().take(80).collect();
    Diagnostic::error(TOO_LARGE, format!("values nest without end at `{shown}`...")).at(span)
}

pub(crate) fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(TOO_LARGE, "references make the parameters grow beyond all bounds").at(span)
}

pub(crate) fn type_mismatch(path: &str, new: (Kind, Span), base: (Kind, Span)) -> Diagnostic {
    let message = format!("cannot merge {} over {} at `{path}`", new.0.name(), base.0.name());
    Diagnostic::error(TYPE_MISMATCH, message)
        .with_label(new.1, format!("this is {}", new.0.name()))
        .with_label(base.1, format!("and this is {}", base.0.name()))
        .with_hint("prefix the key with `~` to replace the earlier value")
}

pub(crate) fn changed_constant(path: &str, new: Span, constant: Span) -> Diagnostic {
    Diagnostic::error(CONSTANT, format!("the constant `{path}` cannot be changed"))
        .with_label(new, "changed here")
        .with_label(constant, "made constant here")
}

pub(crate) fn bad_query(reason: &str, span: Span) -> Diagnostic {
    Diagnostic::error(QUERY, reason).at(span)
}

/// The span of `needle` inside `span`, where the source has it there letter by letter.
pub(crate) fn narrow(sources: &Sources, span: Span, needle: &str) -> Span {
    let Some(id) = span.source() else { return span };
    let Some(source) = sources.get(id) else { return span };
    let Some(text) = source.text().get(span.start()..span.end()) else { return span };
    let found = text.windows(needle.len().max(1)).position(|window| window == needle.as_bytes());
    found.map_or(span, |at| Span::new(id, span.start() + at, span.start() + at + needle.len()))
}
