use crate::members::character_of;
use crate::number_text::number_text;
use crate::session::runtime_error;
use crate::text_of::text_of;
use jrsonnet_evaluator::{Error, ObjValue, Result, Val};

/// No field is made wider than this.
const WIDEST: f64 = 1_000_000.0;

/// `std.format` and `%` on a string, as C++ jsonnet's library defines them.
pub(crate) fn format(template: &str, values: &Val) -> Result<String> {
    let parts = parse(template)?;
    match values {
        Val::Arr(values) => format_values(&parts, &values.iter().collect::<Result<Vec<_>>>()?),
        Val::Obj(values) => format_fields(&parts, values),
        value => format_values(&parts, std::slice::from_ref(value)),
    }
}

enum Part {
    Text(String),
    Code(Code),
}

#[derive(Default)]
struct Code {
    key: Option<String>,
    alternate: bool,
    zero: bool,
    left: bool,
    blank: bool,
    plus: bool,
    width: Width,
    precision: Option<Width>,
    conversion: char,
}

enum Width {
    Star,
    Fixed(f64),
}

impl Default for Width {
    fn default() -> Self {
        Self::Fixed(0.0)
    }
}

fn parse(template: &str) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = template.chars().peekable();
    while let Some(character) = rest.next() {
        if character != '%' {
            text.push(character);
            continue;
        }
        parts.push(Part::Text(std::mem::take(&mut text)));
        parts.push(Part::Code(parse_code(&mut rest)?));
    }
    parts.push(Part::Text(text));
    Ok(parts)
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn truncated() -> Error {
    runtime_error("Truncated format code.")
}

fn parse_code(rest: &mut Characters<'_>) -> Result<Code> {
    let mut code = Code::default();
    if *rest.peek().ok_or_else(truncated)? == '(' {
        rest.next();
        let mut key = String::new();
        loop {
            match rest.next().ok_or_else(truncated)? {
                ')' => break,
                character => key.push(character),
            }
        }
        code.key = Some(key);
    }
    loop {
        match rest.peek().ok_or_else(truncated)? {
            '#' => code.alternate = true,
            '0' => code.zero = true,
            '-' => code.left = true,
            ' ' => code.blank = true,
            '+' => code.plus = true,
            _ => break,
        }
        rest.next();
    }
    code.width = parse_width(rest)?;
    if *rest.peek().ok_or_else(truncated)? == '.' {
        rest.next();
        code.precision = Some(parse_width(rest)?);
    }
    if matches!(rest.peek().ok_or_else(truncated)?, 'h' | 'l' | 'L') {
        rest.next();
    }
    code.conversion = rest.next().ok_or_else(truncated)?;
    if !"diuoxXeEfFgGcs%".contains(code.conversion) {
        return Err(runtime_error(&format!("Unrecognised conversion type: {}", code.conversion)));
    }
    Ok(code)
}

fn parse_width(rest: &mut Characters<'_>) -> Result<Width> {
    if *rest.peek().ok_or_else(truncated)? == '*' {
        rest.next();
        return Ok(Width::Star);
    }
    let mut width = 0.0;
    while let Some(digit) = rest.peek().ok_or_else(truncated)?.to_digit(10) {
        rest.next();
        width = width * 10.0 + f64::from(digit);
    }
    Ok(Width::Fixed(width))
}

fn format_values(parts: &[Part], values: &[Val]) -> Result<String> {
    let mut out = String::new();
    let mut next = 0;
    let mut take = || {
        let index = next;
        next += 1;
        let missing = || {
            let count = values.len();
            runtime_error(&format!("Not enough values to format: {count}, expected more than {index}"))
        };
        values.get(index).map(|value| (index, value)).ok_or_else(missing)
    };
    for part in parts {
        let code = match part {
            Part::Text(text) => {
                out.push_str(text);
                continue;
            }
            Part::Code(code) => code,
        };
        let width = match &code.width {
            Width::Fixed(width) => *width,
            Width::Star => take().and_then(|(index, value)| number_at(value, index))?,
        };
        let precision = code.precision.as_ref().map_or(Ok(None), |precision| match precision {
            Width::Fixed(precision) => Ok(Some(*precision)),
            Width::Star => take().and_then(|(index, value)| match value {
                Val::Null => Ok(None),
                value => number_at(value, index).map(Some),
            }),
        });
        let text = match code.conversion {
            '%' => "%".to_owned(),
            _ => {
                let (index, value) = take()?;
                convert(code, value, width, precision, index)?
            }
        };
        pad(&mut out, &text, width, code.left)?;
    }
    if next < values.len() {
        let text = format!("Too many values to format: {}, expected {next}", values.len());
        return Err(runtime_error(&text));
    }
    Ok(out)
}

fn format_fields(parts: &[Part], values: &ObjValue) -> Result<String> {
    let mut out = String::new();
    for (index, part) in parts.iter().enumerate() {
        let code = match part {
            Part::Text(text) => {
                out.push_str(text);
                continue;
            }
            Part::Code(code) => code,
        };
        if code.conversion == '%' {
            pad(&mut out, "%", fixed(&code.width, "field width")?, code.left)?;
            continue;
        }
        let key = code.key.as_deref().ok_or_else(|| runtime_error("Mapping keys required."))?;
        let width = fixed(&code.width, "field width")?;
        let precision = code.precision.as_ref().map(|width| fixed(width, "precision")).transpose();
        let value = field(values, key)?;
        pad(&mut out, &convert(code, &value, width, precision, index)?, width, code.left)?;
    }
    Ok(out)
}

fn field(values: &ObjValue, key: &str) -> Result<Val> {
    values.get(key.into())?.ok_or_else(|| runtime_error(&format!("No such field: {key}")))
}

fn fixed(width: &Width, what: &str) -> Result<f64> {
    match width {
        Width::Fixed(width) => Ok(*width),
        Width::Star => Err(runtime_error(&format!("Cannot use * {what} with object."))),
    }
}

fn number_at(value: &Val, index: usize) -> Result<f64> {
    value.as_num().ok_or_else(|| {
        runtime_error(&format!("Format required number at {index}, got {}", value.value_type()))
    })
}

fn pad(out: &mut String, text: &str, width: f64, left: bool) -> Result<()> {
    let missing = blanks(width - count(text.chars().count()), ' ')?;
    let (before, after) = if left { (text, &*missing) } else { (&*missing, text) };
    out.push_str(before);
    out.push_str(after);
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "no text is that long")]
fn count(length: usize) -> f64 {
    length as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
fn blanks(width: f64, filler: char) -> Result<String> {
    if width > WIDEST {
        return Err(runtime_error("the field is too wide"));
    }
    Ok(if width > 0.0 { filler.to_string().repeat(width.ceil() as usize) } else { String::new() })
}

/// The precision may be an error, or no number, where nobody asks for it.
fn convert(
    code: &Code,
    value: &Val,
    width: f64,
    precision: Result<Option<f64>>,
    index: usize,
) -> Result<String> {
    let number = match code.conversion {
        's' => return text_of(value),
        'c' => return character(value),
        _ => number_at(value, index)?,
    };
    let precision = precision?;
    let digits = precision.unwrap_or(0.0);
    let places = precision.unwrap_or(6.0);
    let zeros = if code.zero && !code.left { width } else { 0.0 };
    let sign = Sign { blank: code.blank, plus: code.plus };
    match code.conversion {
        'd' | 'i' | 'u' => integer(number <= -1.0, number.abs().floor(), zeros, digits, sign, 10.0, ""),
        'o' => {
            let prefix = if code.alternate { "0" } else { "" };
            integer(number <= -1.0, number.abs().floor(), zeros, digits, sign, 8.0, prefix)
        }
        'x' | 'X' => hexadecimal(number.floor(), zeros, digits, sign, code),
        'f' | 'F' => decimal(number, zeros, sign, code.alternate, true, places),
        'e' | 'E' => scientific(number, zeros, sign, code, true, places),
        _ => shorter(number, zeros, sign, code, places),
    }
}

fn character(value: &Val) -> Result<String> {
    match value {
        Val::Num(number) => Ok(character_of(number.get())?.to_string()),
        Val::Str(text) => {
            let text = text.into_flat();
            match text.chars().count() {
                1 => Ok(text.to_string()),
                length => Err(runtime_error(&format!("%c expected 1-sized string got: {length}"))),
            }
        }
        other => Err(runtime_error(&format!("%c expected number / string, got: {}", other.value_type()))),
    }
}

#[derive(Clone, Copy)]
struct Sign {
    blank: bool,
    plus: bool,
}

impl Sign {
    const NONE: Self = Self { blank: false, plus: false };

    fn width(self, negative: bool) -> f64 {
        if negative || self.blank || self.plus { 1.0 } else { 0.0 }
    }

    fn text(self, negative: bool) -> &'static str {
        match (negative, self.plus, self.blank) {
            (true, _, _) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }
}

fn integer(
    negative: bool,
    magnitude: f64,
    zeros: f64,
    digits: f64,
    sign: Sign,
    radix: f64,
    prefix: &str,
) -> Result<String> {
    // Division would never come to an end.
    if !magnitude.is_finite() {
        return Err(runtime_error("overflow"));
    }
    let text =
        if magnitude == 0.0 { "0".to_owned() } else { format!("{prefix}{}", in_radix(magnitude, radix)) };
    let width = (zeros - sign.width(negative)).max(digits);
    Ok(format!("{}{}{text}", sign.text(negative), blanks(width - count(text.len()), '0')?))
}

/// The digits of a positive double, as repeated division in doubles finds them. What is left of a number that is not
/// integral, as negative precisions make it, is written out in its last place.
fn in_radix(magnitude: f64, radix: f64) -> String {
    let mut digits = Vec::new();
    let mut rest = magnitude;
    while rest != 0.0 {
        digits.push(number_text(rest % radix));
        rest = (rest / radix).floor();
    }
    digits.reverse();
    digits.concat()
}

fn in_hexadecimal(magnitude: f64, capitals: bool) -> String {
    let mut digits = Vec::new();
    let mut rest = magnitude;
    while rest >= 1.0 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "less than 16")]
        let digit = char::from_digit((rest % 16.0) as u32, 16).unwrap_or('0');
        digits.push(if capitals { digit.to_ascii_uppercase() } else { digit });
        rest = (rest / 16.0).floor();
    }
    digits.iter().rev().collect()
}

fn hexadecimal(number: f64, zeros: f64, digits: f64, sign: Sign, code: &Code) -> Result<String> {
    let (capitals, negative, magnitude) = (code.conversion == 'X', number < 0.0, number.abs());
    let text = if magnitude == 0.0 { "0".to_owned() } else { in_hexadecimal(magnitude, capitals) };
    let prefix = match (code.alternate, capitals) {
        (false, _) => "",
        (true, false) => "0x",
        (true, true) => "0X",
    };
    let width = (zeros - sign.width(negative) - count(prefix.len())).max(digits);
    Ok(format!("{}{prefix}{}{text}", sign.text(negative), blanks(width - count(text.len()), '0')?))
}

fn decimal(
    number: f64,
    zeros: f64,
    sign: Sign,
    with_point: bool,
    trailing: bool,
    places: f64,
) -> Result<String> {
    let denominator = 10_f64.powf(places);
    let numerator = number.abs() * denominator + 0.5;
    let whole = if number == 0.0 { 0.0 } else { (numerator / denominator).floor() };
    let fraction = numerator.floor() % denominator;
    let point = if places == 0.0 && !with_point { 0.0 } else { 1.0 };
    let text = integer(number < 0.0, whole, zeros - places - point, 0.0, sign, 10.0, "")?;
    if places == 0.0 {
        return Ok(if with_point { text + "." } else { text });
    }
    if !trailing && fraction <= 0.0 {
        return Ok(text);
    }
    let fraction = integer(false, fraction, places, 0.0, Sign::NONE, 10.0, "")?;
    let fraction = if trailing { &*fraction } else { fraction.trim_end_matches('0') };
    Ok(format!("{text}.{fraction}"))
}

fn exponent_of(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { (number.abs().ln() / 10_f64.ln()).floor() }
}

fn scientific(
    number: f64,
    zeros: f64,
    sign: Sign,
    code: &Code,
    trailing: bool,
    places: f64,
) -> Result<String> {
    let exponent = exponent_of(number);
    let mark = if code.conversion.is_ascii_uppercase() { 'E' } else { 'e' };
    let always = Sign { blank: false, plus: true };
    let suffix = format!("{mark}{}", integer(exponent < 0.0, exponent.abs(), 3.0, 0.0, always, 10.0, "")?);
    let mantissa = if exponent <= -324.0 {
        // The smallest doubles: the power itself would be zero.
        number * 10.0 / 10_f64.powf(exponent + 1.0)
    } else {
        number / 10_f64.powf(exponent)
    };
    let text = decimal(mantissa, zeros - count(suffix.len()), sign, code.alternate, trailing, places)?;
    Ok(text + &suffix)
}

fn shorter(number: f64, zeros: f64, sign: Sign, code: &Code, places: f64) -> Result<String> {
    let exponent = exponent_of(number);
    if exponent < -4.0 || exponent >= places {
        return scientific(number, zeros, sign, code, code.alternate, places - 1.0);
    }
    let before_point = (exponent + 1.0).max(1.0);
    decimal(number, zeros, sign, code.alternate, code.alternate, places - before_point)
}
