use crate::problem;
use kapstan_diagnostic::{Diagnostic, Span};
use kapstan_document::Text;

/// What a class name in the file of class or target `owner` stands for: each leading dot drops a part of the owner's name.
///
/// Behaviour: reclass, which counts from the name and not from the folder: in class `b`, stored as `b/init.yml`, `.c` is
/// the class `c`. Too many dots stop at the root.
pub(crate) fn absolute(name: &Text, owner: &str) -> Text {
    let dots = name.len() - name.trim_start_matches('.').len();
    if dots == 0 {
        return name.clone();
    }
    let parts: Vec<&str> = owner.split('.').collect();
    let parent = parts[..parts.len().saturating_sub(dots)].join(".");
    if parent.is_empty() {
        return name[dots..].into();
    }
    format!("{parent}{}", &name[dots - 1..]).into()
}

/// Refuses blanks and slashes.
pub(crate) fn check_characters(name: &str, span: Span) -> Result<(), Diagnostic> {
    match [' ', '/'].into_iter().find(|invalid| name.contains(*invalid)) {
        Some(invalid) => Err(problem::invalid_class_name(name, invalid, span)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::absolute;

    #[test]
    fn dots_drop_parts_of_the_name() {
        let cases = [
            ("b", ".c", "c"),
            ("x.y.z", ".v", "x.y.v"),
            ("x.y.z", "..w", "x.w"),
            ("x.y.z", "....w", "w"),
            ("x.y.z", "a.b", "a.b"),
            ("x.y", ".", "x."),
            ("t", "...c", "c"),
        ];
        for (owner, name, expected) in cases {
            assert_eq!(&*absolute(&name.into(), owner), expected, "{name} in {owner}");
        }
    }
}
