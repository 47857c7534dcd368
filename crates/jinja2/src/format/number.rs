//! Numbers as text, by type, precision, width and sign.

use crate::error::{Class, Outcome, raise, type_error, value_error};
use crate::value::Value;
use kapstan_document::Int;
use num_bigint::{BigInt, Sign};

/// The widest text that a format may ask for.
const MAX_WIDTH: usize = 1 << 20;

/// What stands behind the colon in `{:...}`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spec {
    pub fill: Option<char>,
    pub align: Option<char>,
    pub sign: Option<char>,
    pub alternate: bool,
    pub zero: bool,
    pub width: usize,
    pub grouping: Option<char>,
    pub precision: Option<usize>,
    pub kind: Option<char>,
}

impl Spec {
    /// Reads a format specification for a value of the type named.
    pub(crate) fn parse(text: &str, type_name: &str) -> Outcome<Self> {
        let mut spec = Self::default();
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        let is_align = |c: Option<&char>| matches!(c, Some('<' | '>' | '=' | '^'));
        if is_align(chars.get(1)) {
            (spec.fill, spec.align) = (Some(chars[0]), Some(chars[1]));
            at = 2;
        } else if is_align(chars.first()) {
            spec.align = Some(chars[0]);
            at = 1;
        }
        if let Some(c @ ('+' | '-' | ' ')) = chars.get(at) {
            spec.sign = Some(*c);
            at += 1;
        }
        if chars.get(at) == Some(&'z') {
            at += 1;
        }
        if chars.get(at) == Some(&'#') {
            spec.alternate = true;
            at += 1;
        }
        if chars.get(at) == Some(&'0') {
            spec.zero = true;
            at += 1;
        }
        (spec.width, at) = digits(&chars, at)?;
        if let Some(c @ (',' | '_')) = chars.get(at) {
            spec.grouping = Some(*c);
            at += 1;
        }
        if chars.get(at) == Some(&'.') {
            let start = at + 1;
            let (precision, end) = digits(&chars, start)?;
            if end == start {
                return value_error("Format specifier missing precision");
            }
            spec.precision = Some(precision);
            at = end;
        }
        if let Some(kind) = chars.get(at) {
            spec.kind = Some(*kind);
            at += 1;
        }
        if at < chars.len() {
            return value_error(format!(
                "Invalid format specifier '{text}' for object of type '{type_name}'"
            ));
        }
        Ok(spec)
    }

    /// Brings a text to the width.
    pub(crate) fn pad(&self, body: &str, default_align: char) -> String {
        let missing = self.width.saturating_sub(crate::text::length(body));
        let fill = self.fill.unwrap_or(if self.zero { '0' } else { ' ' });
        let align = self.align.unwrap_or(if self.zero { '=' } else { default_align });
        let (left, right) = match align {
            '<' => (0, missing),
            '^' => (missing / 2, missing - missing / 2),
            _ => (missing, 0),
        };
        let fill_of = |count| std::iter::repeat_n(fill, count);
        fill_of(left).chain(body.chars()).chain(fill_of(right)).collect()
    }

    /// Puts sign, prefix and digits together at the width, with separators between the digits.
    fn number(&self, negative: bool, prefix: &str, digits: &str) -> String {
        let sign = match (negative, self.sign) {
            (true, _) => "-",
            (false, Some('+')) => "+",
            (false, Some(' ')) => " ",
            _ => "",
        };
        let zero_padded = self.align.unwrap_or(if self.zero { '=' } else { '>' }) == '='
            && self.fill.unwrap_or(if self.zero { '0' } else { ' ' }) == '0';
        let width = if zero_padded { self.width.saturating_sub(sign.len() + prefix.len()) } else { 0 };
        let group = if matches!(self.kind, Some('b' | 'o' | 'x' | 'X')) { 4 } else { 3 };
        let digits = match self.grouping {
            Some(separator) => grouped(digits, separator, group, width),
            None => digits.to_owned(),
        };
        let body = format!("{sign}{prefix}{digits}");
        if self.align.unwrap_or(if self.zero { '=' } else { '>' }) != '=' {
            return self.pad(&body, '>');
        }
        let fill = self.fill.unwrap_or(if self.zero { '0' } else { ' ' });
        let missing = self.width.saturating_sub(crate::text::length(&body));
        let filling: String = std::iter::repeat_n(fill, missing).collect();
        format!("{sign}{prefix}{filling}{digits}")
    }

    /// `format(value, spec)`.
    pub(crate) fn apply(&self, value: &Value) -> Outcome<String> {
        let unknown = |type_name: &str| {
            let kind = self.kind.unwrap_or('?');
            value_error(format!("Unknown format code '{kind}' for object of type '{type_name}'"))
        };
        match value {
            Value::Str(text) | Value::Markup(text) => {
                if !matches!(self.kind, None | Some('s')) {
                    return unknown(value.type_name());
                }
                if self.sign == Some(' ') {
                    return value_error("Space not allowed in string format specifier");
                }
                if let Some(separator) = self.grouping {
                    return value_error(format!("Cannot specify '{separator}' with 's'."));
                }
                if self.sign.is_some() {
                    return value_error("Sign not allowed in string format specifier");
                }
                if self.align == Some('=') {
                    return value_error("'=' alignment not allowed in string format specifier");
                }
                let text = self.precision.map_or(&**text, |most| crate::text::substring(text, 0, most));
                let spec = Self { align: Some(self.align.unwrap_or('<')), ..self.clone() };
                Ok(spec.pad(text, '<'))
            }
            Value::Float(float) => match self.kind {
                None | Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'n' | '%') => Ok(self.float(*float)),
                _ => unknown("float"),
            },
            Value::Int(_) | Value::Bool(_) => match (self.kind, value.as_int()) {
                (None | Some('d' | 'b' | 'o' | 'x' | 'X' | 'n' | 'c'), Some(int)) => self.int(&int),
                (Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%'), _) => {
                    Ok(self.float(crate::ops::float_of(value)?))
                }
                _ => unknown(value.type_name()),
            },
            _ => type_error(format!("unsupported format string passed to {}.__format__", value.type_name())),
        }
    }

    fn int(&self, value: &Int) -> Outcome<String> {
        if self.precision.is_some() {
            return value_error("Precision not allowed in integer format specifier");
        }
        if self.kind == Some('c') {
            let code = match value {
                Int::Small(code) => u32::try_from(*code).ok().and_then(char::from_u32),
                Int::Big(_) => None,
            };
            return match code {
                Some(c) => Ok(self.pad(&c.to_string(), '<')),
                None => raise(Class::Overflow, "%c arg not in range(0x110000)"),
            };
        }
        let big = value.to_big();
        let (prefix, digits) = radix_text(&big, self.kind.unwrap_or('d'));
        Ok(self.number(big.sign() == Sign::Minus, if self.alternate { prefix } else { "" }, &digits))
    }

    fn float(&self, value: f64) -> String {
        let negative = value.is_sign_negative() && !value.is_nan();
        let size = value.abs();
        let kind = self.kind.unwrap_or(' ');
        let digits = match kind {
            ' ' => match self.precision {
                None => crate::text::float(size),
                Some(precision) => general(size, precision, self.alternate, true),
            },
            '%' => format!("{}%", fixed(size * 100.0, self.precision.unwrap_or(6))),
            kind => float_text(size, kind, self.precision, self.alternate),
        };
        self.number(negative, "", &digits)
    }
}

fn digits(chars: &[char], mut at: usize) -> Outcome<(usize, usize)> {
    let mut value = 0usize;
    while let Some(digit) = chars.get(at).and_then(|c| c.to_digit(10)) {
        value = value.saturating_mul(10).saturating_add(digit as usize);
        at += 1;
    }
    if value > MAX_WIDTH {
        return value_error("Too many decimal digits in format string");
    }
    Ok((value, at))
}

/// Separators from the right, zeros in front up to a width.
fn grouped(digits: &str, separator: char, group: usize, width: usize) -> String {
    let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
    let (whole, rest) = digits.split_at(end);
    let width = width.saturating_sub(rest.len());
    let mut whole: Vec<char> = whole.chars().rev().collect();
    let length = |count: usize| count + count.saturating_sub(1) / group;
    while length(whole.len()) < width {
        whole.push('0');
    }
    // A separator never comes first: one zero more instead.
    let mut out = Vec::new();
    for (at, c) in whole.iter().enumerate() {
        if at > 0 && at % group == 0 {
            out.push(separator);
        }
        out.push(*c);
    }
    out.iter().rev().collect::<String>() + rest
}

/// The digits of an integer without its sign, and the prefix of its base.
pub(super) fn radix_text(value: &BigInt, kind: char) -> (&'static str, String) {
    let size = value.magnitude();
    match kind {
        'b' => ("0b", size.to_str_radix(2)),
        'o' => ("0o", size.to_str_radix(8)),
        'x' => ("0x", size.to_str_radix(16)),
        'X' => ("0X", size.to_str_radix(16).to_uppercase()),
        _ => ("", size.to_string()),
    }
}

/// A number with that many decimals.
pub(crate) fn fixed(value: f64, precision: usize) -> String {
    if value.is_finite() { format!("{value:.precision$}") } else { special(value) }
}

fn special(value: f64) -> String {
    if value.is_nan() { "nan".to_owned() } else { "inf".to_owned() }
}

fn exponential(value: f64, precision: usize) -> String {
    if !value.is_finite() {
        return special(value);
    }
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

/// `%g`: that many digits, with an exponent where that is shorter; `with_point` keeps one decimal (Python's default
/// format).
fn general(value: f64, precision: usize, alternate: bool, with_point: bool) -> String {
    if !value.is_finite() {
        return special(value);
    }
    let precision = precision.max(1);
    let scientific = exponential(value, precision - 1);
    let exponent: i64 =
        scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let most = i64::try_from(precision).unwrap_or(i64::MAX) - i64::from(with_point);
    if exponent < -4 || exponent >= most.max(i64::from(!with_point)) && (exponent >= most || !with_point) {
        let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
        let digits = if alternate { digits } else { without_zeros(digits) };
        return format!("{digits}e{exponent}");
    }
    let decimals = usize::try_from(i64::try_from(precision).unwrap_or(i64::MAX) - 1 - exponent).unwrap_or(0);
    let text = fixed(value, decimals);
    let text = if alternate { text.as_str() } else { without_zeros(&text) };
    if with_point && !text.contains('.') { format!("{text}.0") } else { text.to_owned() }
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

/// A double that is not negative, by the letter of the format.
pub(super) fn float_text(value: f64, kind: char, precision: Option<usize>, alternate: bool) -> String {
    let precision = precision.unwrap_or(6);
    let text = match kind.to_ascii_lowercase() {
        'e' => exponential(value, precision),
        'f' => fixed(value, precision),
        _ => general(value, precision, alternate, false),
    };
    let text = if alternate && precision == 0 && !text.contains('.') && value.is_finite() {
        match text.split_once('e') {
            Some((digits, exponent)) => format!("{digits}.e{exponent}"),
            None => text + ".",
        }
    } else {
        text
    };
    if kind.is_ascii_uppercase() { text.to_uppercase() } else { text }
}
