use crate::format::quote;
use crate::standard::number::{Unread, parse_uint};
use std::cmp::Ordering;
use std::fmt;

/// Longer texts are refused.
const MAX_LENGTH: usize = 256;

/// A version: up to three numbers, a pre-release and metadata. Missing numbers are 0, a `v` in front is allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// The first number.
    pub major: u64,
    /// The second number.
    pub minor: u64,
    /// The third number.
    pub patch: u64,
    /// What follows `-`; empty for a release.
    pub prerelease: String,
    /// What follows `+`; it does not count in comparisons.
    pub metadata: String,
    /// The text it was read from.
    pub original: String,
}

impl Version {
    /// Reads a version. An error is the text that Go's `semver.NewVersion` has for it.
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self, String> {
        let text = text.as_ref();
        if text.len() > MAX_LENGTH {
            return Err(format!("version string is too long (max {MAX_LENGTH} bytes)"));
        }
        let invalid = || "invalid semantic version".to_owned();
        let original = std::str::from_utf8(text).map_err(|_| invalid())?;
        let body = original.strip_prefix('v').unwrap_or(original);
        let (body, metadata) = split_suffix(body, '+').ok_or_else(invalid)?;
        let (numbers, prerelease) = split_suffix(body, '-').ok_or_else(invalid)?;
        let numbers: Vec<&str> = numbers.split('.').collect();
        let well_formed =
            |number: &&str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if numbers.len() > 3 || !numbers.iter().all(well_formed) {
            return Err(invalid());
        }
        let number = |place: usize| numbers.get(place).map_or(Ok(0), |digits| segment(digits));
        let (major, minor, patch) = (number(0)?, number(1)?, number(2)?);
        check_prerelease(prerelease)?;
        Ok(Self {
            major,
            minor,
            patch,
            prerelease: prerelease.to_owned(),
            metadata: metadata.to_owned(),
            original: original.to_owned(),
        })
    }

    /// Which of two versions comes first. Metadata does not count; a pre-release comes before its release.
    pub fn compare(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| {
            match (self.prerelease.is_empty(), other.prerelease.is_empty()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => compare_prereleases(&self.prerelease, &other.prerelease),
            }
        })
    }

    /// The same version with other numbers and without pre-release and metadata.
    pub(crate) fn advanced(&self, major: u64, minor: u64, patch: u64) -> Self {
        let next = Self { major, minor, patch, ..Self::default() };
        next.named_after(self)
    }

    /// The same version with another pre-release. An error is Go's text.
    pub(crate) fn with_prerelease(&self, prerelease: &str) -> Result<Self, String> {
        if !prerelease.is_empty() {
            if !prerelease.split('.').all(is_identifier) {
                return Err("invalid prerelease string".to_owned());
            }
            check_prerelease(prerelease)?;
        }
        Ok(Self { prerelease: prerelease.to_owned(), ..self.clone() }.named_after(self))
    }

    /// The same version with other metadata. An error is Go's text.
    pub(crate) fn with_metadata(&self, metadata: &str) -> Result<Self, String> {
        if !metadata.is_empty() && !metadata.split('.').all(is_identifier) {
            return Err("invalid metadata string".to_owned());
        }
        Ok(Self { metadata: metadata.to_owned(), ..self.clone() }.named_after(self))
    }

    fn named_after(mut self, before: &Self) -> Self {
        let prefix = if before.original.starts_with('v') { "v" } else { "" };
        self.original = format!("{prefix}{self}");
        self
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if !self.prerelease.is_empty() {
            write!(f, "-{}", self.prerelease)?;
        }
        if !self.metadata.is_empty() {
            write!(f, "+{}", self.metadata)?;
        }
        Ok(())
    }
}

/// What stands before a mark, and the identifiers behind it: empty without the mark, none where they are malformed.
fn split_suffix(text: &str, mark: char) -> Option<(&str, &str)> {
    let Some((before, suffix)) = text.split_once(mark) else { return Some((text, "")) };
    suffix.split('.').all(is_identifier).then_some((before, suffix))
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn segment(digits: &str) -> Result<u64, String> {
    parse_uint(digits.as_bytes()).map_err(|unread| {
        let why = if unread == Unread::TooLarge { "value out of range" } else { "invalid syntax" };
        format!(
            "error parsing version segment: strconv.ParseUint: parsing {}: {why}",
            quote(digits.as_bytes())
        )
    })
}

fn check_prerelease(prerelease: &str) -> Result<(), String> {
    let leads_with_zero = |part: &str| {
        part.len() > 1 && part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if prerelease.split('.').any(leads_with_zero) {
        return Err("version segment starts with 0".to_owned());
    }
    Ok(())
}

/// Part by part; what runs out first comes first.
pub(super) fn compare_prereleases(one: &str, other: &str) -> Ordering {
    let (mut ones, mut others) = (one.split('.'), other.split('.'));
    loop {
        let (one, other) = (ones.next(), others.next());
        if one.is_none() && other.is_none() {
            return Ordering::Equal;
        }
        match compare_parts(one.unwrap_or(""), other.unwrap_or("")) {
            Ordering::Equal => {}
            decided => return decided,
        }
    }
}

/// Numbers by value and before words, words by their bytes, nothing before anything.
fn compare_parts(one: &str, other: &str) -> Ordering {
    if one == other {
        return Ordering::Equal;
    }
    if one.is_empty() || other.is_empty() {
        return one.len().cmp(&other.len());
    }
    let number = |part: &str| parse_uint(part.as_bytes()).ok();
    match (number(one), number(other)) {
        (None, None) => one.cmp(other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        // Two spellings of one number are not equal: Go leaves the first behind.
        (Some(one), Some(other)) => {
            if one > other {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
    }
}
