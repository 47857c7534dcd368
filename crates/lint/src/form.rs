use crate::directives;
use kapstan_document::yaml::{self, EventKind, Mark, Reader, ScalarEvent, ScalarStyle};
use std::collections::HashSet;
use std::fmt;

/// Something odd in a YAML text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// The place in the text, in bytes.
    pub offset: usize,
    /// What it is.
    pub message: String,
    /// The rule that found it: `key-duplicates`, `octal-values`, or `syntax` for what is not YAML at all.
    pub rule: &'static str,
}

/// As yamllint writes it.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} ({})", self.line, self.column, self.message, self.rule)
    }
}

/// A container that is being read.
enum Open<'a> {
    Sequence,
    /// The keys so far, and whether the next node is a key.
    Mapping(HashSet<std::borrow::Cow<'a, str>>, bool),
}

/// What is odd in a YAML text, in the order of the text: keys that stand twice in a mapping, numbers that YAML 1.1 reads
/// as octal, and the first place that is not YAML.
///
/// Behaviour: yamllint's rules `key-duplicates` and `octal-values`, those that Kapitan switches on, and its comments that
/// switch rules off.
pub fn check_form(bytes: &[u8]) -> Vec<Finding> {
    let text = match yaml::decode(bytes) {
        Ok(text) => text,
        Err(error) => return vec![syntax(&error)],
    };
    if directives::is_disabled(&text) {
        return Vec::new();
    }
    let mut reader = Reader::new(&text).with_comments();
    let findings = read(&mut reader);
    directives::apply(&text, &reader.take_comments(), findings)
}

fn read(reader: &mut Reader<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    loop {
        let event = match reader.next_event() {
            Ok(event) => event,
            Err(error) => {
                findings.push(syntax(&error));
                return findings;
            }
        };
        match event.kind {
            EventKind::StreamEnd => return findings,
            EventKind::MappingStart(_) => {
                value_or_key_passed(&mut open);
                open.push(Open::Mapping(HashSet::new(), true));
            }
            EventKind::SequenceStart(_) => {
                value_or_key_passed(&mut open);
                open.push(Open::Sequence);
            }
            EventKind::MappingEnd | EventKind::SequenceEnd => {
                open.pop();
            }
            EventKind::Alias { .. } => value_or_key_passed(&mut open),
            EventKind::Scalar(scalar) => {
                findings.extend(octal(&scalar, event.start, event.end));
                if let Some(Open::Mapping(keys, true)) = open.last_mut() {
                    let is_bare = scalar.properties.is_none();
                    if is_bare && keys.contains(&scalar.value) && scalar.value != "<<" {
                        let message = format!("duplication of key \"{}\" in mapping", scalar.value);
                        findings.push(finding(event.start, message, "key-duplicates"));
                    } else if is_bare {
                        keys.insert(scalar.value);
                    }
                }
                value_or_key_passed(&mut open);
            }
            EventKind::StreamStart | EventKind::DocumentStart { .. } | EventKind::DocumentEnd { .. } => {}
        }
    }
}

/// In a mapping, keys and values take turns.
fn value_or_key_passed(open: &mut [Open<'_>]) {
    if let Some(Open::Mapping(_, is_key)) = open.last_mut() {
        *is_key = !*is_key;
    }
}

fn octal(scalar: &ScalarEvent<'_>, start: Mark, end: Mark) -> Option<Finding> {
    if scalar.style != ScalarStyle::Plain || scalar.tag().is_some() {
        return None;
    }
    let is_octal =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit));
    let kind = if scalar.value.strip_prefix("0o").is_some_and(is_octal) {
        "explicit"
    } else if scalar.value.strip_prefix('0').is_some_and(is_octal) {
        "implicit"
    } else {
        return None;
    };
    let message = format!("forbidden {kind} octal value \"{}\"", scalar.value);
    Some(finding(Mark { column: end.column, offset: end.offset, ..start }, message, "octal-values"))
}

fn syntax(error: &yaml::Error) -> Finding {
    finding(error.mark, format!("syntax error: {}", error.problem), "syntax")
}

fn finding(at: Mark, message: String, rule: &'static str) -> Finding {
    Finding { line: at.line + 1, column: at.column + 1, offset: at.offset, message, rule }
}

#[cfg(test)]
mod tests {
    use super::check_form;

    fn found(text: &str) -> Vec<String> {
        check_form(text.as_bytes()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn duplicate_keys_are_found_in_their_mapping_only() {
        assert_eq!(found("a: 1\nb: {a: 1, c: 2}\n"), Vec::<String>::new());
        assert_eq!(
            found("x:\n  a: 1\n  a: 2\n"),
            ["3:3: duplication of key \"a\" in mapping (key-duplicates)"]
        );
        assert_eq!(found("<<: {a: 1}\n<<: {b: 1}\n"), Vec::<String>::new());
        assert_eq!(found("a: a\nb: a\nk: [a, a]\n"), Vec::<String>::new());
    }

    #[test]
    fn octal_numbers_are_found_where_they_are_numbers() {
        assert_eq!(found("a: 010\n"), ["1:7: forbidden implicit octal value \"010\" (octal-values)"]);
        assert_eq!(found("a: 0o10\n"), ["1:8: forbidden explicit octal value \"0o10\" (octal-values)"]);
        assert_eq!(found("a: '010'\nb: 0\nc: 08\nd: !!str 010\n"), Vec::<String>::new());
    }

    #[test]
    fn comments_switch_rules_off() {
        for text in [
            "# yamllint disable-file\na: 010\nb: [\n",
            "# yamllint disable\na: 010\na: 1\n",
            "a: 010 # yamllint disable-line\n",
            "# yamllint disable-line rule:octal-values\na: 010\n",
            "# yamllint disable rule:octal-values rule:key-duplicates\na: 1\na: 010\n",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
        for text in [
            "a: 010\n# yamllint disable-line\n",
            "a: 010 # yamllint disable-line rule:key-duplicates\n",
            "# yamllint disable\n# yamllint enable\na: 010\n",
            "# yamllint disable-line\n\na: 010\n",
            "#yamllint disable\na: 010\n",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn what_is_not_yaml_is_a_finding() {
        assert_eq!(found("a: [1\n").len(), 1);
        assert!(found("a: b: c\n")[0].contains("syntax error: mapping values are not allowed"));
    }
}
