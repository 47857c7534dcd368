use kapstan_compile::Change;
use similar::{ChangeTag, TextDiff};
use std::io::{self, Write};

/// Writes what would change in `compiled/` to standard output, as a unified diff.
pub(crate) fn show_changes(changes: &[Change]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for change in changes {
        let path = change.path.display().to_string().replace('\\', "/");
        let name = |side: &str, content: &Option<Vec<u8>>| match content {
            Some(_) => format!("{side}/compiled/{path}"),
            None => "/dev/null".to_owned(),
        };
        let (before, after) = (name("a", &change.before), name("b", &change.after));
        let texts = (as_text(change.before.as_deref()), as_text(change.after.as_deref()));
        let (Some(old), Some(new)) = texts else {
            writeln!(out, "Binary files {before} and {after} differ")?;
            continue;
        };
        let diff = TextDiff::from_lines(old, new);
        writeln!(out, "--- {before}\n+++ {after}")?;
        for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
            writeln!(out, "{}", hunk.header())?;
            for line in hunk.iter_changes() {
                let sign = match line.tag() {
                    ChangeTag::Equal => ' ',
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                };
                write!(out, "{sign}{}", line.value())?;
                if line.missing_newline() {
                    writeln!(out, "\n\\ No newline at end of file")?;
                }
            }
        }
    }
    out.flush()
}

fn as_text(content: Option<&[u8]>) -> Option<&str> {
    match content {
        None => Some(""),
        Some(bytes) if bytes.contains(&0) => None,
        Some(bytes) => std::str::from_utf8(bytes).ok(),
    }
}
