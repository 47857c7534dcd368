//! Classes that a target gets by its name: `class_mappings`.

use crate::problem::{self, CLASS_MAPPING};
use fancy_regex::{Captures, Regex};
use kapstan_diagnostic::{Diagnostic, Span};
use kapstan_files::fnmatch;

/// One rule: which targets, and which classes they get.
#[derive(Debug)]
pub(crate) struct Mapping {
    pattern: Pattern,
    classes: Vec<String>,
    pub(crate) span: Span,
}

#[derive(Debug)]
enum Pattern {
    Glob(String),
    /// Groups can be used in the class names.
    Regex(Box<Regex>),
}

impl Mapping {
    /// Reads `pattern class ...`, split as a shell would; `/regex/` in place of a glob.
    pub(crate) fn read(text: &str, span: Span) -> Result<Self, Diagnostic> {
        let is_regex = text.starts_with('/');
        let mut words = split(text, is_regex).ok_or_else(|| unclosed(text, span))?.into_iter();
        let Some(pattern) = words.next().filter(|pattern| is_regex || !pattern.is_empty()) else {
            return Err(Diagnostic::error(CLASS_MAPPING, "the class mapping is empty").at(span));
        };
        let quoted = pattern.strip_prefix('/').map(|rest| rest.strip_suffix('/').unwrap_or(rest));
        let regex = if is_regex { Some(pattern.as_str()) } else { quoted };
        let pattern = match regex {
            None => Pattern::Glob(pattern),
            Some(regex) => match Regex::new(regex) {
                Ok(regex) => Pattern::Regex(Box::new(regex)),
                Err(error) => return Err(problem::bad_pattern(regex, &error.to_string(), span)),
            },
        };
        Ok(Self { pattern, classes: words.collect(), span })
    }

    /// The classes that a target of this name gets.
    pub(crate) fn classes(&self, name: &str) -> Vec<String> {
        match &self.pattern {
            Pattern::Glob(glob) if fnmatch(name, glob) => self.classes.clone(),
            Pattern::Glob(_) => Vec::new(),
            Pattern::Regex(regex) => match regex.captures(name) {
                Ok(Some(found)) => self.classes.iter().map(|class| expand(class, &found)).collect(),
                _ => Vec::new(),
            },
        }
    }
}

fn unclosed(text: &str, span: Span) -> Diagnostic {
    let peer = format!("Error in mapping \"{text}\": missing closing quote (or slash)");
    Diagnostic::error(CLASS_MAPPING, "a quote or slash is not closed in the class mapping")
        .at(span)
        .with_peer_text(problem::peer(&peer))
}

/// Python's `shlex`: quotes group, a backslash takes the next character as it is (inside `'` it does not).
/// In a mapping with a regular expression a slash quotes as well, with working backslashes.
fn split(text: &str, slash_quotes: bool) -> Option<Vec<String>> {
    let is_quote = |character| matches!(character, '"' | '\'') || slash_quotes && character == '/';
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match quote {
            Some(open) if character == open => quote = None,
            Some(open) if character == '\\' && open != '\'' => {
                let next = characters.next()?;
                let word = word.get_or_insert_default();
                // Inside quotes only the quote and the backslash itself can be escaped.
                if next != '\\' && next != open {
                    word.push('\\');
                }
                word.push(next);
            }
            Some(_) => word.get_or_insert_default().push(character),
            None if is_quote(character) => {
                word.get_or_insert_default();
                quote = Some(character);
            }
            None if character == '\\' => word.get_or_insert_default().push(characters.next()?),
            None if matches!(character, ' ' | '\t' | '\r' | '\n') => words.extend(word.take()),
            None => word.get_or_insert_default().push(character),
        }
    }
    if quote.is_some() {
        return None;
    }
    words.extend(word);
    Some(words)
}

/// Python's `Match.expand`: `\1`, `\g<1>` and `\g<name>` stand for groups.
fn expand(template: &str, found: &Captures<'_>) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let digits = rest.bytes().take(2).take_while(u8::is_ascii_digit).count();
        let named = rest.strip_prefix("g<").and_then(|rest| rest.split_once('>'));
        if digits > 0 {
            let group = rest[..digits].parse().ok().and_then(|group| found.get(group));
            out.push_str(group.map_or("", |group| group.as_str()));
            rest = &rest[digits..];
        } else if let Some((name, after)) = named {
            let group = name.parse().map_or_else(|_| found.name(name), |number| found.get(number));
            out.push_str(group.map_or("", |group| group.as_str()));
            rest = after;
        } else {
            let mut characters = rest.chars();
            match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) if other.is_ascii_punctuation() => {
                    out.extend((other != '\\').then_some('\\'));
                    out.push(other);
                }
                Some(other) => out.extend(['\\', other]),
                None => out.push('\\'),
            }
            rest = characters.as_str();
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::Mapping;
    use kapstan_diagnostic::Span;

    #[test]
    fn mappings_select_and_expand() {
        let cases: [(&str, &str, &[&str]); 9] = [
            ("* a b", "x", &["a", "b"]),
            ("web* a", "web1", &["a"]),
            ("web* a", "db1", &[]),
            ("[a-c]? x", "b1", &["x"]),
            ("/^db(\\\\d+)$/ role.\\\\1", "db7", &["role.7"]),
            ("/db/ \"a b\" c", "mydb", &["a b", "c"]),
            ("/^(?P<env>[a-z]+)-/ env.\\\\g<env>", "prod-1", &["env.prod"]),
            ("'we b' a", "we b", &["a"]),
            ("\"/x+/\" a", "axxb", &["a"]),
        ];
        for (mapping, name, expected) in cases {
            let mapping = Mapping::read(mapping, Span::NONE).unwrap();
            assert_eq!(mapping.classes(name), expected, "{mapping:?}");
        }
        assert!(Mapping::read("/unclosed a", Span::NONE).is_err());
        assert!(Mapping::read("", Span::NONE).is_err());
    }
}
