//! Layouts: what a time looks like, shown on the reference time `Mon Jan 2 15:04:05 MST 2006`.

/// What a piece of a layout stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    LongMonth,
    Month,
    NumberMonth,
    ZeroMonth,
    LongWeekday,
    Weekday,
    Day,
    UnderDay,
    ZeroDay,
    UnderYearDay,
    ZeroYearDay,
    Hour,
    Hour12,
    ZeroHour12,
    Minute,
    ZeroMinute,
    Second,
    ZeroSecond,
    LongYear,
    Year,
    UpperHalf,
    LowerHalf,
    ZoneName,
    /// An offset from Greenwich.
    Offset(Offset),
    /// `.000` or `,000`: that many digits.
    Fraction {
        separator: u8,
        digits: usize,
    },
    /// `.999`: at most that many digits, without zeros at the end.
    ShortFraction {
        separator: u8,
        digits: usize,
    },
}

/// How an offset from Greenwich is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offset {
    /// `Z` where there is none.
    pub(super) zulu: bool,
    pub(super) colons: bool,
    pub(super) minutes: bool,
    pub(super) seconds: bool,
}

const NAMED: &[(&[u8], Element)] = &[
    (b"2006", Element::LongYear),
    (b"__2", Element::UnderYearDay),
    (b"002", Element::ZeroYearDay),
    (b"01", Element::ZeroMonth),
    (b"02", Element::ZeroDay),
    (b"03", Element::ZeroHour12),
    (b"04", Element::ZeroMinute),
    (b"05", Element::ZeroSecond),
    (b"06", Element::Year),
    (b"15", Element::Hour),
    (b"MST", Element::ZoneName),
    (b"PM", Element::UpperHalf),
    (b"pm", Element::LowerHalf),
    (b"1", Element::NumberMonth),
    (b"2", Element::Day),
    (b"3", Element::Hour12),
    (b"4", Element::Minute),
    (b"5", Element::Second),
];

const OFFSETS: &[(&[u8], Offset)] = &[
    (b"070000", Offset { zulu: false, colons: false, minutes: true, seconds: true }),
    (b"07:00:00", Offset { zulu: false, colons: true, minutes: true, seconds: true }),
    (b"0700", Offset { zulu: false, colons: false, minutes: true, seconds: false }),
    (b"07:00", Offset { zulu: false, colons: true, minutes: true, seconds: false }),
    (b"07", Offset { zulu: false, colons: false, minutes: false, seconds: false }),
];

/// A layout up to its first element, that element with its own text, and the rest.
pub(super) struct Chunk<'a> {
    pub(super) literal: &'a [u8],
    pub(super) element: Option<(Element, &'a [u8])>,
    pub(super) rest: &'a [u8],
}

/// Takes the first element out of a layout.
pub(super) fn next_chunk(layout: &[u8]) -> Chunk<'_> {
    for at in 0..layout.len() {
        if let Some((element, skipped, length)) = element_at(&layout[at..]) {
            let start = at + skipped;
            return Chunk {
                literal: &layout[..start],
                element: Some((element, &layout[start..start + length])),
                rest: &layout[start + length..],
            };
        }
    }
    Chunk { literal: layout, element: None, rest: b"" }
}

/// The element that a text begins with, what of it is literal, and its length.
fn element_at(text: &[u8]) -> Option<(Element, usize, usize)> {
    match text[0] {
        b'J' if text.starts_with(b"January") => return Some((Element::LongMonth, 0, 7)),
        b'M' if text.starts_with(b"Monday") => return Some((Element::LongWeekday, 0, 6)),
        b'J' if is_short(text, b"Jan") => return Some((Element::Month, 0, 3)),
        b'M' if is_short(text, b"Mon") => return Some((Element::Weekday, 0, 3)),
        // The blank of `_2006` is a literal one.
        b'_' if text.starts_with(b"_2006") => return Some((Element::LongYear, 1, 4)),
        b'_' if text.starts_with(b"_2") => return Some((Element::UnderDay, 0, 2)),
        b'-' | b'Z' => return offset_at(text),
        b'.' | b',' => return fraction_at(text),
        _ => {}
    }
    NAMED.iter().find(|(name, _)| text.starts_with(name)).map(|(name, element)| (*element, 0, name.len()))
}

/// `Jan`, but not the start of another word.
fn is_short(text: &[u8], name: &[u8]) -> bool {
    text.strip_prefix(name).is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_lowercase))
}

fn offset_at(text: &[u8]) -> Option<(Element, usize, usize)> {
    let (name, offset) = OFFSETS.iter().find(|(name, _)| text[1..].starts_with(name))?;
    Some((Element::Offset(Offset { zulu: text[0] == b'Z', ..*offset }), 0, name.len() + 1))
}

fn fraction_at(text: &[u8]) -> Option<(Element, usize, usize)> {
    let digit = *text.get(1).filter(|digit| matches!(digit, b'0' | b'9'))?;
    let digits = text[1..].iter().take_while(|byte| **byte == digit).count();
    if text.get(1 + digits).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let separator = text[0];
    let element = if digit == b'0' {
        Element::Fraction { separator, digits }
    } else {
        Element::ShortFraction { separator, digits }
    };
    Some((element, 0, 1 + digits))
}
