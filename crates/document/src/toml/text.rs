use crate::Span;
use crate::python::repr_str;
use crate::write_error::WriteError;

/// A string or key as toml 0.10.2 writes it: Python's `repr` with its quotes changed and its `\x..` escapes rewritten by
/// a rule that loses the backslash of most, and that raises an `IndexError` for a control character in front.
pub(super) fn quote(text: &str, span: Span) -> Result<String, WriteError> {
    let repr = repr_str(text);
    let inner = &repr[1..repr.len() - 1];
    if repr.starts_with('\'') {
        rewrite_escapes(&inner.replace("\\'", "'").replace('"', "\\\""), span)
    } else {
        rewrite_escapes(inner, span)
    }
}

fn rewrite_escapes(text: &str, span: Span) -> Result<String, WriteError> {
    let parts: Vec<&str> = text.split("\\x").collect();
    // An empty beginning is dropped, and its successor is then joined with one that may not be there.
    let (first, rest) = match parts.as_slice() {
        ["", _] | ["", "", ..] => return Err(index_error(span)),
        ["", first, rest @ ..] | [first, rest @ ..] => (*first, rest),
        [] => ("", [].as_slice()),
    };
    let mut joined = Joined { text: first.to_owned(), clean: 0 };
    for part in rest {
        joined.add(part);
    }
    Ok(format!("\"{}\"", joined.text))
}

fn index_error(span: Span) -> WriteError {
    WriteError::of_value(
        "a string that begins with this control character cannot be written as TOML",
        "IndexError: list index out of range",
        span,
    )
}

/// What is put together so far.
struct Joined {
    text: String,
    /// Backslashes stand in pairs only from here on, so that the text in front need not be searched again.
    clean: usize,
}

impl Joined {
    /// Halves the runs of backslashes so far, then joins the part on with the escape or the letter that the backslashes
    /// at the end ask for.
    fn add(&mut self, part: &str) {
        let halved = self.text[self.clean..].replace("\\\\", "\\");
        self.text.truncate(self.clean);
        self.text.push_str(&halved);
        self.clean += halved.find("\\\\").unwrap_or(halved.len());

        let backslashes = self.text.len() - self.text.trim_end_matches('\\').len();
        // The original does not look beyond the second character when it counts.
        let counted = if backslashes == self.text.len() { backslashes - 1 } else { backslashes };
        self.text.push_str(if backslashes == 0 || counted % 2 == 1 { "x" } else { "u00" });
        self.text.push_str(part);
    }
}
