use memchr::{memchr_iter, memmem};

/// In which styles a string can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Analysis {
    /// Has a line break, of whatever kind.
    pub(super) multiline: bool,
    /// As it is, if it then still is a string.
    pub(super) plain: bool,
    /// In single quotes.
    pub(super) single: bool,
    /// As a block, literal or folded.
    pub(super) block: bool,
}

const CONTROL: u8 = 1;
const NON_ASCII: u8 = 2;
const LINE_FEED: u8 = 4;
const BLANK: u8 = 8;
const COLON: u8 = 16;
const HASH: u8 = 32;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'\n' => LINE_FEED,
            b' ' => BLANK,
            b':' => COLON,
            b'#' => HASH,
            0..b' ' | 0x7f => CONTROL,
            0x80.. => NON_ASCII,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Finds the styles that can hold a string, outside flow collections and with non-ASCII text escaped.
pub(super) fn analyze(text: &str) -> Analysis {
    let bytes = text.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else {
        return Analysis { multiline: false, plain: true, single: true, block: false };
    };
    let seen = bytes.iter().fold(0, |seen, byte| seen | CLASSES[usize::from(*byte)]);
    if seen & (CONTROL | NON_ASCII) != 0 {
        let multiline = seen & LINE_FEED != 0
            || (seen & NON_ASCII != 0 && text.contains(['\u{85}', '\u{2028}', '\u{2029}']));
        return Analysis { multiline, plain: false, single: false, block: false };
    }
    if seen & LINE_FEED != 0 {
        let mixed = |blank_at: fn(usize) -> Option<usize>| {
            memchr_iter(b'\n', bytes).any(|at| blank_at(at).and_then(|at| bytes.get(at)) == Some(&b' '))
        };
        let before = mixed(|at| at.checked_sub(1));
        let behind = seen & BLANK != 0 && mixed(|at| at.checked_add(1));
        return Analysis {
            multiline: true,
            plain: false,
            single: !before && !behind,
            block: !before && last != b' ',
        };
    }
    let plain = first != b' ' && last != b' ' && !has_indicator_in(bytes, seen);
    Analysis { multiline: false, plain, single: true, block: last != b' ' }
}

/// Whether something in a text of one line without tabs would be read as a sign of YAML.
pub(in crate::yaml) fn has_indicator(bytes: &[u8]) -> bool {
    has_indicator_in(bytes, bytes.iter().fold(0, |seen, byte| seen | CLASSES[usize::from(*byte)]))
}

fn has_indicator_in(bytes: &[u8], seen: u8) -> bool {
    let ends_word = |at: usize| bytes.get(at).is_none_or(|byte| *byte == b' ');
    let at_front = match bytes[0] {
        b'#' | b',' | b'[' | b']' | b'{' | b'}' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%'
        | b'@' | b'`' => true,
        b'-' => ends_word(1) || bytes.starts_with(b"---"),
        b'?' => ends_word(1),
        b'.' => bytes.starts_with(b"..."),
        _ => false,
    };
    at_front
        || (seen & COLON != 0 && memchr_iter(b':', bytes).any(|at| ends_word(at + 1)))
        || (seen & (HASH | BLANK) == HASH | BLANK && memmem::find(bytes, b" #").is_some())
}
