use crate::blanks::push_blanks;

/// The text so far, and what PyYAML's emitter remembers of its end.
pub(super) struct Output {
    pub(super) text: String,
    /// Characters since the last line break. Lines of literal scalars are not counted, as in PyYAML.
    pub(super) column: usize,
    /// Whether what follows needs no blank in front.
    pub(super) whitespace: bool,
    /// Whether only blanks, `-`, `?` and `:` stand on this line.
    pub(super) indention: bool,
    /// Whether the document could go on: its end would have to be marked with `...`.
    pub(super) open_ended: bool,
    /// The column behind which lines are broken.
    pub(super) width: usize,
}

impl Output {
    pub(super) fn new(width: usize) -> Self {
        Self { text: String::new(), column: 0, whitespace: true, indention: true, open_ended: false, width }
    }

    /// Text that goes on where the last one ended. ASCII without line breaks: bytes are columns.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.len();
    }

    /// A sign of YAML, a tag or an anchor, apart from what stands in front.
    pub(super) fn indicator(&mut self, sign: &str) {
        self.blank();
        self.closing(sign);
    }

    /// A sign that is put right behind what stands in front.
    pub(super) fn closing(&mut self, sign: &str) {
        self.push(sign);
        self.whitespace = false;
        self.indention = false;
        self.open_ended = false;
    }

    /// `-`, `?` or `:` at the front of a line, behind which a container may begin on the same line.
    pub(super) fn block_indicator(&mut self, sign: &str) {
        self.blank();
        self.push(sign);
        self.whitespace = false;
        self.open_ended = false;
    }

    /// A blank, where one is needed.
    pub(super) fn blank(&mut self) {
        if !self.whitespace {
            self.push(" ");
        }
    }

    /// Goes to the column `indent`, on a new line where this one has content.
    pub(super) fn go_to(&mut self, indent: usize) {
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.line_break();
        }
        if self.column < indent {
            self.whitespace = true;
            push_blanks(&mut self.text, indent - self.column);
            self.column = indent;
        }
    }

    /// The same inside a scalar, after which its text goes on.
    pub(super) fn fold(&mut self, indent: usize) {
        self.go_to(indent);
        self.whitespace = false;
        self.indention = false;
    }

    pub(super) fn line_break(&mut self) {
        self.text.push('\n');
        self.whitespace = true;
        self.indention = true;
        self.column = 0;
    }
}
