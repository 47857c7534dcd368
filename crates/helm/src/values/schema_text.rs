//! What Helm's JSON Schema validator says of values.

use crate::go;
use boon::{CompileError, ErrorKind, ValidationError};
use serde_json::{Number, Value};

/// The problems of values, one a line, indented by what they are part of.
pub(super) fn error_text(error: &ValidationError<'_, '_>) -> String {
    let mut text = String::new();
    // The outermost error only says that there are some.
    for cause in &error.causes {
        write(cause, error.schema_url, 0, 1, &mut text);
    }
    text.trim_start_matches('\n').to_owned()
}

/// Writes an error found by the schema at `parent` for the value that `depth` names lead to.
fn write(error: &ValidationError<'_, '_>, parent: &str, depth: usize, indent: usize, text: &mut String) {
    let place = error.instance_location.to_string();
    let (wrappers, depth) = wrappers(error.schema_url, parent, depth);
    let mut indent = indent;
    for (keyword, depth) in wrappers {
        let words = if keyword == "oneOf" { "'oneOf' failed, none matched" } else { keyword_words(keyword) };
        line(&ancestor(&place, depth), words, indent, text);
        indent += 1;
    }
    let is_skipped = error.causes.len() == 1 && matches!(error.kind, ErrorKind::Reference { .. });
    if !is_skipped {
        line(&place, &words(&error.kind), indent, text);
        indent += 1;
    }
    for cause in &error.causes {
        let parent = match &error.kind {
            ErrorKind::Reference { url, .. } => (*url).to_owned(),
            ErrorKind::AllOf => branch(error.schema_url, cause.schema_url, "allOf"),
            ErrorKind::AnyOf => branch(error.schema_url, cause.schema_url, "anyOf"),
            ErrorKind::OneOf(_) => branch(error.schema_url, cause.schema_url, "oneOf"),
            _ => error.schema_url.to_owned(),
        };
        write(cause, &parent, depth, indent, text);
    }
}

fn line(place: &str, words: &str, indent: usize, text: &mut String) {
    text.push_str(&format!("\n{}- at {}: {words}", "  ".repeat(indent - 1), quote(place)));
}

fn keyword_words(keyword: &str) -> &'static str {
    if keyword == "allOf" { "'allOf' failed" } else { "'anyOf' failed" }
}

/// The branch of a keyword that a schema lies in: its place up to the number.
fn branch(parent: &str, schema: &str, keyword: &str) -> String {
    let rest = schema.strip_prefix(parent).and_then(|rest| rest.strip_prefix(&*format!("/{keyword}/")));
    match rest {
        Some(rest) => format!("{parent}/{keyword}/{}", rest.split('/').next().unwrap_or_default()),
        None => parent.to_owned(),
    }
}

/// The keywords with branches on the way from one schema to another, each with how many names lead to the value that it
/// was asked about; and that number at the end of the way.
///
/// Where one branch alone is wrong, boon shows what is wrong with it instead of the keyword; Helm's validator shows both.
fn wrappers<'u>(schema: &'u str, parent: &str, depth: usize) -> (Vec<(&'u str, usize)>, usize) {
    let mut found = Vec::new();
    let mut depth = depth;
    let Some(rest) = schema.strip_prefix(parent).and_then(|rest| rest.strip_prefix('/')) else {
        return (found, depth);
    };
    let mut tokens = rest.split('/').peekable();
    while let Some(token) = tokens.next() {
        match token {
            "allOf" | "anyOf" | "oneOf" => {
                tokens.next();
                found.push((token, depth));
            }
            "properties" | "patternProperties" | "prefixItems" => {
                tokens.next();
                depth += 1;
            }
            "items" => {
                if tokens.peek().is_some_and(|next| next.bytes().all(|byte| byte.is_ascii_digit())) {
                    tokens.next();
                }
                depth += 1;
            }
            "additionalProperties" | "additionalItems" | "unevaluatedProperties" | "unevaluatedItems" => {
                depth += 1
            }
            "dependentSchemas" | "dependencies" | "$defs" | "definitions" => {
                tokens.next();
            }
            _ => {}
        }
    }
    (found, depth)
}

/// The first names of a place.
fn ancestor(place: &str, depth: usize) -> String {
    place.split_inclusive('/').take(depth + 1).collect::<String>().trim_end_matches('/').to_owned()
}

/// Why a schema is none.
pub(super) fn loading_text(error: &CompileError) -> String {
    match error {
        CompileError::ValidationError { url, src } => {
            let place = match &src.kind {
                ErrorKind::Schema { url } => (*url).to_owned(),
                _ => src.schema_url.to_owned(),
            };
            let problems = error_text(src);
            let url = with_fragment(url);
            format!(
                "{} is not valid against metaschema: jsonschema validation failed with {}\n{problems}",
                go::quote(&url),
                quote(&place)
            )
        }
        CompileError::JsonPointerNotFound(url) => format!("json-pointer in {} not found", go::quote(url)),
        CompileError::LoadUrlError { url, src } => format!("failing loading {}: {src}", go::quote(url)),
        CompileError::AnchorNotFound { url, reference } => {
            format!("anchor in {} not found in schema {}", go::quote(reference), go::quote(url))
        }
        CompileError::UnsupportedDraft { url } => format!("draft {} is not supported", go::quote(url)),
        CompileError::UnsupportedUrlScheme { url } => {
            format!("no URLLoader registered for {}", go::quote(url))
        }
        other => other.to_string(),
    }
}

fn with_fragment(url: &str) -> String {
    if url.contains('#') { url.to_owned() } else { format!("{url}#") }
}

fn words(kind: &ErrorKind<'_, '_>) -> String {
    let at = |places: &[usize]| places.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    match kind {
        ErrorKind::Group | ErrorKind::Reference { .. } => "validation failed".to_owned(),
        ErrorKind::Schema { url } => format!("jsonschema validation failed with {}", quote(url)),
        ErrorKind::ContentSchema => "'contentSchema' failed".to_owned(),
        ErrorKind::PropertyName { prop } => format!("invalid propertyName {}", quote(prop)),
        ErrorKind::RefCycle { url, kw_loc1, kw_loc2 } => {
            format!("both {kw_loc1} and {kw_loc2} resolve to {} causing reference cycle", go::quote(url))
        }
        ErrorKind::FalseSchema => "false schema".to_owned(),
        ErrorKind::Type { got, want } => {
            let want: Vec<String> = want.iter().map(|name| name.to_string()).collect();
            format!("got {got}, want {}", want.join(" or "))
        }
        ErrorKind::Enum { want } if want.iter().any(is_container) => "'enum' failed".to_owned(),
        ErrorKind::Enum { want } => {
            let shown: Vec<String> = want.iter().map(display).collect();
            let one_of = if shown.len() == 1 { "" } else { "one of " };
            format!("value must be {one_of}{}", shown.join(", "))
        }
        ErrorKind::Const { want } if is_container(want) => "'const' failed".to_owned(),
        ErrorKind::Const { want } => format!("value must be {}", display(want)),
        ErrorKind::Format { got, want, err } => format!("{} is not valid {want}: {err}", display(got)),
        ErrorKind::MinProperties { got, want } => bound("minProperties", *got, *want),
        ErrorKind::MaxProperties { got, want } => bound("maxProperties", *got, *want),
        ErrorKind::MinItems { got, want } => bound("minItems", *got, *want),
        ErrorKind::MaxItems { got, want } => bound("maxItems", *got, *want),
        ErrorKind::MinLength { got, want } => bound("minLength", *got, *want),
        ErrorKind::MaxLength { got, want } => bound("maxLength", *got, *want),
        ErrorKind::AdditionalProperties { got } => {
            let mut names: Vec<&str> = got.iter().map(|name| &**name).collect();
            names.sort_unstable();
            format!("additional properties {} not allowed", joined(&names))
        }
        ErrorKind::Required { want } if want.len() == 1 => format!("missing property {}", quote(want[0])),
        ErrorKind::Required { want } => format!("missing properties {}", joined(want)),
        ErrorKind::Dependency { prop, missing } | ErrorKind::DependentRequired { prop, missing } => {
            format!("properties {} required, if {} exists", joined(missing), quote(prop))
        }
        ErrorKind::Contains => "no items match contains schema".to_owned(),
        ErrorKind::MinContains { got, want } if got.is_empty() => {
            format!("min {want} items required to match contains schema, but none matched")
        }
        ErrorKind::MinContains { got, want } => {
            let count = got.len();
            format!(
                "min {want} items required to match contains schema, but matched {count} items at {}",
                at(got)
            )
        }
        ErrorKind::MaxContains { got, want } => {
            let count = got.len();
            format!(
                "max {want} items required to match contains schema, but matched {count} items at {}",
                at(got)
            )
        }
        ErrorKind::UniqueItems { got: [first, second] } => format!("items at {first} and {second} are equal"),
        ErrorKind::AdditionalItems { got } => format!("last {got} additionalItem(s) not allowed"),
        ErrorKind::Pattern { got, want } => format!("{} does not match pattern {}", quote(got), quote(want)),
        ErrorKind::ContentEncoding { want, err } => format!("value is not {} encoded: {err}", quote(want)),
        ErrorKind::ContentMediaType { want, err, .. } => {
            format!("value if not of mediatype {}: {err}", quote(want))
        }
        ErrorKind::Minimum { got, want } => limit("minimum", got, want),
        ErrorKind::Maximum { got, want } => limit("maximum", got, want),
        ErrorKind::ExclusiveMinimum { got, want } => limit("exclusiveMinimum", got, want),
        ErrorKind::ExclusiveMaximum { got, want } => limit("exclusiveMaximum", got, want),
        ErrorKind::MultipleOf { got, want } => limit("multipleOf", got, want),
        ErrorKind::Not => "'not' failed".to_owned(),
        ErrorKind::AllOf => "'allOf' failed".to_owned(),
        ErrorKind::AnyOf => "'anyOf' failed".to_owned(),
        ErrorKind::OneOf(None) => "'oneOf' failed, none matched".to_owned(),
        ErrorKind::OneOf(Some((first, second))) => {
            format!("'oneOf' failed, subschemas {first}, {second} matched")
        }
    }
}

fn bound(name: &str, got: usize, want: usize) -> String {
    format!("{name}: got {}, want {}", grouped(&got.to_string()), grouped(&want.to_string()))
}

fn limit(name: &str, got: &Number, want: &Number) -> String {
    let shown = |number: &Number| english(number.as_f64().unwrap_or_default());
    format!("{name}: got {}, want {}", shown(got), shown(want))
}

fn joined(names: &[&str]) -> String {
    names.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ")
}

fn is_container(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

fn display(value: &Value) -> String {
    match value {
        Value::String(text) => quote(text),
        Value::Null => "<nil>".to_owned(),
        Value::Array(_) | Value::Object(_) => "value".to_owned(),
        other => other.to_string(),
    }
}

/// A text in single quotes, otherwise escaped as Go does.
fn quote(text: &str) -> String {
    let quoted = go::quote(text).replace("\\\"", "\"").replace('\'', "\\'");
    format!("'{}'", &quoted[1..quoted.len() - 1])
}

/// A number as Go's message package writes it for English readers: thousands in groups, powers of ten raised.
fn english(value: f64) -> String {
    let scientific = format!("{:e}", value.abs());
    let sign = if value < 0.0 { "-" } else { "" };
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return format!("{sign}{}", grouped(&value.abs().to_string()));
    }
    let raised = |digit: char| match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32(0x2070 + u32::from(digit) - u32::from('0')).unwrap_or(digit),
    };
    let minus = if exponent < 0 { "⁻" } else { "" };
    let power: String = format!("{:02}", exponent.abs()).chars().map(raised).collect();
    format!("{sign}{mantissa}×10{minus}{power}")
}

/// Digits with a comma before every third one, counted from the point.
fn grouped(digits: &str) -> String {
    let (whole, fraction) =
        digits.split_once('.').map_or((digits, None), |(whole, rest)| (whole, Some(rest)));
    let mut shown = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    match fraction {
        Some(fraction) => format!("{shown}.{fraction}"),
        None => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_english_readers() {
        for (value, expected) in [
            (70_000.0, "70,000"),
            (-5.0, "-5"),
            (1.5, "1.5"),
            (1e21, "1×10²¹"),
            (-1_234_567.25, "-1.23456725×10⁰⁶"),
            (0.001, "0.001"),
            (0.00001, "1×10⁻⁰⁵"),
            (0.0, "0"),
        ] {
            assert_eq!(english(value), expected);
        }
        assert_eq!(bound("minItems", 1, 2000), "minItems: got 1, want 2,000");
    }

    #[test]
    fn texts_are_quoted_with_single_quotes() {
        assert_eq!(quote("it's \"x\"\n"), "'it\\'s \"x\"\\n'");
    }
}
