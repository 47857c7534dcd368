//! PEM: bytes between lines that say what they are.

use crate::standard::base64;
use crate::standard::strings::index;

/// A block: what it is, and its bytes.
pub(super) struct Block {
    pub(super) label: String,
    pub(super) bytes: Vec<u8>,
}

/// `bytes` as a block, in lines of 64 characters.
pub(super) fn encode(label: &str, bytes: &[u8]) -> String {
    let mut out = format!("-----BEGIN {label}-----\n");
    for line in base64::encode(bytes).chunks(64) {
        out.push_str(&String::from_utf8_lossy(line));
        out.push('\n');
    }
    out.push_str(&format!("-----END {label}-----\n"));
    out
}

/// The first block of a text that is well formed; headers in it are passed over.
pub(super) fn decode(text: &[u8]) -> Option<Block> {
    const BEGIN: &[u8] = b"-----BEGIN ";
    let mut rest = text;
    while let Some(begin) = index(rest, BEGIN) {
        let at_line_start = begin == 0 || rest[begin - 1] == b'\n';
        let after = &rest[begin + BEGIN.len()..];
        if at_line_start && let Some(block) = block_after(after) {
            return Some(block);
        }
        rest = after;
    }
    None
}

/// A block from its label on.
fn block_after(text: &[u8]) -> Option<Block> {
    let line_end = memchr::memchr(b'\n', text)?;
    let label = text[..line_end].trim_ascii_end().strip_suffix(b"-----")?;
    let body = &text[line_end + 1..];
    let end_line = [b"-----END ".as_slice(), label, b"-----"].concat();
    let body = &body[..index(body, &end_line)?];
    let mut encoded = Vec::with_capacity(body.len());
    for line in body.split(|byte| *byte == b'\n') {
        let line: Vec<u8> = line.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        if !line.contains(&b':') {
            encoded.extend(line);
        }
    }
    Some(Block { label: String::from_utf8_lossy(label).into_owned(), bytes: base64::decode(&encoded).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = format!("before\n{}after", encode("SOME THING", &bytes));
        let block = decode(text.as_bytes()).expect("there is a block");
        assert_eq!((block.label.as_str(), block.bytes), ("SOME THING", bytes));
        assert!(decode(b"-----BEGIN X-----\nYQ==\n-----END Y-----\n").is_none());
        let with_headers = b"-----BEGIN X-----\nProc-Type: 4\n\nYQ==\n-----END X-----";
        assert_eq!(decode(with_headers).expect("headers are allowed").bytes, b"a");
    }
}
