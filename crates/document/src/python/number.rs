use super::repr_str;
use crate::Int;
use num_bigint::BigInt;
use std::borrow::Cow;

/// The longest decimal text that CPython turns into an integer.
const MAX_DIGITS: usize = 4300;

/// Code points of the digit zero in every script that has its own ten digits (Unicode 14, category `Nd`).
const ZEROS: [u32; 65] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
    0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0,
    0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50,
    0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140,
    0x1e2f0, 0x1e950, 0x1fbf0,
];

/// What `int(text, base)` makes of a text, for the bases 2, 8, 10 and 16: blanks around it are left out, single underscores
/// between digits and the prefix of the base are allowed, and so are the digits of all scripts.
///
/// Fails with the message of CPython's `ValueError`, also for more than 4300 decimal digits.
pub fn parse_int(text: &str, base: u32) -> Result<Int, String> {
    let invalid = || format!("invalid literal for int() with base {base}: {}", repr_str(text));
    let ascii = to_ascii(text);
    let (negative, unsigned) = match ascii.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, ascii.strip_prefix('+').unwrap_or(&ascii)),
    };
    let prefix = match base {
        2 => ["0b", "0B"],
        8 => ["0o", "0O"],
        16 => ["0x", "0X"],
        _ => ["", ""],
    };
    let prefixed = prefix.iter().find_map(|prefix| unsigned.strip_prefix(prefix)).filter(|_| base != 10);
    let digits = prefixed.map_or(unsigned, |digits| digits.strip_prefix('_').unwrap_or(digits));
    if digits.is_empty() || !underscores_separate_digits(digits) {
        return Err(invalid());
    }
    let digits: Cow<str> =
        if digits.contains('_') { Cow::Owned(digits.replace('_', "")) } else { Cow::Borrowed(digits) };
    if !digits.bytes().all(|byte| char::from(byte).is_digit(base)) {
        return Err(invalid());
    }
    if base == 10 && digits.len() > MAX_DIGITS {
        return Err(format!(
            "Exceeds the limit ({MAX_DIGITS} digits) for integer string conversion: value has {} digits; \
             use sys.set_int_max_str_digits() to increase the limit",
            digits.len()
        ));
    }
    // Without its sign, so that the smallest number of 64 bits takes the long way.
    if let Ok(small) = i64::from_str_radix(&digits, base) {
        return Ok(Int::Small(if negative { -small } else { small }));
    }
    let big = BigInt::parse_bytes(digits.as_bytes(), base).ok_or_else(invalid)?;
    Ok(Int::from_big(if negative { -big } else { big }))
}

/// What `float(text)` makes of a text. Fails with the message of CPython's `ValueError`.
pub fn parse_float(text: &str) -> Result<f64, String> {
    let invalid = || format!("could not convert string to float: {}", repr_str(text));
    let ascii = to_ascii(text);
    if !ascii.contains('_') {
        return ascii.parse().map_err(|_| invalid());
    }
    if !underscores_separate_digits(&ascii) {
        return Err(invalid());
    }
    ascii.replace('_', "").parse().map_err(|_| invalid())
}

/// Whether Python takes the character for a blank: `str.isspace`.
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// Without blanks around it, and with the digits of all scripts as ASCII.
fn to_ascii(text: &str) -> Cow<'_, str> {
    let text = text.trim_matches(is_space);
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|character| decimal_digit(character).unwrap_or(character)).collect())
}

fn decimal_digit(character: char) -> Option<char> {
    let code = u32::from(character);
    let after = ZEROS.partition_point(|zero| *zero <= code);
    let zero = ZEROS.get(after.checked_sub(1)?)?;
    char::from_digit(code - zero, 10)
}

fn underscores_separate_digits(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().all(|(at, byte)| {
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
        *byte != b'_' || (at > 0 && is_digit(at - 1) && is_digit(at + 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        let cases = [
            ("12", 10, Some(12)),
            (" \t-12\u{a0}\u{1f}", 10, Some(-12)),
            ("+0", 10, Some(0)),
            ("1_000", 10, Some(1000)),
            ("٣٤", 10, Some(34)),
            ("0b11", 2, Some(3)),
            ("0B_11", 2, Some(3)),
            ("-0x_fF", 16, Some(-255)),
            ("0o17", 8, Some(15)),
            ("017", 8, Some(15)),
            ("-9223372036854775808", 10, Some(i64::MIN)),
            ("", 10, None),
            ("-", 10, None),
            ("- 1", 10, None),
            ("_1", 10, None),
            ("1_", 10, None),
            ("1__0", 10, None),
            ("0x10", 10, None),
            ("0o", 8, None),
            ("8", 8, None),
            ("1.0", 10, None),
            ("²", 10, None),
        ];
        for (text, base, expected) in cases {
            assert_eq!(parse_int(text, base).ok(), expected.map(Int::Small), "{text:?}");
        }
    }

    #[test]
    fn integers_may_be_long_but_not_endless() {
        let long = "9".repeat(4300);
        assert_eq!(parse_int(&long, 10).map(|value| value.to_string()), Ok(long.clone()));
        assert!(parse_int(&(long + "9"), 10).is_err_and(|text| text.contains("value has 4301 digits")));
    }

    #[test]
    fn floats() {
        let cases = [
            ("1", Some(1.0)),
            (" 1.5e3\n", Some(1500.0)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("1_0.0_1", Some(10.01)),
            ("1e400", Some(f64::INFINITY)),
            ("١.٥", Some(1.5)),
            ("", None),
            (".", None),
            ("1_.0", None),
            ("e5", None),
            ("0x1", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_float(text).ok(), expected, "{text:?}");
        }
        assert!(parse_float("nan").is_ok_and(f64::is_nan));
        assert_eq!(parse_float("x'"), Err("could not convert string to float: \"x'\"".to_owned()));
    }
}
