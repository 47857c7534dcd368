use crate::error::{Error, Result};
use crate::{go, pattern};

/// The rules of a `.helmignore`.
#[derive(Debug, Default)]
pub(crate) struct Ignore {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    pattern: String,
    is_negated: bool,
    wants_folder: bool,
    /// Whether the pattern is about the whole path, not about the name alone.
    is_path: bool,
}

impl Ignore {
    /// Reads the rules; those that Helm always has come last.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let mut ignore = Self::default();
        for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
            ignore.add(line)?;
        }
        ignore.add("templates/.?*")?;
        Ok(ignore)
    }

    fn add(&mut self, line: &str) -> Result<()> {
        let rule = line.trim();
        if rule.is_empty() || rule.starts_with('#') {
            return Ok(());
        }
        if rule.contains("**") {
            return Err(Error::new("helm::ignore", "double-star (**) syntax is not supported"));
        }
        pattern::matches(rule, "abc").map_err(|_| Error::new("helm::ignore", pattern::BadPattern::TEXT))?;
        let (is_negated, rule) = rule.strip_prefix('!').map_or((false, rule), |rule| (true, rule));
        let (wants_folder, rule) = rule.strip_suffix('/').map_or((false, rule), |rule| (true, rule));
        let (is_path, rule) = match rule.strip_prefix('/') {
            Some(rule) => (true, rule),
            None => (rule.contains('/'), rule),
        };
        self.rules.push(Rule { pattern: rule.to_owned(), is_negated, wants_folder, is_path });
        Ok(())
    }

    /// Whether a path of the chart is left out; of a folder, with everything below it.
    ///
    /// Rules are asked in order. As in Helm a negated rule that does not match leaves the path out at once.
    pub(crate) fn ignores(&self, path: &str, is_folder: bool) -> bool {
        for rule in &self.rules {
            if rule.wants_folder && !is_folder {
                if rule.is_negated {
                    return true;
                }
                continue;
            }
            let subject = if rule.is_path { path } else { go::base(path) };
            let is_match = pattern::matches(&rule.pattern, subject).unwrap_or(false);
            if is_match != rule.is_negated {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_leave_paths_out() {
        for (rules, path, is_folder, expected) in [
            ("", "templates/.x", false, true),
            ("", "templates/x/.y", false, false),
            ("# a\n\n *.txt ", "d/a.txt", false, true),
            ("/*.txt", "d/a.txt", false, false),
            ("/*.txt", "a.txt", false, true),
            ("d/*.txt", "d/a.txt", false, true),
            ("d/*.txt", "x/d/a.txt", false, false),
            ("d/", "d", true, true),
            ("d/", "d", false, false),
            ("!a.txt", "a.txt", false, false),
            ("!a.txt", "b.txt", false, true),
            ("!d/", "d", false, true),
            ("*.a\n!b.a", "b.a", false, true),
            ("\u{feff}a", "a", false, true),
        ] {
            let ignore = Ignore::parse(rules).unwrap();
            assert_eq!(ignore.ignores(path, is_folder), expected, "{rules:?} {path}");
        }
        assert_eq!(Ignore::parse("a/**/b").unwrap_err().text(), "double-star (**) syntax is not supported");
        assert_eq!(Ignore::parse("[").unwrap_err().text(), "syntax error in pattern");
    }
}
