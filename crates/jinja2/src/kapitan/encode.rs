use crate::error::{Class, Outcome, raise, value_error};
use crate::filters::Call;
use crate::methods::decode_error;
use crate::run::Bound;
use crate::value::{Key, Value};
use base64::Engine;
use kapstan_document::Text;
use sha2::{Digest, Sha256};

/// The string whose bytes are wanted.
fn encodable(value: &Value) -> Outcome<&Text> {
    match value {
        Value::Undefined(undefined) => undefined.fail(),
        value => match value.as_str() {
            Some(text) => Ok(text),
            None => {
                raise(Class::Attribute, format!("'{}' object has no attribute 'encode'", value.type_name()))
            }
        },
    }
}

pub(super) fn sha256(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    // Kapitan remembers results by argument, so that the argument must be able to be a key.
    Key::of(args.value(0))?;
    let digest = Sha256::digest(encodable(args.value(0))?.as_bytes());
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into())
}

pub(super) fn b64encode(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let text = encodable(args.value(0))?;
    Ok(base64::engine::general_purpose::STANDARD.encode(text.as_bytes()).into())
}

pub(super) fn b64decode(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    let bytes: &[u8] = match (value.as_str(), value) {
        (Some(text), _) if !text.is_ascii() => {
            return value_error("string argument should contain only ASCII characters");
        }
        (Some(text), _) => text.as_bytes(),
        (None, Value::Bytes(bytes)) => bytes,
        _ => {
            return raise(
                Class::Type,
                format!(
                    "argument should be a bytes-like object or ASCII string, not '{}'",
                    value.type_name()
                ),
            );
        }
    };
    let decoded = decoded(bytes)?;
    match String::from_utf8(decoded) {
        Ok(text) => Ok(text.into()),
        Err(error) => value_error(decode_error(error.as_bytes(), &error.utf8_error())),
    }
}

/// Python's lenient reading: what is not of the alphabet is passed over, nothing behind the padding is read.
fn decoded(bytes: &[u8]) -> Outcome<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len() / 4 * 3);
    let (mut quad, mut pads, mut left) = (0u8, 0u8, 0u8);
    for byte in bytes {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                if quad >= 2 {
                    pads += 1;
                    if quad + pads >= 4 {
                        return Ok(out);
                    }
                }
                continue;
            }
            _ => continue,
        };
        pads = 0;
        match quad {
            0 => left = value,
            1 => {
                out.push(left << 2 | value >> 4);
                left = value & 0x0f;
            }
            2 => {
                out.push(left << 4 | value >> 2);
                left = value & 0x03;
            }
            _ => out.push(left << 6 | value),
        }
        quad = (quad + 1) % 4;
    }
    match quad {
        0 => Ok(out),
        1 => {
            let count = out.len() / 3 * 4 + 1;
            value_error(format!(
                "Invalid base64-encoded string: number of data characters ({count}) cannot be 1 more than a multiple of 4"
            ))
        }
        _ => value_error("Incorrect padding"),
    }
}
