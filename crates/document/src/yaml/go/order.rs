//! The order in which go-yaml writes the keys of a mapping.

use super::Flavor;
use crate::go_unicode::{is_digit, is_letter};
use std::borrow::Cow;
use std::cmp::Ordering;

/// Brings entries into go-yaml's order.
///
/// That order is no order for some sets of keys (`2` before `10`, `10` before `1a`, `1a` before `2`), where Go's result
/// changes from run to run. The one here depends on nothing but the keys.
pub(super) fn sort<V>(entries: &mut Vec<(Cow<'_, str>, V)>, flavor: Flavor) {
    entries.sort_unstable_by(|left, right| left.0.cmp(&right.0));
    // Most are in order now.
    if !entries.windows(2).all(|pair| compare(&pair[0].0, &pair[1].0, flavor) == Ordering::Less) {
        merge_sort(entries, flavor);
    }
}

/// The library's sort may panic where an order contradicts itself.
fn merge_sort<V>(entries: &mut Vec<(Cow<'_, str>, V)>, flavor: Flavor) {
    let mut sorted: Vec<usize> = (0..entries.len()).collect();
    let mut other = Vec::with_capacity(entries.len());
    let mut width = 1;
    while width < sorted.len() {
        other.clear();
        for pair in sorted.chunks(width * 2) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(left, right, &mut other, |one, other| {
                compare(&entries[one].0, &entries[other].0, flavor) == Ordering::Less
            });
        }
        std::mem::swap(&mut sorted, &mut other);
        width *= 2;
    }
    let mut taken: Vec<_> = std::mem::take(entries).into_iter().map(Some).collect();
    entries.extend(sorted.into_iter().filter_map(|at| taken[at].take()));
}

fn merge(
    mut left: &[usize],
    mut right: &[usize],
    merged: &mut Vec<usize>,
    is_less: impl Fn(usize, usize) -> bool,
) {
    while let (Some(one), Some(other)) = (left.first(), right.first()) {
        if is_less(*other, *one) {
            merged.push(*other);
            right = &right[1..];
        } else {
            merged.push(*one);
            left = &left[1..];
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
}

/// Compares two keys: letters come behind what is no letter, numbers count by their value.
fn compare(left: &str, right: &str, flavor: Flavor) -> Ordering {
    let same = left.bytes().zip(right.bytes()).take_while(|(one, other)| one == other).count();
    let same = left.floor_char_boundary(same);
    let (Some(one), Some(other)) = (left[same..].chars().next(), right[same..].chars().next()) else {
        return left.len().cmp(&right.len());
    };
    match (is_letter(one), is_letter(other)) {
        (true, true) => return one.cmp(&other),
        (false, false) => {}
        (is_left_letter, _) => {
            let behind_number =
                flavor == Flavor::V3 && left[..same].chars().next_back().is_some_and(is_digit);
            let letter_is_less = behind_number;
            return if is_left_letter == letter_is_less { Ordering::Less } else { Ordering::Greater };
        }
    }
    // A zero inside a number is not one at its front: `10` and `1` have more than their own digits.
    let inside = (one == '0' || other == '0') && ends_in_number(&left[..same]);
    let start = i64::from(inside);
    let (left_value, left_digits) = number(&left[same..], start);
    let (right_value, right_digits) = number(&right[same..], start);
    left_value.cmp(&right_value).then(left_digits.cmp(&right_digits)).then(one.cmp(&other))
}

/// Whether the digits at the end of a text make a number other than zero.
fn ends_in_number(text: &str) -> bool {
    text.chars().rev().take_while(|digit| is_digit(*digit)).any(|digit| digit != '0')
}

/// The number at the front, behind the digits that `value` stands for, and how many digits it has. Big ones overflow,
/// and digits beyond ASCII count as their distance to `0`, as in Go.
fn number(text: &str, mut value: i64) -> (i64, usize) {
    let mut digits = 0;
    for digit in text.chars().take_while(|digit| is_digit(*digit)) {
        value = value.wrapping_mul(10).wrapping_add(i64::from(u32::from(digit)) - i64::from(b'0'));
        digits += 1;
    }
    (value, digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(keys: &str, flavor: Flavor) -> String {
        let mut entries: Vec<_> = keys.split(' ').map(|key| (Cow::Borrowed(key), ())).collect();
        sort(&mut entries, flavor);
        entries.into_iter().map(|(key, ())| key).collect::<Vec<Cow<'_, str>>>().join(" ")
    }

    #[test]
    fn numbers_count_by_their_value_and_letters_come_last() {
        for (keys, expected) in [
            ("a10 a9 a", "a a9 a10"),
            ("10 2 1", "1 2 10"),
            ("a A b B", "A B a b"),
            ("b1 b_1 b.1 b-1", "b-1 b.1 b_1 b1"),
            ("a01 a1 a001", "a1 a01 a001"),
            ("ä z", "z ä"),
            ("1٣ 1٢ 12", "12 1٢ 1٣"),
            ("v100 v1000 v10", "v10 v100 v1000"),
        ] {
            assert_eq!(sorted(keys, Flavor::V2), expected);
            assert_eq!(sorted(keys, Flavor::V3), expected);
        }
        assert_eq!(sorted("a1b a1-", Flavor::V2), "a1- a1b");
        assert_eq!(sorted("a1b a1-", Flavor::V3), "a1b a1-");
    }

    #[test]
    fn a_circle_of_keys_is_brought_into_some_order() {
        let keys = ["2", "10", "1a"].repeat(40).join(" ");
        assert_eq!(sorted(&keys, Flavor::V2).len(), keys.len());
    }
}
