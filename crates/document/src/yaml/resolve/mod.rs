//! What a plain scalar means: the dialects' rules for telling numbers, dates and the rest from strings.

mod go_timestamp;
mod go_yaml_v2;
mod pyyaml;
mod serde_yaml;
mod timestamp;

pub(super) use pyyaml::{ScalarError, construct_bool, construct_float, construct_int, construct_timestamp};

use crate::Scalar;

/// Whose reading of YAML.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// PyYAML's safe loader with libyaml, as it is configured inside Kapitan: `0o17` is an octal integer, `=` a string.
    #[default]
    PyYaml,
    /// go-yaml v2 as Helm uses it: what plain scalars mean. `y` and `n` are booleans, dates stay strings. Explicit tags, keys and
    /// merge keys are read as PyYAML reads them.
    GoYamlV2,
    /// serde_yaml as reclass-rs uses it: what plain scalars mean.
    SerdeYaml,
}

/// What a plain scalar is by its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlainTag {
    /// `null`, `~` and the like, and nothing at all.
    Null,
    /// `true`, `no`, ...
    Bool,
    /// An integer.
    Int,
    /// A double.
    Float,
    /// A day or a point in time.
    Timestamp,
    /// `<<`: merges as a key.
    Merge,
    /// `=`.
    Value,
    /// `!`, `&` or `*`, which only a quoted scalar with the tag `!` can be.
    Yaml,
    /// Anything else.
    Str,
}

/// What a plain scalar is by its form. A form that promises a number or a date may still hold none: `2020-13-45` is a
/// timestamp here.
pub fn plain_tag(dialect: Dialect, text: &str) -> PlainTag {
    match dialect {
        Dialect::PyYaml => pyyaml::plain_tag(text),
        Dialect::GoYamlV2 => tag_of(text, go_yaml_v2::resolve(text)),
        Dialect::SerdeYaml => tag_of(text, serde_yaml::resolve(text)),
    }
}

/// The tag that follows from the value, in dialects whose forms all hold a value.
fn tag_of(text: &str, value: Option<Scalar>) -> PlainTag {
    match value {
        Some(Scalar::Null) => PlainTag::Null,
        Some(Scalar::Bool(_)) => PlainTag::Bool,
        Some(Scalar::Int(_)) => PlainTag::Int,
        Some(Scalar::Float(_)) => PlainTag::Float,
        _ if text == "<<" => PlainTag::Merge,
        _ => PlainTag::Str,
    }
}

/// The value of a plain scalar.
///
/// What has the form of a number or a date and is none (`2020-13-45`, which the loader refuses) is a string here, and so
/// are `<<` and `=`.
pub fn resolve_plain(dialect: Dialect, text: &str) -> Scalar {
    let resolved = match dialect {
        Dialect::PyYaml => pyyaml::construct_plain(pyyaml::plain_tag(text), text).ok().flatten(),
        Dialect::GoYamlV2 => go_yaml_v2::resolve(text),
        Dialect::SerdeYaml => serde_yaml::resolve(text),
    };
    resolved.unwrap_or_else(|| Scalar::Str(text.into()))
}

/// The value of a plain scalar to go-yaml v2; nothing for strings.
pub(super) fn go_value(text: &str) -> Option<Scalar> {
    go_yaml_v2::resolve(text)
}

/// Whether go-yaml v2 takes a plain scalar for anything but a string, timestamps included.
pub(super) fn is_go_value(text: &str) -> bool {
    go_yaml_v2::resolve(text).is_some() || go_timestamp::is_timestamp(text)
}

/// Whether go-yaml takes a text for a point in time or a day.
pub(super) fn is_go_timestamp(text: &str) -> bool {
    go_timestamp::is_timestamp(text)
}

/// Whether go-yaml v3 takes a text for an octal number that is none to v2: the sign stands behind the prefix.
pub(super) fn is_octal_of_go_yaml_v3(text: &str) -> bool {
    go_yaml_v2::signed_octal(text)
}
