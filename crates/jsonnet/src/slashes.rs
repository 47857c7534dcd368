use crate::nesting::escaping_strings;
use std::ops::Range;

/// Escaped slashes in strings, which jsonnet allows as JSON does and jrsonnet does not.
///
/// Returns the text with `/` in place of each, and where in that text a byte is missing before the slash.
pub(crate) fn without_escaped_slashes(text: &str) -> (String, Vec<u32>) {
    if !text.contains("\\/") {
        return (text.to_owned(), Vec::new());
    }
    let strings: Vec<Range<usize>> = escaping_strings(text).collect();
    let (mut out, mut missing) = (String::with_capacity(text.len()), Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find("\\/") {
        // A backslash that is itself escaped does not escape the slash.
        let backslashes = rest[..at].bytes().rev().take_while(|byte| *byte == b'\\').count();
        out.push_str(&rest[..at]);
        if backslashes % 2 == 0 && is_in(&strings, text.len() - rest.len() + at) {
            missing.push(u32::try_from(out.len()).unwrap_or(u32::MAX));
        } else {
            out.push('\\');
        }
        out.push('/');
        rest = &rest[at + 2..];
    }
    out.push_str(rest);
    (out, missing)
}

/// Whether a byte lies in one of the stretches, which are in order.
fn is_in(stretches: &[Range<usize>], at: usize) -> bool {
    let next = stretches.partition_point(|stretch| stretch.end <= at);
    stretches.get(next).is_some_and(|stretch| stretch.contains(&at))
}

/// The place in the original of a place in the text without escapes.
pub(crate) fn original_offset(missing: &[u32], offset: u32) -> u32 {
    let before = missing.partition_point(|at| *at < offset);
    offset + u32::try_from(before).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_lose_their_backslash_in_strings_only() {
        for (text, expected) in [
            (r#"{a: "x\/y\/", b: 1}"#, r#"{a: "x/y/", b: 1}"#),
            (r#"@"a\/b" // \/ "#, r#"@"a\/b" // \/ "#),
            (r#"'\\/'"#, r#"'\\/'"#),
        ] {
            assert_eq!(without_escaped_slashes(text).0, expected);
        }
        let (text, missing) = without_escaped_slashes(r#"["a\/b", c]"#);
        let at = u32::try_from(text.find('c').expect("it is there")).expect("small");
        assert_eq!(original_offset(&missing, at), at + 1);
    }
}
