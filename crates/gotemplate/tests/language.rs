//! What templates give and say: each result and error text is that of Go 1.26.

mod support;

use kapstan_gotemplate::{Functions, List, Map, Options, Set, Value};
use support::HELPERS;

fn data() -> Value {
    let item = |name: &str| Value::map([("name", Value::str(name))]);
    let inner = Map::from_entries([("d", Value::str("deep"))]);
    Value::map([
        ("n", Value::Float64(3.0)),
        ("f", Value::Float64(2.5)),
        ("big", Value::Float64(1_234_567.0)),
        ("s", "text".into()),
        ("empty", "".into()),
        ("u", "h\u{e9} <b>&'\"\u{4e16}\u{1}".into()),
        ("t", true.into()),
        ("no", false.into()),
        ("nil", Value::Nil),
        ("list", Value::list(vec!["a".into(), Value::Float64(1.0), Value::Nil, true.into()])),
        ("items", Value::list(vec![item("one"), item("two")])),
        ("none", Value::List(List::new(vec![]))),
        (
            "map",
            Value::map([
                ("b", Value::Float64(2.0)),
                ("a", "x".into()),
                ("c", inner.into()),
                ("z", Value::Nil),
            ]),
        ),
    ])
}

fn run(template: &str) -> Result<String, String> {
    let mut set = Set::new("main", Functions::builtins().with(HELPERS));
    set.parse("page", template).map_err(|error| error.to_string())?;
    let text = set.execute("page", data(), &Options::default()).map_err(|error| error.to_string())?;
    Ok(text.to_string())
}

const CASES: &[(&str, &str)] = &[
    (r#"{{ printf "%.70000f%070000d%.70000e" 2.5 1 2.5 | len }}"#, "210008"),
    ("{{ .map.c.d }} {{ $.s }} {{ (.map).a }}", "deep text x"),
    (
        "{{ .missing }}|{{ .missing.x }}|{{ .nil }}|{{ (.nil).x }}",
        "<no value>|<no value>|<no value>|<no value>",
    ),
    ("a  {{- /* gone */ -}}  b {{- 3 }}{{-3 }}", "ab3-3"),
    (r#"{{ `raw\n` }}{{ "\x41\u00e9\t" }}"#, "raw\\nAé\t"),
    (
        "{{ 'a' }} {{ 1e6 }} {{ 1000000 }} {{ 0x1F }} {{ 0b11 }} {{ 017 }} {{ 1_000 }} {{ 1i }} {{ .5 }}",
        "97 1e+06 1000000 31 3 15 1000 (0+1i) 0.5",
    ),
    (
        "{{ .big }} {{ 100000.0 }} {{ 123456789012.0 }} {{ 0.00001 }}",
        "1.234567e+06 100000 1.23456789012e+11 1e-05",
    ),
    ("{{ if .none }}a{{ else if .n }}b{{ else }}c{{ end }}", "b"),
    ("{{ with .map }}{{ .a }}{{ end }}{{ with .no }}a{{ else with .s }}{{ . }}{{ else }}c{{ end }}", "xtext"),
    ("{{ range $k, $v := .map }}{{ $k }}={{ $v }};{{ end }}", "a=x;b=2;c=map[d:deep];z=<no value>;"),
    ("{{ range .none }}a{{ else }}none{{ end }}{{ range .nil }}a{{ else }}nil{{ end }}", "nonenil"),
    (
        "{{ range $i, $x := .list }}{{ if eq $i 1 }}{{ continue }}{{ end }}{{ if eq $i 3 }}{{ break }}{{ end }}{{ $i }}{{ $x }};{{ end }}",
        "0a;2<no value>;",
    ),
    ("{{ range 3 }}{{ . }}{{ end }}{{ range $i := wide 2 }}{{ $i }}{{ end }}", "01201"),
    ("{{ $x := 1 }}{{ range .items }}{{ $x = .name }}{{ $x := 5 }}{{ end }}{{ $x }}", "two"),
    ("{{ $i := 0 }}{{ $v := 0 }}{{ range $i, $v = .list }}{{ end }}{{ $i }}{{ $v }}", "3true"),
    ("{{ range .items }}{{ range $.none }}{{ else }}{{ break }}{{ end }}{{ .name }}{{ end }}", "onetwo"),
    (
        r#"{{ define "T" }}[{{ . }}]{{ end }}{{ template "T" .s }}{{ template "T" }}{{ block "B" 2 }}<{{ . }}>{{ end }}"#,
        "[text][<no value>]<2>",
    ),
    (r#"{{ .s | printf "%s-%d" "a" | upper }}"#, "A-%!D(STRING=TEXT)"),
    (
        r#"{{ and 1 0 }} {{ and 1 2 }} {{ or 0 "" "x" }} {{ or .nil .no }} {{ not .n }} {{ and .no (index .list 99) }}"#,
        "0 2 x false false false",
    ),
    (
        r#"{{ eq 1 2 1 }} {{ eq (wide 1) (unsigned 1) }} {{ ne "a" "b" }} {{ lt 1.5 2.5 }} {{ le "a" "a" }} {{ gt 2 1 }} {{ ge 1 2 }} {{ eq .nil nil }} {{ eq .s nil }}"#,
        "true true true true true true false true false",
    ),
    (
        r#"{{ index .list 0 }} {{ index .map "c" "d" }} {{ index .map "q" }} {{ index .s 1 }} {{ index .items 1 "name" }}"#,
        "a deep <no value> 101 two",
    ),
    (
        r#"{{ slice .s 1 3 }} {{ slice .list 1 2 }} {{ len .u }} {{ len .map }} {{ slice "abc" }}"#,
        "ex [1] 14 4 abc",
    ),
    (r#"{{ print 1 2 "a" "b" 3 nil }} {{ println "x" 1 true }}"#, "1 2ab3 <nil> x 1 true\n"),
    (
        r#"{{ html .u }} {{ js .u }} {{ urlquery "a b&c/é" }} {{ html nil }}"#,
        "hé &lt;b&gt;&amp;&#39;&#34;世\u{1} hé \\u003Cb\\u003E\\u0026\\'\\\"世\\u0001 a+b%26c%2F%C3%A9 &lt;no value&gt;",
    ),
    (
        r#"{{ .list }} {{ .map }} {{ list 1 "a" nil }} {{ words "a b" }} {{ bytes "hi" }}"#,
        "[a 1 <nil> true] map[a:x b:2 c:map[d:deep] z:<nil>] [1 a <nil>] [a b] [104 105]",
    ),
    (
        r#"{{ printf "%v %+v %#v %T" .map .map .list .n }}"#,
        r#"map[a:x b:2 c:map[d:deep] z:<nil>] map[a:x b:2 c:map[d:deep] z:<nil>] []interface {}{"a", 1, interface {}(nil), true} float64"#,
    ),
    (
        r#"{{ printf "%d|%5d|%-5d|%05d|%+d|%x|%X|%o|%#o|%O|%b|%c|%q|%U|%#U" 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 }}"#,
        "42|   42|42   |00042|+42|2a|2A|52|052|0o52|101010|*|'*'|U+002A|U+002A '*'",
    ),
    (
        r#"{{ printf "%s|%10s|%-10s|%.2s|%q|%x|% x|%#q|%+q" "héy" "héy" "héy" "héy" "héy" "héy" "héy" "héy" "héy" }}"#,
        r#"héy|       héy|héy       |hé|"héy"|68c3a979|68 c3 a9 79|`héy`|"h\u00e9y""#,
    ),
    (
        r#"{{ printf "%f|%.2f|%8.3f|%-8.1f|%e|%E|%g|%G|%+.1f|%08.2f|%x|%b|%#g" 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 }}"#,
        "2.500000|2.50|   2.500|2.5     |2.500000e+00|2.500000E+00|2.5|2.5|+2.5|00002.50|0x1.4p+01|5629499534213120p-51|2.50000",
    ),
    (
        r#"{{ printf "%d %s %z %" "x" 5 1 }} {{ printf "%d" }} {{ printf "%s" 1 2 }} {{ printf "%[2]d %[1]d" 1 2 }} {{ printf "%*d" 5 1 }} {{ printf "%[5]d" 1 }}"#,
        "%!d(string=x) %!s(int=5) %!z(int=1) %!(NOVERB) %!d(MISSING) %!s(int=1)%!(EXTRA int=2) 2 1     1 %!d(BADINDEX)",
    ),
    (
        r#"{{ printf "%t %v %d" true false true }} {{ printf "%s" nil }} {{ printf "%v" nil }} {{ printf "%d" .n }} {{ printf "%s" .list }} {{ printf "%q" .list }}"#,
        r#"true false %!d(bool=true) %!s(<nil>) <nil> %!d(float64=3) [a %!s(float64=1) <nil> %!s(bool=true)] ["a" %!q(float64=1) <nil> %!q(bool=true)]"#,
    ),
    (
        r#"{{ printf "%v" (list (list 1) (dict "a" nil)) }} {{ printf "%#v" (dict "a" (list nil 1.0 "x")) }} {{ printf "%6.2f%%" 12.345 }}"#,
        r#"[[1] map[a:<nil>]] map[string]interface {}{"a":[]interface {}{interface {}(nil), 1, "x"}}  12.35%"#,
    ),
    (r#"{{ (.items | len) }} {{ (index .items 0).name }} {{ ((dict "a" (dict "b" 1)).a).b }}"#, "2 one 1"),
    (r#"{{ len (printf "%d" 12345 | print) }}{{ "a" | print | }}"#, "5a"),
    ("{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ $y := 3 }}{{ $y }}{{ end }}{{ $x }}", "32"),
];

const ERRORS: &[(&str, &str)] = &[
    (
        "{{ .s.x }}",
        r#"template: page:1:5: executing "page" at <.s.x>: can't evaluate field x in type interface {}"#,
    ),
    (
        "{{ .map.z.y }}",
        r#"template: page:1:7: executing "page" at <.map.z.y>: nil pointer evaluating interface {}.y"#,
    ),
    (
        "{{ .n.x.y }}",
        r#"template: page:1:5: executing "page" at <.n.x.y>: can't evaluate field x in type interface {}"#,
    ),
    (
        "{{ .map.a 1 }}",
        r#"template: page:1:7: executing "page" at <.map.a>: a is not a method but has arguments"#,
    ),
    (
        "{{ 1 | .map }}",
        r#"template: page:1:7: executing "page" at <.map>: map is not a method but has arguments"#,
    ),
    (
        r#"{{ "a" 1 }}"#,
        r#"template: page:1:3: executing "page" at <"a">: can't give argument to non-function "a""#,
    ),
    ("{{ nil }}", r#"template: page:1:3: executing "page" at <nil>: nil is not a command"#),
    (
        "{{ upper }}",
        r#"template: page:1:3: executing "page" at <upper>: wrong number of args for upper: want 1 got 0"#,
    ),
    ("{{ upper 1 }}", r#"template: page:1:9: executing "page" at <1>: expected string; found 1"#),
    (
        "{{ upper .n }}",
        r#"template: page:1:9: executing "page" at <.n>: wrong type for value; expected string; got float64"#,
    ),
    (
        "{{ upper .missing }}",
        r#"template: page:1:9: executing "page" at <.missing>: invalid value; expected string"#,
    ),
    (
        "{{ .missing | upper }}",
        r#"template: page:1:14: executing "page" at <upper>: invalid value; expected string"#,
    ),
    ("{{ upper nil }}", r#"template: page:1:9: executing "page" at <nil>: cannot assign nil to string"#),
    (r#"{{ add 1 "x" }}"#, r#"template: page:1:9: executing "page" at <"x">: expected integer; found "x""#),
    ("{{ add 1.5 2 }}", r#"template: page:1:7: executing "page" at <1.5>: expected integer; found 1.5"#),
    (
        "{{ half .s }}",
        r#"template: page:1:8: executing "page" at <.s>: wrong type for value; expected float64; got string"#,
    ),
    (
        "{{ size 1 }}",
        r#"template: page:1:8: executing "page" at <1>: can't handle 1 for arg of type map[string]interface {}"#,
    ),
    (
        "{{ size .list }}",
        r#"template: page:1:8: executing "page" at <.list>: wrong type for value; expected map[string]interface {}; got []interface {}"#,
    ),
    ("{{ flip 1 }}", r#"template: page:1:8: executing "page" at <1>: expected bool; found 1"#),
    (
        "{{ eq .n 3 }}",
        r#"template: page:1:3: executing "page" at <eq .n 3>: error calling eq: incompatible types for comparison: float64 and int"#,
    ),
    (
        "{{ eq .map .map }}",
        r#"template: page:1:3: executing "page" at <eq .map .map>: error calling eq: non-comparable type map[a:x b:%!s(float64=2) c:map[d:deep] z:<nil>]: map[string]interface {}"#,
    ),
    (
        "{{ eq .list .map }}",
        r#"template: page:1:3: executing "page" at <eq .list .map>: error calling eq: non-comparable types [a %!s(float64=1) <nil> %!s(bool=true)]: []interface {}, map[string]interface {}: map[a:x b:2 c:map[d:deep] z:<nil>]"#,
    ),
    (
        "{{ eq 1 }}",
        r#"template: page:1:3: executing "page" at <eq 1>: error calling eq: missing argument for comparison"#,
    ),
    (
        "{{ lt true false }}",
        r#"template: page:1:3: executing "page" at <lt true false>: error calling lt: invalid type for comparison"#,
    ),
    (
        "{{ lt 1 nil }}",
        r#"template: page:1:3: executing "page" at <lt 1 nil>: error calling lt: invalid type for comparison"#,
    ),
    (
        "{{ index nil 1 }}",
        r#"template: page:1:3: executing "page" at <index nil 1>: error calling index: index of untyped nil"#,
    ),
    (
        "{{ index .nil 1 }}",
        r#"template: page:1:3: executing "page" at <index .nil 1>: error calling index: index of untyped nil"#,
    ),
    (
        "{{ index .list 9 }}",
        r#"template: page:1:3: executing "page" at <index .list 9>: error calling index: index out of range: 9"#,
    ),
    (
        "{{ index .list 4 }}",
        r#"template: page:1:3: executing "page" at <index .list 4>: error calling index: reflect: slice index out of range"#,
    ),
    (
        r#"{{ index .list "a" }}"#,
        r#"template: page:1:3: executing "page" at <index .list "a">: error calling index: cannot index slice/array with type string"#,
    ),
    (
        "{{ index .map 1 }}",
        r#"template: page:1:3: executing "page" at <index .map 1>: error calling index: value has type int; should be string"#,
    ),
    (
        "{{ index .n 1 }}",
        r#"template: page:1:3: executing "page" at <index .n 1>: error calling index: can't index item of type float64"#,
    ),
    (
        "{{ slice .s 3 1 }}",
        r#"template: page:1:3: executing "page" at <slice .s 3 1>: error calling slice: invalid slice index: 3 > 1"#,
    ),
    (
        "{{ slice .s 0 .n }}",
        r#"template: page:1:3: executing "page" at <slice .s 0 .n>: error calling slice: cannot index slice/array with type interface {}"#,
    ),
    (
        "{{ slice .map }}",
        r#"template: page:1:3: executing "page" at <slice .map>: error calling slice: can't slice item of type map[string]interface {}"#,
    ),
    (
        "{{ len nil }}",
        r#"template: page:1:3: executing "page" at <len nil>: error calling len: reflect: call of reflect.Value.Type on zero Value"#,
    ),
    (
        "{{ len .n }}",
        r#"template: page:1:3: executing "page" at <len .n>: error calling len: len of type float64"#,
    ),
    (
        "{{ len .nil }}",
        r#"template: page:1:3: executing "page" at <len .nil>: error calling len: len of nil pointer"#,
    ),
    (
        r#"{{ boom "it broke" }}"#,
        r#"template: page:1:3: executing "page" at <boom "it broke">: error calling boom: it broke"#,
    ),
    (
        "{{ call .s 1 }}",
        r#"template: page:1:3: executing "page" at <call .s 1>: error calling call: non-function .s of type string"#,
    ),
    (
        "{{ call nil }}",
        r#"template: page:1:3: executing "page" at <call nil>: error calling call: call of nil"#,
    ),
    (
        "{{ range .s }}{{ end }}",
        r#"template: page:1:9: executing "page" at <.s>: range can't iterate over text"#,
    ),
    (
        "{{ range .f }}{{ end }}",
        r#"template: page:1:9: executing "page" at <.f>: range can't iterate over 2.5"#,
    ),
    (
        "{{ range $i, $x := 3 }}{{ end }}",
        r#"template: page:1:19: executing "page" at <3>: can't use 3 to iterate over more than one variable"#,
    ),
    (
        r#"{{ template "none" . }}"#,
        r#"template: page:1:12: executing "page" at <{{template "none" .}}>: template "none" not defined"#,
    ),
    (
        "{{ if .t }}\n  {{ with .map }}{{ .a.b.c }}{{ end }}{{ end }}",
        r#"template: page:2:22: executing "page" at <.a.b.c>: can't evaluate field b in type interface {}"#,
    ),
    (
        r#"{{ printf "%d" (upper (print .s | len)) }}"#,
        r#"template: page:1:34: executing "page" at <len>: wrong type for value; expected string; got int"#,
    ),
    (
        "{{ 9223372036854775808 }}",
        r#"template: page:1:3: executing "page" at <9223372036854775808>: 9223372036854775808 overflows int"#,
    ),
    ("{{ nil.x }}", r#"template: page:1: unexpected . after term "nil""#),
    ("{{ (nil).x }}", r#"template: page:1:4: executing "page" at <nil>: nil is not a command"#),
    ("{{ $x = 1 }}", r#"template: page:1:8: executing "page" at <1>: undefined variable: $x"#),
    (
        "{{ not }}",
        r#"template: page:1:3: executing "page" at <not>: wrong number of args for not: want 1 got 0"#,
    ),
    (
        "{{ and }}",
        r#"template: page:1:3: executing "page" at <and>: wrong number of args for and: want at least 1 got 0"#,
    ),
    (
        "{{ print (.map.a.b | upper) }}",
        r#"template: page:1:14: executing "page" at <.map.a.b>: can't evaluate field b in type interface {}"#,
    ),
    (
        r#"{{ define "T" }}{{ .q.r.s }}{{ .a.b }}{{ end }}{{ template "T" .map }}"#,
        r#"template: page:1:33: executing "T" at <.a.b>: can't evaluate field b in type interface {}"#,
    ),
    ("{{ unknown 1 }}", r#"template: page:1: function "unknown" not defined"#),
    ("{{ $y }}", r#"template: page:1: undefined variable "$y""#),
    ("{{ . | 1 }}", "template: page:1: non executable command in pipeline stage 2"),
    (r#"{{ .a | "x" }}"#, "template: page:1: non executable command in pipeline stage 2"),
    ("{{ .x", "template: page:1: unclosed action"),
    (r#"{{ "abc"#, "template: page:1: unterminated quoted string"),
    ("{{ `abc }}", "template: page:1: unterminated raw quoted string"),
    ("{{ 'a }}", "template: page:1: unterminated character constant"),
    ("{{ (1 }}", "template: page:1: unclosed left paren"),
    ("{{ 1) }}", "template: page:1: unexpected right paren"),
    ("{{ }}", "template: page:1: missing value for command"),
    ("{{ | print }}", r#"template: page:1: unexpected "|" in command"#),
    ("{{ print | | print }}", r#"template: page:1: unexpected "|" in command"#),
    ("{{ 09 }}", r#"template: page:1: integer overflow: "09""#),
    ("{{ 1a }}", r#"template: page:1: bad number syntax: "1a""#),
    ("{{ .a-b }}", "template: page:1: bad character U+002D '-'"),
    ("{{ $x-1 }}", "template: page:1: bad character U+002D '-'"),
    ("{{ a.b }}", r#"template: page:1: function "a" not defined"#),
    (r#"{{ "a".b }}"#, r#"template: page:1: unexpected . after term "\"a\"""#),
    ("{{ 1.x }}", r#"template: page:1: bad number syntax: "1.x""#),
    ("{{ @ }}", r#"template: page:1: unexpected "@" in command"#),
    ("{{ é! }}", "template: page:1: bad character U+0021 '!'"),
    ("{{ ☃ }}", "template: page:1: unrecognized character in action: U+2603 '☃'"),
    ("{{ .x : 1 }}", "template: page:1: expected :="),
    ("{{ if }}{{ end }}", "template: page:1: missing value for if"),
    ("{{ if .x }}", "template: page:1: unexpected EOF"),
    ("{{ end }}", "template: page:1: unexpected {{end}}"),
    ("{{ else }}", "template: page:1: unexpected {{else}}"),
    ("{{ if 1 }}{{ else }}{{ else }}{{ end }}", "template: page:1: expected end; found {{else}}"),
    ("{{ with 1 }}{{ else if 2 }}{{ end }}", "template: page:1: unexpected <if> in input"),
    ("{{ break }}", "template: page:1: {{break}} outside {{range}}"),
    (
        r#"{{ range 3 }}{{ define "x" }}{{ end }}{{ end }}"#,
        "template: page:1: unexpected <define> in command",
    ),
    ("{{ range $a, $b, $c := .list }}{{ end }}", "template: page:1: too many declarations in range"),
    ("{{ range $a, 1 := .list }}{{ end }}", "template: page:1: range can only initialize variables"),
    ("{{ $a, $b := 1 }}", "template: page:1: too many declarations in command"),
    ("{{ template }}", r#"template: page:1: unexpected "}}" in template clause"#),
    ("{{ template .x }}", r#"template: page:1: unexpected ".x" in template clause"#),
    (
        r#"{{ template "x" . | }}{{ define "y" }}{{ else }}{{ end }}"#,
        "template: page:1: unexpected {{else}} in define clause",
    ),
    ("{{ define }}{{ end }}", r#"template: page:1: unexpected "}}" in define clause"#),
    (
        r#"{{ define "a" }}x{{ end }}{{ define "a" }}y{{ end }}"#,
        r#"template: page:1: template: multiple definition of template "a""#,
    ),
    (r#"{{ block "b" }}{{ end }}"#, "template: page:1: missing value for block clause"),
    (r#"{{ block "b" . }}{{ else }}{{ end }}"#, "template: page:1: unexpected {{else}} in block clause"),
    ("{{/* open }}", "template: page:1: unclosed comment"),
    ("{{/* a */ }}", "template: page:1: comment ends before closing delimiter"),
    ("{{ /* a */ }}", r#"template: page:1: unexpected "/" in command"#),
    ("{{ end extra }}", r#"template: page:1: unexpected "extra" in end"#),
    ("{{ 'ab' }}", "template: page:1: malformed character constant: 'ab'"),
    (r#"{{ "\q" }}"#, "template: page:1: invalid syntax"),
    ("{{ 1__0 }}", r#"template: page:1: illegal number syntax: "1__0""#),
    ("{{ 99999999999999999999 }}", r#"template: page:1: integer overflow: "99999999999999999999""#),
    ("{{ .x.. }}", "template: page:1: unexpected <.> in operand"),
    (
        "{{ . .x }}{{ (.).x.y }}{{ .s.y }}",
        r#"template: page:1:3: executing "page" at <.>: can't give argument to non-function ."#,
    ),
    (
        r#"{{ range 2 }}{{ block "c" . }}{{ break }}{{ end }}{{ end }}"#,
        "template: page:1: {{break}} outside {{range}}",
    ),
    ("{{ print\n  1\n  .x-y }}", "template: page:3: bad character U+002D '-' in action started at page:1"),
];

#[test]
fn templates_give_what_go_gives() {
    for (template, expected) in CASES {
        assert_eq!(run(template).as_deref(), Ok(*expected), "{template}");
    }
}

#[test]
fn errors_are_those_of_go() {
    for (template, expected) in ERRORS {
        assert_eq!(run(template).unwrap_err(), *expected, "{template}");
    }
}
