//! The four kinds of strings of TOML.

use super::cursor::Cursor;
use super::error::{Error, quoted};

/// A string in a value, whose first quote is next.
pub(super) fn value(cursor: &mut Cursor<'_>) -> Result<String, Error> {
    let rest = &cursor.text[cursor.at..];
    if rest.starts_with("\"\"\"") || rest.starts_with("'''") {
        return long(cursor);
    }
    short(cursor)
}

/// A string of one line, as keys can be.
pub(super) fn short(cursor: &mut Cursor<'_>) -> Result<String, Error> {
    let quote = cursor.next()?;
    let start = cursor.at;
    loop {
        if cursor.is_at_end() {
            let shown = if quote == '"' { "'\"'" } else { "\"'\"" };
            return Err(cursor.error(format!("unexpected EOF; expected {shown}")));
        }
        match cursor.next()? {
            '\n' | '\r' => return Err(cursor.error_before_break("strings cannot contain newlines")),
            '\\' if quote == '"' => pass_escape(cursor, start)?,
            next if next == quote => break,
            _ => {}
        }
    }
    let text = &cursor.text[start..cursor.at - 1];
    if quote == '"' { unescaped(cursor, text) } else { Ok(text.to_owned()) }
}

/// A string of several lines, between three quotes each.
fn long(cursor: &mut Cursor<'_>) -> Result<String, Error> {
    let quote = cursor.next()?;
    cursor.at += 2;
    let start = cursor.at;
    let quotes = loop {
        if cursor.is_at_end() {
            let shown = if quote == '"' { "'\"\"\"'" } else { "\"'''\"" };
            return Err(cursor.error(format!("unexpected EOF; expected {shown}")));
        }
        match cursor.next()? {
            '\\' if quote == '"' => match cursor.peek()? {
                '\n' | '\r' => {
                    cursor.next()?;
                }
                _ => pass_escape(cursor, start)?,
            },
            next if next == quote => {
                let quotes = cursor.take_while(|next| next == quote)?.len() + 1;
                if quotes >= 6 {
                    let shown = if quote == '"' { "'\"\"\"\"\"\"'" } else { "\"''''''\"" };
                    return Err(cursor.error(format!("unexpected {shown}")));
                }
                if quotes >= 3 {
                    break 3;
                }
            }
            _ => {}
        }
    };
    let text = &cursor.text[start..cursor.at - quotes];
    let text = text.strip_prefix('\n').or_else(|| text.strip_prefix("\r\n")).unwrap_or(text);
    if quote == '"' { unescaped(cursor, &without_escaped_breaks(text)) } else { Ok(text.to_owned()) }
}

/// Passes over what stands behind a backslash.
fn pass_escape(cursor: &mut Cursor<'_>, start: usize) -> Result<(), Error> {
    let kind = cursor.next()?;
    let (count, words) = match kind {
        'e' | 'b' | 't' | 'n' | 'f' | 'r' | '"' | ' ' | '\t' | '\\' => return Ok(()),
        'x' => (2, "two hexadecimal digits after '\\x'"),
        'u' => (4, "four hexadecimal digits after '\\u'"),
        'U' => (8, "eight hexadecimal digits after '\\U'"),
        _ => {
            let message = format!("invalid escape in string '\\{kind}'");
            let line = cursor.line - usize::from(cursor.is_at_end() && kind == '\0');
            return Err(Error::new(message, line, cursor.at));
        }
    };
    for _ in 0..count {
        let digit = cursor.next()?;
        if !digit.is_ascii_hexdigit() {
            let found = quoted(&cursor.text[start..cursor.at]);
            return Err(cursor.error_behind(digit, format!("expected {words}, but got {found} instead")));
        }
    }
    Ok(())
}

/// Takes out backslashes at the ends of lines, with all blanks and line breaks behind them.
fn without_escaped_breaks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        let behind = &rest[at + 1..];
        let shown = behind.trim_start_matches([' ', '\t', '\r', '\n']);
        let blanks = &behind[..behind.len() - shown.len()];
        if blanks.contains('\n') {
            out.push_str(&rest[..at]);
            rest = shown;
        } else {
            let end = at + 1 + usize::from(behind.starts_with('\\'));
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    out + rest
}

/// Replaces escapes, which have been looked at already.
fn unescaped(cursor: &Cursor<'_>, text: &str) -> Result<String, Error> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let kind = rest[at + 1..].chars().next().unwrap_or('\\');
        rest = rest.get(at + 1 + kind.len_utf8()..).unwrap_or_default();
        let digits = match kind {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            ' ' | '\t' => return Err(cursor.error(format!("invalid escape: '\\{kind}'"))),
            _ => {
                out.push(match kind {
                    'b' => '\u{8}',
                    't' => '\t',
                    'n' => '\n',
                    'f' => '\u{c}',
                    'r' => '\r',
                    'e' => '\u{1b}',
                    other => other,
                });
                continue;
            }
        };
        let (code, behind) = rest.split_at_checked(digits).unwrap_or((rest, ""));
        let character = u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
        out.push(
            character
                .ok_or_else(|| cursor.error(format!("Escaped character '\\u{code}' is not valid UTF-8.")))?,
        );
        rest = behind;
    }
    Ok(out + rest)
}
