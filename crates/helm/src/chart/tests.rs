use super::*;
use crate::Profile;
use flate2::Compression;
use flate2::write::GzEncoder;
use kapstan_diagnostic::Sources;
use kapstan_files::Memory;
use std::io::Write;

const CHART: &str = "apiVersion: v2\nname: web\nversion: 1.2.3\n";

fn load(files: Memory, profile: Profile) -> std::result::Result<Chart, String> {
    let sources = Sources::new();
    let options = LoadOptions { profile, limits: Limits::default(), sources: &sources };
    Chart::load(&files, Path::new("web"), &options).map_err(|error| error.text().to_owned())
}

fn load_one(chart_file: &str) -> std::result::Result<Chart, String> {
    load(Memory::new().with("web/Chart.yaml", chart_file), Profile::V4_2)
}

/// A gzipped tar archive of files.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tape = Vec::new();
    for (name, content) in files {
        tape.extend(header(name, content.len(), b'0'));
        tape.extend_from_slice(content);
        tape.resize(tape.len().next_multiple_of(512), 0);
    }
    tape.resize(tape.len() + 1024, 0);
    zipped(&tape)
}

fn zipped(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn header(name: &str, size: usize, kind: u8) -> [u8; 512] {
    let mut block = [0; 512];
    block[..name.len()].copy_from_slice(name.as_bytes());
    block[124..135].copy_from_slice(format!("{size:011o}").as_bytes());
    block[148..156].fill(b' ');
    block[156] = kind;
    block[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    block
}

fn from_archive(data: &[u8], limits: Limits) -> std::result::Result<Chart, Error> {
    let sources = Sources::new();
    let options = LoadOptions { profile: Profile::V3, limits, sources: &sources };
    Chart::from_archive(data, "web.tgz", &options)
}

use crate::error::Error;

#[test]
fn files_are_sorted_in_by_their_names() {
    let files = Memory::new()
        .with("web/Chart.yaml", CHART)
        .with("web/values.yaml", "\u{feff}a: 1\n")
        .with("web/.helmignore", "*.bak\n/tmp/\n")
        .with("web/x.bak", "")
        .with("web/tmp/y", "")
        .with("web/README.md", "hello")
        .with("web/crds/c.yaml", "")
        .with("web/templates/a.yaml", "")
        .with("web/templates/.hidden", "")
        .with("web/charts/_off/Chart.yaml", "")
        .with("web/charts/sub/Chart.yaml", "name: sub\nversion: 1.10\n")
        .with("web/charts/sub/x.bak", "kept? no");
    let chart = load(files, Profile::V4_2).unwrap();
    let names = |files: &[File]| files.iter().map(|file| file.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&chart.templates), ["templates/a.yaml"]);
    assert_eq!(names(&chart.files), [".helmignore", "README.md", "crds/c.yaml"]);
    let subcharts: Vec<_> = chart.dependencies.iter().map(|chart| chart.metadata.clone()).collect();
    assert_eq!(subcharts.len(), 1);
    assert_eq!((subcharts[0].version.as_str(), subcharts[0].api_version.as_str()), ("1.1", "v1"));
    assert!(chart.values.is_some());
}

#[test]
fn fields_are_read_loosely_and_checked() {
    let chart =
        load_one("NAME: web\nversion: 1.10\nappVersion: 1e3\nhome: true\nkeywords: [1, a]\n").unwrap();
    let md = &chart.metadata;
    assert_eq!((md.version.as_str(), md.app_version.as_str(), md.home.as_str()), ("1.1", "1000", "true"));
    assert_eq!(md.keywords, ["1", "a"]);
    let decode =
        "cannot load Chart.yaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal";
    for (text, problem) in [
        ("version: 1", "validation: chart.metadata.name is required".to_owned()),
        ("name: a/b\nversion: 1", "validation: chart.metadata.name \"a/b\" is invalid".to_owned()),
        ("name: ..\nversion: 1", "validation: chart.metadata.name \"..\" is not allowed".to_owned()),
        ("name: a", "validation: chart.metadata.version is required".to_owned()),
        ("name: a\nversion: x", "validation: chart.metadata.version \"x\" is invalid".to_owned()),
        (
            "name: a\nversion: 1\ntype: x",
            "validation: chart.metadata.type must be application or library".to_owned(),
        ),
        (
            "name: a\nversion: 1\nmaintainers: [null]",
            "validation: maintainers must not contain empty or null nodes".to_owned(),
        ),
        (
            "name: a\nversion: 1\ndependencies: [{name: b}, {name: c, alias: b}]",
            "validation: more than one dependency with name or alias \"b\"".to_owned(),
        ),
        (
            "name: a\nversion: 1\ndependencies: [{name: b, alias: x y}]",
            "validation: dependency \"b\" has disallowed characters in the alias".to_owned(),
        ),
        ("deprecated: x", format!("{decode} string into Go struct field Metadata.deprecated of type bool")),
        ("keywords: [[a]]", format!("{decode} array into Go struct field Metadata.keywords of type string")),
        (
            "dependencies: [{name: b, enabled: 3}]",
            format!("{decode} number into Go struct field Dependency.dependencies.enabled of type bool"),
        ),
        (
            "maintainers: [{name: [a]}]",
            format!("{decode} array into Go struct field Maintainer.maintainers.name of type string"),
        ),
        ("a", format!("{decode} string into Go value of type loader.chartBase")),
        ("apiVersion: v9", "unsupported chart version".to_owned()),
    ] {
        assert_eq!(load_one(text).unwrap_err(), problem, "{text}");
    }
}

#[test]
fn old_dependency_files_count() {
    let files = |form: &str| {
        Memory::new()
            .with("web/Chart.yaml", format!("apiVersion: {form}\nname: web\nversion: 1\n"))
            .with("web/requirements.yaml", "dependencies: [{name: a, version: 1}]\n")
            .with("web/requirements.lock", "digest: x\ndependencies: [{name: a, version: 1.0.0}]\n")
    };
    let old = load(files("v1"), Profile::V4_2).unwrap();
    assert_eq!(old.metadata.dependencies.as_ref().unwrap()[0].name, "a");
    assert_eq!(old.lock.as_ref().unwrap().digest, "x");
    assert_eq!(old.files.len(), 2);
    let new = load(files("v2"), Profile::V4_2).unwrap();
    assert_eq!((new.files.len(), new.warnings.len()), (0, 2));
}

#[test]
fn archives_are_unpacked_and_hostile_ones_refused() {
    let good = archive(&[("web/Chart.yaml", CHART.as_bytes()), ("web/templates/a.yaml", b"a: 1")]);
    let chart = from_archive(&good, Limits::default()).unwrap();
    assert_eq!(chart.templates[0].name, "templates/a.yaml");
    let outer = archive(&[("o/Chart.yaml", b"name: o\nversion: 1"), ("o/charts/web-1.2.3.tgz", &good)]);
    assert_eq!(from_archive(&outer, Limits::default()).unwrap().dependencies[0].name(), "web");
    for (name, problem) in [
        ("web/../../x", "chart illegally references parent directory"),
        ("web//etc/x", "chart illegally contains absolute paths"),
        ("x", "chart illegally contains content outside the base directory: \"x\""),
        ("web\\c:\\x", "chart contains illegally named files"),
        ("Chart.yaml/x", "chart yaml not in base directory"),
    ] {
        let data = archive(&[(name, b"")]);
        assert_eq!(from_archive(&data, Limits::default()).unwrap_err().text(), problem, "{name}");
    }
    let small = Limits { file_bytes: 3, archive_bytes: 100, ..Limits::default() };
    let data = archive(&[("web/a", b"abcd")]);
    assert_eq!(
        from_archive(&data, small).unwrap_err().text(),
        "decompressed chart file \"web/a\" is larger than the maximum file size 3"
    );
    let many = archive(&vec![("web/a", &b""[..]); 20]);
    assert!(from_archive(&many, Limits { files: 10, ..Limits::default() }).is_err());
    assert_eq!(
        from_archive(&zipped(&[]), Limits::default()).unwrap_err().text(),
        "no files in chart archive"
    );
    let mut link = header("web/templates/l.yaml", 0, b'2').to_vec();
    link[157..160].copy_from_slice(b"/et");
    let sum: u32 = link
        .iter()
        .enumerate()
        .map(|(at, byte)| if (148..156).contains(&at) { 32 } else { u32::from(*byte) })
        .sum();
    link[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut tape = header("web/Chart.yaml", CHART.len(), b'0').to_vec();
    tape.extend_from_slice(CHART.as_bytes());
    tape.resize(1024, 0);
    tape.extend(link);
    let chart = from_archive(&zipped(&tape), Limits::default()).unwrap();
    assert!(chart.templates[0].data.is_empty());
}

#[test]
fn what_is_no_archive_is_called_what_it_is() {
    for (name, data, problem) in [
        ("v.yaml", "a: 1", "file '/v.yaml' seems to be a YAML file, but expected a gzipped archive"),
        (
            "v.txt",
            "hello",
            "file '/v.txt' does not appear to be a gzipped archive; got 'application/octet-stream'",
        ),
        (
            "v.html",
            "<html>",
            "file '/v.html' does not appear to be a gzipped archive; got 'text/html; charset=utf-8'",
        ),
    ] {
        let files = Memory::new().with(name, data);
        let sources = Sources::new();
        let options = LoadOptions { profile: Profile::V3, limits: Limits::default(), sources: &sources };
        let error = Chart::load(&files, Path::new(name), &options).unwrap_err();
        assert_eq!(error.text(), problem);
    }
}

#[test]
fn an_archive_that_contains_itself_ends() {
    let mut data = archive(&[("a/Chart.yaml", b"name: a\nversion: 1")]);
    for _ in 0..40 {
        data = archive(&[("a/Chart.yaml", b"name: a\nversion: 1"), ("a/charts/a.tgz", &data)]);
    }
    assert!(from_archive(&data, Limits::default()).is_err());
}
