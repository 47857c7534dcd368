use std::borrow::Cow;

/// A character in double quotes that does not stand for itself: `\n`, `\xAD`. PyYAML and go-yaml write the same.
pub(super) fn escape(character: char) -> Cow<'static, str> {
    Cow::Borrowed(match character {
        '\0' => "\\0",
        '\x07' => "\\a",
        '\x08' => "\\b",
        '\t' => "\\t",
        '\n' => "\\n",
        '\x0b' => "\\v",
        '\x0c' => "\\f",
        '\r' => "\\r",
        '\x1b' => "\\e",
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{85}' => "\\N",
        '\u{a0}' => "\\_",
        '\u{2028}' => "\\L",
        '\u{2029}' => "\\P",
        _ => {
            return Cow::Owned(match u32::from(character) {
                code @ 0..=0xff => format!("\\x{code:02X}"),
                code @ 0x100..=0xffff => format!("\\u{code:04X}"),
                code => format!("\\U{code:08X}"),
            });
        }
    })
}
