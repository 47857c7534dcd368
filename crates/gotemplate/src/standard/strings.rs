//! Functions over strings, as Go's package `strings` has them.

use super::runes::{self, runes};

/// Where `needle` first stands in `text`.
pub(crate) fn index(text: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, needle)
}

/// The pieces of `text` between separators, at most `limit` of them if it is not negative. An empty separator
/// cuts between characters.
pub(crate) fn split<'a>(text: &'a [u8], separator: &[u8], limit: i64) -> Vec<&'a [u8]> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if limit == 0 {
        return Vec::new();
    }
    let mut pieces = Vec::new();
    let mut rest = text;
    if separator.is_empty() {
        while let Some((_, width)) = runes::decode(rest) {
            if pieces.len() + 1 == limit {
                pieces.push(rest);
                return pieces;
            }
            pieces.push(&rest[..width]);
            rest = &rest[width..];
        }
        return pieces;
    }
    let finder = memchr::memmem::Finder::new(separator);
    while pieces.len() + 1 < limit
        && let Some(at) = finder.find(rest)
    {
        pieces.push(&rest[..at]);
        rest = &rest[at + separator.len()..];
    }
    pieces.push(rest);
    pieces
}

/// Every `old` replaced by `new`. An empty `old` stands before every character and at the end.
pub(crate) fn replace(text: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    if old == new {
        return text.to_vec();
    }
    let mut out = Vec::with_capacity(text.len());
    if old.is_empty() {
        let mut at = 0;
        for (_, width) in runes(text) {
            out.extend_from_slice(new);
            out.extend_from_slice(&text[at..at + width]);
            at += width;
        }
        out.extend_from_slice(new);
        return out;
    }
    let mut rest = text;
    let finder = memchr::memmem::Finder::new(old);
    while let Some(at) = finder.find(rest) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(new);
        rest = &rest[at + old.len()..];
    }
    out.extend_from_slice(rest);
    out
}

/// `text` without the characters at both ends that `trimmed` tells.
pub(crate) fn trim(text: &[u8], trimmed: impl Fn(char) -> bool) -> &[u8] {
    let mut rest = text;
    while let Some((rune, width)) = runes::decode(rest)
        && trimmed(rune)
    {
        rest = &rest[width..];
    }
    while let Some((rune, width)) = runes::decode_last(rest)
        && trimmed(rune)
    {
        rest = &rest[..rest.len() - width];
    }
    rest
}

/// `strings.TrimSpace`.
pub(crate) fn trim_space(text: &[u8]) -> &[u8] {
    trim(text, runes::is_space)
}

/// `strings.Trim`: without any characters of `cutset` at both ends.
pub(crate) fn trim_set<'a>(text: &'a [u8], cutset: &[u8]) -> &'a [u8] {
    trim(text, |rune| runes(cutset).any(|(one, _)| one == rune))
}

/// `strings.ToUpper`.
pub(crate) fn to_upper(text: &[u8]) -> Vec<u8> {
    if text.is_ascii() { text.to_ascii_uppercase() } else { runes::map(text, runes::to_upper) }
}

/// `strings.ToLower`.
pub(crate) fn to_lower(text: &[u8]) -> Vec<u8> {
    if text.is_ascii() { text.to_ascii_lowercase() } else { runes::map(text, runes::to_lower) }
}

/// `strings.Title`: the first letter of every word in title case. A word ends at anything in ASCII but letters,
/// digits and `_`, and beyond ASCII only at blanks.
pub(crate) fn title(text: &[u8]) -> Vec<u8> {
    let mut previous = ' ';
    runes::map(text, |rune| {
        let starts = separates(previous);
        previous = rune;
        if starts { runes::to_title(rune) } else { rune }
    })
}

fn separates(rune: char) -> bool {
    if rune.is_ascii() {
        return !(rune.is_ascii_alphanumeric() || rune == '_');
    }
    !runes::is_letter(rune) && !runes::is_digit(rune) && runes::is_space(rune)
}

/// Pieces joined by a separator.
pub(crate) fn join<P: AsRef<[u8]>>(pieces: impl IntoIterator<Item = P>, separator: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, piece) in pieces.into_iter().enumerate() {
        if at > 0 {
            out.extend_from_slice(separator);
        }
        out.extend_from_slice(piece.as_ref());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str, separator: &str, limit: i64) -> String {
        let pieces = split(text.as_bytes(), separator.as_bytes(), limit);
        String::from_utf8(join(pieces, b"|")).expect("the pieces are text")
    }

    #[test]
    fn splits_as_go_does() {
        for (text, separator, limit, expected) in [
            ("a/b/c", "/", -1, "a|b|c"),
            ("a/b/c", "/", 2, "a|b/c"),
            ("a/b/c", "/", 0, ""),
            ("a/b/c", "/", 1, "a/b/c"),
            ("äbc", "", -1, "ä|b|c"),
            ("äbc", "", 2, "ä|bc"),
            ("", "", -1, ""),
            ("/", "/", -1, "|"),
        ] {
            assert_eq!(pieces(text, separator, limit), expected, "{text} by {separator}, {limit}");
        }
        assert_eq!(split(b"", b"/", -1).len(), 1);
        assert_eq!(split(b"", b"", -1).len(), 0);
    }

    #[test]
    fn maps_cases_one_to_one() {
        assert_eq!(to_upper("straße ŉ ᾳ ﬁ".as_bytes()), "STRAßE ŉ ᾼ ﬁ".as_bytes());
        assert_eq!(to_lower("İSTANBUL Σ".as_bytes()), "istanbul σ".as_bytes());
        assert_eq!(to_upper(b"\xFFa"), "\u{FFFD}A".as_bytes().to_vec().as_slice().to_vec());
        assert_eq!(title("it's a ǆ_b c-d".as_bytes()), "It'S A ǅ_b C-D".as_bytes());
    }

    #[test]
    fn replaces_nothing_between_characters() {
        assert_eq!(replace("äb".as_bytes(), b"", b"-"), "-ä-b-".as_bytes());
        assert_eq!(replace(b"aaa", b"aa", b"b"), b"ba");
    }
}
