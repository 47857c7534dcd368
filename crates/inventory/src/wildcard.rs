//! Patterns in `classes` lists, for `--enable-class-wildcards`.

use crate::entity::ClassEntry;
use crate::problem::CLASS_PATTERN;
use crate::rules::Rules;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::Text;
use kapstan_files::fnmatch;

/// Whether the name has a character of a pattern.
pub(crate) fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

/// The classes that an entry stands for, sorted; none for an entry that is no pattern.
///
/// Behaviour: Kapitan. A pattern is matched against the whole dotted name, `*` goes across dots, the name of a class that
/// exists is no pattern, and neither is a name with references.
pub(crate) fn expand(
    entry: &ClassEntry,
    known: &[Text],
    rules: &Rules,
) -> Result<Option<Vec<Text>>, Diagnostic> {
    let name = &entry.name;
    let is_reference = name.contains("${") && name.contains('}');
    if !is_pattern(name) || is_reference || !entry.is_relative && known.contains(name) {
        return Ok(None);
    }
    // Kapitan matches relative names as they are written, and no class begins with a dot.
    // Its own list of classes leaves hidden files aside.
    let is_visible = |class: &str| !entry.is_relative && !class.split('.').any(str::is_empty);
    let mut found: Vec<Text> =
        known.iter().filter(|class| is_visible(class) && fnmatch(class, name)).cloned().collect();
    found.sort();
    if found.is_empty() && rules.ignore_class_notfound.is_none() {
        let peer = format!("Class pattern '{name}' did not match any classes in inventory.");
        let message = format!("no class matches the pattern `{name}`");
        return Err(Diagnostic::error(CLASS_PATTERN, message).at(entry.span).with_peer_text(peer));
    }
    Ok(Some(found))
}
