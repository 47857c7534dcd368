//! Which strings go-yaml puts into double quotes because they would be read as something else.

use super::Flavor;
use crate::yaml::resolve::{is_go_value, is_octal_of_go_yaml_v3};

/// Whether a string is still one when it is written without quotes, to go-yaml itself and to readers that take numbers
/// like `1:30` for such on the base of sixty.
pub(super) fn reads_as_string(text: &str, flavor: Flavor) -> bool {
    match text.as_bytes().first() {
        None => false,
        Some(b'0'..=b'9' | b'+' | b'-') => {
            !(is_go_value(text)
                || is_base_60(text.as_bytes())
                || flavor == Flavor::V3 && is_octal_of_go_yaml_v3(text))
        }
        // The words that v3 quotes are those that v2 reads as values.
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' | b'.') => {
            !is_go_value(text)
        }
        Some(_) => true,
    }
}

/// `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`
fn is_base_60(text: &[u8]) -> bool {
    let unsigned = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let (number, fraction) = match unsigned.iter().position(|byte| *byte == b'.') {
        Some(point) => (&unsigned[..point], &unsigned[point + 1..]),
        None => (unsigned, &[][..]),
    };
    let mut parts = number.split(|byte| *byte == b':');
    let is_first = parts.next().is_some_and(|first| {
        first.first().is_some_and(is_digit) && first.iter().all(|byte| is_digit(byte) || *byte == b'_')
    });
    let mut count = 0;
    let are_sixtieths = parts.all(|part| {
        count += 1;
        matches!(part, [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'])
    });
    is_first && are_sixtieths && count > 0 && fraction.iter().all(|byte| is_digit(byte) || *byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_read_as_something_else() {
        for text in [
            "",
            "y",
            "NO",
            "on",
            "Off",
            "true",
            "~",
            "null",
            "1",
            "-1",
            "+1",
            "0x1f",
            "0o17",
            "0b1",
            "1_000",
            "1.5",
            ".5",
            "5.",
            "1e3",
            ".inf",
            "-.INF",
            ".nan",
            "2001-01-02",
            "2001-1-2t3:4:5Z",
            "1:30",
            "-1:30:59.5",
            "12:30:45",
            "1_0:5",
        ] {
            assert!(!reads_as_string(text, Flavor::V2), "{text}");
            assert!(!reads_as_string(text, Flavor::V3), "{text}");
        }
        for text in [
            "a",
            "yEs",
            "nUll",
            "<<",
            "=",
            "-",
            "+",
            ".",
            "1:60",
            "1:",
            ":1",
            "1.2.3",
            "10.0.0.1",
            "2001-13-01",
            "1:5.x",
            "0x",
            "08x",
            "1e400",
            "1:30:",
        ] {
            assert!(reads_as_string(text, Flavor::V2), "{text}");
            assert!(reads_as_string(text, Flavor::V3), "{text}");
        }
        assert!(reads_as_string("0o-7", Flavor::V2) && !reads_as_string("0o-7", Flavor::V3));
    }
}
