use super::Call;
use crate::error::{Class, Outcome, raise, type_error, value_error};
use crate::ops;
use crate::run::{Bound, Run};
use crate::text;
use crate::value::Value;
use kapstan_document::Int;
use std::rc::Rc;

pub(super) fn tojson(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let indent = match args.value(1) {
        Value::None => None,
        value => Some(match (value.as_str(), value.as_int()) {
            (Some(text), _) => text.to_string(),
            (_, Some(Int::Small(width))) => " ".repeat(usize::try_from(width).unwrap_or(0).min(1 << 16)),
            _ => {
                return type_error(format!(
                    "can't multiply sequence by non-int of type '{}'",
                    value.type_name()
                ));
            }
        }),
    };
    let text = to_json(call.run, args.value(0), indent.as_deref())?;
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe.push_str("\\u003c"),
            '>' => safe.push_str("\\u003e"),
            '&' => safe.push_str("\\u0026"),
            '\'' => safe.push_str("\\u0027"),
            c => safe.push(c),
        }
    }
    Ok(Value::Markup(safe.into()))
}

/// `json.dumps(value, sort_keys=True, indent=indent)`.
fn to_json(run: &Run, value: &Value, indent: Option<&str>) -> Outcome<String> {
    let mut writer = Writer { run, indent, out: String::new(), open: Vec::new() };
    writer.value(value)?;
    run.spend_text(writer.out.len())?;
    Ok(writer.out)
}

struct Writer<'a> {
    run: &'a Run<'a>,
    indent: Option<&'a str>,
    out: String,
    open: Vec<usize>,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value) -> Outcome<()> {
        self.run.stack.check()?;
        self.run.spend(1)?;
        match value {
            Value::None => self.out.push_str("null"),
            Value::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Value::Int(value) => self.out.push_str(&value.to_string()),
            Value::Float(value) => self.out.push_str(&float(*value)),
            Value::Str(text) | Value::Markup(text) => string(text, &mut self.out),
            Value::Tuple(tuple) => self.array(&tuple.items, Rc::as_ptr(tuple).addr())?,
            Value::List(list) => {
                let items = list.items();
                self.array(&items, Rc::as_ptr(list).addr())?;
            }
            Value::Dict(dict) => {
                let address = Rc::as_ptr(dict).addr();
                self.enter(address)?;
                self.object(dict.pairs()?)?;
                self.open.pop();
            }
            value => {
                let name = value.type_name();
                let name = name.strip_prefix("datetime.").unwrap_or(name);
                return type_error(format!("Object of type {name} is not JSON serializable"));
            }
        }
        Ok(())
    }

    fn enter(&mut self, address: usize) -> Outcome<()> {
        if self.open.contains(&address) {
            return value_error("Circular reference detected");
        }
        self.open.push(address);
        Ok(())
    }

    fn line(&mut self) {
        if let Some(indent) = self.indent {
            self.out.push('\n');
            for _ in &self.open {
                self.out.push_str(indent);
            }
        }
    }

    fn separator(&mut self, at: usize) {
        if at > 0 {
            self.out.push_str(if self.indent.is_some() { "," } else { ", " });
        }
        self.line();
    }

    fn array(&mut self, items: &[Value], address: usize) -> Outcome<()> {
        if items.is_empty() {
            self.out.push_str("[]");
            return Ok(());
        }
        self.enter(address)?;
        self.out.push('[');
        for (at, item) in items.iter().enumerate() {
            self.separator(at);
            self.value(item)?;
        }
        self.open.pop();
        self.line();
        self.out.push(']');
        Ok(())
    }

    fn object(&mut self, pairs: Vec<(Value, Value)>) -> Outcome<()> {
        if pairs.is_empty() {
            self.out.push_str("{}");
            return Ok(());
        }
        let keyed =
            pairs.into_iter().map(|(key, value)| (key.clone(), Value::tuple(vec![key, value]))).collect();
        self.out.push('{');
        for (at, pair) in ops::sort_by_keys(self.run, keyed, false)?.iter().enumerate() {
            let Value::Tuple(pair) = pair else { continue };
            self.separator(at);
            let key = match &pair.items[0] {
                Value::None => "null".into(),
                Value::Bool(value) => if *value { "true" } else { "false" }.into(),
                Value::Int(value) => value.to_string().into(),
                Value::Float(value) => float(*value).into(),
                key => match key.as_str() {
                    Some(key) => key.clone(),
                    None => {
                        let name = key.type_name();
                        return raise(
                            Class::Type,
                            format!("keys must be str, int, float, bool or None, not {name}"),
                        );
                    }
                },
            };
            string(&key, &mut self.out);
            self.out.push_str(": ");
            self.value(&pair.items[1])?;
        }
        let address = self.open.pop();
        self.line();
        self.open.extend(address);
        self.out.push('}');
        Ok(())
    }
}

fn float(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else {
        text::float(value)
    }
}

fn string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{c}' => out.push_str("\\f"),
            '\u{8}' => out.push_str("\\b"),
            ' '..='~' => out.push(c),
            c => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
}
