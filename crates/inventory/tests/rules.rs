//! The rules of merging and references, on inventories in memory.

use kapstan_diagnostic::Sources;
use kapstan_document::python;
use kapstan_files::Memory;
use kapstan_inventory::{Backend, Effect, Inventory, Settings};
use std::sync::Arc;

/// An inventory of `path: content` pairs below `inv/`.
fn open(files: &[(&str, &str)]) -> Inventory {
    let mut memory = Memory::new().with("inv/classes/empty.yml", "");
    for (path, content) in files {
        memory = memory.with(format!("inv/{path}"), content);
    }
    opened(memory, Backend::Reclass)
}

fn opened(memory: Memory, backend: Backend) -> Inventory {
    let settings =
        Settings { path: "inv".into(), backend, compose_target_name: false, class_wildcards: false };
    Inventory::open(Arc::new(memory), Arc::new(Sources::new()), settings).expect("an inventory")
}

/// The parameters of target `t` in Python's notation, without the automatic ones; or the messages.
fn render(files: &[(&str, &str)]) -> String {
    let mut files = files.to_vec();
    if !files.iter().any(|(path, _)| *path == "reclass-config.yml") {
        files.push(("reclass-config.yml", "automatic_parameters: false"));
    }
    match open(&files).target("t") {
        Ok(target) => python::repr(&target.parameters.value),
        Err(problems) => {
            problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("; ")
        }
    }
}

/// The first message about the file of target `t`, and where it lies in bytes.
fn refusal(content: &[u8]) -> Option<(String, usize)> {
    let memory = Memory::new().with("inv/classes/a.yml", "").with("inv/targets/t.yml", content);
    let problems = opened(memory, Backend::Reclass).target("t").err()?;
    problems.first().map(|problem| (problem.message.clone(), problem.span().start()))
}

#[test]
fn files_are_text_in_utf_8() {
    let cases: [(&[u8], &str, usize); 4] = [
        (b"\xff\xfep\0:\0 \0", "the file is UTF-16, and can only be UTF-8", 0),
        (b"\xfe\xff\0p\0:\0 ", "the file is UTF-16, and can only be UTF-8", 0),
        (b"a: '\xc3\xa9\xe9'", "the file is not UTF-8", 6),
        // Before the syntax error.
        (b"a: [\nb: \xe9", "the file is not UTF-8", 8),
    ];
    for (content, message, at) in cases {
        assert_eq!(refusal(content), Some((message.to_owned(), at)), "{content:?}");
    }
    assert_eq!(refusal(b"\xef\xbb\xbfparameters: {a: 1}"), None);
}

fn layered(below: &str, above: &str) -> String {
    let below = format!("parameters: {{v: {below}}}");
    let above = format!("classes: [a]\nparameters: {{v: {above}}}");
    render(&[("classes/a.yml", &below), ("targets/t.yml", &above)])
}

#[test]
fn kinds_of_values_merge_by_the_table() {
    let cases = [
        ("1", "2", "{'v': 2}"),
        ("1", "null", "{'v': None}"),
        ("1", "[2]", "cannot merge a sequence over a scalar at `v`"),
        ("1", "{b: 2}", "cannot merge a mapping over a scalar at `v`"),
        ("[1]", "2", "cannot merge a scalar over a sequence at `v`"),
        ("[1]", "[1, 2]", "{'v': [1, 1, 2]}"),
        ("[1]", "{b: 2}", "cannot merge a mapping over a sequence at `v`"),
        ("[1]", "null", "{'v': None}"),
        ("{a: 1}", "2", "cannot merge a scalar over a mapping at `v`"),
        ("{a: 1, c: 3}", "{b: 2, a: 4}", "{'v': {'a': 4, 'c': 3, 'b': 2}}"),
        ("{a: 1}", "null", "{'v': None}"),
        ("null", "[2]", "{'v': [2]}"),
        ("null", "{b: 2}", "{'v': {'b': 2}}"),
        ("{a: {1: x}}", "{a: {'1': y}}", "{'v': {'a': {'1': 'y'}}}"),
        ("{true: 1, null: 2}", "{}", "{'v': {'True': 1, 'None': 2}}"),
        ("[{1: x}]", "[]", "{'v': [{1: 'x'}]}"),
    ];
    for (below, above, expected) in cases {
        assert_eq!(layered(below, above), expected, "{above} over {below}");
    }
}

#[test]
fn prefixes_replace_and_fix_values() {
    let cases = [
        ("v: [1]", "~v: {a: 1}", "{'v': {'a': 1}}"),
        ("=v: 1", "v: 1", "the constant `v` cannot be changed"),
        ("=v: 1", "~v: 1", "the constant `v` cannot be changed"),
        ("v: [1]", "~~v: [2]", "{'v': [2]}"),
        ("l: [{~a: 2}]", "x: 1", "{'l': [{'~a': 2}], 'x': 1}"),
        ("'': 1", "x: 1", "empty key"),
        ("src: {~l: [9]}\n  d: {l: [1]}", "d: ${src}", "{'src': {'l': [9]}, 'd': {'l': [1, 9]}}"),
    ];
    for (below, above, expected) in cases {
        let class = format!("parameters:\n  {below}\n");
        let target = format!("classes: [a]\nparameters:\n  {above}\n");
        assert_eq!(render(&[("classes/a.yml", &class), ("targets/t.yml", &target)]), expected, "{above}");
    }
}

#[test]
fn escapes_follow_the_grammar() {
    let cases = [
        (r"\${a}", "${a}"),
        (r"\\${a}", r"\1"),
        (r"\\\${a}", r"\\1"),
        (r"\\\\${a}", r"\\\1"),
        (r"x\${a}y${a}", "x${a}y1"),
        (r"\${", "${"),
        (r"${a}\}", r"1\}"),
        (r"\\} ${a}", r"\} 1"),
        ("$${a}", "$1"),
        ("${a}}", "1}"),
        (r"\$${a}", r"\$1"),
        ("x\t${a}\ty", "x       1    y"),
        ("x\ty", "x\ty"),
        (r"a\b", r"a\b"),
    ];
    for (written, expected) in cases {
        let quoted = format!("\"{}\"", written.replace('\\', "\\\\").replace('\t', "\\t"));
        let rendered = render(&[("targets/t.yml", &format!("parameters: {{a: 1, v: {quoted}}}"))]);
        let expected = format!("{{'a': 1, 'v': {}}}", python::repr_str(expected));
        assert_eq!(rendered, expected, "{written}");
    }
}

#[test]
fn references_take_values_and_words() {
    let cases = [
        ("${d}", "{'k': 'v'}"),
        ("${l:1:x}", "3"),
        ("x ${l} ${d} ${n} ${t} ${f}", "\"x [1, {'x': 3}] {'k': 'v'} None True 1e+20\""),
        ("${${p}:k}", "'v'"),
        ("${d:${q}}", "'v'"),
    ];
    for (written, expected) in cases {
        let base = "d: {k: v}, l: [1, {x: 3}], n: null, t: true, f: 1.0e+20, p: d, q: k";
        let target = format!("parameters: {{{base}, v: '{written}'}}");
        let rendered = render(&[("targets/t.yml", &target)]);
        let value = rendered.split_once("'v': ").and_then(|_| rendered.rsplit_once(", 'v': "));
        let value = value.map_or(rendered.as_str(), |(_, value)| value.trim_end_matches('}'));
        assert_eq!(value, expected.trim_end_matches('}'), "{written}");
    }
}

#[test]
fn what_leads_nowhere_or_back_is_reported() {
    let cases = [
        (
            "a: ${x}\n  b: ${y:z}",
            "cannot resolve `${x}`: there is no parameter `x`; cannot resolve `${y:z}`: there is no parameter `y`",
        ),
        ("a: ${b}\n  b: ${a}", "`b` needs itself: the reference `${a}` leads back to it"),
        ("a: {c: '${a}'}", "`a:c:c` needs itself: the reference `${a}` leads back to it"),
        ("a: 1\n  b: ${a:x}", "cannot resolve `${a:x}`: `a` is an integer and has no key `x`"),
        ("b: ${a", "expected `}` at character 4 of the string"),
    ];
    for (parameters, expected) in cases {
        assert_eq!(render(&[("targets/t.yml", &format!("parameters:\n  {parameters}\n"))]), expected);
    }
}

#[test]
fn the_dialect_of_reclass_rs_differs_where_users_see_it() {
    let target = r#"
parameters:
  s: text
  on: yes
  octal: 017
  day: 2020-01-01
  float: 1e3
  1: key
  tab: "a\t${s}"
  missing: ${nope::1e3}
  inner: ${nope::${s}}
  there: ${s::zz}
  query: $[ exports:a ]
  shown: 'x ${m} ${n}'
  m: {b: true, a: [1, null]}
  n: null
"#;
    let memory = Memory::new().with("inv/classes/a.yml", "").with("inv/targets/t.yml", target);
    let settings = Settings {
        path: "inv".into(),
        backend: Backend::ReclassRs,
        compose_target_name: false,
        class_wildcards: false,
    };
    let inventory = Inventory::open(Arc::new(memory), Arc::new(Sources::new()), settings).unwrap();
    let rendered = python::repr(&inventory.target("t").unwrap().parameters.value);
    let expected = "'s': 'text', 'on': 'yes', 'octal': '017', 'day': '2020-01-01', 'float': 1000.0, 1: 'key', \
                    'tab': 'a\\ttext', 'missing': 1000.0, 'inner': 'text', 'there': 'text', 'query': '$[ exports:a ]', \
                    'shown': 'x {\"a\":[1.0,null],\"b\":true} None', 'm': {'b': True, 'a': [1, None]}, 'n': None}";
    assert!(rendered.ends_with(expected), "{rendered}");
}

#[test]
fn referenced_mappings_keep_their_prefixes_in_reclass_rs() {
    let cases = [
        ("src: {~l: [9]}\n  d: {l: [1]}", "d: ${src}", "'d': {'l': [9]}}"),
        ("src: {x: {~l: [9]}}\n  d: {x: {l: [1]}}", "d: ${src}", "'d': {'x': {'l': [9]}}}"),
        ("src: {~l: '${q}'}\n  q: [5]\n  d: {l: [1]}", "d: ${src}", "'d': {'l': [5]}}"),
        ("src: {~l: [9]}\n  e: ${src}\n  d: {l: [1]}", "d: ${e}", "'d': {'l': [9]}}"),
        ("src: {~l: [0]}\n  d: {l: [1]}", "src: {l: [9]}\n  d: ${src}", "'d': {'l': [0, 9]}}"),
        ("src: {l: [0]}\n  d: {l: [1]}", "src: {~l: [9]}\n  d: ${src}", "'d': {'l': [1, 9]}}"),
        ("src: {~l: [9]}\n  d: {l: [1]}\n  e: {l: [2]}", "d: ${src}\n  e: ${d}", "'e': {'l': [2, 9]}}"),
        ("src: {b: {c: [{~k: 1}]}}", "d: ${src}", "'d': {'b': {'c': [{'k': 1}]}}}"),
        ("src: {=l: [9]}\n  d: {l: [1]}", "d: ${src}", "'d': {'l': [1, 9]}}"),
        ("src: {=l: 9}\n  d: ${src}", "d: {m: 1}", "'d': {'l': 9, 'm': 1}}"),
        ("src: {=l: 9}\n  d: ${src}", "d: {l: 1}", "the constant `d:l` cannot be changed"),
        ("w: {=s: {l: 1}}\n  e: ${w:s}", "e: {l: 4}", "'e': {'l': 4}}"),
        ("w: {=s: {l: 1}}\n  e: ${w}", "e: {s: {l: 4}}", "the constant `e:s` cannot be changed"),
        (
            "l: [{x: 1}]",
            "r: ${l:0:x::2}",
            "`l` is a sequence, and a reference cannot end in one of its elements",
        ),
    ];
    for (below, above, expected) in cases {
        let class = format!("parameters:\n  {below}");
        let target = format!("classes: [a]\nparameters:\n  {above}");
        let memory = Memory::new().with("inv/classes/a.yml", class).with("inv/targets/t.yml", target);
        let rendered = match opened(memory, Backend::ReclassRs).target("t") {
            Ok(target) => python::repr(&target.parameters.value),
            Err(problems) => problems[0].message.clone(),
        };
        assert!(rendered.ends_with(expected), "{above} over {below}: {rendered}");
    }
}

#[test]
fn the_class_init_at_the_top_is_unknown_to_reclass_rs() {
    for (backend, is_found) in [(Backend::Reclass, true), (Backend::ReclassRs, false)] {
        let memory =
            Memory::new().with("inv/classes/init.yml", "").with("inv/targets/t.yml", "classes: [init]");
        assert_eq!(opened(memory, backend).target("t").is_ok(), is_found, "{backend:?}");
    }
}

#[test]
fn wildcards_stand_for_sorted_class_names() {
    let cases: [(&str, Option<&[&str]>); 8] = [
        ("'*'", Some(&["a.b", "a.c", "a[b]", "x"])),
        ("a.*, x", Some(&["a.b", "a.c", "x"])),
        ("x, '?'", Some(&["x"])),
        ("'a.[!b]'", Some(&["a.c"])),
        ("'a[b]'", Some(&["a[b]"])),
        ("'A*'", None),
        ("'.x*'", None),
        ("'..a*'", None),
    ];
    for (classes, expected) in cases {
        let memory = ["a/b", "a/c/init", "a[b]", "x", ".hidden/x"]
            .into_iter()
            .fold(Memory::new(), |memory, class| memory.with(format!("inv/classes/{class}.yml"), ""))
            .with("inv/targets/t.yml", format!("classes: [{classes}]"));
        let settings = Settings {
            path: "inv".into(),
            backend: Backend::Reclass,
            compose_target_name: false,
            class_wildcards: true,
        };
        let inventory = Inventory::open(Arc::new(memory), Arc::new(Sources::new()), settings).unwrap();
        let found = inventory.target("t").ok().map(|target| target.classes.clone());
        let expected = expected.map(|names| names.iter().map(|name| (*name).into()).collect());
        assert_eq!(found, expected, "{classes}");
    }
}

#[test]
fn classes_merge_once_depth_first() {
    let inventory = open(&[
        ("targets/t.yml", "classes: [c, a]"),
        ("classes/c.yml", "classes: [b, d]"),
        ("classes/a.yml", "classes: [b]"),
        ("classes/b/init.yml", "classes: [.d]\nenvironment: dev"),
        ("classes/d.yml", "applications: [x, y]"),
    ]);
    let target = inventory.target("t").unwrap();
    let classes: Vec<&str> = target.classes.iter().map(|class| &**class).collect();
    assert_eq!(classes, ["d", "b", "c", "a"]);
    assert_eq!(&*target.environment, "base");
    assert_eq!(inventory.dependants("inv/classes/d.yml".as_ref()), ["t".into()]);
    let unused = inventory.unused_classes().unwrap();
    assert_eq!(unused, [("empty".into(), "inv/classes/empty.yml".into())]);
}

#[test]
fn circles_and_missing_classes_name_the_way() {
    let inventory = open(&[
        ("targets/t.yml", "classes: [a]"),
        ("targets/u.yml", "classes: ['c.${_reclass_:name:full}', emty]"),
        ("classes/a.yml", "classes: [b]"),
        ("classes/b.yml", "classes: [a]"),
        ("classes/c/u.yml", ""),
    ]);
    let problems = inventory.target("t").unwrap_err();
    assert_eq!(problems[0].message, "classes include each other in a circle: `a` -> `b` -> `a`");
    let frames: Vec<&str> = problems[0].trace.iter().map(|frame| frame.text.as_str()).collect();
    assert_eq!(frames, ["while rendering target `t`", "in class `a`", "in class `b`"]);
    let problems = inventory.target("u").unwrap_err();
    assert_eq!(problems[0].message, "class `emty` not found");
    assert_eq!(problems[0].hints, ["did you mean `empty`?"]);
    assert_eq!(inventory.check().len(), 2);
}

#[test]
fn queries_ask_the_exports_of_all_targets() {
    let target =
        |own: &str| format!("exports: {{e: {own}, n: '${{_reclass_:name:full}}'}}\nparameters: {{a: 1}}");
    let asking = "exports: {e: 3}\nparameters:\n  a: 1\n  all: $[ exports:e ]\n  some: $[ exports:n if exports:e == self:a ]\n  list: $[ if exports:e != 1 or exports:n == two ]";
    let inventory = open(&[
        ("targets/one.yml", &target("1")),
        ("targets/two.yml", &target("two")),
        ("targets/zed.yml", asking),
    ]);
    let target = inventory.target("zed").unwrap();
    let answer = |name: &str| python::repr(&target.parameters.get(name).unwrap().value);
    assert_eq!(answer("all"), "{'one': 1, 'two': 'two', 'zed': 3}");
    assert_eq!(answer("some"), "{'one': 'one'}");
    assert_eq!(answer("list"), "['two', 'zed']");
}

#[test]
fn explanations_name_each_layer_and_reference() {
    let inventory = open(&[
        ("targets/t.yml", "classes: [a, b]\nparameters: {v: '${d:k}-x', l: [3]}"),
        ("classes/a.yml", "parameters: {v: 1, d: {k: one}, l: [1]}"),
        ("classes/b.yml", "parameters: {d: {~k: two}, ~l: [2]}"),
    ]);
    let explained = inventory.explain("t", "v").unwrap();
    let layers = &explained[0].layers;
    assert_eq!(python::repr(&explained[0].value.value), "'two-x'");
    assert_eq!(layers.iter().map(|layer| layer.is_overridden).collect::<Vec<_>>(), [true, false]);
    assert_eq!(layers[1].references[0].path, "d:k");
    let chain: Vec<_> = layers[1].references[0].layers.iter().map(|layer| layer.class.as_deref()).collect();
    assert_eq!(chain, [Some("a"), Some("b")]);
    let list = &inventory.explain("t", "l").unwrap()[0].layers;
    let effects: Vec<Effect> = list.iter().map(|layer| layer.effect).collect();
    assert_eq!(effects, [Effect::Sets, Effect::Replaces, Effect::Appends]);
    assert!(inventory.explain("t", "").unwrap().iter().any(|found| found.path == "_reclass_:name:full"));
    assert!(inventory.explain("t", "nope").is_err());
}
