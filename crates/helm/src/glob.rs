//! Patterns of `.Files.Glob`: those of the Go library gobwas/glob, with `/` as the separator.

use regex::Regex;

/// A pattern of paths.
pub(crate) struct Glob {
    /// None for a malformed pattern, which Helm takes to match everything.
    regex: Option<Regex>,
}

impl Glob {
    /// Reads a pattern: `*` and `?` stop at `/`, `**` does not, `[abc]`, `[a-z]`, `[!a]`, `{a,b}`, `\x`.
    pub(crate) fn new(pattern: &str) -> Self {
        let regex = Translator { rest: pattern, depth: 0, regex: String::new() }.translate();
        Self { regex: regex.and_then(|regex| Regex::new(&format!(r"(?s)\A(?:{regex})\z")).ok()) }
    }

    /// Whether a path matches as a whole.
    pub(crate) fn matches(&self, path: &str) -> bool {
        self.regex.as_ref().is_none_or(|regex| regex.is_match(path))
    }
}

struct Translator<'p> {
    rest: &'p str,
    /// How many braces are open.
    depth: usize,
    regex: String,
}

impl Translator<'_> {
    /// The pattern as a regular expression; none for a malformed one.
    fn translate(mut self) -> Option<String> {
        while let Some(character) = self.next() {
            match character {
                '{' => {
                    self.depth += 1;
                    self.regex.push_str("(?:");
                }
                ',' if self.depth > 0 => self.regex.push('|'),
                '}' if self.depth > 0 => {
                    self.depth -= 1;
                    self.regex.push(')');
                }
                '[' => self.set()?,
                '?' => self.regex.push_str("[^/]"),
                '*' if self.rest.starts_with('*') => {
                    self.next();
                    self.regex.push_str(".*");
                }
                '*' => self.regex.push_str("[^/]*"),
                '\\' => {
                    if let Some(escaped) = self.next() {
                        self.literal(escaped);
                    }
                }
                other => self.literal(other),
            }
        }
        // Braces that stay open end with the pattern.
        self.regex.extend(std::iter::repeat_n(')', self.depth));
        Some(self.regex)
    }

    fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let next = characters.next();
        self.rest = characters.as_str();
        next
    }

    fn literal(&mut self, character: char) {
        self.regex.push_str(&regex::escape(character.encode_utf8(&mut [0; 4])));
    }

    /// A range of two characters, or a list of some; nothing may follow either within the brackets.
    fn set(&mut self) -> Option<()> {
        let is_negated = self.rest.starts_with('!');
        if is_negated {
            self.next();
        }
        let mut ahead = self.rest.chars();
        let (first, second) = (ahead.next()?, ahead.next());
        let members = if second == Some('-') {
            let last = ahead.next()?;
            self.rest = ahead.as_str();
            if last < first {
                return None;
            }
            format!("{}-{}", class_member(first), class_member(last))
        } else {
            let mut members = String::new();
            while !self.rest.starts_with(']') {
                let character = self.next()?;
                let member = if character == '\\' { self.next()? } else { character };
                members.push_str(&class_member(member));
            }
            if members.is_empty() {
                return None;
            }
            members
        };
        if self.next()? != ']' {
            return None;
        }
        let sign = if is_negated { "^" } else { "" };
        self.regex.push_str(&format!("[{sign}{members}]"));
        Some(())
    }
}

/// A character within the brackets of a regular expression.
fn class_member(character: char) -> String {
    format!(r"\x{{{:x}}}", u32::from(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_match_as_in_gobwas() {
        for (pattern, path, expected) in [
            ("*", "a/b", false),
            ("*", "ab", true),
            ("**", "a/b", true),
            ("conf/**.yaml", "conf/x/y.yaml", true),
            ("conf/*.yaml", "conf/x/y.yaml", false),
            ("conf/?.yaml", "conf/x.yaml", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[abc]x", "cx", true),
            ("[!abc]x", "/x", true),
            ("{a,b*}/c", "bxx/c", true),
            ("{a,b}/c", "c/c", false),
            (r"a\*", "a*", true),
            (r"a\*", "ab", false),
            // Malformed ones match everything.
            ("[a-zA-Z]", "q/x", true),
            ("[", "q/x", true),
            ("[c-a]", "q/x", true),
            ("a.b", "axb", false),
        ] {
            assert_eq!(Glob::new(pattern).matches(path), expected, "{pattern} {path}");
        }
    }
}
