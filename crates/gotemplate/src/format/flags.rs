use super::Printer;
use crate::unicode::chars;

/// What stands between `%` and the verb.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flags {
    pub width: Option<usize>,
    pub precision: Option<usize>,
    pub minus: bool,
    pub plus: bool,
    pub sharp: bool,
    pub space: bool,
    pub zero: bool,
    /// `%+v`
    pub plus_v: bool,
    /// `%#v`
    pub sharp_v: bool,
}

impl Printer {
    /// Padding of `count`, zeros where the flag asks for them on the left.
    pub(super) fn padding(&mut self, count: usize) {
        let byte = if self.flags.zero && !self.flags.minus { b'0' } else { b' ' };
        self.out.resize(self.out.len() + count, byte);
    }

    /// A text, padded to the width in characters.
    pub(super) fn padded(&mut self, text: &[u8]) {
        let missing = match self.flags.width {
            None | Some(0) => 0,
            Some(width) => width.saturating_sub(chars(text).count()),
        };
        if !self.flags.minus {
            self.padding(missing);
        }
        self.out.extend_from_slice(text);
        if self.flags.minus {
            self.padding(missing);
        }
    }

    /// A text, padded to the width but never with zeros: numbers have seen to those.
    pub(super) fn padded_with_spaces(&mut self, text: &[u8]) {
        let zero = std::mem::take(&mut self.flags.zero);
        self.padded(text);
        self.flags.zero = zero;
    }
}
