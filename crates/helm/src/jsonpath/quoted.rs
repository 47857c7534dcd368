//! Texts in quotes, which may be single ones.

/// The text that a quoted one stands for, as bytes. Fails with Go's words.
pub(super) fn unquote(quoted: &str) -> Result<Vec<u8>, &'static str> {
    const BROKEN: &str = "invalid syntax";
    let mut marks = quoted.chars();
    let (Some(mark @ ('"' | '\'')), Some(last)) = (marks.next(), marks.next_back()) else {
        return Err(BROKEN);
    };
    if mark != last {
        return Err(BROKEN);
    }
    let mut rest = marks.as_str();
    if !rest.contains('\\') && !rest.contains(mark) {
        return Ok(rest.into());
    }
    let mut text = Vec::new();
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        if first == mark {
            return Err(BROKEN);
        }
        if first != '\\' {
            text.extend_from_slice(first.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        rest = escape(rest, mark, &mut text).ok_or(BROKEN)?;
    }
    Ok(text)
}

/// Takes what stands behind a backslash and returns what is left.
fn escape<'t>(rest: &'t str, mark: char, text: &mut Vec<u8>) -> Option<&'t str> {
    let kind = rest.chars().next()?;
    let behind = &rest[kind.len_utf8()..];
    let digits = |from: &'t str, count: usize, radix: u32| -> Option<(u32, &'t str)> {
        let digits = from.get(..count)?;
        let are_digits = digits.chars().all(|digit| digit.is_digit(radix));
        Some((u32::from_str_radix(digits, radix).ok().filter(|_| are_digits)?, &from[count..]))
    };
    match kind {
        'a' => text.push(7),
        'b' => text.push(8),
        'f' => text.push(12),
        'n' => text.push(b'\n'),
        'r' => text.push(b'\r'),
        't' => text.push(b'\t'),
        'v' => text.push(11),
        '\\' => text.push(b'\\'),
        'x' => {
            let (code, behind) = digits(behind, 2, 16)?;
            text.push(u8::try_from(code).ok()?);
            return Some(behind);
        }
        '0'..='7' => {
            let (code, behind) = digits(rest, 3, 8)?;
            text.push(u8::try_from(code).ok()?);
            return Some(behind);
        }
        'u' | 'U' => {
            let (code, behind) = digits(behind, if kind == 'u' { 4 } else { 8 }, 16)?;
            text.extend_from_slice(char::from_u32(code)?.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(behind);
        }
        other if other == mark => text.push(mark as u8),
        _ => return None,
    }
    Some(behind)
}
