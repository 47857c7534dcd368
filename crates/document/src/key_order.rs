use crate::scalar::{Date, DateTime};
use crate::{Int, Key, Node, Scalar, Span};
use std::cmp::Ordering;

/// Two keys that Python cannot bring into an order.
pub(crate) struct Unorderable {
    /// What Python says: the message of its `TypeError`.
    pub(crate) peer_text: String,
    /// The place of the second one.
    pub(crate) span: Span,
}

/// What belongs together when Python compares: only keys of one kind have an order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    Number,
    Str,
    Date,
    /// Whether with a zone.
    DateTime(bool),
    Bytes,
}

/// Brings the entries of a mapping into the order of Python's `sorted(mapping.items())`: strings by code point, numbers
/// by value. Leaves them as they are when the keys have no order.
pub(crate) fn sort_entries(entries: &mut [(&Key, &Node)]) -> Result<(), Unorderable> {
    if entries.iter().all(|(key, _)| key.as_str().is_some()) {
        entries.sort_unstable_by(|left, right| compare_text(left.0, right.0));
        return Ok(());
    }
    let Some((first, rest)) = entries.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return Ok(());
    };
    let kind = kind_of(&first.0.scalar);
    let is_odd = |key: &Key| kind_of(&key.scalar) != kind || kind == Kind::Null;
    if let Some(at) = rest.iter().position(|(key, _)| is_odd(key)) {
        let odd = rest[at].0;
        let met = met_first(&entries[..=at]);
        return Err(Unorderable { peer_text: comparison_text(&odd.scalar, &met.scalar), span: odd.span });
    }
    if entries.iter().any(|(key, _)| is_nan(key)) {
        insert_sort(entries);
    } else {
        entries.sort_by(|left, right| compare(&left.0.scalar, &right.0.scalar).unwrap_or(Ordering::Equal));
    }
    Ok(())
}

/// The order of two string keys. Bytes of UTF-8 have the order of code points; the first ones nearly always decide.
fn compare_text(left: &Key, right: &Key) -> Ordering {
    let (left, right) = (left.as_str().unwrap_or_default(), right.as_str().unwrap_or_default());
    match (left.as_bytes().first(), right.as_bytes().first()) {
        (Some(one), Some(other)) if one != other => one.cmp(other),
        _ => left.cmp(right),
    }
}

/// The name of the type of a scalar in Python's messages.
pub(crate) fn type_name(scalar: &Scalar) -> &'static str {
    match scalar {
        Scalar::Null => "NoneType",
        Scalar::Bool(_) => "bool",
        Scalar::Int(_) => "int",
        Scalar::Float(_) => "float",
        Scalar::Str(_) => "str",
        Scalar::Date(_) => "datetime.date",
        Scalar::DateTime(_) => "datetime.datetime",
        Scalar::Bytes(_) => "bytes",
    }
}

fn is_nan(key: &Key) -> bool {
    matches!(key.scalar, Scalar::Float(value) if value.is_nan())
}

fn kind_of(scalar: &Scalar) -> Kind {
    match scalar {
        Scalar::Null => Kind::Null,
        Scalar::Bool(_) | Scalar::Int(_) | Scalar::Float(_) => Kind::Number,
        Scalar::Str(_) => Kind::Str,
        Scalar::Date(_) => Kind::Date,
        Scalar::DateTime(time) => Kind::DateTime(time.offset_minutes.is_some()),
        Scalar::Bytes(_) => Kind::Bytes,
    }
}

/// The key with which CPython's sort of a short list compares the one behind these: the last of the run that it finds at
/// the front, or the middle one of those that it has sorted.
fn met_first<'n>(before: &[(&'n Key, &Node)]) -> &'n Key {
    let below = |left: &Key, right: &Key| compare(&left.scalar, &right.scalar) == Some(Ordering::Less);
    let mut keys: Vec<&Key> = before.iter().map(|(key, _)| *key).collect();
    let descends = keys.len() > 1 && below(keys[1], keys[0]);
    if keys.windows(2).all(|pair| below(pair[1], pair[0]) == descends) || keys.iter().any(|key| is_nan(key)) {
        return keys[keys.len() - 1];
    }
    keys.sort_by(|left, right| compare(&left.scalar, &right.scalar).unwrap_or(Ordering::Equal));
    keys[keys.len() / 2]
}

/// What Python says when it is to find out whether `left` is less than `right`, which are of two kinds.
fn comparison_text(left: &Scalar, right: &Scalar) -> String {
    match (kind_of(left), kind_of(right)) {
        (Kind::DateTime(_), Kind::DateTime(_)) => {
            "can't compare offset-naive and offset-aware datetimes".to_owned()
        }
        (Kind::Date, Kind::DateTime(_)) | (Kind::DateTime(_), Kind::Date) => {
            "can't compare datetime.datetime to datetime.date".to_owned()
        }
        _ => {
            let (left, right) = (type_name(left), type_name(right));
            format!("'<' not supported between instances of '{left}' and '{right}'")
        }
    }
}

/// The order of two scalars of one kind; none where a NaN takes part.
fn compare(left: &Scalar, right: &Scalar) -> Option<Ordering> {
    match (left, right) {
        (Scalar::Str(left), Scalar::Str(right)) => Some(left.cmp(right)),
        (Scalar::Date(left), Scalar::Date(right)) => Some(left.cmp(right)),
        (Scalar::DateTime(left), Scalar::DateTime(right)) => Some(instant(left).cmp(&instant(right))),
        (Scalar::Bytes(left), Scalar::Bytes(right)) => Some(left.cmp(right)),
        (Scalar::Float(left), Scalar::Float(right)) => left.partial_cmp(right),
        (Scalar::Float(left), right) => compare_mixed(&as_int(right)?, *left).map(Ordering::reverse),
        (left, Scalar::Float(right)) => compare_mixed(&as_int(left)?, *right),
        (left, right) => Some(as_int(left)?.cmp(&as_int(right)?)),
    }
}

fn as_int(scalar: &Scalar) -> Option<Int> {
    match scalar {
        Scalar::Bool(value) => Some(Int::Small(i64::from(*value))),
        Scalar::Int(value) => Some(value.clone()),
        _ => None,
    }
}

/// Exact at any size, as Python's comparison is.
fn compare_mixed(left: &Int, right: f64) -> Option<Ordering> {
    if right.is_infinite() {
        return Some(if right > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let whole = Int::from_f64_exact(right.floor())?;
    let above = if right.fract() == 0.0 { Ordering::Equal } else { Ordering::Less };
    Some(left.cmp(&whole).then(above))
}

/// Microseconds since the year 0, in UTC where there is a zone.
fn instant(time: &DateTime) -> i64 {
    const DAYS_BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let Date { year, month, day } = time.date;
    let year = i64::from(year);
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let past = year - 1;
    let days = past * 365 + past / 4 - past / 100
        + past / 400
        + DAYS_BEFORE[usize::from(month.clamp(1, 12)) - 1]
        + i64::from(leap && month > 2)
        + i64::from(day);
    let minutes = days * 24 * 60 + i64::from(time.hour) * 60 + i64::from(time.minute)
        - i64::from(time.offset_minutes.unwrap_or(0));
    (minutes * 60 + i64::from(time.second)) * 1_000_000 + i64::from(time.microsecond)
}

/// CPython's sort of short lists: the run at the front, then insertion by bisection. A NaN is neither below nor above
/// anything, so that the result hangs on the algorithm; beyond 64 entries it is left as it is.
fn insert_sort(entries: &mut [(&Key, &Node)]) {
    let below = |left: &(&Key, &Node), right: &(&Key, &Node)| {
        compare(&left.0.scalar, &right.0.scalar) == Some(Ordering::Less)
    };
    if entries.len() > 64 {
        return;
    }
    let descending = below(&entries[1], &entries[0]);
    let mut run = 2;
    while run < entries.len() && below(&entries[run], &entries[run - 1]) == descending {
        run += 1;
    }
    if descending {
        entries[..run].reverse();
    }
    for at in run..entries.len() {
        let (mut low, mut high) = (0, at);
        while low < high {
            let middle = usize::midpoint(low, high);
            if below(&entries[at], &entries[middle]) { high = middle } else { low = middle + 1 }
        }
        entries[low..=at].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use std::sync::Arc;

    fn sorted(keys: &[Scalar]) -> Option<Vec<usize>> {
        let keys: Vec<Key> = keys.iter().map(|scalar| Key::at(scalar.clone(), Span::NONE)).collect();
        let mut entries: Vec<(&Key, &Node)> = keys.iter().map(|key| (key, &Node::NULL)).collect();
        sort_entries(&mut entries).ok()?;
        let place = |key: &Key| keys.iter().position(|candidate| std::ptr::eq(candidate, key));
        entries.iter().map(|(key, _)| place(key)).collect()
    }

    fn int(value: i64) -> Scalar {
        Scalar::Int(Int::Small(value))
    }

    fn time(hour: u8, offset_minutes: Option<i32>) -> Scalar {
        let date = Date { year: 2000, month: 3, day: 1 };
        Scalar::DateTime(Arc::new(DateTime {
            date,
            hour,
            minute: 0,
            second: 0,
            microsecond: 0,
            offset_minutes,
        }))
    }

    #[test]
    fn keys_of_one_kind_have_an_order() {
        let text = |text: &str| Scalar::Str(text.into());
        assert_eq!(sorted(&[text("é"), text("a"), text("B"), text("")]), Some(vec![3, 2, 1, 0]));
        let big = Scalar::Int(Int::from_big(BigInt::from(2u8).pow(70)));
        let half = Scalar::Float(0.5);
        assert_eq!(
            sorted(&[big, Scalar::Bool(true), half, int(0), Scalar::Float(f64::NEG_INFINITY)]),
            Some(vec![4, 3, 2, 1, 0])
        );
        assert_eq!(
            sorted(&[int(9_007_199_254_740_993), Scalar::Float(9_007_199_254_740_992.0)]),
            Some(vec![1, 0])
        );
        assert_eq!(sorted(&[time(1, Some(-60)), time(1, Some(60))]), Some(vec![1, 0]));
        assert_eq!(sorted(&[Scalar::Null]), Some(vec![0]));
    }

    #[test]
    fn keys_of_several_kinds_have_none() {
        assert_eq!(sorted(&[Scalar::Str("a".into()), int(1)]), None);
        assert_eq!(sorted(&[Scalar::Null, int(1)]), None);
        assert_eq!(sorted(&[time(1, None), time(0, Some(0))]), None);
    }

    #[test]
    fn python_names_the_pair_that_its_sort_meets_first() {
        let text = |keys: &[Scalar]| {
            let keys: Vec<Key> = keys.iter().map(|scalar| Key::at(scalar.clone(), Span::NONE)).collect();
            let mut entries: Vec<(&Key, &Node)> = keys.iter().map(|key| (key, &Node::NULL)).collect();
            sort_entries(&mut entries).err().map(|error| error.peer_text)
        };
        let word = || Scalar::Str("a".into());
        let expected =
            |right: &str| Some(format!("'<' not supported between instances of 'str' and '{right}'"));
        assert_eq!(text(&[int(1), Scalar::Float(2.0), word()]), expected("float"));
        assert_eq!(text(&[int(5), Scalar::Bool(true), int(3), word()]), expected("int"));
        assert_eq!(text(&[int(0), int(7), Scalar::Bool(true), word()]), expected("bool"));
        let zones = "can't compare offset-naive and offset-aware datetimes";
        assert_eq!(text(&[time(1, None), time(0, Some(0))]), Some(zones.to_owned()));
    }

    #[test]
    fn a_nan_stays_where_bisection_leaves_it() {
        let nan = Scalar::Float(f64::NAN);
        assert_eq!(sorted(&[nan.clone(), int(2), int(1)]), Some(vec![0, 2, 1]));
        assert_eq!(sorted(&[int(2), nan, int(1)]), Some(vec![0, 1, 2]));
    }
}
