use super::{Constraints, Version};
use std::cmp::Ordering;

#[test]
fn reads_versions() {
    for (text, expected) in [
        ("1.2.3", Ok("1.2.3")),
        ("v1.2", Ok("1.2.0")),
        ("01", Ok("1.0.0")),
        ("1.2.3-a.1+b", Ok("1.2.3-a.1+b")),
        ("1.2.3+b-c", Ok("1.2.3+b-c")),
        ("1.2.3.4", Err("invalid semantic version")),
        ("", Err("invalid semantic version")),
        ("vv1", Err("invalid semantic version")),
        ("1.2.3-", Err("invalid semantic version")),
        ("1.2.3-01", Err("version segment starts with 0")),
        (
            "99999999999999999999",
            Err(
                "error parsing version segment: strconv.ParseUint: parsing \"99999999999999999999\": value out of range",
            ),
        ),
    ] {
        let read = Version::parse(text).map(|version| version.to_string());
        assert_eq!(read, expected.map(str::to_owned).map_err(str::to_owned), "{text}");
    }
}

#[test]
fn orders_versions() {
    let ascending =
        ["1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-a", "1.0.0-a.1", "1.0.0-b", "1.0.0", "1.0.1", "1.1", "2"];
    for pair in ascending.windows(2) {
        let [low, high] = [pair[0], pair[1]].map(|text| Version::parse(text).unwrap());
        assert_eq!(low.compare(&high), Ordering::Less, "{pair:?}");
        assert_eq!(high.compare(&low), Ordering::Greater, "{pair:?}");
    }
    let [one, other] = ["1.0.0+a", "1.0.0+b"].map(|text| Version::parse(text).unwrap());
    assert_eq!(one.compare(&other), Ordering::Equal);
}

#[test]
fn checks_constraints() {
    for (constraint, fitting, others) in [
        ("1.2", "1.2.0 1.2.9", "1.3.0 1.1.9"),
        (">1", "2.0.0", "1.9.9"),
        (">1.2", "1.3.0", "1.2.9"),
        ("!=1.2", "1.3.0 2.2.0", "1.2.5"),
        ("^0.2", "0.2.9", "0.3.0 1.0.0"),
        ("^0.0.3", "0.0.3", "0.0.4"),
        ("~1", "1.9.9", "2.0.0"),
        ("1.2 - 1.4", "1.2.0 1.4.9", "1.5.0 1.1.0"),
        (">=1.25", "1.25.3", "1.25.3-gke.100"),
        (">=1.25-0", "1.25.3-gke.100 1.26.0", "1.24.9"),
        ("*", "0.0.0 9.9.9", "1.0.0-a"),
        ("<1 || >=2, <3", "0.5.0 2.5.0", "1.5.0 3.0.0"),
        (">=1.0 <2.0", "1.5.0", "2.0.0"),
        ("<=1.4", "1.4.9 0.9.9", "1.5.0"),
        ("=1.2.3", "1.2.3", "1.2.4"),
        ("1.x", "1.9.0", "2.0.0"),
    ] {
        let constraints = Constraints::parse(constraint).unwrap();
        let fits = |text: &str| constraints.check(&Version::parse(text).unwrap());
        assert!(fitting.split(' ').all(fits), "{constraint} should take {fitting}");
        assert!(!others.split(' ').any(fits), "{constraint} should refuse {others}");
    }
}

#[test]
fn refuses_what_is_no_constraint() {
    for text in ["bad", "", "1.2.3 bad", ">", "||"] {
        let group = text.split("||").next().unwrap_or_default();
        assert_eq!(Constraints::parse(text).unwrap_err(), format!("improper constraint: {group:?}"));
    }
}
