/// The candidate that a mistyped name most probably means: at most a third of its letters away, the first of the nearest.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (name.chars().count() / 3).max(1);
    let distances = candidates.into_iter().map(|candidate| (distance(name, candidate), candidate));
    distances
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, near)| near)
}

/// How many letters must be inserted, removed or replaced to make one name of the other (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, from) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], above + 1);
        for (left, to) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[left + 1];
            row[left + 1] = replaced.min(diagonal + 1).min(row[left] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        assert_eq!(nearest("input_path", ["name", "input_paths", "output_path"]), Some("input_paths"));
        assert_eq!(nearest("jsonet", ["jsonnet", "jinja2"]), Some("jsonnet"));
        assert_eq!(nearest("kubernetes", ["jsonnet", "jinja2"]), None);
    }
}
