//! DEFLATE with the very bytes of zlib at its best level, which Python's `gzip` writes.
//!
//! Other compressors make other streams of the same content; what was compiled would differ from Kapitan's in every byte.

mod bits;
mod huffman;
mod matches;

use huffman::Encoder;
use matches::Matcher;

/// A raw DEFLATE stream, as `zlib.compressobj(9, wbits=-15)` makes it.
pub(crate) fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = Encoder::default();
    Matcher::new(data).run(&mut encoder);
    encoder.finish()
}

/// A gzip file without a name and a time, as Python's `gzip` writes it at level 9.
pub(crate) fn gzip(data: &[u8]) -> Vec<u8> {
    // Method 8, no flags, no time, best compression, unknown system.
    let mut file = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255];
    file.extend_from_slice(&deflate(data));
    let mut checksum = flate2::Crc::new();
    checksum.update(data);
    file.extend_from_slice(&checksum.sum().to_le_bytes());
    file.extend_from_slice(&checksum.amount().to_le_bytes());
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    fn inflated(stream: &[u8]) -> Vec<u8> {
        let mut data = Vec::new();
        flate2::read::DeflateDecoder::new(stream).read_to_end(&mut data).expect("a valid stream");
        data
    }

    #[test]
    fn streams_inflate_to_what_went_in() {
        let mut state = 1_u32;
        let mut noise = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        let incompressible: Vec<u8> = (0..70_000).map(&mut noise).collect();
        let few_letters: Vec<u8> = (0..70_000).map(|index| b'a' + noise(index) % 4).collect();
        for data in [
            &b""[..],
            b"hello",
            &b"a".repeat(100_000),
            &b"abcdefg ".repeat(50_000),
            &incompressible,
            &few_letters,
        ] {
            assert_eq!(inflated(&deflate(data)), data);
        }
    }

    #[test]
    fn streams_are_those_of_zlib() {
        assert_eq!(deflate(b""), [3, 0]);
        assert_eq!(deflate(b"hello"), [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0]);
        let lines: String = (0..400).map(|line| format!("line {} of {line}\n", line * 7919 % 1000)).collect();
        let stream = deflate(lines.as_bytes());
        let mut checksum = flate2::Crc::new();
        checksum.update(&stream);
        assert_eq!((stream.len(), checksum.sum()), (1795, 4_095_143_303));
    }
}
