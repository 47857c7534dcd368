use std::sync::{Arc, OnceLock, RwLock};

/// Which of the [`Sources`] a span lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(u32);

/// A stretch of a source, in bytes: twelve bytes that every key and every scalar carries.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    source: u32,
    start: u32,
    end: u32,
}

/// A place as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

/// A text that spans point into: a file, the command line, standard input.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: Arc<[u8]>,
    line_starts: OnceLock<Vec<u32>>,
}

/// Every text that was read in a run. Grows only; shared by all threads.
#[derive(Debug, Default)]
pub struct Sources {
    sources: RwLock<Vec<Arc<Source>>>,
}

impl Span {
    /// No place: the value was made by the program.
    pub const NONE: Self = Self { source: u32::MAX, start: 0, end: 0 };

    /// The bytes `start..end` of a source.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { source: source.0, start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The source, unless this is [`Span::NONE`].
    pub fn source(self) -> Option<SourceId> {
        self.is_some().then_some(SourceId(self.source))
    }

    /// The first byte.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// The byte after the last one.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// Whether it is a place at all.
    pub fn is_some(self) -> bool {
        self.source != u32::MAX
    }

    /// This span, or the other one where this is none.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self.is_some() { self } else { other }
    }
}

impl Default for Span {
    fn default() -> Self {
        Self::NONE
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_some() {
            write!(f, "{}:{}..{}", self.source, self.start, self.end)
        } else {
            f.write_str("-")
        }
    }
}

impl Source {
    /// The name that people see: mostly a path as the user would write it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bytes, as read.
    pub fn text(&self) -> &Arc<[u8]> {
        &self.text
    }

    /// Line and column of a byte. An offset behind the end is the end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start as usize <= offset) - 1;
        let before = &self.text[starts[line] as usize..offset];
        Position { line: count(line), column: count(characters(before)) }
    }

    /// The text of a line (counted from 1) without its line break; bytes that are not UTF-8 are replaced.
    pub fn line(&self, line: u32) -> Option<String> {
        let starts = self.line_starts();
        let index = (line as usize).checked_sub(1)?;
        let start = *starts.get(index)? as usize;
        let end = starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        let text = String::from_utf8_lossy(&self.text[start..end]);
        Some(text.trim_end_matches(['\n', '\r']).trim_start_matches('\u{feff}').to_owned())
    }

    /// The byte at which a line and a column, both from 1, begin; clamped to the line.
    pub fn offset(&self, at: Position) -> usize {
        let starts = self.line_starts();
        let index = (at.line as usize).saturating_sub(1).min(starts.len() - 1);
        let start = starts[index] as usize;
        let end = starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        let line = &self.text[start..end];
        let mut seen = 0;
        for (at_byte, byte) in line.iter().enumerate() {
            if is_character_start(*byte) {
                seen += 1;
                if seen == at.column.max(1) {
                    return start + at_byte;
                }
            }
        }
        end
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let after_breaks = self.text.iter().enumerate().filter(|(at, byte)| match byte {
                b'\n' => true,
                b'\r' => self.text.get(at + 1) != Some(&b'\n'),
                _ => false,
            });
            std::iter::once(0)
                .chain(after_breaks.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX)))
                .collect()
        })
    }
}

fn is_character_start(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| is_character_start(**byte)).count()
}

fn count(from_zero: usize) -> u32 {
    u32::try_from(from_zero + 1).unwrap_or(u32::MAX)
}

impl Sources {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the name that people shall see. On Windows a name gets `/` for `\`, so that positions read alike
    /// everywhere.
    pub fn add(&self, name: impl Into<String>, text: impl Into<Arc<[u8]>>) -> SourceId {
        let name = name.into();
        let name = if cfg!(windows) { name.replace('\\', "/") } else { name };
        let source = Arc::new(Source { name, text: text.into(), line_starts: OnceLock::new() });
        let mut sources = self.sources.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        sources.push(source);
        SourceId(u32::try_from(sources.len() - 1).unwrap_or(u32::MAX - 1))
    }

    /// The text that an id stands for. None only for an id of other sources.
    pub fn get(&self, id: SourceId) -> Option<Arc<Source>> {
        let sources = self.sources.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        sources.get(id.0 as usize).cloned()
    }

    /// `file:line:column` of a span's start, or nothing for [`Span::NONE`].
    pub fn locate(&self, span: Span) -> Option<(Arc<Source>, Position)> {
        let source = self.get(span.source()?)?;
        let position = source.position(span.start());
        Some((source, position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_every_kind_of_line_break() {
        let sources = Sources::new();
        let id = sources.add("a.yml", "é: 1\r\nb\rc\nd".as_bytes());
        let source = sources.get(id).unwrap();
        assert_eq!(source.position(2), Position { line: 1, column: 2 });
        assert_eq!(source.position(7), Position { line: 2, column: 1 });
        assert_eq!(source.position(9), Position { line: 3, column: 1 });
        assert_eq!(source.position(999), Position { line: 4, column: 2 });
        assert_eq!(source.line(1).as_deref(), Some("é: 1"));
        assert_eq!(source.line(4).as_deref(), Some("d"));
        assert_eq!(source.line(5), None);
    }

    #[test]
    fn offset_is_the_inverse_of_position() {
        let sources = Sources::new();
        let id = sources.add("a", "ab\ncdé f\n".as_bytes());
        let source = sources.get(id).unwrap();
        for offset in [0, 1, 3, 5, 7, 8] {
            assert_eq!(source.offset(source.position(offset)), offset);
        }
    }
}
