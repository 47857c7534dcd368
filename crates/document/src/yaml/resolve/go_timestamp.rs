//! What go-yaml takes for a timestamp: the four layouts that it gives to Go's `time.Parse`.

/// Whether a text is a point in time or a day that exists, in one of go-yaml's forms: `2001-1-2`,
/// `2001-01-02T3:4:5.6+01:00` (with `t` as well), `2001-01-02 3:4:5`.
pub(crate) fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 8 || bytes[4] != b'-' || !bytes[..4].iter().all(u8::is_ascii_digit) {
        return false;
    }
    let year = bytes[..4].iter().fold(0, |year, digit| year * 10 + u32::from(digit - b'0'));
    let Some((month, rest)) = number(&bytes[5..]) else { return false };
    let Some((day, rest)) = rest.strip_prefix(b"-").and_then(number) else { return false };
    if !(1..=12).contains(&month) || !(1..=days_of(year, month)).contains(&day) {
        return false;
    }
    match rest.split_first() {
        None => true,
        Some((b'T' | b't', rest)) => clock(rest).is_some_and(is_zone),
        Some((b' ', rest)) => clock(skip_blanks(rest)).is_some_and(<[u8]>::is_empty),
        Some(_) => false,
    }
}

/// One or two digits.
fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let digit =
        |at: usize| text.get(at).filter(|byte| byte.is_ascii_digit()).map(|byte| u32::from(byte - b'0'));
    let first = digit(0)?;
    Some(match digit(1) {
        Some(second) => (first * 10 + second, &text[2..]),
        None => (first, &text[1..]),
    })
}

/// Hours, minutes, seconds and whatever fraction; returns what follows.
fn clock(text: &[u8]) -> Option<&[u8]> {
    let (hour, rest) = number(text)?;
    let (minute, rest) = number(rest.strip_prefix(b":")?)?;
    let (second, rest) = number(rest.strip_prefix(b":")?)?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    Some(match rest {
        [b'.' | b',', fraction @ ..] if fraction.first().is_some_and(u8::is_ascii_digit) => {
            &fraction[fraction.iter().take_while(|byte| byte.is_ascii_digit()).count()..]
        }
        _ => rest,
    })
}

/// `Z` or an offset: `+01:00`. A day and an hour are the most that it can have.
fn is_zone(text: &[u8]) -> bool {
    match text {
        b"Z" => true,
        [b'+' | b'-', hours @ .., b':', tens, ones] if hours.len() == 2 => {
            let two = |tens: u8, ones: u8| {
                (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + (ones - b'0'))
            };
            two(hours[0], hours[1]).is_some_and(|hours| hours <= 24)
                && two(*tens, *ones).is_some_and(|minutes| minutes <= 60)
        }
        _ => false,
    }
}

fn days_of(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Where a layout has a blank, a text may have any number of them.
fn skip_blanks(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|byte| **byte == b' ').count()..]
}

#[cfg(test)]
mod tests {
    use super::is_timestamp;

    #[test]
    fn days_and_times() {
        for text in [
            "2001-01-02",
            "2001-1-2",
            "0000-02-29",
            "2024-2-29",
            "2001-01-02T03:04:05Z",
            "2001-1-2t3:4:5.123456789012Z",
            "2001-01-02T03:04:05,5+24:60",
            "2001-01-02 3:4:5",
            "2001-01-02   3:4:5.25",
        ] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in [
            "2001-01",
            "2001-13-02",
            "2001-02-29",
            "2001-01-32",
            "2001-01-001",
            "201-01-02",
            "2001-01-02T03:04:05",
            "2001-01-02T03:04Z",
            "2001-01-02T24:04:05Z",
            "2001-01-02T03:04:05+25:00",
            "2001-01-02T03:04:05+1:00",
            "2001-01-02T03:04:05.Z",
            "2001-01-02 03:04:05Z",
            "2001-01-02 03:04:05 -5",
            "2001-01-02 ",
            "2001/01/02",
        ] {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
