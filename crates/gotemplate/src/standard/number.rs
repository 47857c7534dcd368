//! Numbers in text, as Go's package `strconv` reads them.

/// Why a text is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is not written as one.
    Syntax,
    /// It does not fit; what Go returns next to the error is the nearest that does.
    Range(i64),
}

/// `strconv.ParseInt(text, base, 64)`. Base 0 looks at the prefix, and allows `_` between digits.
pub(crate) fn parse_int(text: &[u8], base: u32) -> Result<i64, Fault> {
    let (negative, digits) = match text.first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let bound = if negative { i64::MIN } else { i64::MAX };
    let magnitude = match parse_magnitude(digits, base) {
        Ok(magnitude) => magnitude,
        Err(Unread::Syntax) => return Err(Fault::Syntax),
        Err(Unread::TooLarge) => return Err(Fault::Range(bound)),
    };
    if negative {
        0i64.checked_sub_unsigned(magnitude).ok_or(Fault::Range(bound))
    } else {
        i64::try_from(magnitude).map_err(|_| Fault::Range(bound))
    }
}

/// `strconv.ParseUint(text, 10, 64)`.
pub(crate) fn parse_uint(text: &[u8]) -> Result<u64, Unread> {
    parse_magnitude(text, 10)
}

/// Why digits are no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    Syntax,
    TooLarge,
}

fn parse_magnitude(text: &[u8], base: u32) -> Result<u64, Unread> {
    let prefixed = base == 0;
    let (base, digits) = if prefixed { of_prefix(text) } else { (base, text) };
    if digits.is_empty() {
        return Err(Unread::Syntax);
    }
    let mut value = 0u64;
    let mut too_large = false;
    let mut underscores = false;
    for byte in digits {
        if *byte == b'_' && prefixed {
            underscores = true;
            continue;
        }
        let digit = char::from(*byte).to_digit(36).filter(|digit| *digit < base).ok_or(Unread::Syntax)?;
        match value.checked_mul(base.into()).and_then(|value| value.checked_add(digit.into())) {
            Some(next) => value = next,
            // Go stops here: what follows is not looked at.
            None => {
                too_large = true;
                break;
            }
        }
    }
    if too_large {
        return Err(Unread::TooLarge);
    }
    if underscores && !underscores_stand_well(text) {
        return Err(Unread::Syntax);
    }
    Ok(value)
}

fn of_prefix(text: &[u8]) -> (u32, &[u8]) {
    match text {
        [b'0', b'b' | b'B', rest @ ..] if !rest.is_empty() => (2, rest),
        [b'0', b'o' | b'O', rest @ ..] if !rest.is_empty() => (8, rest),
        [b'0', b'x' | b'X', rest @ ..] if !rest.is_empty() => (16, rest),
        [b'0', rest @ ..] if !rest.is_empty() => (8, rest),
        _ => (10, text),
    }
}

/// Underscores separate digits, or the prefix from a digit.
fn underscores_stand_well(text: &[u8]) -> bool {
    let (text, prefixed) = match text {
        [b'0', b'b' | b'B' | b'o' | b'O' | b'x' | b'X', rest @ ..] => (rest, true),
        _ => (text, false),
    };
    let mut after_digit = prefixed;
    let mut after_underscore = false;
    for byte in text {
        match byte {
            b'_' if !after_digit => return false,
            b'_' => (after_digit, after_underscore) = (false, true),
            _ if byte.is_ascii_hexdigit() && (prefixed || byte.is_ascii_digit()) => {
                (after_digit, after_underscore) = (true, false);
            }
            _ if after_underscore => return false,
            _ => after_digit = false,
        }
    }
    !after_underscore
}

/// `strconv.ParseFloat(text, 64)`; none where Go has an error, also that of a number out of range.
pub(crate) fn parse_float(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?;
    let (negative, body) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let sign = if negative { -1.0 } else { 1.0 };
    let lower = body.to_ascii_lowercase();
    match lower.as_str() {
        "inf" | "infinity" => return Some(sign * f64::INFINITY),
        "nan" if body.len() == text.len() => return Some(f64::NAN),
        _ => {}
    }
    if let Some(hexadecimal) = lower.strip_prefix("0x") {
        return parse_hexadecimal(hexadecimal, lower.contains('_')).map(|value| sign * value);
    }
    if !body.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-' | b'_')) {
        return None;
    }
    if !body.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    if body.contains('_') && !underscores_stand_well(body.as_bytes()) {
        return None;
    }
    let value: f64 = body.replace('_', "").parse().ok()?;
    value.is_finite().then_some(sign * value)
}

/// A hexadecimal number with its exponent, after `0x`; exact as long as the digits fit 64 bits.
fn parse_hexadecimal(text: &str, underscores: bool) -> Option<f64> {
    if underscores && !underscores_stand_well(format!("0x{text}").as_bytes()) {
        return None;
    }
    let (digits, exponent) = text.split_once('p')?;
    let exponent = exponent.replace('_', "");
    let exponent_digits = exponent.strip_prefix(['+', '-']).unwrap_or(&exponent);
    if exponent_digits.is_empty() || !exponent_digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut power: i64 =
        exponent.parse::<i64>().unwrap_or(if exponent.starts_with('-') { -99_999 } else { 99_999 });
    power = power.clamp(-99_999, 99_999);
    let (mut value, mut seen, mut point) = (0u128, false, false);
    let mut sticky = false;
    for byte in digits.bytes() {
        match byte {
            b'_' => {}
            b'.' if !point => point = true,
            _ => {
                let digit = char::from(byte).to_digit(16)?;
                seen = true;
                if value >> 120 == 0 {
                    value = value << 4 | u128::from(digit);
                    power -= if point { 4 } else { 0 };
                } else {
                    sticky |= digit != 0;
                    power += if point { 0 } else { 4 };
                }
            }
        }
    }
    if !seen {
        return None;
    }
    if sticky {
        value |= 1;
    }
    let mut result = value as f64;
    // In steps, so that neither the power nor what is left over leaves the range on its own.
    while power > 0 && result.is_finite() && result != 0.0 {
        let step = power.min(512);
        result *= 2f64.powi(step as i32);
        power -= step;
    }
    while power < 0 && result != 0.0 {
        let step = (-power).min(512);
        result *= 2f64.powi(-(step as i32));
        power += step;
    }
    result.is_finite().then_some(result)
}

/// A float cut to an integer as Go's compiled conversion does it on amd64: what does not fit is the smallest.
pub(crate) fn float_to_int(value: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value) {
        value as i64
    } else {
        i64::MIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_integers_as_go_does() {
        for (text, base, expected) in [
            ("12", 10, Ok(12)),
            ("-12", 0, Ok(-12)),
            ("+0x1F", 0, Ok(31)),
            ("010", 0, Ok(8)),
            ("0o17", 0, Ok(15)),
            ("0b11", 0, Ok(3)),
            ("1_000", 0, Ok(1000)),
            ("1_000", 10, Err(Fault::Syntax)),
            ("0x_1", 0, Ok(1)),
            ("_1", 0, Err(Fault::Syntax)),
            ("1__0", 0, Err(Fault::Syntax)),
            ("1_", 0, Err(Fault::Syntax)),
            ("0_7", 0, Ok(7)),
            ("08", 0, Err(Fault::Syntax)),
            ("0x", 0, Err(Fault::Syntax)),
            ("", 10, Err(Fault::Syntax)),
            ("9223372036854775808", 10, Err(Fault::Range(i64::MAX))),
            ("-9223372036854775808", 10, Ok(i64::MIN)),
            ("-9223372036854775809", 10, Err(Fault::Range(i64::MIN))),
            ("99999999999999999999999x", 10, Err(Fault::Range(i64::MAX))),
        ] {
            assert_eq!(parse_int(text.as_bytes(), base), expected, "{text} in base {base}");
        }
    }

    #[test]
    fn reads_floats_as_go_does() {
        for (text, expected) in [
            ("1.5", Some(1.5)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            ("1e3", Some(1000.0)),
            ("-Inf", Some(f64::NEG_INFINITY)),
            ("infinity", Some(f64::INFINITY)),
            ("0x10", None),
            ("0x10p0", Some(16.0)),
            ("0x1.8p1", Some(3.0)),
            ("1_000", Some(1000.0)),
            ("1_23.50_0_0e+1_2", Some(1.235e14)),
            ("1_e1", None),
            ("1_.0", None),
            ("0x1_fp0", Some(31.0)),
            ("0x1p-1080", Some(0.0)),
            ("+nan", None),
            ("1e400", None),
            ("", None),
            ("+-1", None),
            ("e5", None),
            ("1e", None),
            (".", None),
            (" 1", None),
        ] {
            assert_eq!(parse_float(text.as_bytes()), expected, "{text}");
        }
    }
}
