use super::{Call, CallError, Outcome};
use crate::format;
use crate::unicode::{chars, is_print};
use crate::value::{Text, Value};

/// The arguments as one text: as `print` has it, but nil as actions show it.
fn joined(call: &Call<'_>) -> Result<Text, CallError> {
    let shown = |arg: &Value| match arg {
        Value::Absent | Value::Nil => Value::str("<no value>"),
        Value::Object(object) => object.action_text().map_or_else(|| arg.clone(), Value::Str),
        _ => arg.clone(),
    };
    let args: Vec<Value> = call.args().iter().map(shown).collect();
    Ok(format::print(&args)?)
}

pub(super) fn html(call: &mut Call<'_>) -> Outcome {
    let text = joined(call)?;
    let mut out = Vec::with_capacity(text.len());
    for byte in text.iter() {
        match byte {
            0 => out.extend_from_slice("\u{fffd}".as_bytes()),
            b'"' => out.extend_from_slice(b"&#34;"),
            b'\'' => out.extend_from_slice(b"&#39;"),
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            byte => out.push(*byte),
        }
    }
    Ok(Value::Str(out.into()))
}

pub(super) fn js(call: &mut Call<'_>) -> Outcome {
    let text = joined(call)?;
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for (c, length) in chars(&text) {
        match c {
            '\\' => out.extend_from_slice(br"\\"),
            '\'' => out.extend_from_slice(br"\'"),
            '"' => out.extend_from_slice(br#"\""#),
            '<' | '>' | '&' | '=' | '\0'..='\u{1f}' => {
                out.extend_from_slice(format!("\\u{:04X}", u32::from(c)).as_bytes());
            }
            c if c.is_ascii() || is_print(c) => out.extend_from_slice(&text[at..at + length]),
            c => out.extend_from_slice(format!("\\u{:04X}", u32::from(c)).as_bytes()),
        }
        at += length;
    }
    Ok(Value::Str(out.into()))
}

pub(super) fn urlquery(call: &mut Call<'_>) -> Outcome {
    let text = joined(call)?;
    let mut out = String::with_capacity(text.len());
    for byte in text.iter() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(*byte))
            }
            b' ' => out.push('+'),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    Ok(Value::str(out))
}
