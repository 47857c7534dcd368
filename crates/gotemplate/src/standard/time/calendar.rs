//! The Gregorian calendar, for all years.

/// A day and the time on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Civil {
    pub(super) year: i64,
    /// 1 to 12.
    pub(super) month: i64,
    pub(super) day: i64,
    /// 1 to 366.
    pub(super) day_of_year: i64,
    /// Sunday is 0.
    pub(super) weekday: usize,
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: i64,
}

/// What the calendar says at `second` since 1970.
pub(super) fn civil(second: i64) -> Civil {
    let days = second.div_euclid(86_400);
    let clock = second.rem_euclid(86_400);
    // Years begin in March here, so that a leap day is the last of its year.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_from_march = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_from_march + 2) / 153;
    let day = day_from_march - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    Civil {
        year,
        month,
        day,
        day_of_year: days_before(month, year) + day,
        weekday: usize::try_from((days + 4).rem_euclid(7)).unwrap_or(0),
        hour: clock / 3_600,
        minute: clock / 60 % 60,
        second: clock % 60,
    }
}

/// The days from the first of January 1970 to that of `year`, `month` and `day`.
pub(super) fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

pub(super) fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// How many days a month has.
pub(super) fn days_in(month: i64, year: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// How many days of the year are over when a month begins.
pub(super) fn days_before(month: i64, year: i64) -> i64 {
    (1..month).map(|month| days_in(month, year)).sum()
}
