/// `binascii.a2b_base64(data)`: what is outside the alphabet is skipped, and reading ends at the padding.
///
/// # Errors
///
/// Python's text for data that ends within a byte. It does not hold the data.
pub fn decode_base64(data: &[u8]) -> Result<Vec<u8>, String> {
    let mut decoded = Vec::with_capacity(data.len() / 4 * 3);
    let (mut held, mut position, mut padding) = (0u8, 0, 0);
    for &byte in data {
        if byte == b'=' {
            if position >= 2 {
                padding += 1;
                if position + padding >= 4 {
                    return Ok(decoded);
                }
            }
            continue;
        }
        let Some(sextet) = sextet(byte) else { continue };
        padding = 0;
        match position {
            0 => {}
            1 => decoded.push(held << 2 | sextet >> 4),
            2 => decoded.push(held << 4 | sextet >> 2),
            _ => decoded.push(held << 6 | sextet),
        }
        held = sextet;
        position = (position + 1) % 4;
    }
    match position {
        0 => Ok(decoded),
        1 => Err(format!(
            "Invalid base64-encoded string: number of data characters ({}) cannot be 1 more than a multiple of 4",
            decoded.len() / 3 * 4 + 1
        )),
        _ => Err("Incorrect padding".to_owned()),
    }
}

fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}
