use super::Printer;
use crate::unicode::{chars, decode, is_print};

/// `strconv.Quote`: a Go string literal. Bytes that are no UTF-8 become `\xNN`.
pub fn quote(text: &[u8]) -> String {
    quoted(text, '"', false)
}

/// `strconv.QuoteToASCII`.
pub fn quote_ascii(text: &[u8]) -> String {
    quoted(text, '"', true)
}

pub(super) fn quote_char(c: char, is_ascii_only: bool) -> String {
    quoted(c.encode_utf8(&mut [0; 4]).as_bytes(), '\'', is_ascii_only)
}

fn quoted(text: &[u8], mark: char, is_ascii_only: bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(mark);
    let mut rest = text;
    while let Some((c, length)) = decode(rest) {
        if c == char::REPLACEMENT_CHARACTER && length == 1 {
            out.push_str(&format!("\\x{:02x}", rest[0]));
        } else {
            escape(c, mark, is_ascii_only, &mut out);
        }
        rest = &rest[length..];
    }
    out.push(mark);
    out
}

fn escape(c: char, mark: char, is_ascii_only: bool, out: &mut String) {
    match c {
        c if c == mark || c == '\\' => {
            out.push('\\');
            out.push(c);
        }
        c if c.is_ascii() && is_print(c) => out.push(c),
        c if !is_ascii_only && is_print(c) => out.push(c),
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{b}' => out.push_str("\\v"),
        c if c < ' ' || c == '\u{7f}' => out.push_str(&format!("\\x{:02x}", u32::from(c))),
        c if u32::from(c) < 0x10000 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        c => out.push_str(&format!("\\U{:08x}", u32::from(c))),
    }
}

/// `strconv.CanBackquote`.
fn can_be_raw(text: &[u8]) -> bool {
    chars(text).all(|(c, length)| {
        let is_broken = c == char::REPLACEMENT_CHARACTER && length == 1;
        let is_control = (c < ' ' && c != '\t') || c == '\u{7f}';
        !is_broken && !is_control && c != '`' && c != '\u{feff}'
    })
}

impl Printer {
    /// A string; false where the verb is none for strings.
    pub(super) fn string(&mut self, text: &[u8], verb: char) -> bool {
        match verb {
            'v' if self.flags.sharp_v => self.quoted(text),
            'v' | 's' => {
                let text = self.truncated(text);
                self.padded(text);
            }
            'x' | 'X' => self.hex(text, verb == 'X'),
            'q' => self.quoted(text),
            _ => return false,
        }
        true
    }

    /// As many characters as the precision allows.
    fn truncated<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        let Some(precision) = self.flags.precision else { return text };
        let length = chars(text).take(precision).map(|(_, length)| length).sum();
        &text[..length]
    }

    fn quoted(&mut self, text: &[u8]) {
        let text = self.truncated(text);
        if self.flags.sharp && can_be_raw(text) {
            return self.padded(&[b"`", text, b"`"].concat());
        }
        let quoted = if self.flags.plus { quote_ascii(text) } else { quote(text) };
        self.padded(quoted.as_bytes());
    }

    /// Bytes in hexadecimal, in pieces where the space flag asks for it.
    fn hex(&mut self, text: &[u8], is_upper: bool) {
        let flags = self.flags;
        let text = &text[..flags.precision.unwrap_or(text.len()).min(text.len())];
        let prefix = match (flags.sharp, is_upper) {
            (false, _) => "",
            (true, false) => "0x",
            (true, true) => "0X",
        };
        let mut out = String::new();
        for (index, byte) in text.iter().enumerate() {
            if index == 0 || flags.space {
                out.push_str(if index == 0 { "" } else { " " });
                out.push_str(prefix);
            }
            out.push_str(&if is_upper { format!("{byte:02X}") } else { format!("{byte:02x}") });
        }
        self.padded(out.as_bytes());
    }
}
