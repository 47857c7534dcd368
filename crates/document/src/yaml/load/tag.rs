use crate::yaml::PlainTag;
use std::borrow::Cow;

/// What a node is, by its tag or by its form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Tag {
    /// A plain scalar, or one with the tag of such a form.
    Plain(PlainTag),
    Binary,
    Seq,
    Map,
    Set,
    /// A sequence of mappings with one entry each.
    Omap,
    /// The same, by another name.
    Pairs,
    /// A tag that nobody gave a meaning to.
    Other(Box<str>),
}

pub(super) const PREFIX: &str = "tag:yaml.org,2002:";

impl Tag {
    /// The tag of an event; nothing for `!` and where there is none, which leave it to the form.
    pub(super) fn explicit(tag: Option<&Cow<'_, str>>) -> Option<Self> {
        let tag = tag.filter(|tag| *tag != "!")?;
        let known = tag.strip_prefix(PREFIX).and_then(|name| {
            Some(match name {
                "null" => Self::Plain(PlainTag::Null),
                "bool" => Self::Plain(PlainTag::Bool),
                "int" => Self::Plain(PlainTag::Int),
                "float" => Self::Plain(PlainTag::Float),
                "timestamp" => Self::Plain(PlainTag::Timestamp),
                "merge" => Self::Plain(PlainTag::Merge),
                "value" => Self::Plain(PlainTag::Value),
                "yaml" => Self::Plain(PlainTag::Yaml),
                "str" => Self::Plain(PlainTag::Str),
                "binary" => Self::Binary,
                "seq" => Self::Seq,
                "map" => Self::Map,
                "set" => Self::Set,
                "omap" => Self::Omap,
                "pairs" => Self::Pairs,
                _ => return None,
            })
        });
        Some(known.unwrap_or_else(|| Self::Other(tag.as_ref().into())))
    }

    pub(super) fn is_merge(&self) -> bool {
        *self == Self::Plain(PlainTag::Merge)
    }

    pub(super) fn is_value(&self) -> bool {
        *self == Self::Plain(PlainTag::Value)
    }
}
