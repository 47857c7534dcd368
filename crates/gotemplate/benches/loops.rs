//! What loops of charts cost: milliseconds a render, the best of some.
//!
//!     cargo bench -p kapstan-gotemplate --bench loops
//!
//! The same program in Go stands beside this file (loops.go).

#![expect(clippy::print_stdout, reason = "a bench prints its results")]
#![expect(clippy::unwrap_used, reason = "its templates are its own")]

use kapstan_gotemplate::{Functions, Options, Set, Value, functions::helm};
use std::time::{Duration, Instant};

const LOOPS: &[(&str, &str)] = &[
    ("item fields only", "{{ range .items }}{{ .name }}: {{ .value }} {{ .on }} {{ .meta.app }}\n{{ end }}"),
    ("$.deep.k0.k1.k2.k3.s", "{{ range .items }}{{ $.deep.k0.k1.k2.k3.s }}{{ .name }}\n{{ end }}"),
    (
        "with $root.deep.k1",
        "{{ $root := . }}{{ range .items }}{{ with $root.deep.k1 }}{{ .k0.k1.k2.s }}{{ end }}\n{{ end }}",
    ),
    ("template \"T\" $", "{{ range .items }}{{ template \"T\" $ }}\n{{ end }}"),
    (
        "nested range of all leaves",
        "{{ range .deep }}{{ range . }}{{ range . }}{{ range . }}{{ .s }}\n{{ end }}{{ end }}{{ end }}{{ end }}",
    ),
    ("include \"T\" $", "{{ range .items }}{{ include \"T\" $ }}\n{{ end }}"),
    (
        "conditions and variables",
        "{{ range $i, $x := .items }}{{ if and $x.on (eq $x.name \"item-7\") }}{{ $i }}{{ else if not $x.on }}{{ $y := $x.name }}{{ printf \"%s-%d\" $y $i }}{{ end }}{{ end }}",
    ),
];

fn deep(levels: usize) -> Value {
    if levels == 0 {
        return Value::map([("s", Value::str("leaf")), ("n", Value::Float64(1.0))]);
    }
    Value::map((0..6).map(|index| (format!("k{index}"), deep(levels - 1))))
}

fn item(index: usize) -> Value {
    let meta = Value::map([("app", "web".into()), ("tier", "front".into())]);
    #[expect(clippy::cast_precision_loss, reason = "small")]
    Value::map([
        ("name", format!("item-{index}").into()),
        ("value", Value::Float64(index as f64)),
        ("on", index.is_multiple_of(2).into()),
        ("meta", meta),
    ])
}

fn main() {
    let data = Value::map([("deep", deep(4)), ("items", Value::list((0..1000).map(item).collect()))]);
    let mut set = Set::new("bench", Functions::builtins().with(helm::ROWS));
    set.parse("defines", "{{ define \"T\" }}{{ .deep.k0.k1.k2.k3.s }}{{ end }}").unwrap();
    for (name, text) in LOOPS {
        set.parse(*name, *text).unwrap();
        let mut best = Duration::MAX;
        for _ in 0..50 {
            let start = Instant::now();
            let text = set.execute(name, data.clone(), &Options::default()).unwrap();
            best = best.min(start.elapsed());
            assert!(!text.is_empty());
        }
        println!("{name:30} {:8.3} ms", best.as_secs_f64() * 1e3);
    }
}
