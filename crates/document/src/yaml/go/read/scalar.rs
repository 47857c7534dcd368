//! What a scalar means to go-yaml v2, by its tag or by its form.

use crate::yaml::{ScalarEvent, go_value, is_go_timestamp};
use crate::{Int, Scalar};
use base64::Engine;
use std::borrow::Cow;

const PREFIX: &str = "tag:yaml.org,2002:";

/// The value of a scalar; a string is borrowed. The error is go-yaml's text.
pub(super) enum Meaning<'a> {
    Text(Cow<'a, str>),
    Value(Scalar),
}

/// Whether a key brings the entries of other mappings.
pub(super) fn is_merge(event: &ScalarEvent<'_>) -> bool {
    let has_merge_tag = || event.tag().and_then(|tag| tag.strip_prefix(PREFIX)) == Some("merge");
    event.value == "<<" && (event.plain_implicit || has_merge_tag())
}

/// Resolves a scalar.
pub(super) fn meaning(event: ScalarEvent<'_>) -> Result<Meaning<'_>, String> {
    let Some(tag) = event.properties.and_then(|properties| properties.tag) else {
        if !event.plain_implicit {
            return Ok(Meaning::Text(event.value));
        }
        return Ok(match go_value(&event.value) {
            None => Meaning::Text(event.value),
            Some(value) => Meaning::Value(value),
        });
    };
    match tag.strip_prefix(PREFIX) {
        Some("binary") => binary(&event.value),
        Some(name @ ("bool" | "int" | "float" | "null" | "timestamp")) => tagged(name, event.value),
        _ => Ok(Meaning::Text(event.value)),
    }
}

fn tagged<'a>(wanted: &str, text: Cow<'a, str>) -> Result<Meaning<'a>, String> {
    if wanted == "timestamp" && is_go_timestamp(&text) {
        return Ok(Meaning::Text(text));
    }
    let value = go_value(&text);
    let found = match &value {
        Some(Scalar::Null) => "null",
        Some(Scalar::Bool(_)) => "bool",
        Some(Scalar::Int(_)) => "int",
        Some(Scalar::Float(_)) => "float",
        _ => "str",
    };
    match (wanted, value) {
        ("float", Some(Scalar::Int(Int::Small(value)))) => {
            Ok(Meaning::Value(Scalar::Float(Int::Small(value).to_f64())))
        }
        (_, Some(value)) if wanted == found => Ok(Meaning::Value(value)),
        _ => Err(format!("cannot decode !!{found} `{text}` as a !!{wanted}")),
    }
}

/// Line breaks in base64 do not matter. What is no UTF-8 becomes U+FFFD on the way through JSON.
fn binary(text: &str) -> Result<Meaning<'static>, String> {
    let encoded: String = text.chars().filter(|character| !matches!(character, '\n' | '\r')).collect();
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(encoded)
        .map_err(|_| "!!binary value contains invalid base64 data".to_owned())?;
    Ok(Meaning::Text(Cow::Owned(crate::json::go::valid(&bytes).into_owned())))
}
