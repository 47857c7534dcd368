//! The archive that `helm package` makes of a chart.

use crate::chart::{Chart, File};
use crate::dependencies::missing;
use crate::error::{Error, Result};
use crate::{Profile, go, version, yaml};
use flate2::{Compression, GzBuilder};
use kapstan_diagnostic::Diagnostic;
use std::io::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How a chart is packaged.
#[derive(Clone, Debug, Default)]
pub struct PackageOptions {
    /// Puts this in the place of the chart's version.
    pub version: Option<String>,
    /// Puts this in the place of the application's version.
    pub app_version: Option<String>,
    /// Which Helm is followed: Helm 3 gives every file the present time.
    pub profile: Profile,
    /// The present time, for files that have none of their own.
    pub now: Option<SystemTime>,
}

/// A packaged chart.
#[derive(Clone, Debug)]
pub struct Package {
    /// `NAME-VERSION.tgz`
    pub name: String,
    /// The gzipped archive.
    pub archive: Vec<u8>,
}

/// What Helm writes into the header of its archives.
const MARK: &[u8] = b"rr\x28\x00aHR0cHM6Ly95b3V0dS5iZS96OVV6MWljandyTQo=";

/// Makes the archive of a chart: the same files in the same order, with the same headers, as `helm package`; only the
/// compression is not Go's.
///
/// Fails for a version that is none and for a chart that lacks subcharts which it declares.
pub fn package(chart: &Chart, options: &PackageOptions) -> Result<Package> {
    let mut chart = chart.clone();
    if let Some(version) = options.version.as_deref().filter(|version| !version.is_empty()) {
        version.clone_into(&mut chart.metadata.version);
    }
    if !version::is_version(&chart.metadata.version) {
        return Err(Error::new("helm::version", "invalid semantic version"));
    }
    if let Some(version) = options.app_version.as_deref().filter(|version| !version.is_empty()) {
        version.clone_into(&mut chart.metadata.app_version);
    }
    let missing = missing(&chart).join(", ");
    if !missing.is_empty() {
        let text = format!("found in Chart.yaml, but missing in charts/ directory: {missing}");
        let diagnostic = Diagnostic::error("helm::missing-dependencies", text.clone());
        return Err(Error::with_peer(diagnostic.with_hint("`helm dependency build` fetches them"), text));
    }
    archive(&chart, options)
}

/// The archive of a chart as it is.
pub(crate) fn archive(chart: &Chart, options: &PackageOptions) -> Result<Package> {
    let mut tape = Vec::new();
    write_chart(chart, "", options, &mut tape)?;
    // The end of a tar archive is two empty blocks.
    tape.resize(tape.len() + 2 * BLOCK, 0);
    let mut encoder = GzBuilder::new()
        .extra(MARK)
        .comment("Helm")
        .operating_system(255)
        .write(Vec::new(), Compression::default());
    let archive = encoder.write_all(&tape).and_then(|()| encoder.finish());
    let archive = archive.map_err(|error| Error::new("helm::unwritable", error.to_string()))?;
    Ok(Package { name: format!("{}-{}.tgz", chart.metadata.name, chart.metadata.version), archive })
}

fn write_chart(chart: &Chart, prefix: &str, options: &PackageOptions, tape: &mut Vec<u8>) -> Result<()> {
    let base = go::join(prefix, &chart.metadata.name);
    let is_old = chart.metadata.api_version == "v1";
    let mut add = |name: &str, data: &[u8], modified: Option<SystemTime>| {
        let modified = modified.filter(|_| !options.profile.is_v3());
        write_file(&go::join(&base, name), data, modified.or(options.now), tape)
    };
    let unwritable = || Error::new("helm::unwritable", "Chart.yaml cannot be written");
    let metadata = yaml::write_document(&chart.metadata.to_node(!is_old)).ok_or_else(unwritable)?;
    add("Chart.yaml", metadata.as_bytes(), chart.modified)?;
    if chart.metadata.api_version == "v2"
        && let Some(lock) = &chart.lock
    {
        let text = yaml::write_document(&lock.to_node()).ok_or_else(unwritable)?;
        add("Chart.lock", text.as_bytes(), rfc3339(&lock.generated))?;
    }
    for File { data, modified, .. } in chart.raw.iter().filter(|file| file.name == "values.yaml") {
        add("values.yaml", data, *modified)?;
    }
    if let Some(schema) = &chart.schema {
        if serde_json::from_slice::<serde_json::Value>(&schema.data).is_err() {
            let text = "failed to save: invalid JSON in values.schema.json";
            return Err(Error::new("helm::invalid-schema", text));
        }
        add("values.schema.json", &schema.data, schema.modified)?;
    }
    for File { name, data, modified } in chart.templates.iter().chain(&chart.files) {
        add(name, data, *modified)?;
    }
    let below = go::join(&base, "charts");
    chart.dependencies.iter().try_for_each(|subchart| write_chart(subchart, &below, options, tape))
}

/// A point in time as a lock has it: `2024-05-06T07:08:09.123Z`, or with an offset.
fn rfc3339(text: &str) -> Option<SystemTime> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    // Days since 1970 by a calendar whose years begin in March.
    let year = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days =
        365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + day_of_year - 719_468;
    let rest = text.get(19..)?;
    let zone = rest.trim_start_matches(|character: char| character == '.' || character.is_ascii_digit());
    let offset = match zone.as_bytes() {
        [b'Z'] => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let pair = |tens: u8, ones: u8| {
                i64::from(tens.wrapping_sub(b'0')) * 10 + i64::from(ones.wrapping_sub(b'0'))
            };
            let minutes = pair(*h1, *h2) * 60 + pair(*m1, *m2);
            if *sign == b'-' { -minutes } else { minutes }
        }
        _ => return None,
    };
    let seconds = days * 86_400 + hour * 3600 + (minute - offset) * 60 + second;
    let fraction = rest[..rest.len() - zone.len()].trim_start_matches('.');
    let has_half = fraction.bytes().next().is_some_and(|digit| digit >= b'5');
    UNIX_EPOCH.checked_add(Duration::from_secs(u64::try_from(seconds + i64::from(has_half)).ok()?))
}

const BLOCK: usize = 512;

/// What rounds times to whole seconds, as Go's archives have them.
const HALF_A_SECOND: Duration = Duration::from_millis(500);

/// Adds a file to a tar archive, with an extended header where its name is too long for a plain one.
fn write_file(name: &str, data: &[u8], modified: Option<SystemTime>, tape: &mut Vec<u8>) -> Result<()> {
    let seconds =
        modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default() + HALF_A_SECOND;
    let seconds = seconds.as_secs();
    let (prefix, short) = match split_name(name) {
        Some(split) => split,
        None => {
            let record = record("path", name);
            let folder = go::join(name.rsplit_once('/').map_or("", |(folder, _)| folder), "PaxHeaders.0");
            let place = ascii(&go::join(&folder, go::base(name)), 100);
            push_header("", &place, record.len(), 0, b'x', tape);
            push_data(record.as_bytes(), tape);
            ("", ascii(name, 100))
        }
    };
    push_header(prefix, &short, data.len(), seconds, b'0', tape);
    push_data(data, tape);
    Ok(())
}

/// The parts of a name that a plain header can hold.
fn split_name(name: &str) -> Option<(&str, String)> {
    if !name.is_ascii() {
        return None;
    }
    if name.len() <= 100 {
        return Some(("", name.to_owned()));
    }
    let end = name.len().min(156);
    let slash = name[..end].rfind('/')?;
    let (prefix, rest) = (&name[..slash], &name[slash + 1..]);
    (!prefix.is_empty() && prefix.len() <= 155 && !rest.is_empty() && rest.len() <= 100)
        .then(|| (prefix, rest.to_owned()))
}

fn ascii(name: &str, most: usize) -> String {
    let mut short: String = name.chars().filter(char::is_ascii).collect();
    short.truncate(most);
    short.trim_end_matches('/').to_owned()
}

/// A record of an extended header: its length counts itself.
fn record(key: &str, value: &str) -> String {
    let rest = format!(" {key}={value}\n");
    let mut length = rest.len();
    while length != rest.len() + length.to_string().len() {
        length = rest.len() + length.to_string().len();
    }
    format!("{length}{rest}")
}

fn push_header(prefix: &str, name: &str, size: usize, seconds: u64, kind: u8, tape: &mut Vec<u8>) {
    let mut block = [0; BLOCK];
    let mut put = |at: usize, text: &[u8]| block[at..at + text.len()].copy_from_slice(text);
    put(0, name.as_bytes());
    let mode: &[u8] = if kind == b'x' { b"0000000\0" } else { b"0000644\0" };
    put(100, mode);
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(136, format!("{seconds:011o}\0").as_bytes());
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    if kind != b'x' {
        put(329, b"0000000\0");
        put(337, b"0000000\0");
    }
    put(345, prefix.as_bytes());
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    tape.extend_from_slice(&block);
}

fn push_data(data: &[u8], tape: &mut Vec<u8>) {
    tape.extend_from_slice(data);
    tape.resize(tape.len().next_multiple_of(BLOCK), 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, LoadOptions};
    use kapstan_diagnostic::Sources;
    use kapstan_files::Memory;
    use std::path::Path;

    #[test]
    fn a_package_is_the_same_chart() {
        let long = format!("templates/{}/{}.yaml", "d".repeat(90), "f".repeat(80));
        let longer = format!("templates/é{}.yaml", "g".repeat(200));
        let files = Memory::new()
            .with("web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\nkeywords: [a]\n")
            .with("web/values.yaml", "# kept\na: 1\n")
            .with(format!("web/{long}"), "x")
            .with(format!("web/{longer}"), "y")
            .with("web/charts/sub/Chart.yaml", "name: sub\nversion: 1\n");
        let sources = Sources::new();
        let options = LoadOptions { profile: Profile::V4_2, limits: Limits::default(), sources: &sources };
        let chart = Chart::load(&files, Path::new("web"), &options).unwrap();
        let package =
            package(&chart, &PackageOptions { version: Some("2.0.0".to_owned()), ..Default::default() });
        let package = package.unwrap();
        assert_eq!(package.name, "web-2.0.0.tgz");
        let again = Chart::from_archive(&package.archive, "web-2.0.0.tgz", &options).unwrap();
        assert_eq!(again.metadata.version, "2.0.0");
        let names: Vec<_> = again.templates.iter().map(|file| file.name.clone()).collect();
        assert_eq!(names, [long, longer]);
        assert_eq!(again.dependencies[0].name(), "sub");
        assert_eq!(
            &*again.raw.iter().find(|file| file.name == "values.yaml").unwrap().data,
            b"# kept\na: 1\n"
        );
    }

    #[test]
    fn times_are_rounded_to_the_nearest_second() {
        let written = |milliseconds| {
            let mut tape = Vec::new();
            write_file("a", b"x", Some(UNIX_EPOCH + Duration::from_millis(milliseconds)), &mut tape).unwrap();
            String::from_utf8_lossy(&tape[136..147]).into_owned()
        };
        assert_eq!(written(1499), "00000000001");
        assert_eq!(written(1500), "00000000002");
    }

    #[test]
    fn times_of_locks_are_read() {
        let seconds = |text| rfc3339(text).map(|time| time.duration_since(UNIX_EPOCH).unwrap().as_secs());
        assert_eq!(seconds("2024-05-06T07:08:09.6Z"), Some(1_714_979_290));
        assert_eq!(seconds("2024-05-06T09:08:09+02:00"), Some(1_714_979_289));
        assert_eq!(seconds("soon"), None);
    }
}
