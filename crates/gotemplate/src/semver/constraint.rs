use super::Version;
use super::version::compare_prereleases;
use crate::format::quote;
use regex::bytes::{Captures, Regex};
use std::cmp::Ordering;
use std::sync::LazyLock;

const MAX_LENGTH: usize = 512;
const MAX_GROUPS: usize = 32;

/// Blanks as RE2 has them.
const BLANK: &str = r"[\t\n\f\r ]";
const OPERATOR: &str = r"=||!=|>|<|>=|=>|<=|=<|~|~>|\^";

/// A version of which parts may be missing or wild. The class of a number holds a bar, as that of the original does.
fn version_pattern() -> String {
    let part = r"[0-9|xX*]+";
    let identifiers = r"[0-9A-Za-z\-]+(?:\.[0-9A-Za-z\-]+)*";
    format!(r"v?({part})(\.{part})?(\.{part})?(-{identifiers})?(?:\+{identifiers})?")
}

struct Patterns {
    /// One constraint: operator, version, its three numbers and pre-release.
    single: Regex,
    /// A constraint within others.
    find: Regex,
    /// Constraints that belong together.
    group: Regex,
    /// `1.2 - 1.4`.
    range: Regex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let version = version_pattern();
    let compile = |pattern: String| Regex::new(&pattern).expect("the pattern is well formed");
    let item = format!(r"(?:{OPERATOR}){BLANK}*(?:{version}){BLANK}*");
    Patterns {
        single: compile(format!(r"(?-u)^{BLANK}*({OPERATOR}){BLANK}*({version}){BLANK}*$")),
        find: compile(format!(r"(?-u)(?:{OPERATOR}){BLANK}*(?:{version})")),
        group: compile(format!(r"(?-u)^{BLANK}*{item}(?:(?:{BLANK}+|,{BLANK}*){item})*$")),
        range: compile(format!(r"(?-u){BLANK}*({version}){BLANK}+-{BLANK}+({version}){BLANK}*")),
    }
});

/// What a version may be: any group (`||`) of constraints that all have to hold.
#[derive(Clone, Debug)]
pub struct Constraints {
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Group {
    constraints: Vec<Constraint>,
    /// A pre-release can only fit where a constraint of the group has one.
    has_prerelease: bool,
}

#[derive(Clone, Debug)]
struct Constraint {
    operator: Operator,
    version: Version,
    /// Which number is the first that is missing or wild.
    wild: Option<Wild>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wild {
    Major,
    Minor,
    Patch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    TildeOrEqual,
    NotEqual,
    Greater,
    Less,
    GreaterOrEqual,
    LessOrEqual,
    Tilde,
    Caret,
}

impl Constraints {
    /// Reads constraints. An error is the text that Go's `semver.NewConstraint` has for it.
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self, String> {
        let text = text.as_ref();
        if text.len() > MAX_LENGTH {
            return Err(format!("constraint string is too long (max {MAX_LENGTH} bytes)"));
        }
        let text = without_ranges(text);
        let groups = crate::standard::strings::split(&text, b"||", -1);
        if groups.len() > MAX_GROUPS {
            return Err(format!("too many constraint groups (max {MAX_GROUPS})"));
        }
        let groups = groups.into_iter().map(Group::parse).collect::<Result<_, _>>()?;
        Ok(Self { groups })
    }

    /// Whether a version fits.
    pub fn check(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| {
            (version.prerelease.is_empty() || group.has_prerelease)
                && group.constraints.iter().all(|constraint| constraint.holds(version))
        })
    }
}

/// `A - B` written as `>= A, <= B`.
fn without_ranges(text: &[u8]) -> Vec<u8> {
    let mut out = text.to_vec();
    for found in PATTERNS.range.captures_iter(text) {
        let (from, to) = (&found[1], &found[6]);
        let rewritten = [b">= ", from, b", <= ", to, b" "].concat();
        let Some(at) = crate::standard::strings::index(&out, &found[0]) else { continue };
        out.splice(at..at + found[0].len(), rewritten);
    }
    out
}

impl Group {
    fn parse(text: &[u8]) -> Result<Self, String> {
        if !PATTERNS.group.is_match(text) {
            return Err(format!("improper constraint: {}", quote(text)));
        }
        let constraints: Vec<Constraint> = PATTERNS
            .find
            .find_iter(text)
            .map(|found| Constraint::parse(found.as_bytes()))
            .collect::<Result<_, _>>()?;
        let has_prerelease = constraints.iter().any(|constraint| !constraint.version.prerelease.is_empty());
        Ok(Self { constraints, has_prerelease })
    }
}

impl Constraint {
    fn parse(text: &[u8]) -> Result<Self, String> {
        let Some(found) = PATTERNS.single.captures(text) else {
            return Err(format!("improper constraint: {}", quote(text)));
        };
        let part = |place: usize| part(&found, place);
        let missing = |place: usize| matches!(part(place).trim_start_matches('.'), "" | "x" | "X" | "*");
        let (wild, version) = if missing(3) {
            (Some(Wild::Major), format!("0.0.0{}", part(6)))
        } else if missing(4) {
            (Some(Wild::Minor), format!("{}.0.0{}", part(3), part(6)))
        } else if missing(5) {
            (Some(Wild::Patch), format!("{}{}.0{}", part(3), part(4), part(6)))
        } else {
            (None, part(2).to_owned())
        };
        let version = Version::parse(version).map_err(|_| "constraint parser error".to_owned())?;
        let operator = match part(1) {
            "!=" => Operator::NotEqual,
            ">" => Operator::Greater,
            "<" => Operator::Less,
            ">=" | "=>" => Operator::GreaterOrEqual,
            "<=" | "=<" => Operator::LessOrEqual,
            "~" | "~>" => Operator::Tilde,
            "^" => Operator::Caret,
            _ => Operator::TildeOrEqual,
        };
        Ok(Self { operator, version, wild })
    }

    fn holds(&self, version: &Version) -> bool {
        let order = version.compare(&self.version);
        match self.operator {
            Operator::TildeOrEqual if self.wild.is_none() => order == Ordering::Equal,
            Operator::TildeOrEqual | Operator::Tilde => order != Ordering::Less && self.is_near(version),
            Operator::NotEqual => self.differs(version, order),
            Operator::Greater => self.is_below(version, order),
            Operator::Less => order == Ordering::Less,
            Operator::GreaterOrEqual => order != Ordering::Less,
            Operator::LessOrEqual => self.is_not_below(version, order),
            Operator::Caret => order != Ordering::Less && self.is_compatible(version),
        }
    }

    /// `~`: the same major number, and the same minor one if it is given. `~0.0.0` and `*` take any.
    fn is_near(&self, version: &Version) -> bool {
        let wanted = &self.version;
        let is_zero = (wanted.major, wanted.minor, wanted.patch) == (0, 0, 0);
        if is_zero && !matches!(self.wild, Some(Wild::Minor | Wild::Patch)) {
            return true;
        }
        version.major == wanted.major && (version.minor == wanted.minor || self.wild == Some(Wild::Minor))
    }

    fn differs(&self, version: &Version, order: Ordering) -> bool {
        let wanted = &self.version;
        let Some(wild) = self.wild else { return order != Ordering::Equal };
        if version.major != wanted.major {
            return true;
        }
        match wild {
            Wild::Minor => false,
            _ if version.minor != wanted.minor => true,
            Wild::Major => version.patch != wanted.patch || order != Ordering::Equal,
            Wild::Patch => compare_prereleases(&version.prerelease, &wanted.prerelease) != Ordering::Equal,
        }
    }

    /// `>`: above all that a constraint with missing numbers stands for.
    fn is_below(&self, version: &Version, order: Ordering) -> bool {
        let wanted = &self.version;
        match self.wild {
            None => order == Ordering::Greater,
            Some(_) if version.major != wanted.major => version.major > wanted.major,
            Some(Wild::Minor) => false,
            Some(Wild::Patch) => version.minor > wanted.minor,
            Some(Wild::Major) => order == Ordering::Greater,
        }
    }

    /// `<=`: `<=1.4` takes 1.4.9.
    fn is_not_below(&self, version: &Version, order: Ordering) -> bool {
        let wanted = &self.version;
        match self.wild {
            None => order != Ordering::Greater,
            Some(_) if version.major > wanted.major => false,
            Some(wild) => {
                version.major != wanted.major || version.minor <= wanted.minor || wild == Wild::Minor
            }
        }
    }

    /// `^`: what may change does not include the first number that is not 0.
    fn is_compatible(&self, version: &Version) -> bool {
        let wanted = &self.version;
        if wanted.major > 0 || self.wild == Some(Wild::Minor) {
            return version.major == wanted.major;
        }
        if version.major > 0 {
            return false;
        }
        if wanted.minor > 0 || self.wild == Some(Wild::Patch) {
            return version.minor == wanted.minor;
        }
        version.minor == 0 && version.patch == wanted.patch
    }
}

fn part<'a>(found: &Captures<'a>, place: usize) -> &'a str {
    // The pattern takes ASCII only.
    found.get(place).and_then(|part| std::str::from_utf8(part.as_bytes()).ok()).unwrap_or_default()
}
