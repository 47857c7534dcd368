use super::Member;
use crate::operators::number;
use crate::session::runtime_error;
use jrsonnet_evaluator::{Result, Val};

pub(super) const MEMBERS: &[Member] = &[
    ("char", &["n"], |given| Ok(Val::string(character_of(given.number(0)?)?))),
    ("codepoint", &["str"], |given| {
        let text = given.text(0)?;
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => number(f64::from(u32::from(character))),
            _ => {
                let length = text.chars().count();
                Err(runtime_error(&format!("codepoint takes a string of length 1, got length {length}")))
            }
        }
    }),
    ("decodeUTF8", &["arr"], |given| {
        let items = given.array(0)?;
        let bytes = items.iter().map(|item| byte(&item?)).collect::<Result<Vec<u8>>>()?;
        decode(&bytes).map(Val::from)
    }),
];

/// The character of a number, which is cut to a whole one. Half of a surrogate pair is an error in Python, which reads
/// what C++ jsonnet writes.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
pub(crate) fn character_of(code: f64) -> Result<char> {
    if code <= -1.0 {
        return Err(runtime_error(&format!("codepoints must be >= 0, got {}", code.trunc())));
    }
    let invalid = || runtime_error(&format!("invalid unicode codepoint, got {}", code.trunc()));
    if code >= 1_114_112.0 { Err(invalid()) } else { char::from_u32(code as u32).ok_or_else(invalid) }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
fn byte(value: &Val) -> Result<u8> {
    match value {
        Val::Num(number) if number.get().fract() == 0.0 && (0.0..=255.0).contains(&number.get()) => {
            Ok(number.get() as u8)
        }
        _ => Err(runtime_error("an element of the provided array was not an integer in range [0,255]")),
    }
}

/// Bytes that do not begin or continue a character become a replacement, and what stood in the place of a missing
/// continuation is gone with it. Long forms are read as what they stand for.
fn decode(bytes: &[u8]) -> Result<String> {
    const REPLACEMENT: char = '\u{fffd}';
    let mut text = String::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&first) = bytes.get(at) {
        let (length, bits) = match first {
            0x00..=0x7f => (1, first),
            0xc0..=0xdf => (2, first & 0x1f),
            0xe0..=0xef => (3, first & 0x0f),
            0xf0..=0xf7 => (4, first & 0x07),
            _ => (0, 0),
        };
        if length == 0 || at + length > bytes.len() {
            text.push(REPLACEMENT);
            at += 1;
            continue;
        }
        let rest = &bytes[at + 1..at + length];
        if let Some(bad) = rest.iter().position(|byte| byte & 0xc0 != 0x80) {
            text.push(REPLACEMENT);
            at += bad + 2;
            continue;
        }
        let code = rest.iter().fold(u32::from(bits), |code, byte| code << 6 | u32::from(byte & 0x3f));
        let surrogate = || runtime_error("invalid unicode codepoint");
        text.push(if code > 0x0010_ffff {
            REPLACEMENT
        } else {
            char::from_u32(code).ok_or_else(surrogate)?
        });
        at += length;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn broken_bytes_are_replaced_as_in_the_peer() {
        for (bytes, expected) in [
            (&[195, 169, 65][..], "\u{e9}A"),
            (&[226, 130], "\u{fffd}\u{fffd}"),
            (&[195, 65, 66], "\u{fffd}B"),
            (&[255, 65], "\u{fffd}A"),
            (&[240, 159, 152, 128], "\u{1f600}"),
        ] {
            assert_eq!(decode(bytes).ok().as_deref(), Some(expected));
        }
    }
}
