use super::characters::{self, Kinds, break_width, is_blank};
use super::runs;
use crate::yaml::Mark;

/// A place in the text that moves forward, and knows its line and column.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    kinds: Kinds,
    /// In bytes.
    position: usize,
    line: u32,
    line_start: usize,
    /// A column is a number of bytes, and fits.
    has_narrow_columns: bool,
    /// Columns beyond ASCII are counted when they are asked for, from the last place in the line where one was known.
    counted_to: usize,
    counted: u32,
}

/// Stands for the end of the text; as a character it may not occur in one.
pub(super) const END: u8 = 0;

const BYTE_ORDER_MARK: char = '\u{FEFF}';

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, kinds: Kinds) -> Self {
        let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        Self {
            text,
            kinds,
            position: start,
            line: 0,
            line_start: start,
            has_narrow_columns: kinds.ascii && u32::try_from(text.len()).is_ok(),
            counted_to: start,
            counted: 0,
        }
    }

    #[inline]
    pub(super) fn position(&self) -> usize {
        self.position
    }

    #[inline]
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// The text from `start` to the cursor.
    #[inline]
    pub(super) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.position]
    }

    /// The text from `start` to `end`.
    #[inline]
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    /// The byte under the cursor, or [`END`].
    #[inline]
    pub(super) fn byte(&self) -> u8 {
        self.byte_at(0)
    }

    /// The byte `ahead` of the cursor, or [`END`].
    #[inline]
    pub(super) fn byte_at(&self, ahead: usize) -> u8 {
        self.bytes().get(self.position + ahead).copied().unwrap_or(END)
    }

    #[inline]
    pub(super) fn line(&self) -> u32 {
        self.line
    }

    #[inline]
    pub(super) fn is_at_line_start(&self) -> bool {
        self.position == self.line_start
    }

    #[inline]
    pub(super) fn is_at_end(&self) -> bool {
        self.position >= self.text.len()
    }

    #[inline]
    pub(super) fn is_at_break(&self) -> bool {
        break_width(self.bytes(), self.position) > 0
    }

    /// A line break, or the end.
    pub(super) fn is_at_line_end(&self) -> bool {
        self.is_at_end() || self.is_at_break()
    }

    /// A space, a tab, a line break or the end stands `ahead` of the cursor.
    #[inline]
    pub(super) fn is_space_at(&self, ahead: usize) -> bool {
        let byte = self.byte_at(ahead);
        is_blank(byte) || byte == END || break_width(self.bytes(), self.position + ahead) > 0
    }

    /// `---` or `...` at the start of a line, with white space behind it.
    pub(super) fn is_at_document_indicator(&self) -> bool {
        self.is_at_line_start()
            && matches!(self.bytes().get(self.position..self.position + 3), Some(b"---" | b"..."))
            && self.is_space_at(3)
    }

    #[inline]
    pub(super) fn column(&mut self) -> u32 {
        if self.has_narrow_columns { (self.position - self.line_start) as u32 } else { self.count_column() }
    }

    fn count_column(&mut self) -> u32 {
        if self.counted_to < self.line_start {
            (self.counted_to, self.counted) = (self.line_start, 0);
        }
        let passed = &self.bytes()[self.counted_to..self.position];
        let count = passed.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        self.counted = self.counted.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        self.counted_to = self.position;
        self.counted
    }

    #[inline]
    pub(super) fn mark(&mut self) -> Mark {
        Mark { offset: self.position, line: self.line, column: self.column() }
    }

    /// Moves over `count` bytes without a line break among them.
    #[inline]
    pub(super) fn skip(&mut self, count: usize) {
        self.position += count;
    }

    /// Moves to a place further on in the same line.
    #[inline]
    pub(super) fn move_to(&mut self, position: usize) {
        self.position = position;
    }

    /// Moves over a byte order mark at the start of a line; unlike the one at the start of the text it counts as a
    /// character.
    pub(super) fn skip_byte_order_mark(&mut self) {
        if !self.kinds.ascii
            && self.is_at_line_start()
            && self.text[self.position..].starts_with(BYTE_ORDER_MARK)
        {
            self.position += BYTE_ORDER_MARK.len_utf8();
        }
    }

    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        while is_blank(self.byte()) {
            self.position += 1;
        }
    }

    #[inline]
    pub(super) fn skip_spaces(&mut self) {
        self.position = runs::end_of_spaces(self.bytes(), self.position);
    }

    /// Moves to the end of the line.
    pub(super) fn skip_rest_of_line(&mut self) {
        self.position = self.line_end();
    }

    /// Where the line ends: at its break, or at the end of the text.
    pub(super) fn line_end(&self) -> usize {
        let rest = &self.bytes()[self.position..];
        let narrow = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        if !self.kinds.wide_breaks {
            return self.position + narrow;
        }
        let wide = (0..narrow).find(|&at| characters::break_width(rest, at) > 0);
        self.position + wide.unwrap_or(narrow)
    }

    /// The line behind a line feed at or behind the cursor.
    #[inline]
    pub(super) fn line_behind(&self, line_feed: usize) -> NextLine {
        let start = line_feed + 1;
        let content = runs::end_of_spaces(self.bytes(), start);
        NextLine { start, content, first: self.bytes().get(content).copied().unwrap_or(END) }
    }

    /// Moves to the first byte in the next line that is no space.
    #[inline]
    pub(super) fn enter(&mut self, next: NextLine) {
        self.start_line(next.start);
        self.position = next.content;
    }

    /// Moves over a line break, if there is one.
    pub(super) fn skip_break(&mut self) {
        let width = break_width(self.bytes(), self.position);
        if width > 0 {
            self.start_line(self.position + width);
        }
    }

    /// Moves over a line break, if there is one, and tells what it stands for in a scalar.
    pub(super) fn read_break(&mut self) -> &'a str {
        let start = self.position;
        self.skip_break();
        match self.position - start {
            0 => "",
            3 => self.since(start),
            _ => "\n",
        }
    }

    /// Counts a new line where the text ends without a line break.
    pub(super) fn end_last_line(&mut self) {
        if !self.is_at_line_start() {
            self.start_line(self.position);
            (self.counted_to, self.counted) = (self.position, 0);
        }
    }

    #[inline]
    fn start_line(&mut self, position: usize) {
        self.position = position;
        self.line = self.line.saturating_add(1);
        self.line_start = position;
    }
}

/// A line that the cursor may go on to.
pub(super) struct NextLine {
    start: usize,
    /// Where the spaces that it begins with end.
    content: usize,
    /// The byte there.
    pub(super) first: u8,
}

impl NextLine {
    #[inline]
    pub(super) fn spaces(&self) -> usize {
        self.content - self.start
    }
}
