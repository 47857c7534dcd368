//! Durations: nanoseconds, and how they are written.

use super::parse::quote;

const SECOND: u64 = 1_000_000_000;

const UNITS: &[(&[u8], u64)] = &[
    (b"ns", 1),
    (b"us", 1_000),
    ("µs".as_bytes(), 1_000),
    ("μs".as_bytes(), 1_000),
    (b"ms", 1_000_000),
    (b"s", SECOND),
    (b"m", 60 * SECOND),
    (b"h", 3_600 * SECOND),
];

/// What may be reached before the sign is looked at.
const LIMIT: u64 = 1 << 63;

/// `time.ParseDuration`: `1h30m`, `-1.5s`. An error is Go's text for it.
pub(crate) fn parse_duration(text: &[u8]) -> Result<i64, String> {
    let invalid = || format!("time: invalid duration {}", quote(text));
    let (negative, mut rest) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if rest == b"0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total = 0u64;
    while !rest.is_empty() {
        let whole = digits(rest);
        let after = &rest[whole.len()..];
        let fraction = match after {
            [b'.', fraction @ ..] => Some(digits(fraction)),
            _ => None,
        };
        if whole.is_empty() && fraction.is_none_or(<[u8]>::is_empty) {
            return Err(invalid());
        }
        let after = &after[fraction.map_or(0, |fraction| fraction.len() + 1)..];
        let end = after.iter().position(|byte| *byte == b'.' || byte.is_ascii_digit()).unwrap_or(after.len());
        let (name, next) = after.split_at(end);
        let value = number(whole).ok_or_else(invalid)?;
        if name.is_empty() {
            return Err(format!("time: missing unit in duration {}", quote(text)));
        }
        let Some((_, unit)) = UNITS.iter().find(|(known, _)| *known == name) else {
            return Err(format!("time: unknown unit {} in duration {}", quote(name), quote(text)));
        };
        let part = value.checked_mul(*unit).and_then(|value| value.checked_add(share(fraction, *unit)));
        total = part
            .and_then(|part| total.checked_add(part))
            .filter(|total| *total <= LIMIT)
            .ok_or_else(invalid)?;
        rest = next;
    }
    if negative {
        return Ok((total as i64).wrapping_neg());
    }
    i64::try_from(total).map_err(|_| invalid())
}

fn digits(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

fn number(digits: &[u8]) -> Option<u64> {
    let value = digits
        .iter()
        .try_fold(0u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')))?;
    (value <= LIMIT).then_some(value)
}

/// The nanoseconds of a fraction of a unit. Digits beyond what 63 bits hold are passed over.
fn share(fraction: Option<&[u8]>, unit: u64) -> u64 {
    let (mut value, mut scale) = (0u64, 1f64);
    for digit in fraction.unwrap_or_default() {
        let next = value.checked_mul(10).and_then(|next| next.checked_add(u64::from(digit - b'0')));
        match next.filter(|next| *next <= LIMIT) {
            Some(next) => value = next,
            None => break,
        }
        scale *= 10.0;
    }
    (value as f64 * (unit as f64 / scale)) as u64
}

/// What `String` prints: `1h0m0s`, `1.5s`, `2ms`.
pub(crate) fn write_duration(duration: i64) -> String {
    let nanoseconds = duration.unsigned_abs();
    let sign = if duration < 0 { "-" } else { "" };
    if nanoseconds == 0 {
        return "0s".to_owned();
    }
    if nanoseconds < SECOND {
        let (unit, digits) = match nanoseconds {
            0..1_000 => ("ns", 0),
            1_000..1_000_000 => ("µs", 3),
            _ => ("ms", 6),
        };
        return format!("{sign}{}{unit}", decimal(nanoseconds, digits));
    }
    let seconds = decimal(nanoseconds % (60 * SECOND), 9);
    let minutes = nanoseconds / SECOND / 60;
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{sign}{seconds}s"),
        (0, minutes) => format!("{sign}{minutes}m{seconds}s"),
        (hours, minutes) => format!("{sign}{hours}h{minutes}m{seconds}s"),
    }
}

/// `value` with that many digits after the point, zeros at the end left out.
fn decimal(value: u64, digits: u32) -> String {
    let unit = 10u64.pow(digits);
    let fraction = format!("{:0width$}", value % unit, width = digits as usize);
    let fraction = fraction.trim_end_matches('0');
    if digits == 0 || fraction.is_empty() {
        (value / unit).to_string()
    } else {
        format!("{}.{fraction}", value / unit)
    }
}

/// `Round`: to the nearest multiple, halves away from zero.
pub(crate) fn round_duration(duration: i64, multiple: i64) -> i64 {
    let rest = i128::from(duration % multiple);
    let down = i128::from(duration) - rest;
    let rounded = if rest.abs() * 2 < i128::from(multiple) {
        down
    } else {
        down + i128::from(multiple) * rest.signum()
    };
    i64::try_from(rounded).unwrap_or(if rounded < 0 { i64::MIN } else { i64::MAX })
}
