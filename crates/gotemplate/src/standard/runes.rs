//! Runes: characters as Go takes them out of bytes, and its tables of what a character is.
//!
//! A byte that starts no character is U+FFFD, one byte long. Cases map one character to one, unlike Rust's.

pub(crate) use crate::unicode::{decode, is_digit, is_letter};
use unicode_general_category::{GeneralCategory, get_general_category};

/// What stands for a byte that belongs to no character.
pub(crate) const ERROR: char = '\u{FFFD}';

/// The last character of `text` and the bytes it takes; none where `text` is empty.
pub(crate) fn decode_last(text: &[u8]) -> Option<(char, usize)> {
    let last = *text.last()?;
    if last < 0x80 {
        return Some((char::from(last), 1));
    }
    for width in 2..=4.min(text.len()) {
        if let Ok(tail) = std::str::from_utf8(&text[text.len() - width..]) {
            return Some((tail.chars().next().unwrap_or(ERROR), width));
        }
    }
    Some((ERROR, 1))
}

/// Walks over the characters of `text`.
pub(crate) struct Runes<'a>(&'a [u8]);

impl Iterator for Runes<'_> {
    /// The character, and how many bytes it takes.
    type Item = (char, usize);

    fn next(&mut self) -> Option<(char, usize)> {
        let (rune, width) = decode(self.0)?;
        self.0 = &self.0[width..];
        Some((rune, width))
    }
}

/// The characters of `text` with their widths.
pub(crate) fn runes(text: &[u8]) -> Runes<'_> {
    Runes(text)
}

/// Appends a character.
pub(crate) fn push(out: &mut Vec<u8>, rune: char) {
    out.extend_from_slice(rune.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Every character put through `map`; bytes that are no characters become U+FFFD.
pub(crate) fn map(text: &[u8], mut map: impl FnMut(char) -> char) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for (rune, _) in runes(text) {
        push(&mut out, map(rune));
    }
    out
}

/// `unicode.IsSpace`.
pub(crate) fn is_space(rune: char) -> bool {
    matches!(rune, '\t'..='\r' | ' ' | '\u{85}' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}'
        | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}')
}

/// `unicode.IsUpper`: category Lu.
pub(crate) fn is_upper(rune: char) -> bool {
    get_general_category(rune) == GeneralCategory::UppercaseLetter
}

/// `unicode.IsLower`: category Ll.
pub(crate) fn is_lower(rune: char) -> bool {
    get_general_category(rune) == GeneralCategory::LowercaseLetter
}

/// `unicode.IsTitle`: category Lt.
pub(crate) fn is_title(rune: char) -> bool {
    get_general_category(rune) == GeneralCategory::TitlecaseLetter
}

/// `unicode.IsNumber`: any category N.
pub(crate) fn is_number(rune: char) -> bool {
    use GeneralCategory::{DecimalNumber, LetterNumber, OtherNumber};
    matches!(get_general_category(rune), DecimalNumber | LetterNumber | OtherNumber)
}

/// `unicode.IsPunct`: any category P.
pub(crate) fn is_punct(rune: char) -> bool {
    use GeneralCategory::{
        ClosePunctuation, ConnectorPunctuation, DashPunctuation, FinalPunctuation, InitialPunctuation,
        OpenPunctuation, OtherPunctuation,
    };
    matches!(
        get_general_category(rune),
        ConnectorPunctuation
            | DashPunctuation
            | OpenPunctuation
            | ClosePunctuation
            | InitialPunctuation
            | FinalPunctuation
            | OtherPunctuation
    )
}

/// `unicode.ToUpper`: the upper case of one character, which is one character.
pub(crate) fn to_upper(rune: char) -> char {
    match rune {
        // Titlecase letters and iotas below have an upper case of their own only in the simple tables.
        'ᾳ' => 'ᾼ',
        'ῃ' => 'ῌ',
        'ῳ' => 'ῼ',
        'ᾀ'..='ᾇ' | 'ᾐ'..='ᾗ' | 'ᾠ'..='ᾧ' => char::from_u32(rune as u32 + 8).unwrap_or(rune),
        _ => single(rune.to_uppercase(), rune),
    }
}

/// `unicode.ToLower`: the lower case of one character, which is one character.
pub(crate) fn to_lower(rune: char) -> char {
    if rune == 'İ' {
        return 'i';
    }
    single(rune.to_lowercase(), rune)
}

/// `unicode.ToTitle`: as upper case, but for the letters that are two in one and for Georgian.
pub(crate) fn to_title(rune: char) -> char {
    match rune {
        'Ǆ' | 'ǅ' | 'ǆ' => 'ǅ',
        'Ǉ' | 'ǈ' | 'ǉ' => 'ǈ',
        'Ǌ' | 'ǋ' | 'ǌ' => 'ǋ',
        'Ǳ' | 'ǲ' | 'ǳ' => 'ǲ',
        'ა'..='ჺ' | 'ჽ'..='ჿ' => rune,
        _ => to_upper(rune),
    }
}

fn single(mut mapped: impl ExactSizeIterator<Item = char>, rune: char) -> char {
    if mapped.len() == 1 { mapped.next().unwrap_or(rune) } else { rune }
}
