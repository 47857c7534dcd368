use crate::{Int, Span};
use kapstan_diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;

/// How deeply containers may be nested in what is written; the peers give up at about half of it.
pub(crate) const MAX_DEPTH: usize = 1000;

/// How long a written text may become, in bytes: a document whose shared parts multiply must not fill the memory.
pub(crate) const MAX_BYTES: usize = 1 << 30;

/// Why a value cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    code: Code,
    message: String,
    peer_text: String,
    span: Span,
}

impl WriteError {
    /// A value of a kind that the format, or Python's library for it, has no place for: Python's `TypeError`.
    pub(crate) fn of_type(message: impl Into<String>, peer_text: &str, span: Span) -> Self {
        Self {
            code: "write::wrong-type",
            message: message.into(),
            peer_text: format!("TypeError: {peer_text}"),
            span,
        }
    }

    /// Another exception of Python's library: `peer_text` with its class in front.
    pub(crate) fn of_value(message: impl Into<String>, peer_text: impl Into<String>, span: Span) -> Self {
        Self { code: "write::wrong-value", message: message.into(), peer_text: peer_text.into(), span }
    }

    pub(crate) fn too_deep(span: Span) -> Self {
        Self {
            code: "write::too-deep",
            message: format!("more than {MAX_DEPTH} containers inside each other"),
            peer_text: "RecursionError: maximum recursion depth exceeded".to_owned(),
            span,
        }
    }

    pub(crate) fn too_long(span: Span) -> Self {
        Self {
            code: "write::too-long",
            message: format!("the text would be longer than {} MiB", MAX_BYTES >> 20),
            peer_text: "MemoryError".to_owned(),
            span,
        }
    }

    /// What the peer prints for it: the last line of Python's traceback, `TypeError: 'int' object is not iterable`.
    pub fn peer_text(&self) -> &str {
        &self.peer_text
    }

    /// The place of the value at fault, where it has one.
    pub fn span(&self) -> Span {
        self.span
    }

    /// As a diagnostic at the place of the value, with the peer's text.
    pub fn into_diagnostic(self) -> Diagnostic {
        Diagnostic::error(self.code, self.message).at(self.span).with_peer_text(self.peer_text)
    }
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WriteError {}

/// Decimal digits beyond which Python refuses to write an integer.
const MAX_DIGITS: usize = 4300;

/// Writes the decimal digits of an integer. Fails where CPython does, beyond 4300 digits.
pub(crate) fn write_int(out: &mut String, value: &Int, span: Span) -> Result<(), WriteError> {
    use std::fmt::Write;
    match value {
        Int::Small(value) => {
            let _ = write!(out, "{value}");
        }
        Int::Big(value) => out.push_str(&big_digits(value).ok_or_else(|| {
            WriteError::of_value(
                format!("an integer of more than {MAX_DIGITS} digits"),
                "ValueError: Exceeds the limit (4300 digits) for integer string conversion; \
                 use sys.set_int_max_str_digits() to increase the limit",
                span,
            )
        })?),
    }
    Ok(())
}

fn big_digits(value: &BigInt) -> Option<String> {
    // 4300 digits are at most 14285 bits; the digits of anything much longer would take too long to find.
    if value.bits() > 14_285 {
        return None;
    }
    let digits = value.to_string();
    (digits.trim_start_matches('-').len() <= MAX_DIGITS).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_stop_at_4300_digits() {
        let mut out = String::new();
        let longest = Int::from_big(-BigInt::from(10u8).pow(4300) + 1);
        write_int(&mut out, &longest, Span::NONE).unwrap();
        assert_eq!(out.len(), 4301);
        for power in [4300, 100_000] {
            let value = Int::from_big(BigInt::from(10u8).pow(power));
            let error = write_int(&mut out, &value, Span::NONE).unwrap_err();
            assert!(error.peer_text().starts_with("ValueError: Exceeds the limit"));
        }
    }
}
