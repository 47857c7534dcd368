//! Reads gzipped tar archives member by member, with Go's words for what is wrong with them.

use flate2::read::MultiGzDecoder;
use std::io::{self, Read};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A gzipped tar archive.
pub(super) struct Tape<'d> {
    stream: MultiGzDecoder<&'d [u8]>,
    /// What is left of the member that was named last, and its padding.
    left: u64,
    padding: u64,
}

/// A member of an archive.
#[derive(Debug, Default)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) size: u64,
    pub(super) is_folder: bool,
    /// A PAX header for all members, which is none itself.
    pub(super) is_global_header: bool,
    pub(super) modified: Option<SystemTime>,
}

/// Why an archive cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TapeError {
    NoGzip,
    Corrupt,
    Checksum,
    Header,
    Short,
}

impl TapeError {
    /// Go's words for it.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::NoGzip => "gzip: invalid header",
            Self::Corrupt => "flate: corrupt input before offset",
            Self::Checksum => "gzip: invalid checksum",
            Self::Header => "archive/tar: invalid tar header",
            Self::Short => "unexpected EOF",
        }
    }
}

const BLOCK: usize = 512;
/// Headers that name a member are small; a larger one is refused as Go refuses it.
const LONGEST_HEADER: u64 = 1 << 20;

/// What a PAX header or a GNU long name says of the member that follows.
#[derive(Default)]
struct Extra {
    name: Option<String>,
    size: Option<u64>,
    modified: Option<SystemTime>,
}

impl<'d> Tape<'d> {
    /// Opens an archive; fails where it does not begin with a gzip header.
    pub(super) fn open(data: &'d [u8]) -> Result<Self, TapeError> {
        let stream = MultiGzDecoder::new(data);
        if !data.starts_with(b"\x1f\x8b\x08") {
            return Err(TapeError::NoGzip);
        }
        Ok(Self { stream, left: 0, padding: 0 })
    }

    /// The next member, or none at the end of the archive.
    pub(super) fn next_entry(&mut self) -> Result<Option<Member>, TapeError> {
        let mut extra = Extra::default();
        loop {
            self.skip(self.left + self.padding)?;
            (self.left, self.padding) = (0, 0);
            let Some(block) = self.header()? else { return Ok(None) };
            let size = number(&block[124..136])?;
            let kind = block[156];
            self.left = size;
            self.padding = size.next_multiple_of(BLOCK as u64) - size;
            match kind {
                b'L' => extra.name = Some(text(&self.meta()?)),
                b'K' => {
                    self.meta()?;
                }
                b'x' => read_records(&self.meta()?, &mut extra)?,
                _ => return self.member(&block, kind, extra).map(Some),
            }
        }
    }

    fn member(&mut self, block: &[u8; BLOCK], kind: u8, extra: Extra) -> Result<Member, TapeError> {
        let modified = UNIX_EPOCH.checked_add(Duration::from_secs(number(&block[136..148]).unwrap_or(0)));
        // Members without content say nothing with their size.
        let is_file = matches!(kind, b'0' | 0 | b'7' | b'S' | b'g');
        let size = if is_file { extra.size.unwrap_or(self.left) } else { 0 };
        self.left = size;
        self.padding = size.checked_next_multiple_of(BLOCK as u64).ok_or(TapeError::Header)? - size;
        let mut name = text(&block[..100]);
        let prefix = text(&block[345..500]);
        if block[257..263] == *b"ustar\0" && !prefix.is_empty() {
            name = format!("{prefix}/{name}");
        }
        let name = extra.name.unwrap_or(name);
        let is_folder = kind == b'5' || (matches!(kind, b'0' | 0) && name.ends_with('/'));
        Ok(Member {
            is_folder,
            is_global_header: kind == b'g',
            modified: extra.modified.or(modified),
            name,
            size,
        })
    }

    /// The content of the member that was named last.
    pub(super) fn content(&mut self) -> Result<Vec<u8>, TapeError> {
        let mut content = Vec::new();
        let size = self.left;
        self.left = 0;
        self.stream.by_ref().take(size).read_to_end(&mut content).map_err(|error| of_stream(&error))?;
        if (content.len() as u64) < size {
            return Err(TapeError::Short);
        }
        Ok(content)
    }

    fn meta(&mut self) -> Result<Vec<u8>, TapeError> {
        if self.left > LONGEST_HEADER {
            return Err(TapeError::Header);
        }
        self.content()
    }

    /// The next header, or none at the end: two empty blocks, or no more blocks.
    fn header(&mut self) -> Result<Option<[u8; BLOCK]>, TapeError> {
        let Some(block) = self.block()? else { return Ok(None) };
        if block.iter().all(|byte| *byte == 0) {
            let Some(second) = self.block()? else { return Ok(None) };
            return if second.iter().all(|byte| *byte == 0) { Ok(None) } else { Err(TapeError::Header) };
        }
        let expected = number(&block[148..156])?;
        let is_checksum = |at: usize| (148..156).contains(&at);
        let sum =
            block.iter().enumerate().map(|(at, byte)| if is_checksum(at) { 32 } else { u64::from(*byte) });
        if sum.sum::<u64>() != expected {
            return Err(TapeError::Header);
        }
        Ok(Some(block))
    }

    fn block(&mut self) -> Result<Option<[u8; BLOCK]>, TapeError> {
        let mut block = [0; BLOCK];
        let mut filled = 0;
        while filled < BLOCK {
            match self.stream.read(&mut block[filled..]).map_err(|error| of_stream(&error))? {
                0 if filled == 0 => return Ok(None),
                0 => return Err(TapeError::Short),
                count => filled += count,
            }
        }
        Ok(Some(block))
    }

    fn skip(&mut self, count: u64) -> Result<(), TapeError> {
        let skipped = io::copy(&mut self.stream.by_ref().take(count), &mut io::sink());
        if skipped.map_err(|error| of_stream(&error))? < count { Err(TapeError::Short) } else { Ok(()) }
    }
}

fn of_stream(error: &io::Error) -> TapeError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => TapeError::Short,
        io::ErrorKind::InvalidInput if error.to_string().contains("checksum") => TapeError::Checksum,
        io::ErrorKind::InvalidInput if error.to_string().contains("header") => TapeError::NoGzip,
        _ => TapeError::Corrupt,
    }
}

/// A field up to its first zero; bytes that are not UTF-8 are replaced.
fn text(field: &[u8]) -> String {
    let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
    String::from_utf8_lossy(&field[..end]).into_owned()
}

/// An octal number with blanks around it, or a binary one where the first bit says so.
fn number(field: &[u8]) -> Result<u64, TapeError> {
    if field[0] & 0x80 != 0 {
        let is_large = field[0] & 0x7f != 0 || field[1..field.len() - 8].iter().any(|byte| *byte != 0);
        if is_large {
            return Err(TapeError::Header);
        }
        let tail = &field[field.len() - 8..];
        return Ok(tail.iter().fold(0, |value, byte| value << 8 | u64::from(*byte)));
    }
    let digits = text(field);
    let digits = digits.trim_matches(' ');
    if digits.is_empty() {
        return Ok(0);
    }
    u64::from_str_radix(digits, 8).map_err(|_| TapeError::Header)
}

/// The records of a PAX header: `LENGTH KEY=VALUE\n`, one behind the other.
fn read_records(mut records: &[u8], extra: &mut Extra) -> Result<(), TapeError> {
    while !records.is_empty() {
        let blank = records.iter().position(|byte| *byte == b' ').ok_or(TapeError::Header)?;
        let length =
            std::str::from_utf8(&records[..blank]).ok().and_then(|digits| digits.parse::<usize>().ok());
        let length = length
            .filter(|length| *length > blank + 1 && *length <= records.len())
            .ok_or(TapeError::Header)?;
        let record = records[blank + 1..length].strip_suffix(b"\n").ok_or(TapeError::Header)?;
        let equals = record.iter().position(|byte| *byte == b'=').ok_or(TapeError::Header)?;
        let value = String::from_utf8_lossy(&record[equals + 1..]).into_owned();
        match &record[..equals] {
            b"path" if !value.is_empty() => extra.name = Some(value),
            b"size" if !value.is_empty() => extra.size = Some(value.parse().map_err(|_| TapeError::Header)?),
            b"mtime" => extra.modified = seconds(&value),
            _ => {}
        }
        records = &records[length..];
    }
    Ok(())
}

fn seconds(text: &str) -> Option<SystemTime> {
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0)?;
    UNIX_EPOCH.checked_add(Duration::try_from_secs_f64(value).ok()?)
}
