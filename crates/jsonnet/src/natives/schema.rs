use super::Call;
use crate::session::runtime_error;
use crate::value::object;
use jrsonnet_evaluator::{Result, Val};
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::LocationSegment;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;
use std::cmp::Ordering;
use std::fmt::Write as _;

/// The width to which Python's `jsonschema` wraps values.
const WIDTH: usize = 72;

/// `{valid, reason}` with the reason as Python's `jsonschema` words it. Formats are checked.
pub(super) fn jsonschema_validate(call: &Call<'_>) -> Result<Val> {
    let (instance, schema) = (parse(&call.json(0)?)?, parse(&call.json(1)?)?);
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .map_err(|error| runtime_error(&message(&error)))?;
    let reason = first_reason(&validator, &schema, &instance);
    let valid = Val::Bool(reason.is_none());
    Ok(object([("valid".to_owned(), valid), ("reason".to_owned(), reason.unwrap_or_default().into())]))
}

fn parse(text: &str) -> Result<Value> {
    serde_json::from_str(text).map_err(|error| runtime_error(&error.to_string()))
}

/// The text of the problem that Python takes for the most telling one.
fn first_reason(validator: &Validator, schema: &Value, instance: &Value) -> Option<String> {
    let mut best: Option<ValidationError<'_>> = None;
    for error in validator.iter_errors(instance) {
        if best.as_ref().is_none_or(|best| relevance(&error, best).is_gt()) {
            best = Some(error);
        }
    }
    best.map(|error| describe(&error, schema))
}

/// Shorter paths are better, of equally long ones the later; then keywords that say more; then the first keyword.
fn relevance(left: &ValidationError<'_>, right: &ValidationError<'_>) -> Ordering {
    let (left_path, right_path) = (path(left), path(right));
    let is_weak = |error: &ValidationError<'_>| matches!(error.kind().keyword(), "anyOf" | "oneOf");
    (right_path.len().cmp(&left_path.len()))
        .then_with(|| left_path.cmp(&right_path))
        .then_with(|| is_weak(right).cmp(&is_weak(left)))
        .then_with(|| right.schema_path().as_str().cmp(left.schema_path().as_str()))
}

/// A step into a document, ordered as Python orders them.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Index(usize),
    Key(String),
}

fn path(error: &ValidationError<'_>) -> Vec<Step> {
    let step = |segment: LocationSegment<'_>| match segment {
        LocationSegment::Property(key) => Step::Key(key.to_string()),
        LocationSegment::Index(index) => Step::Index(index),
    };
    error.instance_path().iter().map(step).collect()
}

/// `str(ValidationError)`.
fn describe(error: &ValidationError<'_>, schema: &Value) -> String {
    let steps: Vec<Step> = error
        .schema_path()
        .iter()
        .map(|segment| match segment {
            LocationSegment::Property(key) => Step::Key(key.to_string()),
            LocationSegment::Index(index) => Step::Index(index),
        })
        .collect();
    let (keyword, above) = match steps.split_last() {
        Some((Step::Key(keyword), above)) if !matches!(error.kind(), ValidationErrorKind::FalseSchema) => {
            (quoted(keyword), above)
        }
        _ => ("None".to_owned(), &steps[..]),
    };
    let schema_here = error.schema_path().as_str();
    let parent = if keyword == "None" {
        schema_here
    } else {
        schema_here.rsplit_once('/').map_or("", |parts| parts.0)
    };
    let failing = schema.pointer(parent).unwrap_or(schema);
    format!(
        "{}\n\nFailed validating {keyword} in {}:\n    {}\n\nOn {}:\n    {}",
        message(error),
        place("schema", above),
        indented(failing),
        place("instance", &path(error)),
        indented(error.instance()),
    )
}

fn place(root: &str, steps: &[Step]) -> String {
    steps.iter().fold(root.to_owned(), |place, step| match step {
        Step::Index(index) => format!("{place}[{index}]"),
        Step::Key(key) => format!("{place}[{}]", quoted(key)),
    })
}

fn indented(value: &Value) -> String {
    pretty(value, 0, 0).replace('\n', "\n    ")
}

/// What is wrong, in the words of Python's `jsonschema`.
fn message(error: &ValidationError<'_>) -> String {
    use ValidationErrorKind as Kind;
    let found = repr(error.instance());
    match error.kind() {
        Kind::AdditionalProperties { unexpected } => extra("Additional properties", unexpected),
        Kind::UnevaluatedProperties { unexpected } => extra("Unevaluated properties", unexpected),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            format!("{found} is not valid under any of the given schemas")
        }
        Kind::OneOfMultipleValid { .. } => format!("{found} is valid under each of the given schemas"),
        Kind::Constant { expected_value } => format!("{} was expected", repr(expected_value)),
        Kind::Contains => format!("{found} does not contain items matching the given schema"),
        Kind::Enum { options } => format!("{found} is not one of {}", repr(options)),
        Kind::ExclusiveMaximum { limit } => {
            format!("{found} is greater than or equal to the maximum of {}", repr(limit))
        }
        Kind::ExclusiveMinimum { limit } => {
            format!("{found} is less than or equal to the minimum of {}", repr(limit))
        }
        Kind::Maximum { limit } => format!("{found} is greater than the maximum of {}", repr(limit)),
        Kind::Minimum { limit } => format!("{found} is less than the minimum of {}", repr(limit)),
        Kind::FalseSchema => format!("False schema does not allow {found}"),
        Kind::Format { format } => format!("{found} is not a {}", quoted(format)),
        Kind::MaxItems { limit: 0 } | Kind::MaxLength { limit: 0 } => {
            format!("{found} is expected to be empty")
        }
        Kind::MaxItems { .. } | Kind::MaxLength { .. } => format!("{found} is too long"),
        Kind::MinItems { limit: 1 } | Kind::MinLength { limit: 1 } | Kind::MinProperties { limit: 1 } => {
            format!("{found} should be non-empty")
        }
        Kind::MinItems { .. } | Kind::MinLength { .. } => format!("{found} is too short"),
        Kind::MaxProperties { .. } => format!("{found} has too many properties"),
        Kind::MinProperties { .. } => format!("{found} does not have enough properties"),
        Kind::MultipleOf { multiple_of } => format!("{found} is not a multiple of {}", number(*multiple_of)),
        Kind::Not { schema } => format!("{found} should not be valid under {}", repr(schema)),
        Kind::Pattern { pattern } => format!("{found} does not match {}", quoted(pattern)),
        Kind::PropertyNames { error } => message(error),
        Kind::Required { property } => format!("{} is a required property", repr(property)),
        Kind::Type { kind } => format!("{found} is not of type {}", types(kind)),
        Kind::UniqueItems => format!("{found} has non-unique elements"),
        _ => error.to_string(),
    }
}

fn extra(what: &str, unexpected: &[String]) -> String {
    let verb = if unexpected.len() == 1 { "was" } else { "were" };
    let names: Vec<String> = unexpected.iter().map(|name| quoted(name)).collect();
    format!("{what} are not allowed ({} {verb} unexpected)", names.join(", "))
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => quoted(&kind.to_string()),
        TypeKind::Multiple(kinds) => {
            kinds.iter().map(|kind| quoted(&kind.to_string())).collect::<Vec<_>>().join(", ")
        }
    }
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { kapstan_document::python::float_repr(value) }
}

/// `repr(text)`.
fn quoted(text: &str) -> String {
    kapstan_document::python::repr_str(text)
}

/// `repr(value)`.
fn repr(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => kapstan_document::python::float_repr(float),
            _ => number.to_string(),
        },
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", items.iter().map(repr).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| format!("{}: {}", quoted(key), repr(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
    }
}

/// `pprint.pformat(value, width=72, sort_dicts=False)`: on one line where it fits, else a line for each part.
fn pretty(value: &Value, indent: usize, behind: usize) -> String {
    let flat = repr(value);
    if flat.chars().count() <= WIDTH.saturating_sub(indent + behind) {
        return flat;
    }
    let mut text = String::new();
    match value {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                let is_last = index + 1 == items.len();
                text.push_str(&pretty(item, indent + 1, if is_last { behind + 1 } else { 1 }));
                separate(&mut text, is_last, indent);
            }
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (index, (key, value)) in members.iter().enumerate() {
                let (key, is_last) = (quoted(key), index + 1 == members.len());
                let inside = indent + key.chars().count() + 3;
                let _ =
                    write!(text, "{key}: {}", pretty(value, inside, if is_last { behind + 1 } else { 1 }));
                separate(&mut text, is_last, indent);
            }
            text.push('}');
        }
        _ => return flat,
    }
    text
}

fn separate(text: &mut String, is_last: bool, indent: usize) {
    if !is_last {
        let _ = write!(text, ",\n{:width$}", "", width = indent + 1);
    }
}
