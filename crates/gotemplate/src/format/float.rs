use super::Printer;

/// `strconv.FormatFloat(value, verb, precision, 64)` with verb one of `e E f g G b x X`; no precision gives as many
/// digits as tell the value from its neighbours.
pub fn float(value: f64, verb: char, precision: Option<usize>) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return if value < 0.0 { "-Inf" } else { "+Inf" }.to_owned();
    }
    let value = value.abs();
    let text = match verb {
        'b' => binary(value),
        'x' | 'X' => hexadecimal(value, precision),
        'e' | 'E' => exponential(value, precision),
        'f' => match precision {
            Some(precision) => {
                let kept = precision.min(MOST_DIGITS);
                format!("{value:.kept$}{}", "0".repeat(precision - kept))
            }
            None => format!("{value}"),
        },
        _ => general(value, precision),
    };
    let text = if verb.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text };
    format!("{sign}{text}")
}

/// No double has more digits behind its point, or in all; Rust's own precision ends at 65535.
const MOST_DIGITS: usize = 1100;

/// Significant digits, [`MOST_DIGITS`] and one at most, and the exponent of the first of them.
fn digits(value: f64, precision: Option<usize>) -> (String, i32) {
    let text = match precision.map(|precision| precision.min(MOST_DIGITS)) {
        Some(precision) => format!("{value:.precision$e}"),
        None => format!("{value:e}"),
    };
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.replace('.', ""), exponent.parse().unwrap_or(0))
}

fn exponential(value: f64, precision: Option<usize>) -> String {
    let (mut digits, exponent) = digits(value, precision);
    if let Some(missing) = precision.and_then(|precision| precision.checked_sub(MOST_DIGITS)) {
        digits.push_str(&"0".repeat(missing));
    }
    with_exponent(&digits, exponent)
}

/// `d.ddde+dd`
fn with_exponent(digits: &str, exponent: i32) -> String {
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{first}{point}{rest}e{sign}{:02}", exponent.unsigned_abs())
}

fn general(value: f64, precision: Option<usize>) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let precision = precision.map(|precision| precision.max(1));
    let (all, exponent) = digits(value, precision.map(|precision| precision - 1));
    let digits = all.trim_end_matches('0');
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    // From which exponent on the other form is shorter, by Go's measure.
    let limit = match precision {
        None => 6,
        Some(precision) => {
            let precision = i32::try_from(precision).unwrap_or(i32::MAX);
            if precision > count && count > exponent { count } else { precision }
        }
    };
    if exponent < -4 || exponent >= limit {
        return with_exponent(digits, exponent);
    }
    if exponent < 0 {
        return format!("0.{}{digits}", "0".repeat((-exponent - 1).unsigned_abs() as usize));
    }
    let whole = exponent.unsigned_abs() as usize + 1;
    if digits.len() <= whole {
        return format!("{digits}{}", "0".repeat(whole - digits.len()));
    }
    format!("{}.{}", &digits[..whole], &digits[whole..])
}

/// Mantissa as an integer and the exponent of its last bit, both as they are stored.
fn parts(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let stored = i32::try_from((bits >> 52) & 0x7ff).unwrap_or(0);
    let fraction = bits & ((1 << 52) - 1);
    if stored == 0 { (fraction, -1074) } else { (fraction | 1 << 52, stored - 1075) }
}

fn binary(value: f64) -> String {
    let (mantissa, exponent) = parts(value);
    format!("{mantissa}p{exponent:+}")
}

/// `0x1.8p+01`
fn hexadecimal(value: f64, precision: Option<usize>) -> String {
    let (mut mantissa, mut exponent) = parts(value);
    if mantissa == 0 {
        exponent = 0;
    } else {
        // One digit before the point, thirteen behind.
        let shift = mantissa.leading_zeros() - 11;
        mantissa <<= shift;
        exponent += 52 - i32::try_from(shift).unwrap_or(0);
    }
    if let Some(precision) = precision.filter(|precision| *precision < 13) {
        let dropped = 4 * (13 - precision);
        let (kept, rest, half) =
            (mantissa >> dropped, mantissa & ((1 << dropped) - 1), 1u64 << (dropped - 1));
        let rounds_up = rest > half || (rest == half && kept % 2 == 1);
        mantissa = (kept + u64::from(rounds_up)) << dropped;
        if mantissa >> 53 != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    let fraction = format!("{:013x}", mantissa & ((1 << 52) - 1));
    let fraction = match precision {
        None => fraction.trim_end_matches('0').to_owned(),
        Some(precision) if precision <= 13 => fraction[..precision].to_owned(),
        Some(precision) => format!("{fraction}{}", "0".repeat(precision - 13)),
    };
    let point = if fraction.is_empty() { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("0x{}{point}{fraction}p{sign}{:02}", mantissa >> 52, exponent.unsigned_abs())
}

impl Printer {
    /// A double; false where the verb is none for doubles.
    pub(super) fn float(&mut self, value: f64, verb: char) -> bool {
        let (form, precision) = match verb {
            'v' => ('g', None),
            'b' | 'g' | 'G' | 'x' | 'X' => (verb, None),
            'f' | 'e' | 'E' => (verb, Some(6)),
            'F' => ('f', Some(6)),
            _ => return false,
        };
        let flags = self.flags;
        let precision = flags.precision.or(precision);
        let text = float(value, form, precision);
        let (is_negative, mut text) = match text.strip_prefix(['-', '+']) {
            Some(rest) => (text.starts_with('-'), rest.to_owned()),
            None => (false, text),
        };
        let sign = match () {
            () if is_negative => "-",
            () if flags.plus => "+",
            () if flags.space => " ",
            () => "",
        };
        if !value.is_finite() {
            // Infinity always has its sign in Go's own text, but `%v` shows a plus only for it.
            let sign = if sign.is_empty() && value.is_infinite() { "+" } else { sign };
            self.padded_with_spaces(format!("{sign}{text}").as_bytes());
            return true;
        }
        if flags.sharp && form != 'b' {
            text = with_point(&text, form, precision);
        }
        if let Some(width) = flags.width
            && !sign.is_empty()
            && flags.zero
            && !flags.minus
        {
            // The sign goes before the zeros.
            self.push_str(sign);
            self.padding(width.saturating_sub(sign.len() + text.len()));
            self.push_str(&text);
        } else {
            self.padded(format!("{sign}{text}").as_bytes());
        }
        true
    }

    /// A complex number as `(1+2i)`; false where the verb is none for it.
    pub(super) fn complex(&mut self, real: f64, imaginary: f64, verb: char) -> bool {
        if !matches!(verb, 'v' | 'b' | 'g' | 'G' | 'x' | 'X' | 'f' | 'F' | 'e' | 'E') {
            return false;
        }
        self.out.push(b'(');
        self.float(real, verb);
        let plus = std::mem::replace(&mut self.flags.plus, true);
        self.float(imaginary, verb);
        self.flags.plus = plus;
        self.push_str("i)");
        true
    }
}

/// What the sharp flag asks for: a decimal point always, and for some forms the zeros behind the last digit.
fn with_point(text: &str, form: char, precision: Option<usize>) -> String {
    let is_hex = matches!(form, 'x' | 'X');
    let end = if is_hex { ['p', 'P'] } else { ['e', 'E'] };
    let split = text.find(end).unwrap_or(text.len());
    let (mantissa, tail) = text.split_at(split);
    let mut wanted = match form {
        'g' | 'G' | 'x' => precision.unwrap_or(6),
        _ => 0,
    };
    let significant = mantissa.trim_start_matches(['0', '.']);
    wanted = wanted.saturating_sub(significant.chars().filter(|c| *c != '.').count());
    let mut mantissa = mantissa.to_owned();
    if !mantissa.contains('.') {
        // A lone zero counts once.
        wanted = wanted.saturating_sub(usize::from(mantissa == "0"));
        mantissa.push('.');
    }
    format!("{mantissa}{}{tail}", "0".repeat(wanted))
}
