const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(super) const fn day_names() -> &'static [&'static str; 7] {
    &DAYS
}

pub(super) const fn month_names() -> &'static [&'static str; 12] {
    &MONTHS
}

/// Days from 1970-01-01 to a day of the Gregorian calendar.
pub(crate) fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (i64::from(month) + if month > 2 { -3 } else { 9 }) + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The day of the Gregorian calendar that many days after 1970-01-01.
pub(crate) fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, u32::try_from(month).unwrap_or(1), u32::try_from(day).unwrap_or(1))
}

/// A time taken apart, for `strftime`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moment {
    pub year: i64,
    pub month: u32,
    pub day: u32,
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
    pub microsecond: u32,
    /// Seconds east of UTC.
    pub offset: Option<i32>,
    pub zone: String,
}

impl Moment {
    /// The local time of seconds since 1970.
    pub(crate) fn local(seconds: i64, offset: i32, zone: String) -> Self {
        let local = seconds.saturating_add(i64::from(offset));
        let (year, month, day) = civil_from_days(local.div_euclid(86_400));
        let of_day = local.rem_euclid(86_400);
        let part = |value: i64| u32::try_from(value).unwrap_or(0);
        Self {
            year,
            month,
            day,
            hour: part(of_day / 3600),
            minute: part(of_day / 60 % 60),
            second: part(of_day % 60),
            microsecond: 0,
            offset: Some(offset),
            zone,
        }
    }

    fn weekday(&self) -> i64 {
        (days_from_civil(self.year, self.month, self.day) + 3).rem_euclid(7)
    }

    fn day_of_year(&self) -> i64 {
        days_from_civil(self.year, self.month, self.day) - days_from_civil(self.year, 1, 1) + 1
    }

    /// ISO year and week.
    fn iso_week(&self) -> (i64, i64) {
        let thursday = days_from_civil(self.year, self.month, self.day) - self.weekday() + 3;
        let (year, ..) = civil_from_days(thursday);
        (year, (thursday - days_from_civil(year, 1, 1)) / 7 + 1)
    }

    /// `strftime` in the C locale. A directive that nobody knows stays as it is.
    pub(crate) fn format(&self, format: &str) -> String {
        let mut out = String::new();
        let mut rest = format;
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let flag = rest.chars().next().filter(|c| matches!(c, '-' | '_' | '0' | '^' | '#'));
            let after_flag = &rest[flag.map_or(0, char::len_utf8)..];
            let Some(letter) = after_flag.chars().next() else {
                out.push('%');
                break;
            };
            let after = &after_flag[letter.len_utf8()..];
            match self.directive(letter) {
                Some(text) => out.push_str(&flagged(&text, flag)),
                None => {
                    out.push('%');
                    out.push_str(&rest[..rest.len() - after.len()]);
                }
            }
            rest = after;
        }
        out + rest
    }

    fn directive(&self, letter: char) -> Option<String> {
        let weekday = usize::try_from(self.weekday()).unwrap_or(0);
        let month = MONTHS[(self.month.max(1) as usize - 1) % 12];
        let hour12 = if self.hour.is_multiple_of(12) { 12 } else { self.hour % 12 };
        Some(match letter {
            'a' => DAYS[weekday][..3].to_owned(),
            'A' => DAYS[weekday].to_owned(),
            'b' | 'h' => month[..3].to_owned(),
            'B' => month.to_owned(),
            'c' => self.format("%a %b %e %H:%M:%S %Y"),
            'C' => format!("{:02}", self.year.div_euclid(100)),
            'd' => format!("{:02}", self.day),
            'D' | 'x' => self.format("%m/%d/%y"),
            'e' => format!("{:2}", self.day),
            'f' => format!("{:06}", self.microsecond),
            'F' => self.format("%Y-%m-%d"),
            'g' => format!("{:02}", self.iso_week().0.rem_euclid(100)),
            'G' => self.iso_week().0.to_string(),
            'H' => format!("{:02}", self.hour),
            'I' => format!("{hour12:02}"),
            'j' => format!("{:03}", self.day_of_year()),
            'k' => format!("{:2}", self.hour),
            'l' => format!("{hour12:2}"),
            'm' => format!("{:02}", self.month),
            'M' => format!("{:02}", self.minute),
            'n' => "\n".to_owned(),
            'p' => if self.hour < 12 { "AM" } else { "PM" }.to_owned(),
            'P' => if self.hour < 12 { "am" } else { "pm" }.to_owned(),
            'r' => self.format("%I:%M:%S %p"),
            'R' => self.format("%H:%M"),
            's' => {
                let days = days_from_civil(self.year, self.month, self.day);
                let seconds =
                    i64::from(self.hour) * 3600 + i64::from(self.minute) * 60 + i64::from(self.second);
                (days * 86_400 + seconds - i64::from(self.offset.unwrap_or(0))).to_string()
            }
            'S' => format!("{:02}", self.second),
            't' => "\t".to_owned(),
            'T' | 'X' => self.format("%H:%M:%S"),
            'u' => (weekday + 1).to_string(),
            'U' => format!("{:02}", (self.day_of_year() + 6 - (self.weekday() + 1) % 7) / 7),
            'V' => format!("{:02}", self.iso_week().1),
            'w' => ((weekday + 1) % 7).to_string(),
            'W' => format!("{:02}", (self.day_of_year() + 6 - self.weekday()) / 7),
            'y' => format!("{:02}", self.year.rem_euclid(100)),
            'Y' => self.year.to_string(),
            'z' => self.offset.map_or_else(String::new, |offset| {
                let sign = if offset < 0 { '-' } else { '+' };
                format!("{sign}{:02}{:02}", offset.abs() / 3600, offset.abs() / 60 % 60)
            }),
            'Z' => self.zone.clone(),
            '%' => "%".to_owned(),
            _ => return None,
        })
    }
}

/// The flags of glibc: `-` without padding, `_` with blanks, `0` with zeros, `^` in upper case, `#` in the other case.
fn flagged(text: &str, flag: Option<char>) -> String {
    let is_number = text.trim_start().bytes().all(|c| c.is_ascii_digit()) && !text.trim_start().is_empty();
    match flag {
        Some('-') if is_number => {
            let short = text.trim_start().trim_start_matches('0');
            if short.is_empty() { "0".to_owned() } else { short.to_owned() }
        }
        Some('_') if is_number => {
            let short = text.trim_start_matches('0');
            let short = if short.is_empty() { "0" } else { short };
            format!("{short:>width$}", width = text.len())
        }
        Some('0') if is_number => text.replace(' ', "0"),
        Some('^') => text.to_uppercase(),
        Some('#') => {
            let has_lower = text.chars().any(char::is_lowercase);
            if has_lower && text.chars().skip(1).any(char::is_lowercase) {
                text.to_uppercase()
            } else {
                text.to_lowercase()
            }
        }
        _ => text.to_owned(),
    }
}
