//! Times and durations, as Go's package `time` has them. The clock and the time zones come from outside.

mod calendar;
mod duration;
mod format;
mod layout;
mod parse;

pub(crate) use duration::{parse_duration, round_duration, write_duration};
pub(crate) use format::{MONTHS, WEEKDAYS};
pub(crate) use parse::parse;

use std::sync::Arc;

/// What a place's clocks say, now and then.
pub trait Zone {
    /// Seconds east of Greenwich at a moment (in seconds since 1970) and what the offset is called.
    fn at(&self, second: i64) -> (i64, String);
}

/// Where times and zones come from. An engine has no clock of its own.
pub trait Clock {
    /// Seconds since 1970 and the nanoseconds within the second.
    fn now(&self) -> (i64, u32);

    /// The zone of this machine.
    fn local(&self) -> Arc<dyn Zone>;

    /// A zone by its name in the IANA data base; none where it is not known.
    fn zone(&self, name: &str) -> Option<Arc<dyn Zone>>;
}

/// A clock that stands still in UTC and knows no other zones.
#[derive(Clone, Copy, Debug, Default)]
pub struct FixedClock {
    /// Seconds since 1970.
    pub second: i64,
    /// Nanoseconds within the second.
    pub nanosecond: u32,
}

struct Utc;

impl Zone for Utc {
    fn at(&self, _: i64) -> (i64, String) {
        (0, "UTC".to_owned())
    }
}

impl Clock for FixedClock {
    fn now(&self) -> (i64, u32) {
        (self.second, self.nanosecond)
    }

    fn local(&self) -> Arc<dyn Zone> {
        Arc::new(Utc)
    }

    fn zone(&self, _: &str) -> Option<Arc<dyn Zone>> {
        None
    }
}

/// Where a time is looked at from.
#[derive(Clone)]
pub(crate) enum Location {
    Utc,
    Fixed { offset: i64, name: String },
    Zone(Arc<dyn Zone>),
}

impl Location {
    /// The offset from Greenwich in seconds and its name at a moment.
    pub(crate) fn at(&self, second: i64) -> (i64, String) {
        match self {
            Self::Utc => (0, "UTC".to_owned()),
            Self::Fixed { offset, name } => (*offset, name.clone()),
            Self::Zone(zone) => zone.at(second),
        }
    }

    /// `time.LoadLocation`: none where there is no such zone.
    pub(crate) fn load(clock: &dyn Clock, name: &[u8]) -> Option<Self> {
        match name {
            b"" | b"UTC" => Some(Self::Utc),
            b"Local" => Some(Self::Zone(clock.local())),
            _ => clock.zone(std::str::from_utf8(name).ok()?).map(Self::Zone),
        }
    }

    /// The offset that a name has here around a moment: Go's search for the meaning of `MST`.
    fn offset_of(&self, name: &str, second: i64) -> Option<i64> {
        const HALF_A_YEAR: i64 = 182 * 86_400;
        [0, HALF_A_YEAR, -HALF_A_YEAR].into_iter().find_map(|away| {
            let (offset, called) = self.at(second.saturating_add(away));
            (called == name).then_some(offset)
        })
    }
}

/// A moment, looked at from a place.
#[derive(Clone)]
pub(crate) struct Time {
    /// Seconds since 1970.
    pub(crate) second: i64,
    /// Within the second.
    pub(crate) nanosecond: u32,
    pub(crate) location: Location,
}

/// The first of January of the year 1, which is no time at all in Go.
const ZERO: i64 = -62_135_596_800;

impl Time {
    /// Go's zero time.
    pub(crate) fn zero() -> Self {
        Self { second: ZERO, nanosecond: 0, location: Location::Utc }
    }

    /// `time.Unix`, seen from here.
    pub(crate) fn unix(second: i64, clock: &dyn Clock) -> Self {
        Self { second, nanosecond: 0, location: Location::Zone(clock.local()) }
    }

    /// `time.Now`.
    pub(crate) fn now(clock: &dyn Clock) -> Self {
        let (second, nanosecond) = clock.now();
        Self { second, nanosecond, location: Location::Zone(clock.local()) }
    }

    /// The same moment, looked at from elsewhere.
    pub(crate) fn within(&self, location: Location) -> Self {
        Self { location, ..self.clone() }
    }

    /// The time some nanoseconds later.
    pub(crate) fn plus(&self, duration: i64) -> Self {
        let nanosecond = i64::from(self.nanosecond) + duration.rem_euclid(1_000_000_000);
        let second = self
            .second
            .wrapping_add(duration.div_euclid(1_000_000_000))
            .wrapping_add(nanosecond / 1_000_000_000);
        Self {
            second,
            nanosecond: u32::try_from(nanosecond % 1_000_000_000).unwrap_or(0),
            location: self.location.clone(),
        }
    }

    /// `AddDate`: so many years, months and days later, at the same time of day; what is too much for a month goes over
    /// into the next.
    pub(crate) fn plus_date(&self, years: i64, months: i64, days: i64) -> Self {
        let (offset, _) = self.location.at(self.second);
        let wall = self.second.saturating_add(offset);
        let civil = calendar::civil(wall);
        let months = (civil.month - 1).saturating_add(months);
        let year = civil.year.saturating_add(years).saturating_add(months.div_euclid(12));
        // Beyond this there is no calendar that anyone could mean.
        let year = year.clamp(-1_000_000, 1_000_000);
        let first = calendar::days(year, months.rem_euclid(12) + 1, 1);
        let day = first.saturating_add(civil.day - 1).saturating_add(days);
        let wall = day.saturating_mul(86_400).saturating_add(wall.rem_euclid(86_400));
        Self { second: parse::second_in(&self.location, wall), ..self.clone() }
    }

    /// The nanoseconds from `earlier` to this time, at most as many as fit.
    pub(crate) fn since(&self, earlier: &Self) -> i64 {
        let nanoseconds = (i128::from(self.second) - i128::from(earlier.second)) * 1_000_000_000
            + i128::from(self.nanosecond)
            - i128::from(earlier.nanosecond);
        i64::try_from(nanoseconds).unwrap_or(if nanoseconds < 0 { i64::MIN } else { i64::MAX })
    }

    /// Whether it is Go's zero time.
    pub(crate) fn is_zero(&self) -> bool {
        self.second == ZERO && self.nanosecond == 0
    }

    /// What `String` prints.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.format(b"2006-01-02 15:04:05.999999999 -0700 MST")).into_owned()
    }

    /// `Format`: the time in a layout that shows how Go's reference time would look.
    pub(crate) fn format(&self, layout: &[u8]) -> Vec<u8> {
        format::format(self, layout)
    }
}

#[cfg(test)]
mod tests;
