use super::Printer;
use crate::unicode::is_print;

/// An integer as `fmt` looks at it: sign and magnitude, and whether its type has signs at all.
#[derive(Clone, Copy)]
pub(super) struct Integer {
    pub magnitude: u64,
    pub is_negative: bool,
    pub is_signed: bool,
}

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        Self { magnitude: value.unsigned_abs(), is_negative: value < 0, is_signed: true }
    }
}

impl From<u64> for Integer {
    fn from(value: u64) -> Self {
        Self { magnitude: value, is_negative: false, is_signed: false }
    }
}

impl Integer {
    /// The 64 bits of it, which verbs for characters look at.
    fn bits(self) -> u64 {
        if self.is_negative { self.magnitude.wrapping_neg() } else { self.magnitude }
    }

    fn character(self) -> char {
        u32::try_from(self.bits()).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

/// The digits with as many zeros before them as make them `least` long: Rust's own widths end at 65535.
fn with_zeros(digits: String, least: usize) -> String {
    match least.checked_sub(digits.len()) {
        None | Some(0) => digits,
        Some(missing) => "0".repeat(missing) + &digits,
    }
}

impl Printer {
    /// An integer; false where the verb is none for integers.
    pub(super) fn integer(&mut self, value: impl Into<Integer>, verb: char) -> bool {
        let value = value.into();
        match verb {
            'v' if self.flags.sharp_v && !value.is_signed => {
                let sharp = std::mem::replace(&mut self.flags.sharp, true);
                self.digits(value, 16, 'v');
                self.flags.sharp = sharp;
            }
            'v' | 'd' => self.digits(value, 10, verb),
            'b' => self.digits(value, 2, verb),
            'o' | 'O' => self.digits(value, 8, verb),
            'x' | 'X' => self.digits(value, 16, verb),
            'c' => {
                let c = value.character();
                self.padded(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            'q' => {
                let quoted = super::string::quote_char(value.character(), self.flags.plus);
                self.padded(quoted.as_bytes());
            }
            'U' => self.code_point(value.bits()),
            _ => return false,
        }
        true
    }

    fn digits(&mut self, value: Integer, radix: u32, verb: char) {
        let flags = self.flags;
        let mut least = 0;
        if let Some(precision) = flags.precision {
            least = precision;
            if precision == 0 && value.magnitude == 0 {
                return self.padded_with_spaces(b"");
            }
        } else if let Some(width) = flags.width
            && flags.zero
            && !flags.minus
        {
            let has_sign = value.is_negative || flags.plus || flags.space;
            least = width.saturating_sub(usize::from(has_sign));
        }
        let magnitude = value.magnitude;
        let digits = match (radix, verb) {
            (2, _) => format!("{magnitude:b}"),
            (8, _) => format!("{magnitude:o}"),
            (16, 'X') => format!("{magnitude:X}"),
            (16, _) => format!("{magnitude:x}"),
            _ => magnitude.to_string(),
        };
        let digits = with_zeros(digits, least);
        let prefix = match (radix, verb) {
            (2, _) if flags.sharp => "0b",
            (8, 'O') if flags.sharp && !digits.starts_with('0') => "0o0",
            (8, 'O') => "0o",
            (8, _) if flags.sharp && !digits.starts_with('0') => "0",
            (16, 'X') if flags.sharp => "0X",
            (16, _) if flags.sharp => "0x",
            _ => "",
        };
        let sign = match value {
            Integer { is_negative: true, .. } => "-",
            _ if flags.plus => "+",
            _ if flags.space => " ",
            _ => "",
        };
        self.padded_with_spaces(format!("{sign}{prefix}{digits}").as_bytes());
    }

    /// `U+0078`, with the sharp flag `U+0078 'x'`.
    fn code_point(&mut self, bits: u64) {
        let least = self.flags.precision.unwrap_or(0).max(4);
        let mut text = format!("U+{}", with_zeros(format!("{bits:X}"), least));
        let c = u32::try_from(bits).ok().and_then(char::from_u32);
        if let Some(c) = c.filter(|c| self.flags.sharp && is_print(*c)) {
            text.push_str(&format!(" '{c}'"));
        }
        self.padded_with_spaces(text.as_bytes());
    }
}
