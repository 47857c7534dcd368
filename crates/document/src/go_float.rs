//! Doubles as Go writes them.

use crate::python::shortest;
use std::fmt::Write;

/// The shortest decimal digits of a finite double and where its point stands: `0.d1d2d3... * 10^point`.
struct Digits {
    negative: bool,
    /// Room for the seventeen digits that a double can need.
    digits: [u8; 20],
    len: usize,
    point: i32,
}

impl Digits {
    /// From the text that `{:e}` makes: `-1.2345e-7`.
    fn of(scientific: &str) -> Self {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
        let mut found = Self { negative: mantissa.starts_with('-'), digits: [0; 20], len: 0, point: 0 };
        for digit in mantissa.bytes().filter(u8::is_ascii_digit) {
            if let Some(place) = found.digits.get_mut(found.len) {
                *place = digit;
                found.len += 1;
            }
        }
        let is_zero = found.digits[..found.len].iter().all(|digit| *digit == b'0');
        found.point = if is_zero { 1 } else { exponent.parse::<i32>().unwrap_or(0) + 1 };
        found
    }

    fn all(&self) -> &str {
        std::str::from_utf8(&self.digits[..self.len]).unwrap_or_default()
    }

    fn push_sign(&self, out: &mut String) {
        if self.negative {
            out.push('-');
        }
    }

    /// Without exponent: `%f`.
    fn push_plain(&self, out: &mut String) {
        self.push_sign(out);
        let digits = self.all();
        match usize::try_from(self.point) {
            Ok(point) if point >= digits.len() => {
                out.push_str(digits);
                out.extend(std::iter::repeat_n('0', point - digits.len()));
            }
            Ok(point) if point > 0 => {
                out.push_str(&digits[..point]);
                out.push('.');
                out.push_str(&digits[point..]);
            }
            _ => {
                out.push_str("0.");
                out.extend(std::iter::repeat_n('0', self.point.unsigned_abs() as usize));
                out.push_str(digits);
            }
        }
    }

    /// With exponent of at least `width` digits and always a sign: `%e`.
    fn push_exponent(&self, out: &mut String, width: usize) {
        self.push_sign(out);
        let (first, rest) = self.all().split_at(1);
        out.push_str(first);
        if !rest.is_empty() {
            out.push('.');
            out.push_str(rest);
        }
        let exponent = self.point - 1;
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "e{sign}{:0width$}", exponent.unsigned_abs());
    }

    /// With exponent below `1e-4` and from `1e6` on: `%g` with the shortest digits.
    fn push_general(&self, out: &mut String) {
        if (-4..6).contains(&(self.point - 1)) {
            self.push_plain(out);
        } else {
            self.push_exponent(out, 2);
        }
    }
}

/// Appends a double as `strconv.FormatFloat(value, 'g', -1, 64)` writes it: `1.5`, `1e+06`, `+Inf`, `NaN`.
pub(crate) fn push_general(out: &mut String, value: f64) {
    match special(value) {
        Some(text) => out.push_str(text),
        None => Digits::of(&shortest(value)).push_general(out),
    }
}

/// Appends a finite double as `encoding/json` writes it: with exponent below `1e-6` and from `1e21` on.
pub(crate) fn push_json(out: &mut String, value: f64) {
    let digits = Digits::of(&shortest(value));
    if value == 0.0 || (1e-6..1e21).contains(&value.abs()) {
        digits.push_plain(out);
    } else {
        digits.push_exponent(out, if value.abs() < 1.0 { 1 } else { 2 });
    }
}

/// What `sigs.k8s.io/yaml` makes of a double that is a key: the digits that tell it from other `float32`.
pub(crate) fn key_text(value: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "the peer loses these digits too")]
    let single = value as f32;
    match special(f64::from(single)) {
        Some("+Inf") => ".inf".to_owned(),
        Some("-Inf") => "-.inf".to_owned(),
        Some(_) => ".nan".to_owned(),
        None => {
            let mut text = String::new();
            Digits::of(&format!("{single:e}")).push_general(&mut text);
            text
        }
    }
}

fn special(value: f64) -> Option<&'static str> {
    match value {
        _ if value.is_nan() => Some("NaN"),
        f64::INFINITY => Some("+Inf"),
        f64::NEG_INFINITY => Some("-Inf"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn general(value: f64) -> String {
        let mut text = String::new();
        push_general(&mut text, value);
        text
    }

    fn json(value: f64) -> String {
        let mut text = String::new();
        push_json(&mut text, value);
        text
    }

    #[test]
    fn exponents_appear_where_go_has_them() {
        for (value, in_general, in_json) in [
            (0.0, "0", "0"),
            (-0.0, "-0", "-0"),
            (100_000.0, "100000", "100000"),
            (1e6, "1e+06", "1000000"),
            (1_234_567.5, "1.2345675e+06", "1234567.5"),
            (0.000_1, "0.0001", "0.0001"),
            (0.000_012, "1.2e-05", "0.000012"),
            (1e-7, "1e-07", "1e-7"),
            (1.5e-10, "1.5e-10", "1.5e-10"),
            (1e20, "1e+20", "100000000000000000000"),
            (1e21, "1e+21", "1e+21"),
            (9_223_372_036_854_775_808.0, "9.223372036854776e+18", "9223372036854776000"),
            (-12.25, "-12.25", "-12.25"),
        ] {
            assert_eq!((general(value).as_str(), json(value).as_str()), (in_general, in_json));
        }
        assert_eq!(general(f64::INFINITY), "+Inf");
        assert_eq!(general(f64::NAN), "NaN");
    }

    #[test]
    fn keys_have_the_digits_of_single_precision() {
        for (value, expected) in
            [(0.1, "0.1"), (1.234_567_890_123, "1.2345679"), (1e40, ".inf"), (-1e40, "-.inf"), (1e7, "1e+07")]
        {
            assert_eq!(key_text(value), expected);
        }
    }
}
