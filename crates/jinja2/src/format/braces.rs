use super::Spec;
use crate::error::{Class, Outcome, index_error, raise, type_error, value_error};
use crate::ops;
use crate::print;
use crate::run::{Args, Run};
use crate::value::Value;
use kapstan_document::Text;

/// Where the values of a `str.format` come from.
struct Source<'a> {
    run: &'a Run<'a>,
    args: &'a Args,
    mapping: Option<&'a Value>,
    /// The number that the next `{}` gets; none once fields are numbered by hand.
    next: Option<usize>,
    is_manual: bool,
}

/// `text.format(...)`.
pub(crate) fn format(run: &Run, text: &str, args: &Args) -> Outcome<String> {
    let mut source = Source { run, args, mapping: None, next: Some(0), is_manual: false };
    source.fill(text, 2)
}

/// `text.format_map(mapping)`.
pub(crate) fn format_map(run: &Run, text: &str, mapping: &Value) -> Outcome<String> {
    let args = Args::default();
    let mut source = Source { run, args: &args, mapping: Some(mapping), next: Some(0), is_manual: false };
    source.fill(text, 2)
}

impl Source<'_> {
    fn fill(&mut self, text: &str, depth: usize) -> Outcome<String> {
        if depth == 0 {
            return value_error("Max string recursion exceeded");
        }
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            out.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                out.push_str(brace);
                rest = after;
            } else if brace == "}" {
                return value_error("Single '}' encountered in format string");
            } else if rest.is_empty() {
                return value_error("Single '{' encountered in format string");
            } else {
                let Some(end) = field_end(rest) else {
                    return value_error("expected '}' before end of string");
                };
                out.push_str(&self.field(&rest[..end], depth)?);
                rest = &rest[end + 1..];
            }
            self.run.spend_text(out.len())?;
        }
        out.push_str(rest);
        Ok(out)
    }

    fn field(&mut self, field: &str, depth: usize) -> Outcome<String> {
        let name_end = name_end(field);
        let (name, mut rest) = field.split_at(name_end);
        let mut conversion = None;
        if let Some(after) = rest.strip_prefix('!') {
            let mut chars = after.chars();
            conversion = chars.next();
            rest = chars.as_str();
            if conversion.is_none() {
                return value_error("end of string while looking for conversion specifier");
            }
            if !rest.is_empty() && !rest.starts_with(':') {
                return value_error("expected ':' after conversion specifier");
            }
        }
        let spec = rest.strip_prefix(':').unwrap_or("");
        let value = self.value(name)?;
        let value = match conversion {
            None => value,
            Some('s') => Value::Str(print::str(&value)?),
            Some('r') => print::repr(&value)?.into(),
            Some('a') => super::percent(self.run, "%a", &Value::tuple(vec![value]))?.into(),
            Some(other) => return value_error(format!("Unknown conversion specifier {other}")),
        };
        let spec = if spec.contains('{') { self.fill(spec, depth - 1)? } else { spec.to_owned() };
        formatted(self.run, &value, &spec)
    }

    fn value(&mut self, name: &str) -> Outcome<Value> {
        let end = name.find(['.', '[']).unwrap_or(name.len());
        let (first, mut rest) = name.split_at(end);
        let mut value = self.first(first)?;
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('.') {
                let end = after.find(['.', '[']).unwrap_or(after.len());
                if end == 0 {
                    return value_error("Empty attribute in format string");
                }
                let attribute = &after[..end];
                let Some(found) = crate::methods::attribute(self.run, &value, attribute)? else {
                    let kind = value.type_name();
                    return raise(
                        Class::Attribute,
                        format!("'{kind}' object has no attribute '{attribute}'"),
                    );
                };
                value = found;
                rest = &after[end..];
            } else if let Some(after) = rest.strip_prefix('[') {
                let Some(end) = after.find(']') else {
                    return value_error("Missing ']' in format string");
                };
                if end == 0 {
                    return value_error("Empty attribute in format string");
                }
                let index = &after[..end];
                let index = match index.parse::<i64>() {
                    Ok(number) if index.bytes().all(|c| c.is_ascii_digit()) => Value::int(number),
                    _ => Value::from(index),
                };
                value = ops::item(self.run, &value, &index)?;
                rest = &after[end + 1..];
            } else {
                return value_error("Only '.' or '[' may follow ']' in format field specifier");
            }
        }
        Ok(value)
    }

    fn first(&mut self, name: &str) -> Outcome<Value> {
        let number = if name.is_empty() {
            if self.is_manual {
                return value_error(
                    "cannot switch from manual field specification to automatic field numbering",
                );
            }
            let next = self.next.unwrap_or(0);
            self.next = Some(next + 1);
            Some(next)
        } else if name.bytes().all(|c| c.is_ascii_digit()) {
            if self.next.is_some_and(|next| next > 0) {
                return value_error(
                    "cannot switch from automatic field numbering to manual field specification",
                );
            }
            self.is_manual = true;
            name.parse().ok()
        } else {
            None
        };
        if let Some(mapping) = self.mapping {
            if number.is_some() {
                return value_error("Format string contains positional fields");
            }
            return ops::item(self.run, mapping, &Value::from(name));
        }
        if let Some(number) = number {
            return match self.args.positional.get(number) {
                Some(value) => Ok(value.clone()),
                None => {
                    index_error(format!("Replacement index {number} out of range for positional args tuple"))
                }
            };
        }
        match self.args.named.iter().find(|(given, _)| &**given == name) {
            Some((_, value)) => Ok(value.clone()),
            None => raise(Class::Key, crate::error::quoted(name)),
        }
    }
}

/// Where a field ends: braces nest, brackets hide them.
fn field_end(text: &str) -> Option<usize> {
    let mut depth = 1;
    let mut in_brackets = false;
    for (at, c) in text.char_indices() {
        match c {
            '[' if depth == 1 => in_brackets = true,
            ']' => in_brackets = false,
            '{' if !in_brackets => depth += 1,
            '}' if !in_brackets => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn name_end(field: &str) -> usize {
    let mut in_brackets = false;
    for (at, c) in field.char_indices() {
        match c {
            '[' => in_brackets = true,
            ']' => in_brackets = false,
            '!' | ':' if !in_brackets => return at,
            _ => {}
        }
    }
    field.len()
}

/// `format(value, spec)`.
fn formatted(run: &Run, value: &Value, spec: &str) -> Outcome<String> {
    let is_plain =
        !matches!(value, Value::Str(_) | Value::Markup(_) | Value::Int(_) | Value::Bool(_) | Value::Float(_));
    if matches!(value, Value::Date(_) | Value::DateTime(_)) && !spec.is_empty() {
        return crate::time::strftime(value, spec);
    }
    if spec.is_empty() {
        let text: Text = print::str(value)?;
        return Ok(text.to_string());
    }
    if is_plain {
        return type_error(format!("unsupported format string passed to {}.__format__", value.type_name()));
    }
    let made = Spec::parse(spec, value.type_name())?.apply(value)?;
    run.spend_text(made.len())?;
    Ok(made)
}
