use super::JsonPath;
use kapstan_document::Node;

fn values() -> Node {
    let text: &[u8] = b"name: web\nport: 8080\nbig: 1000000\nratio: 0.5\nflag: true\nnone: null\nimage: {repo: r, tag: '1'}\n\
        list: [a, b, c]\nitems: [{id: u, p: 80}, {id: v, p: 443, q: 1}]\na.b: dotted\n";
    crate::yaml::read(text, kapstan_diagnostic::Sources::new().add("v", text)).unwrap()
}

#[test]
fn templates_print_what_they_lead_to() {
    let values = values();
    for (template, expected) in [
        ("{.name}", "web"),
        ("p={.port} {.big} {.ratio} {.flag} {.none}", "p=8080 1e+06 0.5 true null"),
        ("{.image}", "{\"repo\":\"r\",\"tag\":\"1\"}"),
        (
            "{.list[*]}|{.list[0]}|{.list[-1]}|{.list[0:2]}|{.list[::2]}|{.list[1:]}|{.list[5:5]}",
            "a b c|a|c|a b|a c|b c|",
        ),
        ("{.list[0,2]} {.image['repo','tag']} {['name']}", "a c r 1 web"),
        ("{.image.*} {.a\\.b} {$.name} {@.name}", "r 1 dotted web web"),
        ("{.name.*}", "119 101 98"),
        ("{range .items[*]}{.id}:{.p}{'\\n'}{end}.", "u:80\nv:443\n."),
        ("{range .items[*]}{range .id}<{@}>{end}{end}", "<u><v>"),
        ("{.items[?(@.id=='v')].p}", "443"),
        ("{.items[?(@.p>=80.5)].id} {.items[?(@.q)].id}", "v v"),
        ("{.items[?(@.id!=\"v\")].id}{\"\\t\"}{1}{-2.5}{true}", "u\t1-2.5true"),
        ("{..tag} {..id}", "1 u v"),
        ("plain", "plain"),
        ("", ""),
    ] {
        let printed = JsonPath::parse(template).unwrap().print(&values);
        assert_eq!(printed.as_deref(), Some(expected), "{template}");
    }
}

#[test]
fn what_is_not_there_prints_nothing() {
    let values = values();
    for template in [
        "{.nope}",
        "{.list[3]}",
        "{.name[0]}",
        "{.items[?(@.p==80)].id}",
        "{end}",
        "{nonsense}",
        "x{range .nope[*]}{end}",
        "{.list[2:1]}",
        "{.}",
    ] {
        assert_eq!(JsonPath::parse(template).unwrap().print(&values), None, "{template}");
    }
    let many = "{range .items[*]}".repeat(5000);
    assert_eq!(JsonPath::parse(&many).unwrap().print(&values), None);
}

#[test]
fn malformed_templates_are_refused() {
    for (template, expected) in [
        ("{.name", "unclosed action"),
        ("{.a[1", "unterminated array"),
        ("{.a[x]}", "invalid array index x"),
        ("{.a[-]}", "array index - is not a number"),
        ("{.a[?(@.b=1]}", "unterminated filter"),
        ("{.a[?(@.b=1)}", "unclosed array expect ]"),
        ("{'a}", "unterminated quoted string"),
        ("{'\\q'}", "unquote string '\\q' error invalid syntax"),
        ("{....}", "invalid multiple recursive descent"),
        ("{1.2.3}", "cannot parse number 1.2.3"),
        ("{!}", "unrecognized character in action: U+0021 '!'"),
        ("a\n{.b\n}", "unclosed action"),
    ] {
        assert_eq!(JsonPath::parse(template).unwrap_err(), expected, "{template}");
    }
}
