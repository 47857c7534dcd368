use crate::bounds::check_text;
use crate::number_text::number_text;
use crate::session::runtime_error;
use jrsonnet_evaluator::{Result, Val, ensure_sufficient_stack};
use std::fmt::Write as _;

/// A value as `std.toString` and `+` with a string turn it into text: a string as it is, anything else as JSON on one
/// line.
pub(crate) fn text_of(value: &Val) -> Result<String> {
    if let Val::Str(text) = value {
        return Ok(text.into_flat().to_string());
    }
    let mut text = String::new();
    write(value, &mut text)?;
    Ok(text)
}

fn write(value: &Val, out: &mut String) -> Result<()> {
    check_text(out.len())?;
    match value {
        Val::Null => out.push_str("null"),
        Val::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Val::Num(number) => out.push_str(&number_text(number.get())),
        Val::Str(text) => quote(&text.into_flat(), out),
        Val::Arr(items) if items.is_empty() => out.push_str("[ ]"),
        Val::Arr(items) => ensure_sufficient_stack(|| {
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "[" } else { ", " });
                write(&item?, out)?;
            }
            out.push(']');
            Ok::<_, jrsonnet_evaluator::Error>(())
        })?,
        Val::Obj(object) => ensure_sufficient_stack(|| {
            object.run_assertions()?;
            let mut is_empty = true;
            for (name, field) in object.iter() {
                out.push_str(if is_empty { "{" } else { ", " });
                quote(&name, out);
                out.push_str(": ");
                write(&field?, out)?;
                is_empty = false;
            }
            out.push_str(if is_empty { "{ }" } else { "}" });
            Ok::<_, jrsonnet_evaluator::Error>(())
        })?,
        Val::Func(_) => return Err(runtime_error("couldn't manifest function in JSON output.")),
    }
    Ok(())
}

/// A JSON string with the escapes of C++ jsonnet.
pub(crate) fn quote(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            plain => out.push(plain),
        }
    }
    out.push('"');
}
