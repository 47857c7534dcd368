use super::Call;
use crate::error::{Class, Outcome, quoted, raise};
use crate::markup::escaped;
use crate::methods;
use crate::ops;
use crate::print;
use crate::run::Bound;
use crate::text::{self, is_space, is_word};
use crate::value::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What is taken for an address of the web: with a scheme or `www.`, or a domain that ends as the oldest ones do.
static WEB: LazyLock<fancy_regex::Regex> = LazyLock::new(|| {
    let domain = r"(?:[\w%-]+\.)+";
    let top = r"(?:[a-z]{2,63}|xn--[\w%]{2,59})";
    let old_top = "(?:com|net|int|edu|gov|org|info|mil)";
    let ip = r"(?:\d{1,3}(?:\.\d{1,3}){3}|\[(?:[\da-f]{0,4}:){2}(?:[\da-f]{0,4}:?){1,6}\])";
    let host =
        format!(r"(?:(?:https?://|www\.)(?:{domain})?{top}|(?:[\w%-]{{2,63}}\.)+{old_top}|https?://{ip})");
    let pattern = format!(r"(?i)\A{host}(?::\d{{1,5}})?(?:[/?#]\S*)?\z");
    fancy_regex::Regex::new(&pattern).expect("the pattern is well formed")
});

fn is_email(text: &str) -> bool {
    let Some((before, after)) = text.rsplit_once('@') else { return false };
    let Some((host, top)) = after.rsplit_once('.') else { return false };
    !before.is_empty()
        && !before.contains(is_space)
        && host.starts_with(is_word)
        && host.chars().all(|c| is_word(c) || c == '.' || c == '-')
        && !top.is_empty()
        && top.chars().all(is_word)
}

pub(super) fn urlize(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let limit = match args.value(1) {
        Value::None => None,
        limit => Some(ops::count_of(methods::index(limit)?)),
    };
    let rel = match args.value(4) {
        Value::None => "".into(),
        rel => print::str(rel)?,
    };
    let mut rels: BTreeSet<&str> = rel.split(is_space).filter(|word| !word.is_empty()).collect();
    if args.given(2).map_or(Ok(false), ops::is_true)? {
        rels.insert("nofollow");
    }
    rels.insert("noopener");
    let rel = format!(" rel=\"{}\"", escaped(&rels.into_iter().collect::<Vec<_>>().join(" ")));
    let target = match args.value(3) {
        Value::None => String::new(),
        target => format!(" target=\"{}\"", escaped(&print::str(target)?)),
    };
    let mut schemes = Vec::new();
    if !matches!(args.value(5), Value::None) {
        for scheme in call.run.items(args.value(5))? {
            let scheme = print::str(&scheme)?;
            if !is_scheme(&scheme) {
                let message = format!("{} is not a valid URI scheme prefix.", quoted(&scheme));
                return raise(Class::FilterArgument, message);
            }
            schemes.push(scheme);
        }
    }
    let value = args.value(0);
    let whole = crate::markup::escape(value)?;
    let links = Links { attributes: format!("{rel}{target}"), limit, schemes };
    let mut out = String::new();
    let mut rest = &*whole;
    while !rest.is_empty() {
        let end = rest.find(is_space).unwrap_or(rest.len());
        out.push_str(&links.word(&rest[..end]));
        rest = &rest[end..];
        let blanks = rest.len() - rest.trim_start_matches(is_space).len();
        out.push_str(&rest[..blanks]);
        rest = &rest[blanks..];
        call.run.spend(1)?;
    }
    Ok(if call.context.autoescape.get() { Value::Markup(out.into()) } else { out.into() })
}

fn is_scheme(text: &str) -> bool {
    let Some((name, slashes)) = text.split_once(':') else { return false };
    text::length(name) >= 2
        && name.chars().all(|c| is_word(c) || matches!(c, '.' | '+' | '-'))
        && matches!(slashes, "" | "/" | "//")
}

struct Links {
    attributes: String,
    limit: Option<usize>,
    schemes: Vec<kapstan_document::Text>,
}

impl Links {
    fn shown(&self, address: &str) -> String {
        match self.limit {
            Some(limit) if text::length(address) > limit => {
                format!("{}...", text::substring(address, 0, limit))
            }
            _ => address.to_owned(),
        }
    }

    fn word(&self, word: &str) -> String {
        let (head, middle, tail) = trimmed(word);
        let attributes = &self.attributes;
        let link = if WEB.is_match(middle).unwrap_or(false) {
            let has_scheme = middle.starts_with("https://") || middle.starts_with("http://");
            let scheme = if has_scheme { "" } else { "https://" };
            format!("<a href=\"{scheme}{middle}\"{attributes}>{}</a>", self.shown(middle))
        } else if middle.strip_prefix("mailto:").is_some_and(is_email) {
            format!("<a href=\"{middle}\">{}</a>", &middle[7..])
        } else if !middle.starts_with("www.")
            && !middle.starts_with('@')
            && !middle.contains(':')
            && is_email(middle)
        {
            format!("<a href=\"mailto:{middle}\">{middle}</a>")
        } else if self.schemes.iter().any(|scheme| middle != &**scheme && middle.starts_with(&**scheme)) {
            format!("<a href=\"{middle}\"{attributes}>{middle}</a>")
        } else {
            middle.to_owned()
        };
        format!("{head}{link}{tail}")
    }
}

/// Brackets and punctuation around a word; closing ones that belong to the word stay with it.
fn trimmed(word: &str) -> (&str, &str, &str) {
    let mut start = 0;
    while let Some(open) = ["(", "<", "&lt;"].iter().find(|open| word[start..].starts_with(**open)) {
        start += open.len();
    }
    let mut end = word.len();
    while let Some(close) =
        [")", ">", ".", ",", "\n", "&gt;"].iter().find(|close| word[start..end].ends_with(**close))
    {
        end -= close.len();
    }
    for (open, close) in [("(", ")"), ("<", ">"), ("&lt;", "&gt;")] {
        let opened = word[start..end].matches(open).count();
        if opened <= word[start..end].matches(close).count() {
            continue;
        }
        for _ in 0..opened.min(word[end..].matches(close).count()) {
            if let Some(at) = word[end..].find(close) {
                end += at + close.len();
            }
        }
    }
    (&word[..start], &word[start..end], &word[end..])
}
