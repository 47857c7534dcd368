use std::borrow::Cow;

/// A part of a file that Helm reads on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    /// Its text. A last line without a line feed has got one.
    pub text: Cow<'a, [u8]>,
    /// Where it begins in the file, in bytes.
    pub offset: usize,
}

/// The documents of a values file, as the `YAMLReader` of `k8s.io/apimachinery` separates them for Helm 4: at lines that
/// begin with `---`, wherever they stand.
///
/// The separator in front of the first document stays with it. A file without any line has no documents. Fails, in
/// the peer's words, where anything but a comment stands behind a separator.
pub fn documents(file: &[u8]) -> Result<Vec<Document<'_>>, String> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in file.split_inclusive(|byte| *byte == b'\n') {
        let behind = at + line.len();
        if let Some(rest) = line.strip_prefix(b"---") {
            let rest = String::from_utf8_lossy(rest);
            let rest = rest.trim_matches(is_space);
            if !rest.is_empty() && !rest.starts_with('#') {
                return Err(format!("invalid Yaml document separator: {rest}"));
            }
            if at > start {
                found.push(Document { text: file[start..at].into(), offset: start });
                start = behind;
            }
        }
        at = behind;
    }
    if at > start {
        let mut text = Cow::Borrowed(&file[start..]);
        if !text.ends_with(b"\n") {
            text.to_mut().push(b'\n');
        }
        found.push(Document { text, offset: start });
    }
    Ok(found)
}

/// Go's `unicode.IsSpace`.
fn is_space(character: char) -> bool {
    character.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_stand_at_the_front_of_lines() {
        let texts = |file: &str| -> Vec<String> {
            let documents = documents(file.as_bytes()).expect("documents");
            documents.iter().map(|one| String::from_utf8_lossy(&one.text).into_owned()).collect()
        };
        assert_eq!(texts(""), [""; 0]);
        assert_eq!(texts("a: 1"), ["a: 1\n"]);
        assert_eq!(texts("---\na: 1\n--- # two\nb: 2\n"), ["---\na: 1\n", "b: 2\n"]);
        assert_eq!(texts("a: |\n  ---\n---\n---\nb"), ["a: |\n  ---\n", "---\nb\n"]);
        assert_eq!(documents(b"a\n---\nb\n").map(|all| all[1].offset), Ok(6));
        assert_eq!(documents(b"a\n--- b\n"), Err("invalid Yaml document separator: b".to_owned()));
        assert!(documents(b"----\n").is_err());
    }
}
