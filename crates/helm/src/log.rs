//! The lines that Helm writes to standard error and goes on: each is a warning of ours whose peer text is Helm's line.

use crate::{Profile, go};
use kapstan_diagnostic::{Code, Diagnostic};

/// What Helm prints with Go's `log`: behind the place in its own source in Helm 3, as a record in Helm 4.
pub(crate) fn printed(profile: Profile, code: Code, place: &str, text: &str) -> Diagnostic {
    let line = if profile.is_v3() { format!("{place}: {text}") } else { record("INFO", text, &[]) };
    let message = ["warning: ", "Warning: "].iter().find_map(|start| text.strip_prefix(start));
    Diagnostic::warning(code, message.unwrap_or(text)).with_peer_text(line)
}

/// A record as Go's `slog` writes it, without the time.
pub(crate) fn record(level: &str, message: &str, attributes: &[(&str, &str)]) -> String {
    let mut line = format!("level={level} msg={}", shown(message));
    for (key, value) in attributes {
        line.push_str(&format!(" {key}={}", shown(value)));
    }
    line
}

/// A text within a record: in quotation marks where it could be misread.
fn shown(text: &str) -> String {
    let is_plain = |character: char| !matches!(character, ' ' | '"' | '=') && go::is_print(character);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { go::quote(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_quote_what_could_be_misread() {
        let record = |message: &str, value: &str| record("WARN", message, &[("path", value)]);
        assert_eq!(record("plain", "a.b"), "level=WARN msg=plain path=a.b");
        assert_eq!(record("two words", "a=b"), "level=WARN msg=\"two words\" path=\"a=b\"");
        assert_eq!(record("", "\t\""), r#"level=WARN msg="" path="\t\"""#);
    }

    #[test]
    fn helm_3_names_the_place() {
        let line = |profile| printed(profile, "helm::values", "a.go:1", "warning: no").peer_text;
        assert_eq!(line(Profile::V3).unwrap(), "a.go:1: warning: no");
        assert_eq!(line(Profile::V4_2).unwrap(), "level=INFO msg=\"warning: no\"");
    }
}
