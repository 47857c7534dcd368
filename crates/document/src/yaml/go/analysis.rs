use super::Flavor;
use crate::yaml::write::has_indicator;

/// In which styles a string can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Analysis {
    /// Has a line break, of whatever kind.
    pub(super) multiline: bool,
    /// Without quotes, if it then still is a string.
    pub(super) plain: bool,
    /// In single quotes.
    pub(super) single: bool,
    /// As a literal block.
    pub(super) block: bool,
}

/// Finds the styles that can hold a string. Behaviour: `yaml_emitter_analyze_scalar` of go-yaml, in block context.
pub(super) fn analyze(text: &str, flavor: Flavor) -> Analysis {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return Analysis { multiline: false, plain: true, single: true, block: false };
    };
    let ends_blank = *last == b' ';
    if bytes.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        let plain = *first != b' ' && !ends_blank && !has_indicator(bytes);
        return Analysis { multiline: false, plain, single: true, block: !ends_blank };
    }
    let found = look_through(text, flavor);
    let plain = !found.breaks
        && !found.unwritable
        && !found.tab
        && *first != b' '
        && !ends_blank
        && !has_indicator(bytes);
    Analysis {
        multiline: found.breaks,
        plain,
        single: !found.blank_behind_break && !found.blank_before_break && !found.unwritable && !found.tab,
        block: !ends_blank && !found.blank_before_break && !found.unwritable,
    }
}

/// What decides about styles in a text that is more than a line of ASCII.
#[derive(Default)]
struct Found {
    breaks: bool,
    blank_before_break: bool,
    blank_behind_break: bool,
    /// A tab, where that forbids quotes and no quotes, but not a block.
    tab: bool,
    /// A character that only double quotes can hold.
    unwritable: bool,
}

fn look_through(text: &str, flavor: Flavor) -> Found {
    let mut found = Found::default();
    let mut previous = 'x';
    for character in text.chars() {
        if character == '\t' && flavor == Flavor::V3 {
            found.tab = true;
        } else if !is_printable(character) {
            found.unwritable = true;
        }
        if is_break(character) {
            found.breaks = true;
            found.blank_before_break |= previous == ' ';
        } else if character == ' ' {
            found.blank_behind_break |= is_break(previous);
        }
        previous = character;
    }
    found
}

/// Whether go-yaml writes a character as it is. It does not so beyond U+FFFF.
pub(super) fn is_printable(character: char) -> bool {
    matches!(character, '\n' | ' '..='~' | '\u{a0}'..='\u{fffd}') && character != '\u{feff}'
}

/// Whether a character ends a line in YAML 1.1.
pub(super) fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
