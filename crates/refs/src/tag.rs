use crate::error::{Error, Raised};
use regex::Regex;
use std::sync::LazyLock;

// `\w` and `\S` are spelled out, because Python counts other characters among words and blanks than Rust does.
const TAG: &str = concat!(
    r"\?\{([\p{L}\p{N}_]+:[\p{L}\p{N}_\-.@=/:]+)",
    r"(\|(?:(?:\|[\p{L}\p{N}_]+)(?::[^\s\x1c-\x1f]*)*)+)?=*\}"
);

static TAG_PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(TAG).expect("the pattern is a constant"));

static SUB_VARIABLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"@[\p{L}\p{N}_.\-]+").expect("the pattern is a constant"));

/// A reference tag as it stands in a text: `?{type:path}`, with a hash, a payload or functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'t> {
    /// All of it, from `?{` to `}`.
    pub text: &'t str,
    /// `type:path`, `type:path:hash`, `type:payload:embedded` or `type:path:mount:path:key`.
    pub token: &'t str,
    /// The generator functions, from `||` on.
    pub functions: Option<&'t str>,
    /// Where it begins in the text that was searched, in bytes.
    pub start: usize,
}

impl<'t> Tag<'t> {
    /// The first tag of a text, which need not be all of it.
    pub fn find(text: &'t str) -> Option<Self> {
        tags(text).next()
    }

    /// The tag with which a text begins; what follows it is left aside, as in Kapitan.
    pub(crate) fn at_start(text: &'t str) -> Result<Self, Error> {
        Self::find(text).filter(|tag| tag.start == 0).ok_or_else(|| {
            let peer_text = crate::python::repr_tuple(&[
                &format!("{text}: is not a valid tag"),
                "\ntry something like: ?{ref:path/to/secret||function:param1:param2}",
            ]);
            Error::new("refs::malformed-tag", format!("`{text}` is not a reference tag"))
                .raised(Raised::Ref, peer_text)
                .hint("write `?{type:path/to/secret}` or `?{type:path/to/secret||function:parameter}`")
        })
    }

    /// The name in front of the first `:`.
    pub fn type_name(&self) -> &'t str {
        self.token.split(':').next().unwrap_or_default()
    }

    /// The tag fit for messages: an embedded payload and the parameters of `basicauth` are left out, because they
    /// are secrets as good as in the open.
    pub(crate) fn shown(&self) -> String {
        if self.is_embedded() {
            return format!("?{{{}:…:embedded}}", self.type_name());
        }
        match self.functions {
            Some(functions) if functions.contains("basicauth:") => format!("?{{{}||…}}", self.token),
            _ => self.text.to_owned(),
        }
    }

    /// The token fit for messages; see [`Tag::shown`].
    pub(crate) fn shown_token(&self) -> String {
        if self.is_embedded() { format!("{}:…:embedded", self.type_name()) } else { self.token.to_owned() }
    }

    fn is_embedded(&self) -> bool {
        self.token.ends_with(":embedded")
    }
}

/// A text for a message: what is longer than a line or two is cut.
pub(crate) fn short(text: &str) -> std::borrow::Cow<'_, str> {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// Whether a text can hold a tag at all: the cheap question before the search.
pub fn may_hold_tag(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), b"?{").is_some()
}

/// The tags of a text, from left to right.
pub fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    let searched = if may_hold_tag(text) { text } else { "" };
    TAG_PATTERN.captures_iter(searched).map(|found| {
        let whole = found.get(0).expect("group 0 is the whole match");
        Tag {
            text: whole.as_str(),
            token: found.get(1).map_or("", |group| group.as_str()),
            functions: found.get(2).map(|group| group.as_str()),
            start: whole.start(),
        }
    })
}

/// The first sub-variable in a text, without its `@`: `a.b` of `path@a.b`.
pub(crate) fn sub_variable(text: &str) -> Option<&str> {
    SUB_VARIABLE.find(text).map(|found| &found.as_str()[1..])
}

/// A text without its sub-variables.
pub(crate) fn without_sub_variables(text: &str) -> std::borrow::Cow<'_, str> {
    SUB_VARIABLE.replace_all(text, "")
}

/// What a tag is replaced by.
pub(crate) enum Replacement {
    /// A text.
    Text(String),
    /// Null: the tag vanishes.
    Nothing,
    /// A value of another type, named as Python names it: an error once all tags of the text are done.
    Unfit(&'static str),
}

/// Replaces every tag of a text; none if it holds no tag.
///
/// Fails where `replace` does, otherwise with the error that joining strings with something else has in Python.
pub(crate) fn substitute(
    text: &str,
    mut replace: impl FnMut(&Tag<'_>) -> Result<Replacement, Error>,
) -> Result<Option<String>, Error> {
    let mut joined = String::new();
    let mut done = 0;
    let mut pieces = 0;
    let mut unfit = None;
    for tag in tags(text) {
        if done < tag.start {
            joined.push_str(&text[done..tag.start]);
            pieces += 1;
        }
        done = tag.start + tag.text.len();
        match replace(&tag).map_err(|error| error.in_tag(&tag))? {
            Replacement::Nothing => continue,
            Replacement::Text(replacement) => joined.push_str(&replacement),
            Replacement::Unfit(kind) => {
                unfit.get_or_insert_with(|| not_a_string(kind, pieces).in_tag(&tag));
            }
        }
        pieces += 1;
    }
    if let Some(error) = unfit {
        return Err(error);
    }
    if done == 0 {
        return Ok(None);
    }
    joined.push_str(&text[done..]);
    Ok(Some(joined))
}

fn not_a_string(kind: &'static str, piece: usize) -> Error {
    Error::new("refs::not-a-string", format!("the value of the reference is of type `{kind}`, not a string"))
        .raised(Raised::Type, format!("sequence item {piece}: expected str instance, {kind} found"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_in_all_forms() {
        type Found<'a> = &'a [(&'a str, Option<&'a str>)];
        let table: &[(&str, Found<'_>)] = &[
            ("?{base64:a/b}", &[("base64:a/b", None)]),
            ("x ?{gpg:a:0123abcd} ?{env:B}", &[("gpg:a:0123abcd", None), ("env:B", None)]),
            ("?{base64:eyJ9==:embedded}", &[("base64:eyJ9==:embedded", None)]),
            ("?{base64:a@b.c}", &[("base64:a@b.c", None)]),
            ("?{vaultkv:a:m:p/q:k}", &[("vaultkv:a:m:p/q:k", None)]),
            ("?{base64:a||rsa}?{base64:b||rsa}", &[("base64:a", Some("||rsa")), ("base64:b", Some("||rsa"))]),
            // With a parameter the tag reaches to the last brace of its run of non-blanks.
            ("?{base64:a||rsa:1}-?{base64:b}", &[("base64:a", Some("||rsa:1}-?{base64:b"))]),
            ("?{base64:a||rsa:1} ?{base64:b}", &[("base64:a", Some("||rsa:1")), ("base64:b", None)]),
            ("?{base64:a||x:1|y|z:2:3==}", &[("base64:a", Some("||x:1|y|z:2:3=="))]),
            ("?{base64:a||x==}", &[("base64:a", Some("||x"))]),
            ("?{é:ß٣}", &[("é:ß٣", None)]),
            ("?{base64:a b} ?{a} ?{:b} ?{a:} ?{a:b|c} ?{a:b||} ?{a:b||c d} ${a:b} ?{a:b", &[]),
            ("?{a:b||c:\u{1c}}", &[]),
            ("?{?{a:b}}", &[("a:b", None)]),
        ];
        for (text, expected) in table {
            let found: Vec<_> = tags(text).map(|tag| (tag.token, tag.functions)).collect();
            assert_eq!(found, *expected, "{text}");
        }
    }

    #[test]
    fn sub_variables_end_before_a_slash() {
        assert_eq!(without_sub_variables("a@b.c-d/e@=f"), "a/e@=f");
        assert_eq!(sub_variable("?{base64:a@b.c}"), Some("b.c"));
        assert_eq!(sub_variable("a@/b"), None);
    }

    #[test]
    fn a_text_without_tags_is_left_alone() {
        assert_eq!(substitute("a {b} ?c", |_| unreachable!("no tag")).unwrap(), None);
    }

    #[test]
    fn what_is_no_string_is_reported_after_all_tags_with_its_piece() {
        let mut seen = 0;
        let error = substitute("a ?{x:1}?{x:2} ?{x:3}", |_| {
            seen += 1;
            Ok(if seen == 1 { Replacement::Nothing } else { Replacement::Unfit("int") })
        })
        .unwrap_err();
        assert_eq!(seen, 3);
        assert_eq!(error.peer_text(), "sequence item 1: expected str instance, int found");
    }

    #[test]
    fn messages_do_not_hold_payloads_or_passwords() {
        let tag = Tag::find("?{base64:c2VjcmV0:embedded}").unwrap();
        assert_eq!(tag.shown(), "?{base64:…:embedded}");
        let tag = Tag::find("?{base64:a||basicauth:user:pass}").unwrap();
        assert_eq!(tag.shown(), "?{base64:a||…}");
    }
}
