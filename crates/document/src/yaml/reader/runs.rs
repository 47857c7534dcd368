//! Runs of characters that mean nothing to the scanner, passed eight bytes at a time.
//!
//! A word holds eight bytes, the first one lowest. What tells of a byte says so in its highest bit; a borrow may make
//! bytes behind the first such one look like it too, which does not matter, because only the first is asked for.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

/// Where the run of plain text that begins at `start` ends in the block context: at white space, `:`, `#`, a byte beyond
/// ASCII, or the end.
#[inline]
pub(super) fn end_of_plain(bytes: &[u8], start: usize) -> usize {
    end_of_run(bytes, start, |word| {
        below(word, 0x21) | zeros(word ^ all(b':')) | zeros(word ^ all(b'#')) | word
    })
}

/// The same in the flow context, where it ends at `,`, `?`, brackets and braces too.
#[inline]
pub(super) fn end_of_plain_in_flow(bytes: &[u8], start: usize) -> usize {
    end_of_run(bytes, start, |word| {
        // Makes braces of the brackets, and no brace of anything else.
        let braces = word | all(0x20);
        below(word, 0x21)
            | zeros(word ^ all(b':'))
            | zeros(word ^ all(b'#'))
            | zeros(word ^ all(b','))
            | zeros(word ^ all(b'?'))
            | zeros(braces ^ all(b'{'))
            | zeros(braces ^ all(b'}'))
            | word
    })
}

/// Where the spaces that begin at `start` end.
#[inline]
pub(super) fn end_of_spaces(bytes: &[u8], start: usize) -> usize {
    end_of_run(bytes, start, |word| {
        let other = word ^ all(b' ');
        ((other & !HIGH) + !HIGH) | other
    })
}

/// Where a run in quotes that begins at `start` ends: at a quote, a backslash, a byte that no text contains but line
/// breaks and tabs, a byte beyond ASCII, or the end.
#[inline]
pub(super) fn end_of_quoted(bytes: &[u8], start: usize, quote: u8) -> usize {
    end_of_run(bytes, start, |word| {
        below(word, 0x20) | zeros(word ^ all(quote)) | zeros(word ^ all(b'\\')) | word
    })
}

/// Where the first byte that `is_end` tells of stands; NUL has to be one.
#[inline(always)]
fn end_of_run(bytes: &[u8], start: usize, is_end: impl Fn(u64) -> u64) -> usize {
    let mut rest = bytes.get(start..).unwrap_or_default();
    while let Some((word, behind)) = rest.split_first_chunk() {
        let ends = is_end(u64::from_le_bytes(*word)) & HIGH;
        if ends != 0 {
            return bytes.len() - rest.len() + ends.trailing_zeros() as usize / 8;
        }
        rest = behind;
    }
    bytes.len() - rest.len() + end_in_last_word(rest, is_end)
}

#[cold]
fn end_in_last_word(rest: &[u8], is_end: impl Fn(u64) -> u64) -> usize {
    let mut word = [0; 8];
    word[..rest.len()].copy_from_slice(rest);
    (is_end(u64::from_le_bytes(word)) & HIGH).trailing_zeros() as usize / 8
}

const fn all(byte: u8) -> u64 {
    ONES * byte as u64
}

/// Tells of bytes that are zero, in front of all bytes beyond ASCII.
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES)
}

/// Tells of bytes below a limit, in front of all bytes beyond ASCII.
fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(all(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte that a text may have, behind runs of all lengths up to two words, with and without text behind it.
    #[test]
    fn runs_end_where_single_bytes_say() {
        let is_space = |byte: u8| byte <= b' ' || byte >= 0x80;
        let is_plain_end = |byte: u8| is_space(byte) || b":#".contains(&byte);
        for byte in (0..=0xFF).filter(|&byte| byte != 0x7F) {
            for length in 0..=16 {
                for behind in ["", "a", ":,#'  \u{e4}[b"] {
                    let text = [&b"a".repeat(length), [byte].as_slice(), behind.as_bytes()].concat();
                    let end_where = |is_end: &dyn Fn(u8) -> bool| {
                        text.iter().position(|&byte| is_end(byte)).unwrap_or(text.len())
                    };
                    assert_eq!(end_of_plain(&text, 0), end_where(&is_plain_end), "{text:?}");
                    assert_eq!(
                        end_of_plain_in_flow(&text, 0),
                        end_where(&|byte| is_plain_end(byte) || b",?[]{}".contains(&byte)),
                        "{text:?}"
                    );
                    assert_eq!(
                        end_of_quoted(&text, 0, b'\''),
                        end_where(&|byte| !(b' '..0x80).contains(&byte) || b"'\\".contains(&byte)),
                        "{text:?}"
                    );
                    let spaces: Vec<u8> = text.iter().map(|&b| if b == b'a' { b' ' } else { b }).collect();
                    let end = spaces.iter().position(|&byte| byte != b' ').unwrap_or(spaces.len());
                    assert_eq!(end_of_spaces(&spaces, 0), end, "{spaces:?}");
                }
            }
        }
    }
}
