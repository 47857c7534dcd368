//! Base 32 with padding, as Go's `base32.StdEncoding`: line ends are passed over, and errors tell the byte.

const DIGITS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// `bytes` in base 32.
pub(crate) fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len().div_ceil(5) * 8);
    for group in bytes.chunks(5) {
        let bits =
            group.iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte)) << (8 * (5 - group.len()));
        let digits = (group.len() * 8).div_ceil(5);
        for place in 0..8 {
            let digit = DIGITS[(bits >> (35 - 5 * place) & 31) as usize];
            out.push(if place < digits { digit } else { b'=' });
        }
    }
    out
}

/// The bytes that `text` stands for; nothing after the padding is looked at. An error is Go's text for it.
pub(crate) fn decode(text: &[u8]) -> Result<Vec<u8>, String> {
    let text: Vec<u8> = text.iter().copied().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    let mut out = Vec::with_capacity(text.len() / 8 * 5 + 5);
    let mut at = 0;
    while at < text.len() {
        let ended = decode_eight(&text, &mut at, &mut out)
            .map_err(|at| format!("illegal base32 data at input byte {at}"))?;
        if ended {
            break;
        }
    }
    Ok(out)
}

/// One group of eight digits from `at` on; whether padding ended it. An error is the place that Go tells.
fn decode_eight(text: &[u8], at: &mut usize, out: &mut Vec<u8>) -> Result<bool, usize> {
    let mut bits = 0u64;
    let mut digits = 0;
    while digits < 8 {
        let Some(byte) = text.get(*at) else { return Err(text.len() - digits) };
        *at += 1;
        let rest = &text[*at..];
        if *byte == b'=' && digits >= 2 && rest.len() < 8 {
            let missing = 7 - digits;
            if rest.len() < missing {
                return Err(text.len());
            }
            if let Some(wrong) = rest[..missing].iter().position(|byte| *byte != b'=') {
                return Err(text.len() - rest.len() + wrong - 1);
            }
            if matches!(digits, 3 | 6) {
                return Err(*at - 1);
            }
            push(bits << (5 * (8 - digits)), digits, out);
            return Ok(true);
        }
        let digit = DIGITS.iter().position(|digit| digit == byte).ok_or(*at - 1)?;
        bits = bits << 5 | digit as u64;
        digits += 1;
    }
    push(bits, 8, out);
    Ok(false)
}

fn push(bits: u64, digits: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&bits.to_be_bytes()[3..3 + digits * 5 / 8]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_and_decodes() {
        for text in ["", "a", "ab", "abc", "abcd", "abcde", "abcdef", "\u{0}\u{7f}ü"] {
            let encoded = encode(text.as_bytes());
            assert_eq!(decode(&encoded).expect("it was encoded here"), text.as_bytes());
        }
        assert_eq!(encode(b"abc"), b"MFRGG===");
    }

    #[test]
    fn tells_the_places_of_errors() {
        for (text, expected) in [
            ("a", Err(0)),
            ("ME=====", Err(7)),
            ("MFRGG", Err(0)),
            ("mfrgg===", Err(0)),
            ("MFRGG==", Err(7)),
            ("=", Err(0)),
            ("M=======", Err(1)),
            ("MFRGGZDF0", Err(8)),
            ("MFR=GGZD", Err(3)),
            ("ME======A", Ok("a")),
            ("MFRG====x", Ok("ab")),
            ("MF======", Ok("a")),
            ("ME===\n===", Ok("a")),
        ] {
            let expected = expected
                .map(|text| text.as_bytes().to_vec())
                .map_err(|at: usize| format!("illegal base32 data at input byte {at}"));
            assert_eq!(decode(text.as_bytes()), expected, "{text:?}");
        }
    }
}
