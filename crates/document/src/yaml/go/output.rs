use crate::blanks::push_blanks;

/// The text so far, and what is known of its last line.
pub(super) struct Output {
    pub(super) text: String,
    /// Where the last line begins. Breaks that are no line feeds begin one as well.
    line_start: usize,
    /// Whether nothing stands on the last line.
    is_fresh: bool,
}

impl Output {
    pub(super) fn new() -> Self {
        Self { text: String::with_capacity(256), line_start: 0, is_fresh: true }
    }

    /// Text that goes on where the last one ended, without line breaks.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.is_fresh = false;
    }

    /// How many characters the last line has.
    pub(super) fn column(&self) -> usize {
        self.text[self.line_start..].chars().count()
    }

    /// How many bytes it has: never less than characters.
    pub(super) fn column_in_bytes(&self) -> usize {
        self.text.len() - self.line_start
    }

    /// Goes to a column of the next line, which is this one where nothing stands on it.
    pub(super) fn next_line(&mut self, indent: usize) {
        if !self.is_fresh {
            self.break_line("\n");
        }
        push_blanks(&mut self.text, indent);
        self.is_fresh = indent == 0;
    }

    /// Ends a line with a break: a line feed, U+2028 or U+2029.
    pub(super) fn break_line(&mut self, line_break: &str) {
        self.text.push_str(line_break);
        self.line_start = self.text.len();
        self.is_fresh = true;
    }

    /// The whole text, its last line ended.
    pub(super) fn finish(mut self) -> String {
        self.next_line(0);
        self.text
    }
}
