//! What Helm takes for addresses, near enough: the library it asks goes by long patterns.

/// An absolute address with a scheme.
pub(super) fn is_request_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|character: char| character.is_ascii_alphabetic())
        && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character));
    is_scheme
        && !rest.is_empty()
        && !text.contains(|character: char| character.is_ascii_control() || character == ' ')
}

/// A page: an address with a host that has a dot or is local, with or without a scheme.
pub(super) fn is_url(text: &str) -> bool {
    if text.is_empty() || text.len() > 2083 || text.starts_with('.') || text.contains(char::is_whitespace) {
        return false;
    }
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = host.rsplit('@').next().unwrap_or(host);
    let name = host.split(':').next().unwrap_or(host);
    let is_label = |label: &str| {
        !label.is_empty()
            && label.chars().all(|character| character.is_alphanumeric() || "-_".contains(character))
    };
    name == "localhost" || (name.contains('.') && name.split('.').all(is_label))
}

/// An address for mail.
pub(super) fn is_email(text: &str) -> bool {
    let Some((user, host)) = text.rsplit_once('@') else { return false };
    let is_user = !user.is_empty()
        && !user.starts_with('.')
        && !user.ends_with('.')
        && !user.contains("..")
        && user
            .chars()
            .all(|character| character.is_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(character));
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|character| character.is_alphanumeric() || character == '-')
    };
    let top_is_word = host.rsplit('.').next().is_some_and(|top| top.starts_with(char::is_alphabetic));
    is_user && host.contains('.') && host.split('.').all(is_label) && top_is_word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_other_texts() {
        for (text, expected) in
            [("https://x/y", true), ("x/y", false), ("", false), ("a b:c", false), ("git:x", true)]
        {
            assert_eq!(is_request_url(text), expected, "{text}");
        }
        for (text, expected) in [("https://example.com", true), ("example.com/x", true), ("word", false)] {
            assert_eq!(is_url(text), expected, "{text}");
        }
        for (text, expected) in [("a@b.co", true), ("a@b", false), ("a.b.co", false), (".a@b.co", false)] {
            assert_eq!(is_email(text), expected, "{text}");
        }
    }
}
