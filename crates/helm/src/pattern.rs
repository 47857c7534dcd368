//! File patterns as Go's `filepath.Match` takes them.

/// A pattern that is not one: `syntax error in pattern`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadPattern;

impl BadPattern {
    /// Go's words for it.
    pub(crate) const TEXT: &str = "syntax error in pattern";
}

/// Whether a name matches a pattern as a whole: `*` and `?` stop at `/`, `[a-z]`, `[^a]`, `\x`.
///
/// Fails for a malformed pattern, but as in Go only where matching gets to the malformed part or to the end of the name.
pub(crate) fn matches(pattern: &str, name: &str) -> Result<bool, BadPattern> {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut pattern, mut name) = (&pattern[..], &name[..]);
    while !pattern.is_empty() {
        let (is_star, chunk, rest) = next_chunk(pattern);
        pattern = rest;
        if is_star && chunk.is_empty() {
            return Ok(!name.contains(&'/'));
        }
        if let Some(after) = match_chunk(chunk, name)?
            && (after.is_empty() || !pattern.is_empty())
        {
            name = after;
            continue;
        }
        if is_star && let Some(after) = match_later(chunk, name, pattern.is_empty())? {
            name = after;
            continue;
        }
        // The rest is looked at for what is malformed in it.
        while !pattern.is_empty() {
            let (_, chunk, rest) = next_chunk(pattern);
            pattern = rest;
            match_chunk(chunk, &[])?;
        }
        return Ok(false);
    }
    Ok(name.is_empty())
}

/// Lets a star take characters until the chunk behind it fits.
fn match_later<'n>(
    chunk: &[char],
    name: &'n [char],
    is_last: bool,
) -> Result<Option<&'n [char]>, BadPattern> {
    for (at, character) in name.iter().enumerate() {
        if *character == '/' {
            break;
        }
        if let Some(after) = match_chunk(chunk, &name[at + 1..])? {
            if is_last && !after.is_empty() {
                continue;
            }
            return Ok(Some(after));
        }
    }
    Ok(None)
}

/// Whether the pattern begins with stars, what follows up to the next one, and the rest.
fn next_chunk(pattern: &[char]) -> (bool, &[char], &[char]) {
    let stars = pattern.iter().take_while(|character| **character == '*').count();
    let body = &pattern[stars..];
    let mut is_in_set = false;
    let mut at = 0;
    while at < body.len() {
        match body[at] {
            '\\' => at += usize::from(at + 1 < body.len()),
            '[' => is_in_set = true,
            ']' => is_in_set = false,
            '*' if !is_in_set => break,
            _ => {}
        }
        at += 1;
    }
    (stars > 0, &body[..at], &body[at..])
}

/// Matches a chunk without stars with the beginning of a name; what is left of the name, if it fits.
fn match_chunk<'n>(chunk: &[char], name: &'n [char]) -> Result<Option<&'n [char]>, BadPattern> {
    let (mut chunk, mut name) = (chunk, name);
    // After a mismatch only the form of the pattern is looked at.
    let mut has_failed = false;
    while let Some(first) = chunk.first() {
        has_failed |= name.is_empty();
        match first {
            '[' => {
                let character = if has_failed { '\0' } else { name[0] };
                let (is_in, rest) = match_set(&chunk[1..], character)?;
                chunk = rest;
                has_failed |= !is_in;
            }
            '?' => {
                has_failed |= name.first() == Some(&'/');
                chunk = &chunk[1..];
            }
            other => {
                let literal = if *other == '\\' { chunk.get(1).ok_or(BadPattern)? } else { other };
                chunk = &chunk[if *other == '\\' { 2 } else { 1 }..];
                has_failed |= name.first() != Some(literal);
            }
        }
        if !has_failed {
            name = &name[1..];
        }
    }
    Ok((!has_failed).then_some(name))
}

/// Whether a character is in the set whose opening bracket has been read, and what follows the closing one.
fn match_set(set: &[char], character: char) -> Result<(bool, &[char]), BadPattern> {
    let (is_negated, mut set) = match set {
        ['^', rest @ ..] => (true, rest),
        all => (false, all),
    };
    let (mut is_found, mut ranges) = (false, 0);
    loop {
        if set.first() == Some(&']') && ranges > 0 {
            return Ok((is_found != is_negated, &set[1..]));
        }
        let (low, rest) = set_member(set)?;
        let (high, rest) = match rest {
            ['-', rest @ ..] => set_member(rest)?,
            rest => (low, rest),
        };
        set = rest;
        is_found |= (low..=high).contains(&character);
        ranges += 1;
    }
}

fn set_member(set: &[char]) -> Result<(char, &[char]), BadPattern> {
    let (member, rest) = match set {
        [] | ['-' | ']', ..] | ['\\'] => return Err(BadPattern),
        ['\\', escaped, rest @ ..] => (*escaped, rest),
        [member, rest @ ..] => (*member, rest),
    };
    // A set that ends with the pattern is malformed.
    if rest.is_empty() { Err(BadPattern) } else { Ok((member, rest)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_as_in_go() {
        let cases: &[(&str, &str, Result<bool, BadPattern>)] = &[
            ("abc", "abc", Ok(true)),
            ("*", "abc", Ok(true)),
            ("*c", "abc", Ok(true)),
            ("a*", "a", Ok(true)),
            ("a*", "ab/c", Ok(false)),
            ("a*/b", "abc/b", Ok(true)),
            ("a*/b", "a/c/b", Ok(false)),
            ("a*b*c*d*e*/f", "axbxcxdxe/f", Ok(true)),
            ("a*b*c*d*e*/f", "axbxcxdxe/xxx/f", Ok(false)),
            ("a*b?c*x", "abxbbxdbxebxczzx", Ok(true)),
            ("ab[b-d]", "abc", Ok(true)),
            ("ab[e-g]", "abc", Ok(false)),
            ("ab[^c]", "abc", Ok(false)),
            ("ab[^e-g]", "abc", Ok(true)),
            ("a\\*b", "a*b", Ok(true)),
            ("a?b", "a/b", Ok(false)),
            ("a[^a]b", "a☺b", Ok(true)),
            ("[a-ζ]*", "α", Ok(true)),
            ("[\\]a]", "]", Ok(true)),
            ("[]a]", "]", Err(BadPattern)),
            ("[-]", "-", Err(BadPattern)),
            ("[x-]", "x", Err(BadPattern)),
            ("[", "a", Err(BadPattern)),
            ("[^", "a", Err(BadPattern)),
            ("[a", "ab", Err(BadPattern)),
            ("a[", "ab", Err(BadPattern)),
            ("\\", "a", Err(BadPattern)),
            ("*x", "xxx", Ok(true)),
            ("templates/.?*", "templates/.a", Ok(true)),
            ("templates/.?*", "templates/x/.a", Ok(false)),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(&matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
