//! What Go's `unicode` package says of characters. Rust's own predicates follow other properties and a later Unicode.

mod tables;

pub use kapstan_document::go_unicode::{is_digit, is_letter};

/// Whether the character lies in one of the ranges: pairs of first and last, ascending.
fn contains(ranges: &[u32], c: char) -> bool {
    let c = u32::from(c);
    // How many bounds lie below: odd exactly when c is past a first and not past its last.
    let below_first = ranges.partition_point(|bound| *bound < c);
    below_first % 2 == 1 || ranges.get(below_first) == Some(&c)
}

/// `strconv.IsPrint`, which for all characters is `unicode.IsPrint`.
pub fn is_print(c: char) -> bool {
    if c.is_ascii() { (' '..='~').contains(&c) } else { contains(tables::PRINTABLE, c) }
}

/// The first character and how many bytes it takes; a byte that starts none is U+FFFD of length 1, as
/// `utf8.DecodeRune` has it. `None` at the end.
pub fn decode(bytes: &[u8]) -> Option<(char, usize)> {
    let first = *bytes.first()?;
    if first.is_ascii() {
        return Some((char::from(first), 1));
    }
    let window = bytes.get(..4).unwrap_or(bytes);
    let valid = match std::str::from_utf8(window) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&window[..error.valid_up_to()]).unwrap_or_default(),
    };
    Some(valid.chars().next().map_or((char::REPLACEMENT_CHARACTER, 1), |c| (c, c.len_utf8())))
}

/// The characters of a byte string as [`decode`] gives them.
pub fn chars(bytes: &[u8]) -> impl Iterator<Item = (char, usize)> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (c, length) = decode(rest)?;
        rest = &rest[length..];
        Some((c, length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_go() {
        for (c, letter, digit, print) in [
            ('a', true, false, true),
            ('é', true, false, true),
            ('٣', false, true, true),
            ('Ⅷ', false, false, true),
            ('\u{300}', false, false, true),
            ('\u{a0}', false, false, false),
            ('\u{200b}', false, false, false),
            ('\u{7f}', false, false, false),
            ('界', true, false, true),
            ('\u{e000}', false, false, false),
            ('\u{10ffff}', false, false, false),
        ] {
            assert_eq!((is_letter(c), is_digit(c), is_print(c)), (letter, digit, print), "{c:?}");
        }
    }

    #[test]
    fn broken_bytes_are_one_replacement_each() {
        let lengths: Vec<_> = chars(b"a\xffb\xe4\xb8c\xe4\xb8\xad").collect();
        let bad = char::REPLACEMENT_CHARACTER;
        assert_eq!(lengths, [('a', 1), (bad, 1), ('b', 1), (bad, 1), (bad, 1), ('c', 1), ('中', 3)]);
    }
}
