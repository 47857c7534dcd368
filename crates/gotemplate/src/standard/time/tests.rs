use super::{FixedClock, Location, Time, parse, parse_duration, round_duration, write_duration};

const CLOCK: FixedClock = FixedClock { second: 1_700_000_000, nanosecond: 5 };

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("it is text")
}

#[test]
fn writes_layouts() {
    let time = Time {
        second: 1_136_239_445,
        nanosecond: 120_000_000,
        location: Location::Fixed { offset: -7 * 3600, name: "MST".to_owned() },
    };
    for (layout, expected) in [
        ("Mon Jan _2 15:04:05 MST 2006", "Mon Jan  2 15:04:05 MST 2006"),
        ("2006-01-02T15:04:05.999999999Z07:00", "2006-01-02T15:04:05.12-07:00"),
        ("02 January 06 3:4:5.000pm Monday", "02 January 06 3:4:5.120pm Monday"),
        ("__2 002 _2006 Z070000", "  2 002 _2006 -070000"),
        ("Janet Month 1 0 .0001", "Janet Month 1 0 .0001"),
        ("20060102", "20060102"),
        ("15h, 03 PM", "15h, 03 PM"),
        ("04:05,00", "04:05,12"),
    ] {
        assert_eq!(text(time.format(layout.as_bytes())), expected, "{layout}");
    }
    assert_eq!(Time::zero().text(), "0001-01-01 00:00:00 +0000 UTC");
    assert_eq!(Time::now(&CLOCK).text(), "2023-11-14 22:13:20.000000005 +0000 UTC");
}

#[test]
fn reads_what_it_writes() {
    for (layout, written, expected) in [
        ("2006-01-02", "2024-02-29", "2024-02-29 00:00:00 +0000 UTC"),
        ("2006-01-02T15:04:05Z07:00", "2024-02-29T01:02:03.5+02:00", "2024-02-29 01:02:03.5 +0200 +0200"),
        ("Jan 2 2006 3PM", "mar 7 1999 12AM", "1999-03-07 00:00:00 +0000 UTC"),
        ("2006 002", "2024 061", "2024-03-01 00:00:00 +0000 UTC"),
        ("02 Jan 06 15:04 MST", "02 Jan 70 15:04 GMT+3", "1970-01-02 18:04:00 +0300 GMT+3"),
        ("02 Jan 06 15:04 MST", "02 Jan 68 15:04 CEST", "2068-01-02 15:04:00 +0000 CEST"),
    ] {
        let time = parse(layout.as_bytes(), written.as_bytes(), &CLOCK).expect(written);
        assert_eq!(time.text(), expected, "{written} as {layout}");
    }
}

#[test]
fn refuses_with_the_texts_of_go() {
    for (layout, written, expected) in [
        ("2006-01-02", "2024-02-30", r#"parsing time "2024-02-30": day out of range"#),
        ("2006-01-02", "2024-13-01", r#"parsing time "2024-13-01": month out of range"#),
        ("2006-01-02", "x", r#"parsing time "x" as "2006-01-02": cannot parse "x" as "2006""#),
        ("2006-01-02", "2024/01", r#"parsing time "2024/01" as "2006-01-02": cannot parse "/01" as "-""#),
        ("2006", "2024é", r#"parsing time "2024\xc3\xa9": extra text: "\xc3\xa9""#),
        ("2006 002", "2023 366", r#"parsing time "2023 366": day-of-year out of range"#),
        ("Z0700", "99999", r#"parsing time "99999": time zone offset minute out of range"#),
        ("Z070000", "9999999", r#"parsing time "9999999": time zone offset second out of range"#),
        ("15:04", "24:00", r#"parsing time "24:00": hour out of range"#),
    ] {
        let error = parse(layout.as_bytes(), written.as_bytes(), &CLOCK).err().expect(written);
        assert_eq!(error, expected);
    }
}

#[test]
fn reads_and_writes_durations() {
    for (written, expected) in [
        ("1h30m", Ok("1h30m0s")),
        ("-1.5s", Ok("-1.5s")),
        ("100ms", Ok("100ms")),
        ("1us", Ok("1µs")),
        ("1.0000000000000000001h", Ok("1h0m0s")),
        ("0", Ok("0s")),
        ("90m", Ok("1h30m0s")),
        ("-9223372036854775808ns", Ok("-2562047h47m16.854775808s")),
        ("9223372036854775808ns", Err(r#"time: invalid duration "9223372036854775808ns""#)),
        ("", Err(r#"time: invalid duration """#)),
        ("3", Err(r#"time: missing unit in duration "3""#)),
        ("3d", Err(r#"time: unknown unit "d" in duration "3d""#)),
        (".s", Err(r#"time: invalid duration ".s""#)),
    ] {
        let read = parse_duration(written.as_bytes()).map(write_duration);
        assert_eq!(read, expected.map(str::to_owned).map_err(str::to_owned), "{written}");
    }
    assert_eq!(round_duration(1_500_000_000, 1_000_000_000), 2_000_000_000);
    assert_eq!(round_duration(-1_499_999_999, 1_000_000_000), -1_000_000_000);
}
