//! Encodings and checksums.

use super::give;
use crate::functions::{Call, Function, Outcome};
use crate::standard::{base32, base64};
use crate::value::Type;
use Type::String as Str;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};
use std::fmt::Write;

pub(super) const ROWS: &[Function] = &[
    Function::new("b64enc", &[Str], Str, |call| give(base64::encode(call.text(0)))),
    Function::new("b64dec", &[Str], Str, |call| decoded(base64::decode(call.text(0)))),
    Function::new("b32enc", &[Str], Str, |call| give(base32::encode(call.text(0)))),
    Function::new("b32dec", &[Str], Str, |call| decoded(base32::decode(call.text(0)))),
    Function::new("sha1sum", &[Str], Str, digest::<Sha1>),
    Function::new("sha256sum", &[Str], Str, digest::<Sha256>),
    Function::new("sha512sum", &[Str], Str, digest::<Sha512>),
    Function::new("adler32sum", &[Str], Str, |call| give(adler32(call.text(0)).to_string())),
];

/// What can not be decoded gives the text of the error instead.
fn decoded(decoded: Result<Vec<u8>, String>) -> Outcome {
    match decoded {
        Ok(bytes) => give(bytes),
        Err(why) => give(why),
    }
}

fn digest<D: Digest>(call: &mut Call<'_>) -> Outcome {
    let mut out = String::new();
    for byte in D::digest(call.text(0)) {
        // Writing to a string does not fail.
        let _ = write!(out, "{byte:02x}");
    }
    give(out)
}

fn adler32(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    let (mut low, mut high) = (1u32, 0u32);
    // So many bytes can be added before the sums have to be brought back.
    for chunk in bytes.chunks(5_552) {
        for byte in chunk {
            low += u32::from(*byte);
            high += low;
        }
        (low, high) = (low % MODULUS, high % MODULUS);
    }
    high << 16 | low
}

#[cfg(test)]
mod tests {
    use super::adler32;

    #[test]
    fn sums() {
        assert_eq!(adler32(b"Wikipedia"), 0x11E6_0398);
        assert_eq!(adler32(&[0xFF; 100_000]), 0x149A_302C);
        assert_eq!(adler32(b""), 1);
    }
}
