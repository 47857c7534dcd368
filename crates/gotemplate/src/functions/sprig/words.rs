//! Functions over the words of a text: cases, wrapping, shortening.

use super::give;
use super::strings::check_size;
use crate::functions::{Call, Function, Outcome};
use crate::standard::runes;
use crate::value::Type;
use Type::{Int, String as Str};

pub(super) const ROWS: &[Function] = &[
    Function::new("untitle", &[Str], Str, |call| give(untitle(call.text(0)))),
    Function::new("swapcase", &[Str], Str, |call| give(swap_case(call.text(0)))),
    Function::new("nospace", &[Str], Str, |call| give(without_spaces(call.text(0)))),
    Function::new("initials", &[Str], Str, |call| give(initials(call.text(0)))),
    Function::new("abbrev", &[Int, Str], Str, abbrev),
    Function::new("abbrevboth", &[Int, Int, Str], Str, abbrev_both),
    Function::new("wrap", &[Int, Str], Str, |call| give(wrap(call.text(1), call.int(0), b"", false)?)),
    Function::new("wrapWith", &[Int, Str, Str], Str, |call| {
        give(wrap(call.text(2), call.int(0), call.text(1), true)?)
    }),
];

/// The first letter of every word in lower case.
fn untitle(text: &[u8]) -> Vec<u8> {
    let mut starts = true;
    runes::map(text, |rune| {
        if runes::is_space(rune) {
            starts = true;
            return rune;
        }
        if std::mem::take(&mut starts) { runes::to_lower(rune) } else { rune }
    })
}

/// Upper case to lower case and the other way round; a lower letter that starts a word gets its title case.
fn swap_case(text: &[u8]) -> Vec<u8> {
    let mut after_space = true;
    runes::map(text, |rune| {
        if runes::is_upper(rune) || runes::is_title(rune) {
            after_space = false;
            runes::to_lower(rune)
        } else if runes::is_lower(rune) {
            if std::mem::take(&mut after_space) { runes::to_title(rune) } else { runes::to_upper(rune) }
        } else {
            after_space = runes::is_space(rune);
            rune
        }
    })
}

/// Without blanks. Bytes are taken for characters, as the original does, which garbles what is not ASCII.
fn without_spaces(text: &[u8]) -> Vec<u8> {
    if !text.iter().any(|byte| runes::is_space(char::from(*byte))) {
        return text.to_vec();
    }
    let mut out = Vec::with_capacity(text.len());
    for rune in text.iter().map(|byte| char::from(*byte)).filter(|rune| !runes::is_space(*rune)) {
        runes::push(&mut out, rune);
    }
    out
}

/// The first byte of every word, taken for a character.
fn initials(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut after_space = true;
    for rune in text.iter().map(|byte| char::from(*byte)) {
        if runes::is_space(rune) {
            after_space = true;
        } else if std::mem::take(&mut after_space) {
            runes::push(&mut out, rune);
        }
    }
    out
}

fn abbrev(call: &mut Call<'_>) -> Outcome {
    let (width, text) = (call.int(0), call.text(1));
    give(if width < 4 { text.to_vec() } else { abbreviate(text, 0, width) })
}

fn abbrev_both(call: &mut Call<'_>) -> Outcome {
    let (left, right, text) = (call.int(0), call.int(1), call.text(2));
    let unusable = right < 4 || left > 0 && right < 7;
    give(if unusable { text.to_vec() } else { abbreviate(text, left, right) })
}

/// `text` in `width` bytes, from about `offset` on, with dots where something is left out.
fn abbreviate(text: &[u8], offset: i64, width: i64) -> Vec<u8> {
    const DOTS: &[u8] = b"...";
    let length = i64::try_from(text.len()).unwrap_or(i64::MAX);
    if length <= width {
        return text.to_vec();
    }
    let kept = width - 3;
    let mut offset = offset.min(length);
    if length - offset < kept {
        offset = length - kept;
    }
    let place = |at: i64| usize::try_from(at).unwrap_or(0).min(text.len());
    if offset <= 4 {
        return [&text[..place(kept)], DOTS].concat();
    }
    if width < 7 {
        return Vec::new();
    }
    if offset + kept < length {
        return [DOTS, &abbreviate(&text[place(offset)..], 0, kept)].concat();
    }
    [DOTS, &text[place(length - kept)..]].concat()
}

/// Breaks a line at blanks so that no line is longer than `width` where that can be; longer words stay whole unless
/// they may be cut.
fn wrap(text: &[u8], width: i64, line_end: &[u8], cuts_words: bool) -> Result<Vec<u8>, crate::CallError> {
    let line_end = if line_end.is_empty() { b"\n" } else { line_end };
    let width = usize::try_from(width).unwrap_or(0).max(1);
    check_size(repeats(text, width).saturating_mul(line_end.len()))?;
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while rest.len() > width {
        if rest[0] == b' ' {
            rest = &rest[1..];
            continue;
        }
        let (line, next) = match rest[..=width].iter().rposition(|byte| *byte == b' ') {
            Some(space) => (&rest[..space], &rest[space + 1..]),
            None if cuts_words => rest.split_at(width),
            None => match rest[width..].iter().position(|byte| *byte == b' ') {
                Some(space) => (&rest[..width + space], &rest[width + space + 1..]),
                None => break,
            },
        };
        out.extend_from_slice(line);
        out.extend_from_slice(line_end);
        rest = next;
    }
    out.extend_from_slice(rest);
    Ok(out)
}

/// At most so many lines come of wrapping.
fn repeats(text: &[u8], width: usize) -> usize {
    let words = text.iter().filter(|byte| **byte == b' ').count();
    text.len() / width + words + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).expect("it is text")
    }

    #[test]
    fn abbreviates_from_either_end() {
        for (input, offset, width, expected) in [
            ("hello world", 0, 5, "he..."),
            ("1234 5678 9123", 5, 10, "...5678..."),
            ("1234 5678 9123", 12, 10, "...78 9123"),
            ("abc", 0, 5, "abc"),
        ] {
            assert_eq!(text(abbreviate(input.as_bytes(), offset, width)), expected, "{input}");
        }
    }

    #[test]
    fn wraps_at_blanks() {
        let wrapped =
            |width, cuts| text(wrap(b"a long sentence, incomprehensibilities", width, b"", cuts).unwrap());
        assert_eq!(wrapped(6, false), "a long\nsentence,\nincomprehensibilities");
        assert_eq!(wrapped(6, true), "a long\nsenten\nce,\nincomp\nrehens\nibilit\nies");
    }

    #[test]
    fn swaps_cases_by_words() {
        assert_eq!(text(swap_case("This Is ǅ a tEsT".as_bytes())), "tHIS iS ǆ A TeSt");
        assert_eq!(text(untitle("First Second é".as_bytes())), "first second é");
        assert_eq!(text(initials(b"First  Try-out")), "FT");
        assert_eq!(text(without_spaces(b" a b\n")), "ab");
    }
}
