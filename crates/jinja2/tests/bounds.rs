//! Templates that would not end, or not fit, must fail: in time, without a panic, on an ordinary stack.

use kapstan_document as document;
use kapstan_jinja2::{Class, Context, Environment, Host, Limits, LoadError, Source};
use std::sync::Arc;

/// Every name is this very text.
struct Itself(Arc<str>);

impl Host for Itself {
    fn load(&self, _name: &str) -> Result<Source, LoadError> {
        Ok(Source { text: self.0.clone(), file: "main".to_owned() })
    }
}

fn failure(text: &str) -> Class {
    let limits = Limits { steps: 3_000_000, items: 1 << 20, output: 1 << 24, ..Limits::default() };
    let env = Environment::new(Arc::new(Itself(text.into()))).with_limits(limits);
    match env.render("main", &Context::new()) {
        Ok(text) => panic!("rendered {} bytes", text.len()),
        Err(error) => error.class,
    }
}

#[test]
fn endless_templates_end() {
    for text in [
        "{% for i in range(10 ** 12) %}{% endfor %}",
        "{{ range(10 ** 12)|list }}",
        "{{ range(10 ** 12)|sum }}",
        "{{ 'a' * 10 ** 12 }}",
        "{{ [0] * 10 ** 12 }}",
        "{{ 9 ** (9 ** 9) }}",
        "{{ '%1000000d' % 1 * 10 ** 9 }}",
        "{{ 'x'|center(10 ** 12) }}",
        "{{ 'x'.zfill(10 ** 12) }}",
        "{{ '\\n' * 1000000 |indent(10 ** 9) }}",
        "{% set l = [1] %}{% for i in l %}{% do l.append(i) %}{% endfor %}",
        "{% set ns = namespace(x='ab') %}{% for i in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
        "{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'|regex_search('(a*)*\\\\1b') }}",
    ] {
        assert_eq!(failure(text), Class::Budget, "{text}");
    }
}

#[test]
fn deep_templates_fail_before_the_stack_does() {
    let deep = |open: &str, close: &str, count: usize| {
        format!("{{{{ {}1{} }}}}", open.repeat(count), close.repeat(count))
    };
    for text in [
        "{% include 'main' %}".to_owned(),
        "{% extends 'main' %}".to_owned(),
        "{% import 'main' as m %}".to_owned(),
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}".to_owned(),
        "{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{{ m() }}".to_owned(),
        "{% for x in [[1]] recursive %}{{ loop([[1]]) }}{% endfor %}".to_owned(),
        "{% block a %}{{ self.a() }}{% endblock %}".to_owned(),
        "{% set ns = namespace(x=[]) %}{% for i in range(100000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}".to_owned(),
        "{% set ns = namespace(x=[1]) %}{% for i in range(100000) %}{% set ns.x = ns.x|map('int') %}{% endfor %}\
         {{ ns.x|list }}"
            .to_owned(),
        deep("(", ")", 100_000),
        deep("[", "]", 100_000),
        deep("-", "", 100_000),
        deep("not ", "", 100_000),
        deep("1 + ", "", 100_000),
        deep("'a'|upper(", ")", 100_000),
        "{% if true %}".repeat(100_000),
        format!("{{{{ x{} }}}}", ".y".repeat(100_000)),
        format!("{{{{ x{} }}}}", "|upper".repeat(100_000)),
    ] {
        assert_eq!(failure(&text), Class::Recursion, "{}", &text[..text.len().min(90)]);
    }
}

#[test]
fn deep_values_are_dropped_one_by_one() {
    let text = "{% set ns = namespace(x=[]) %}{% for i in range(200000) %}{% set ns.x = {'a': (ns.x,)} %}{% endfor %}";
    let env = Environment::new(Arc::new(Itself(text.into())));
    assert_eq!(env.render("main", &Context::new()).as_deref(), Ok(""));
}

#[test]
fn nothing_of_a_render_stays() {
    let map: document::Map = [("k", document::Value::from("v"))].into_iter().collect();
    let map = Arc::new(map);
    for text in [
        "{% macro m(a) %}{{ a.k }}{{ caller() }}{% endmacro %}{% call m(d) %}{{ d.k }}{% endcall %}",
        "{% for x in [d] recursive %}{% set y = loop %}{{ x.k }}{% endfor %}",
        "{% macro outer() %}{% macro inner() %}{{ d.k }}{% endmacro %}{{ inner() }}{% endmacro %}{{ outer() }}",
        "{% set ns = namespace() %}{% macro m() %}{{ d.k }}{% endmacro %}{% set ns.m = m %}{{ ns.m() }}",
    ] {
        let env = Environment::new(Arc::new(Itself(text.into())));
        let node = document::Value::Map(map.clone()).into();
        let rendered = env.render("main", &Context::new().with_node("d", &node)).expect(text);
        assert!(rendered.contains('v'), "{rendered}");
        drop((env, node));
        assert_eq!(Arc::strong_count(&map), 1, "{text}");
    }
}
