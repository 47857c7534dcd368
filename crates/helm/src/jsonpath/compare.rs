//! Comparisons as Go's templates make them: of the same kind, or of integers.

/// A value that can be compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Basic<'v> {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'v [u8]),
    Byte(u8),
}

/// Whether a comparison holds; none where it cannot be made.
pub(super) fn holds(operator: &str, left: &Basic<'_>, right: &Basic<'_>) -> Option<bool> {
    let at_most = || if less(left, right)? { Some(true) } else { equal(left, right) };
    match operator {
        "<" => less(left, right),
        ">" => at_most().map(|holds| !holds),
        "==" => equal(left, right),
        "!=" => equal(left, right).map(|holds| !holds),
        "<=" => at_most(),
        ">=" => less(left, right).map(|holds| !holds),
        _ => None,
    }
}

fn equal(left: &Basic<'_>, right: &Basic<'_>) -> Option<bool> {
    use Basic::{Bool, Byte, Float, Int, Text};
    Some(match (*left, *right) {
        (Bool(left), Bool(right)) => left == right,
        (Int(left), Int(right)) => left == right,
        (Float(left), Float(right)) => left == right,
        (Text(left), Text(right)) => left == right,
        (Byte(left), Byte(right)) => left == right,
        (Int(number), Byte(byte)) | (Byte(byte), Int(number)) => number == i64::from(byte),
        _ => return None,
    })
}

fn less(left: &Basic<'_>, right: &Basic<'_>) -> Option<bool> {
    use Basic::{Byte, Float, Int, Text};
    Some(match (*left, *right) {
        (Int(left), Int(right)) => left < right,
        (Float(left), Float(right)) => left < right,
        (Text(left), Text(right)) => left < right,
        (Byte(left), Byte(right)) => left < right,
        (Int(number), Byte(byte)) => number < i64::from(byte),
        (Byte(byte), Int(number)) => i64::from(byte) < number,
        _ => return None,
    })
}
