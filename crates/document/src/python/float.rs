/// What `repr()` makes of a double: the fewest digits that read back as the same number, with an exponent below
/// `1e-4` and from `1e16` on; `inf`, `-inf`, `nan`.
///
/// JSON writes the same digits; YAML and TOML start from them.
pub fn float_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = shortest(value);
    let (mantissa, exponent) =
        scientific.split_once('e').expect("the scientific form of a finite number has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent is a number");
    if (-4..16).contains(&exponent) {
        return without_exponent(mantissa, exponent);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// The fewest digits that read back as the same number; of two such forms that are equally near, the one with an even
/// last digit, where Rust may take the greater one.
pub(crate) fn shortest(value: f64) -> String {
    let text = format!("{value:e}");
    let digits = text.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit).count();
    // Two forms of fewer digits never read back as one number.
    if digits >= 16 {
        let rounded_to_even = format!("{value:.*e}", digits - 1);
        if rounded_to_even.parse() == Ok(value) {
            return rounded_to_even;
        }
    }
    text
}

/// `1.25` and `2` as `125.0`.
fn without_exponent(mantissa: &str, exponent: i32) -> String {
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits = mantissa.replace('.', "");
    let Ok(before) = usize::try_from(exponent + 1) else {
        return format!("{sign}0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    };
    match digits.split_at_checked(before) {
        Some(("", fraction)) => format!("{sign}0.{fraction}"),
        Some((whole, "")) => format!("{sign}{whole}.0"),
        Some((whole, fraction)) => format!("{sign}{whole}.{fraction}"),
        None => format!("{sign}{digits:0<before$}.0"),
    }
}

#[cfg(test)]
mod tests {
    use super::float_repr;

    #[test]
    fn the_exponent_appears_where_python_has_it() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (-0.5, "-0.5"),
            (0.05, "0.05"),
            (10.0, "10.0"),
            (-123.25, "-123.25"),
            (1_536_475_581_144_193.0 + 0.25, "1536475581144193.2"),
            (1_536_475_581_144_193.0 + 0.75, "1536475581144193.8"),
            (1.0 / f64::from(1u32 << 22) / f64::from(1u32 << 22), "5.684341886080802e-14"),
            (1e15, "1000000000000000.0"),
            (9_999_999_999_999_998.0, "9999999999999998.0"),
            (1e16, "1e+16"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (1e22, "1e+22"),
            (1e100, "1e+100"),
            (0.0001, "0.0001"),
            (0.000_12, "0.00012"),
            (0.000_012, "1.2e-05"),
            (-1e-7, "-1e-07"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ];
        for (value, expected) in cases {
            assert_eq!(float_repr(value), expected);
        }
    }
}
