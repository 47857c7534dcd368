use super::Member;
use super::items::length;
use super::manifest_json::quoted;
use crate::operators::{equals, format_or_modulo, number};
use crate::session::runtime_error;
use crate::text_of::text_of;
use jrsonnet_evaluator::{Result, Val};

pub(super) const MEMBERS: &[Member] = &[
    ("length", &["x"], |given| number(f64::from(length(&given.value(0)?)?))),
    ("toString", &["a"], |given| text_of(&given.value(0)?).map(Val::from)),
    ("format", &["str", "vals"], |given| format_or_modulo(&given.value(0)?, &given.value(1)?)),
    ("mod", &["a", "b"], |given| format_or_modulo(&given.value(0)?, &given.value(1)?)),
    ("equals", &["a", "b"], |given| equals(&given.value(0)?, &given.value(1)?).map(Val::Bool)),
    ("assertEqual", &["a", "b"], |given| {
        let (a, b) = (given.value(0)?, given.value(1)?);
        if equals(&a, &b)? {
            return Ok(Val::Bool(true));
        }
        let problem = format!("Assertion failed. {} != {}", shown(&a)?, shown(&b)?);
        Err(runtime_error(&problem))
    }),
    ("escapeStringJson", &["str_"], |given| json(&given.value(0)?).map(Val::from)),
    ("escapeStringPython", &["str"], |given| json(&given.value(0)?).map(Val::from)),
    ("escapeStringBash", &["str_"], |given| {
        Ok(format!("'{}'", text_of(&given.value(0)?)?.replace('\'', r#"'"'"'"#)).into())
    }),
    ("escapeStringDollars", &["str_"], |given| Ok(text_of(&given.value(0)?)?.replace('$', "$$").into())),
    ("escapeStringXML", &["str_"], |given| Ok(xml(&text_of(&given.value(0)?)?).into())),
];

fn shown(value: &Val) -> Result<String> {
    match value {
        Val::Str(_) => json(value),
        other => text_of(other),
    }
}

/// The text of a value as a JSON string.
fn json(value: &Val) -> Result<String> {
    quoted(&text_of(value)?)
}

fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\0' => {}
            plain => escaped.push(plain),
        }
    }
    escaped
}
