use super::error::Character;

/// What there is in a text, found in one pass over it before it is scanned.
pub(super) struct Survey {
    pub(super) kinds: Kinds,
    /// The first character that YAML does not allow.
    pub(super) unacceptable: Option<Character>,
}

/// Which characters a text has, so that the scanner need not look for those that it has not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kinds {
    /// One byte is one character.
    pub(super) ascii: bool,
    /// There may be line breaks other than carriage return and line feed.
    pub(super) wide_breaks: bool,
}

impl Survey {
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut kinds = Kinds { ascii: true, wide_breaks: false };
        let mut unacceptable = None;
        for (index, block) in bytes.chunks(BLOCK).enumerate() {
            // Without branches, so that the compiler can look at many bytes at a time.
            let suspicious = block.iter().fold(false, |found, &byte| found | !is_plain_ascii(byte));
            if !suspicious {
                continue;
            }
            kinds.ascii &= block.is_ascii();
            unacceptable = first_unacceptable(text, index * BLOCK, (index + 1) * BLOCK);
            if unacceptable.is_some() {
                break;
            }
        }
        if !kinds.ascii {
            kinds.wide_breaks = ["\u{85}", "\u{2028}", "\u{2029}"]
                .iter()
                .any(|wide| memchr::memmem::find(bytes, wide.as_bytes()).is_some());
        }
        Self { kinds, unacceptable }
    }
}

const BLOCK: usize = 256;

/// A byte that needs no second look; tabs and line breaks are frequent enough to be taken in here.
fn is_plain_ascii(byte: u8) -> bool {
    (0x20..0x7F).contains(&byte) | (byte == b'\n') | (byte == b'\r') | (byte == b'\t')
}

/// The first character in the bytes `from..to` that YAML does not allow; characters across the edges count.
fn first_unacceptable(text: &str, from: usize, to: usize) -> Option<Character> {
    let from = floor_boundary(text, from);
    let to = floor_boundary(text, to.min(text.len()));
    let found = text[from..to].char_indices().find(|(_, character)| !is_acceptable(u32::from(*character)));
    found.map(|(offset, character)| Character { value: code(character), position: from + offset })
}

fn floor_boundary(text: &str, position: usize) -> usize {
    (0..=position).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn code(character: char) -> i32 {
    i32::try_from(u32::from(character)).unwrap_or(i32::MAX)
}

/// Whether a character may stand in a YAML text.
pub(super) fn is_acceptable(code: u32) -> bool {
    matches!(code, 0x09 | 0x0A | 0x0D | 0x20..=0x7E | 0x85 | 0xA0..=0xD7FF | 0xE000..=0xFFFD | 0x10000..=0x10FFFF)
}

/// The bytes of the line break at `position`: 0 where there is none.
#[inline]
pub(super) fn break_width(bytes: &[u8], position: usize) -> usize {
    match bytes.get(position) {
        Some(b'\n') => 1,
        Some(b'\r') => 1 + usize::from(bytes.get(position + 1) == Some(&b'\n')),
        Some(0xC2) => 2 * usize::from(bytes.get(position + 1) == Some(&0x85)),
        Some(0xE2) => {
            3 * usize::from(matches!(bytes.get(position + 1..position + 3), Some([0x80, 0xA8 | 0xA9])))
        }
        _ => 0,
    }
}

/// Letters, digits, `_` and `-`: what names of anchors, directives and tag handles are made of.
#[inline]
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Bytes of ASCII characters that are neither white space nor the start of a comment.
#[inline]
pub(super) fn is_visible(byte: u8) -> bool {
    CLASSES[usize::from(byte)] & VISIBLE != 0
}

/// Bytes with which a plain scalar begins, whatever follows. A `.` may begin a document indicator.
#[inline]
pub(super) fn begins_plain(byte: u8) -> bool {
    CLASSES[usize::from(byte)] & BEGINS_PLAIN != 0
}

const VISIBLE: u8 = 1;
const BEGINS_PLAIN: u8 = 2;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0x21;
    while byte < 0x7F {
        if byte != b'#' {
            classes[byte as usize] |= VISIBLE;
        }
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'$' | b'(' | b'+' | b'=' | b'~') {
            classes[byte as usize] |= BEGINS_PLAIN;
        }
        byte += 1;
    }
    classes
};

/// Space and tab.
#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// `,`, `[`, `]`, `{` and `}`.
#[inline]
pub(super) fn is_flow_indicator(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}
