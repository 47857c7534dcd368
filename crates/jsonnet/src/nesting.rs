/// How deep a source may nest before it is refused. C++ jsonnet refuses 1000 nested brackets; chains of operators and of
/// `local` count here as well because jrsonnet walks them recursively.
pub(crate) const DEEPEST: usize = 10_000;

const DEEPEST_BRACKETS: usize = 1_000;

/// The byte at which a source nests deeper than can be evaluated, if it does.
///
/// Counts open brackets, and in each of them the operators and keywords since the last comma: an upper bound of the
/// depth of the syntax tree that needs no parser.
pub(crate) fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut open: Vec<usize> = vec![0];
    let mut total = 0;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        if let Some(end) = after_opaque(bytes, start) {
            at = end;
            continue;
        }
        at += 1;
        match bytes[start] {
            b'(' | b'[' | b'{' => {
                open.push(0);
                total += 1;
            }
            b')' | b']' | b'}' if open.len() > 1 => {
                total -= 1 + open.pop().unwrap_or(0);
                // What was closed may be called or indexed again: a link of a chain.
                count(&mut open, &mut total);
            }
            b',' => {
                total -= open.last().copied().unwrap_or(0);
                if let Some(links) = open.last_mut() {
                    *links = 0;
                }
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                if matches!(
                    &text[start..at],
                    "local"
                        | "if"
                        | "then"
                        | "else"
                        | "function"
                        | "assert"
                        | "error"
                        | "for"
                        | "in"
                        | "tailstrict"
                ) {
                    count(&mut open, &mut total);
                }
            }
            b'+' | b'-' | b'*' | b'/' | b'%' | b'!' | b'~' | b'<' | b'>' | b'=' | b'&' | b'|' | b'^'
            | b'.' | b':' => {
                count(&mut open, &mut total);
            }
            _ => {}
        }
        if total > DEEPEST || open.len() > DEEPEST_BRACKETS {
            return Some(start);
        }
    }
    None
}

/// The strings of a text in which backslashes escape, with their quotes.
pub(crate) fn escaping_strings(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            at = after_opaque(bytes, start).unwrap_or(start + 1);
            if matches!(bytes[start], b'"' | b'\'') {
                return Some(start..at);
            }
        }
        None
    })
}

/// The byte behind an expression that reaches as far as it can: up to what must end it, or to the end of the text.
pub(crate) fn expression_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut end, mut depth) = (from, from, 0_usize);
    while at < bytes.len() {
        let start = at;
        if let Some(after) = after_opaque(bytes, start) {
            at = after;
            // A comment is no part of the expression.
            if !matches!(bytes[start], b'#' | b'/') {
                end = at;
            }
            continue;
        }
        at += 1;
        match bytes[start] {
            b' ' | b'\t' | b'\r' | b'\n' => continue,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return end,
            b')' | b']' | b'}' => depth -= 1,
            b',' | b';' | b':' if depth == 0 => return end,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                if depth == 0 && text[start..at] == *"for" {
                    return end;
                }
            }
            _ => {}
        }
        end = at;
    }
    end
}

/// What jrsonnet accepts beyond jsonnet: where it is, and what C++ jsonnet says of it.
pub(crate) fn beyond_jsonnet(text: &str) -> Option<(usize, String)> {
    if text.contains("\\x") {
        for string in escaping_strings(text) {
            let mut characters = text[string.clone()].chars();
            while let Some(character) = characters.next() {
                if character == '\\' && characters.next() == Some('x') {
                    let problem = "Unknown escape sequence in string literal: 'x'";
                    return Some((string.start, problem.to_owned()));
                }
            }
        }
    }
    let bytes = text.as_bytes();
    let has_such = bytes.windows(2).any(|pair| pair[0].is_ascii_digit() && pair[1] == b'_');
    let mut at = 0;
    while has_such && at < bytes.len() {
        let word = |at: usize| {
            at + bytes[at..].iter().take_while(|it| it.is_ascii_alphanumeric() || **it == b'_').count()
        };
        at = match bytes[at] {
            b'0'..=b'9' => {
                let end = word(at);
                if let Some(underscore) = text[at..end].find('_') {
                    let name = &text[at + underscore..end];
                    return Some((at + underscore, format!("did not expect: (IDENTIFIER, \"{name}\")")));
                }
                end
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => word(at),
            _ => after_opaque(bytes, at).unwrap_or(at + 1),
        };
    }
    None
}

/// The byte behind the string, the text block or the comment that begins at a byte, if one does.
fn after_opaque(bytes: &[u8], start: usize) -> Option<usize> {
    let next = bytes.get(start + 1);
    Some(match bytes[start] {
        b'"' | b'\'' => after_string(bytes, start),
        b'@' if matches!(next, Some(b'"' | b'\'')) => after_verbatim(bytes, start + 1),
        b'#' => after_line(bytes, start + 1),
        b'/' if next == Some(&b'/') => after_line(bytes, start + 1),
        b'/' if next == Some(&b'*') => after_comment(bytes, start + 2),
        b'|' if bytes[start..].starts_with(b"|||") => after_text_block(bytes, start + 3),
        _ => return None,
    })
}

fn count(open: &mut [usize], total: &mut usize) {
    if let Some(links) = open.last_mut() {
        *links += 1;
        *total += 1;
    }
}

fn after_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

fn after_verbatim(bytes: &[u8], quote: usize) -> usize {
    let mut at = quote + 1;
    while at < bytes.len() {
        if bytes[at] == bytes[quote] {
            if bytes.get(at + 1) != Some(&bytes[quote]) {
                return at + 1;
            }
            at += 1;
        }
        at += 1;
    }
    bytes.len()
}

fn after_line(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| from + at)
}

fn after_comment(bytes: &[u8], from: usize) -> usize {
    bytes[from..].windows(2).position(|pair| pair == b"*/").map_or(bytes.len(), |at| from + at + 2)
}

/// Behind the line that ends a text block: the first that holds `|||` after nothing but blanks.
fn after_text_block(bytes: &[u8], from: usize) -> usize {
    let mut line = after_line(bytes, from);
    while line < bytes.len() {
        let start = line + 1;
        let text = start + bytes[start..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if bytes[text..].starts_with(b"|||") {
            return text + 3;
        }
        line = after_line(bytes, start);
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_ends_at_what_cannot_be_part_of_it() {
        for (text, expected) in [
            ("error 'a, b' + f(1, 2) , x", " 'a, b' + f(1, 2)"),
            ("error x # comment\n}", " x"),
            ("error [1, 2][0]", " [1, 2][0]"),
            ("error x for x in y", " x"),
        ] {
            assert_eq!(&text[5..expression_end(text, 5)], expected);
        }
    }

    #[test]
    fn what_is_no_jsonnet_is_found() {
        for (text, at) in [
            ("1_000", Some(1)),
            ("a1_000 + '1_0' // 1_0", None),
            ("x + '\\x41'", Some(4)),
            ("'\\\\x41' + @'\\x41'", None),
            ("[1.5, 2_0]", Some(7)),
        ] {
            assert_eq!(beyond_jsonnet(text).map(|(at, _)| at), at, "{text}");
        }
    }

    #[test]
    fn deep_sources_are_refused_and_long_ones_are_not() {
        let flat = format!("{{{}}}", "a: [1 + 2, { b: \"((((\" }],\n".repeat(20_000));
        assert_eq!(too_deep(&flat), None);
        assert!(too_deep(&"[".repeat(2_000)).is_some());
        assert!(too_deep(&"!".repeat(20_000)).is_some());
        assert!(too_deep(&"local a = 1; ".repeat(20_000)).is_some());
        assert!(too_deep(&"1 + ".repeat(20_000)).is_some());
        assert!(too_deep(&format!("f{}", "()".repeat(20_000))).is_some());
        assert_eq!(too_deep("'unclosed \\"), None);
        assert_eq!(too_deep("@'unclosed"), None);
        assert_eq!(too_deep("/* unclosed"), None);
        assert_eq!(too_deep(&format!("|||\n  {}\n|||", "([{'".repeat(2_000))), None);
        assert_eq!(too_deep("|||\n unclosed"), None);
    }
}
