//! What kind of file its first bytes are, as far as Helm says it when it gets no archive.

/// The first bytes of kinds of files, and what they are called.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"\xfe\xff", "text/plain; charset=utf-16be"),
    (b"\xff\xfe", "text/plain; charset=utf-16le"),
    (b"\xef\xbb\xbf", "text/plain; charset=utf-8"),
    (b"\0\0\x01\0", "image/x-icon"),
    (b"\0\0\x02\0", "image/x-icon"),
    (b"BM", "image/bmp"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\x89PNG\x0d\x0a\x1a\x0a", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"OggS\0", "application/ogg"),
    (b"MThd\0\0\0\x06", "audio/midi"),
    (b"ID3", "audio/mpeg"),
    (b"\0\x01\0\0", "font/ttf"),
    (b"OTTO", "font/otf"),
    (b"ttcf", "font/collection"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\x1f\x8b\x08", "application/x-gzip"),
    (b"PK\x03\x04", "application/zip"),
    (b"Rar!\x1a\x07\0", "application/x-rar-compressed"),
    (b"Rar!\x1a\x07\x01\0", "application/x-rar-compressed"),
    (b"\0\x61\x73\x6d", "application/wasm"),
];

/// Beginnings of HTML, behind blanks; a blank or `>` must follow.
const HTML: &[&str] = &[
    "<!DOCTYPE HTML",
    "<HTML",
    "<HEAD",
    "<SCRIPT",
    "<IFRAME",
    "<H1",
    "<DIV",
    "<FONT",
    "<TABLE",
    "<A",
    "<STYLE",
    "<TITLE",
    "<B",
    "<BODY",
    "<BR",
    "<P",
    "<!--",
];

/// The content type of a file (`http.DetectContentType` of its first 512 bytes, padded with zeros as Helm does).
pub(super) fn content_type(data: &[u8]) -> &'static str {
    let mut head = [0; 512];
    let length = data.len().min(512);
    head[..length].copy_from_slice(&data[..length]);
    let blanks =
        head.iter().take_while(|byte| matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')).count();
    let text = &head[blanks..];
    let is_html = HTML.iter().any(|tag| {
        text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()))
            && text.get(tag.len()).is_some_and(|next| matches!(next, b' ' | b'>'))
    });
    if is_html {
        return "text/html; charset=utf-8";
    }
    if text.starts_with(b"<?xml") {
        return "text/xml; charset=utf-8";
    }
    if let Some((_, name)) = SIGNATURES.iter().find(|(start, _)| head.starts_with(start)) {
        return name;
    }
    let is_binary = text.iter().any(|byte| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f));
    if is_binary { "application/octet-stream" } else { "text/plain; charset=utf-8" }
}
