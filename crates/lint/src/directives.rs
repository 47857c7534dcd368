use crate::Finding;
use kapstan_document::yaml::Comment;
use std::collections::HashSet;

/// The rules that comments can switch off.
const RULES: &[&str] = &["key-duplicates", "octal-values"];

/// Whether the text wants to be left alone: its first line says `# yamllint disable-file`.
pub(crate) fn is_disabled(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.strip_prefix('#').is_some_and(|words| words.trim() == "yamllint disable-file")
}

/// The findings without those that comments switch off: `# yamllint disable`, `enable` and `disable-line`, each with or
/// without `rule:NAME`. What is no YAML is always told.
///
/// Behaviour: yamllint. `findings` and `comments` are in the order of the text.
pub(crate) fn apply(text: &str, comments: &[Comment], findings: Vec<Finding>) -> Vec<Finding> {
    let mut comments = comments.iter().peekable();
    let mut disabled: HashSet<&str> = HashSet::new();
    let mut on_line: (u32, HashSet<&str>) = (0, HashSet::new());
    let mut left = findings;
    left.retain(|finding| {
        while let Some(comment) = comments.next_if(|comment| comment.start.line < finding.line) {
            let words = text.get(comment.start.offset..comment.end.offset).unwrap_or_default();
            if let Some(rules) = rules_of(words, "disable") {
                disabled.extend(rules);
            } else if let Some(rules) = rules_of(words, "enable") {
                rules.iter().for_each(|rule| {
                    disabled.remove(rule);
                });
            } else if let Some(rules) = rules_of(words, "disable-line") {
                let line = comment.start.line + if stands_alone(text, comment) { 2 } else { 1 };
                if on_line.0 != line {
                    on_line = (line, HashSet::new());
                }
                on_line.1.extend(rules);
            }
        }
        let is_off = on_line.0 == finding.line && on_line.1.contains(finding.rule);
        !is_off && !disabled.contains(finding.rule)
    });
    left
}

/// The rules that a comment names after a verb, all where it names none; none if it says something else.
fn rules_of(comment: &str, verb: &str) -> Option<Vec<&'static str>> {
    let rest = comment.trim_end().strip_prefix("# yamllint ")?.strip_prefix(verb)?;
    if rest.is_empty() {
        return Some(RULES.to_vec());
    }
    let names: Option<Vec<&str>> =
        rest.strip_prefix(' ')?.split(' ').map(|word| word.strip_prefix("rule:")).collect();
    let names = names?;
    Some(RULES.iter().copied().filter(|rule| names.contains(rule)).collect())
}

/// Whether nothing but blanks stands before the comment on its line.
fn stands_alone(text: &str, comment: &Comment) -> bool {
    let before = text.get(..comment.start.offset).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.trim().is_empty()
}
