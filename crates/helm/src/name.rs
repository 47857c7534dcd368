use crate::error::{Error, Result};
use crate::{Profile, go};

const LONGEST: usize = 53;
const PATTERN: &str = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

/// Refuses a name that no release may have: it has to be a DNS name of at most 53 bytes.
pub fn check_release_name(name: &str, profile: Profile) -> Result<()> {
    let context = if profile.is_v3() { "" } else { "release name check failed: " };
    let quoted = go::quote(name);
    if name.is_empty() {
        let text = format!("{context}release name {quoted}: no name provided");
        return Err(Error::new("helm::release-name", text));
    }
    if name.len() > LONGEST || !is_dns_name(name) {
        let text = format!(
            "{context}release name {quoted}: invalid release name, must match regex {PATTERN} and the length must not be \
             longer than {LONGEST}"
        );
        return Err(Error::new("helm::release-name", text));
    }
    Ok(())
}

/// Labels of small letters, digits and inner hyphens, separated by dots.
pub(crate) fn is_dns_name(name: &str) -> bool {
    name.split('.').all(|label| {
        let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        !label.is_empty() && label.bytes().all(is_inner) && !label.starts_with('-') && !label.ends_with('-')
    })
}

/// The name that `--generate-name` makes of a chart's path and the time in seconds since 1970.
pub fn generated_release_name(chart: &str, unix_seconds: u64) -> String {
    let base = match go::base(chart) {
        "." | "" => "chart",
        base => base.split('.').next().unwrap_or(base),
    };
    format!("{base}-{unix_seconds}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_dns_names() {
        for (name, is_good) in [
            ("a", true),
            ("a-b.c1", true),
            ("", false),
            ("A", false),
            ("-a", false),
            ("a-", false),
            ("a..b", false),
            ("a_b", false),
            (&"a".repeat(53), true),
            (&"a".repeat(54), false),
        ] {
            assert_eq!(check_release_name(name, Profile::V4_2).is_ok(), is_good, "{name}");
        }
        assert!(
            check_release_name("X", Profile::V3)
                .unwrap_err()
                .text()
                .starts_with("release name \"X\": invalid")
        );
    }

    #[test]
    fn generated_names_come_from_the_chart() {
        assert_eq!(generated_release_name("charts/web-1.2.tgz", 7), "web-1-7");
        assert_eq!(generated_release_name(".", 7), "chart-7");
    }
}
