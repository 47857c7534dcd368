use super::number::{float_text, radix_text};
use crate::error::{Class, Outcome, RenderError, raise, type_error, value_error};
use crate::ops::count_of;
use crate::print;
use crate::run::Run;
use crate::value::Value;
use kapstan_document::Int;
use num_bigint::Sign;

const MAX_WIDTH: usize = 1 << 20;

/// Where the values of a `%` operation come from.
struct Source<'a> {
    values: Vec<Value>,
    at: usize,
    /// The value itself, where one can look things up in it: then nothing needs to be used.
    mapping: Option<&'a Value>,
}

impl Source<'_> {
    fn next(&mut self) -> Outcome<Value> {
        match self.values.get(self.at) {
            Some(value) => {
                self.at += 1;
                Ok(value.clone())
            }
            None => type_error("not enough arguments for format string"),
        }
    }
}

#[derive(Default)]
struct Directive {
    minus: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// `format % value`.
pub(crate) fn percent(run: &Run, format: &str, value: &Value) -> Outcome<String> {
    let values = match value {
        Value::Tuple(tuple) => tuple.items.clone(),
        value => vec![value.clone()],
    };
    let has_items = matches!(
        value,
        Value::Dict(_) | Value::List(_) | Value::Range(_) | Value::Bytes(_) | Value::Undefined(_)
    );
    let mut source = Source { values, at: 0, mapping: has_items.then_some(value) };
    let mut out = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = directive(run, format, &rest[at + 1..], &mut source, &mut out)?;
        run.spend_text(out.len())?;
    }
    out.push_str(rest);
    if source.mapping.is_none() && source.at < source.values.len() {
        return type_error("not all arguments converted during string formatting");
    }
    Ok(out)
}

fn directive<'a>(
    run: &Run,
    format: &str,
    mut rest: &'a str,
    source: &mut Source<'_>,
    out: &mut String,
) -> Outcome<&'a str> {
    let mut item = Directive::default();
    let mut mapped = None;
    if let Some(after) = rest.strip_prefix('(') {
        let Some(mapping) = source.mapping else {
            return type_error("format requires a mapping");
        };
        let Some(end) = closing(after) else {
            return value_error("incomplete format key");
        };
        let key = Value::from(&after[..end]);
        mapped = Some(crate::ops::item(run, mapping, &key)?);
        source.at = source.values.len();
        rest = &after[end + 1..];
    }
    loop {
        match rest.chars().next() {
            Some('-') => item.minus = true,
            Some('+') => item.plus = true,
            Some(' ') => item.space = true,
            Some('#') => item.alternate = true,
            Some('0') => item.zero = true,
            _ => break,
        }
        rest = &rest[1..];
    }
    if let Some(after) = rest.strip_prefix('*') {
        let width = star(source)?;
        item.minus |= width < 0;
        item.width = usize::try_from(width.unsigned_abs()).unwrap_or(MAX_WIDTH).min(MAX_WIDTH);
        rest = after;
    } else {
        (item.width, rest) = digits(rest)?;
    }
    if let Some(after) = rest.strip_prefix('.') {
        let (precision, after) = if let Some(after) = after.strip_prefix('*') {
            (count_of(star(source)?).min(MAX_WIDTH), after)
        } else {
            digits(after)?
        };
        item.precision = Some(precision);
        rest = after;
    }
    rest = rest.strip_prefix(['h', 'l', 'L']).unwrap_or(rest);
    let Some(kind) = rest.chars().next() else {
        return value_error("incomplete format");
    };
    let after = &rest[kind.len_utf8()..];
    if kind == '%' {
        out.push('%');
        return Ok(after);
    }
    if !"srdiuoxXeEfFgGca".contains(kind) {
        let at = crate::text::length(format) - crate::text::length(rest);
        let code = u32::from(kind);
        return value_error(format!("unsupported format character '{kind}' ({code:#x}) at index {at}"));
    }
    let value = match mapped {
        Some(value) => value,
        None => source.next()?,
    };
    out.push_str(&item.text(kind, &value)?);
    Ok(after)
}

fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn digits(text: &str) -> Outcome<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if end == 0 {
        return Ok((0, text));
    }
    match text[..end].parse() {
        Ok(width) if width <= MAX_WIDTH => Ok((width, &text[end..])),
        _ => value_error("width too big"),
    }
}

fn star(source: &mut Source<'_>) -> Outcome<i64> {
    match source.next()?.as_int() {
        Some(Int::Small(value)) => Ok(value),
        _ => type_error("* wants int"),
    }
}

impl Directive {
    fn text(&self, kind: char, value: &Value) -> Outcome<String> {
        let cut =
            |text: &str| self.precision.map_or(text, |most| crate::text::substring(text, 0, most)).to_owned();
        Ok(match kind {
            's' => self.padded("", &cut(&print::str(value)?), false),
            'r' => self.padded("", &cut(&print::repr(value)?), false),
            'a' => {
                let mut ascii = String::new();
                for c in print::repr(value)?.chars() {
                    match u32::from(c) {
                        0..=0x7f => ascii.push(c),
                        code @ 0x80..=0xff => ascii.push_str(&format!("\\x{code:02x}")),
                        code @ 0x100..=0xffff => ascii.push_str(&format!("\\u{code:04x}")),
                        code => ascii.push_str(&format!("\\U{code:08x}")),
                    }
                }
                self.padded("", &cut(&ascii), false)
            }
            'c' => self.padded("", &character(value)?, false),
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' => self.int(kind, value)?,
            _ => {
                let float = match value {
                    Value::Float(_) | Value::Int(_) | Value::Bool(_) => crate::ops::float_of(value)?,
                    Value::Undefined(undefined) => return undefined.fail(),
                    _ => return type_error(format!("must be real number, not {}", value.type_name())),
                };
                let digits = float_text(float.abs(), kind, self.precision, self.alternate);
                let negative = float.is_sign_negative() && !float.is_nan();
                self.padded(self.sign(negative), &digits, float.is_finite())
            }
        })
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn int(&self, kind: char, value: &Value) -> Outcome<String> {
        let is_decimal = matches!(kind, 'd' | 'i' | 'u');
        let int = match value {
            Value::Float(float) if is_decimal && float.is_finite() => {
                Int::from_f64_exact(float.trunc()).unwrap_or(Int::Small(0))
            }
            Value::Float(float) if is_decimal => {
                let kind = if float.is_nan() { "NaN" } else { "infinity" };
                let class = if float.is_nan() { Class::Value } else { Class::Overflow };
                return raise(class, format!("cannot convert float {kind} to integer"));
            }
            Value::Undefined(undefined) => return undefined.fail(),
            value => match value.as_int() {
                Some(int) => int,
                None => {
                    let wanted = if is_decimal { "a real number" } else { "an integer" };
                    let got = value.type_name();
                    return type_error(format!("%{kind} format: {wanted} is required, not {got}"));
                }
            },
        };
        let big = int.to_big();
        let (prefix, digits) = radix_text(&big, if is_decimal { 'd' } else { kind });
        let zeros = "0".repeat(self.precision.unwrap_or(0).saturating_sub(digits.len()));
        let prefix = if self.alternate { prefix } else { "" };
        let sign = format!("{}{prefix}", self.sign(big.sign() == Sign::Minus));
        Ok(self.padded(&sign, &format!("{zeros}{digits}"), true))
    }

    fn padded(&self, sign: &str, body: &str, is_number: bool) -> String {
        let missing = self.width.saturating_sub(sign.len() + crate::text::length(body));
        if self.minus {
            return format!("{sign}{body}{}", " ".repeat(missing));
        }
        if self.zero && is_number {
            return format!("{sign}{}{body}", "0".repeat(missing));
        }
        format!("{}{sign}{body}", " ".repeat(missing))
    }
}

fn character(value: &Value) -> Outcome<String> {
    let wrong = || RenderError::new(Class::Type, "%c requires int or char");
    match value {
        Value::Str(text) | Value::Markup(text) if crate::text::length(text) == 1 => Ok(text.to_string()),
        value => match value.as_int() {
            Some(Int::Small(code)) => match u32::try_from(code).ok().and_then(char::from_u32) {
                Some(c) => Ok(c.to_string()),
                None => raise(Class::Overflow, "%c arg not in range(0x110000)"),
            },
            Some(Int::Big(_)) => raise(Class::Overflow, "%c arg not in range(0x110000)"),
            None => Err(wrong()),
        },
    }
}
