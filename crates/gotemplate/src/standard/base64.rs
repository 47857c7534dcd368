//! Base 64 with padding, as Go's `base64.StdEncoding`: line ends are passed over, and errors tell the byte.

use ::base64::Engine;
use ::base64::engine::general_purpose::STANDARD;

/// `bytes` in base 64.
pub(crate) fn encode(bytes: &[u8]) -> Vec<u8> {
    STANDARD.encode(bytes).into_bytes()
}

/// The bytes that `text` stands for. An error is Go's text for it.
pub(crate) fn decode(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let mut at = 0;
    while at < text.len() {
        decode_four(text, &mut at, &mut out)
            .map_err(|at| format!("illegal base64 data at input byte {at}"))?;
    }
    Ok(out)
}

/// One group of four digits from `at` on. An error is the place that Go tells.
fn decode_four(text: &[u8], at: &mut usize, out: &mut Vec<u8>) -> Result<(), usize> {
    let mut bits = 0u32;
    let mut digits = 0;
    while digits < 4 {
        let Some(byte) = text.get(*at) else {
            return if digits == 0 { Ok(()) } else { Err(*at - digits) };
        };
        *at += 1;
        match value(*byte) {
            Some(value) => {
                bits = bits << 6 | value;
                digits += 1;
            }
            None if is_line_end(*byte) => {}
            None if *byte == b'=' => {
                end_padding(text, at, digits)?;
                break;
            }
            None => return Err(*at - 1),
        }
    }
    bits <<= 6 * (4 - digits);
    out.extend_from_slice(&bits.to_be_bytes()[1..digits]);
    Ok(())
}

/// What must follow the first `=`: another after two digits, and the end of the text.
fn end_padding(text: &[u8], at: &mut usize, digits: usize) -> Result<(), usize> {
    if digits < 2 {
        return Err(*at - 1);
    }
    if digits == 2 {
        skip_line_ends(text, at);
        match text.get(*at) {
            None => return Err(text.len()),
            Some(b'=') => *at += 1,
            Some(_) => return Err(*at - 1),
        }
    }
    skip_line_ends(text, at);
    if *at < text.len() { Err(*at) } else { Ok(()) }
}

fn skip_line_ends(text: &[u8], at: &mut usize) {
    while text.get(*at).is_some_and(|byte| is_line_end(*byte)) {
        *at += 1;
    }
}

fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

fn value(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_with_the_places_of_errors() {
        for (text, expected) in [
            ("", Ok("")),
            ("YQ==", Ok("a")),
            ("YR==", Ok("a")),
            ("Y\nQ=\r\n=", Ok("a")),
            ("YWJj\n", Ok("abc")),
            ("a", Err(0)),
            ("abc", Err(0)),
            ("YQ=", Err(3)),
            ("YQ==a", Err(4)),
            ("YQ=a", Err(2)),
            ("Y Q=", Err(1)),
            ("=", Err(0)),
            ("YWJj=", Err(4)),
            ("YWJjZ", Err(4)),
        ] {
            let expected = expected
                .map(|text| text.as_bytes().to_vec())
                .map_err(|at: usize| format!("illegal base64 data at input byte {at}"));
            assert_eq!(decode(text.as_bytes()), expected, "{text:?}");
        }
        assert_eq!(decode(b"abc=").expect("it is well formed"), b"i\xb7");
    }
}
