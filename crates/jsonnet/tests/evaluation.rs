//! What an evaluation finds, asks its host for, and returns.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Map, Node, Place, Text, Value, Witness};
use kapstan_files::{Files, Memory};
use kapstan_jsonnet::{Evaluation, Evaluator, Host, STACK_SIZE, Watched};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

struct Run {
    files: Memory,
    inventory: Node,
    seen: Rc<Seen>,
    traced: RefCell<Vec<String>>,
}

#[derive(Default)]
struct Seen(RefCell<Vec<String>>);

impl Witness for Seen {
    fn entered(&self, container: Place, key: &str) -> Place {
        self.0.borrow_mut().push(format!("{}.{key}", container.0));
        Place(u32::try_from(self.0.borrow().len()).unwrap())
    }

    fn enumerated(&self, container: Place) {
        self.0.borrow_mut().push(format!("{}.*", container.0));
    }
}

impl Host for Run {
    fn files(&self) -> &dyn Files {
        &self.files
    }

    fn targets(&self, _path: Option<&str>) -> Result<Vec<Text>, Box<Diagnostic>> {
        Ok(vec!["dev".into(), "broken".into()])
    }

    fn inventory(&self, target: &str, _path: Option<&str>) -> Result<Watched, Box<Diagnostic>> {
        if target == "broken" {
            return Err(Box::new(Diagnostic::error(
                "inventory::broken",
                "target `broken` cannot be rendered",
            )));
        }
        Ok(Watched { document: self.inventory.clone(), witness: Some((self.seen.clone(), Place(0))) })
    }

    fn inventory_among_all(&self, target: &str, path: Option<&str>) -> Result<Watched, Box<Diagnostic>> {
        let shown = self.inventory(target, path)?;
        let mut among_all = shown.document.as_map().cloned().unwrap_or_default();
        among_all.insert("among_all", true);
        Ok(Watched { document: among_all.into(), ..shown })
    }

    fn topics(&self, name: Option<&str>) -> Result<Watched, Box<Diagnostic>> {
        Ok(Node::from(name.unwrap_or("all")).into())
    }

    fn render_jinja2(&self, path: &str, context: Node) -> Result<String, Box<Diagnostic>> {
        Ok(format!("{path}: {}", context.get("a").and_then(Node::as_str).unwrap_or_default()))
    }

    fn trace(&self, line: &str) {
        self.traced.borrow_mut().push(line.to_owned());
    }
}

/// `{parameters: {a: 1, list: [{b: text}], other: 2}}`
fn inventory() -> Node {
    let mut item = Map::new();
    item.insert("b", "text");
    let mut parameters = Map::new();
    parameters.insert("a", 1_i64);
    parameters.insert("list", vec![Node::from(item)]);
    parameters.insert("other", 2_i64);
    let mut target = Map::new();
    target.insert("parameters", parameters);
    target.into()
}

fn run(files: Memory, inventory: Node) -> Rc<Run> {
    Rc::new(Run { files, inventory, seen: Rc::default(), traced: RefCell::default() })
}

fn evaluate_in(run: &Rc<Run>, evaluator: &Evaluator, target: &str) -> Result<Node, Box<Diagnostic>> {
    evaluator.evaluate(&Evaluation {
        file: "/r/main.jsonnet",
        search_paths: &["/r".to_owned(), "/r/lib".to_owned()],
        external_variables: &[("target", target)],
        host: run.clone(),
        sources: &Arc::default(),
    })
}

fn evaluate(files: Memory) -> Result<Node, Box<Diagnostic>> {
    evaluate_in(&run(files, inventory()), &Evaluator::new(), "dev")
}

fn value(code: &str) -> Node {
    evaluate(Memory::new().with("/r/main.jsonnet", code)).expect(code)
}

fn failure(code: &str) -> String {
    let problem = evaluate(Memory::new().with("/r/main.jsonnet", code)).expect_err(code);
    problem.peer_text.expect("there is always the text of the peer")
}

fn texts(node: &Node) -> Vec<&str> {
    node.as_seq().expect("a sequence").iter().map(|item| item.as_str().expect("a string")).collect()
}

#[test]
fn results_are_sorted_visible_and_python_typed() {
    let node = value("{ b: 1.0, a: { assert true, h:: 1 }, c: [1e100, 0.5, null, true, -0.0] }");
    let map = node.as_map().unwrap();
    assert_eq!(map.keys().filter_map(|key| key.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert!(map.get("a").unwrap().as_map().unwrap().is_empty());
    assert!(matches!(map.get("b").unwrap().value, Value::Int(_)));
    let items = map.get("c").unwrap().as_seq().unwrap();
    assert!(matches!(&items[0].value, Value::Int(number) if number.to_string().len() == 101));
    assert!(matches!(items[1].value, Value::Float(_)));
    assert!(matches!(&items[4].value, Value::Int(number) if number.to_string() == "0"));
}

#[test]
fn imports_are_found_beside_the_file_then_in_kapitan_then_in_the_search_paths() {
    let files = Memory::new()
        .with(
            "/r/main.jsonnet",
            "[import 'a.libsonnet', import 'b.libsonnet', importstr 'sub/t.txt', std.thisFile]",
        )
        .with("/r/a.libsonnet", "import 'sub/../sub/c.libsonnet'")
        .with("/r/sub/c.libsonnet", "std.thisFile")
        .with("/r/lib/b.libsonnet", "std.thisFile + importstr './d'")
        .with("/r/lib/d", "d\r\n")
        .with("/r/sub/t.txt", "x\r\ny\r");
    let expected = ["/r/sub/c.libsonnet", "/r/lib/b.libsonnetd\n", "x\ny\n", "/r/main.jsonnet"];
    assert_eq!(texts(&evaluate(files).unwrap()), expected);
    let missing = failure("import 'nope.libsonnet'");
    let first = missing.lines().next().unwrap();
    assert_eq!(
        first,
        "RUNTIME ERROR: couldn't open import \"nope.libsonnet\": [Errno 2] No such file or directory: '/r/nope.libsonnet'"
    );
}

#[test]
fn a_file_may_be_imported_as_code_and_as_text() {
    let files = Memory::new()
        .with(
            "/r/main.jsonnet",
            "[(import 'a')[0], importstr 'a', (import 'b')[0], std.length(importbin 'c')]",
        )
        .with("/r/a", "[std.thisFile]")
        .with("/r/b", "local a = import 'a'; a")
        .with("/r/c", "1234");
    let node = evaluate(files).unwrap();
    assert_eq!(texts(&Node::from(node.as_seq().unwrap()[..3].to_vec())), ["/r/a", "[std.thisFile]", "/r/a"]);
    assert_eq!(node.as_seq().unwrap()[3], Node::from(4_i64));
}

#[test]
fn imported_values_do_not_outlive_their_evaluation() {
    let files = Memory::new()
        .with("/r/main.jsonnet", "(import 'a.libsonnet').t")
        .with("/r/a.libsonnet", "{ t: std.extVar('target') }");
    let (run, evaluator) = (run(files, inventory()), Evaluator::new());
    for target in ["one", "two"] {
        assert_eq!(evaluate_in(&run, &evaluator, target).unwrap(), Node::from(target));
    }
}

#[test]
fn the_inventory_is_read_where_it_is_read() {
    let code = "local i = (import 'lib/kapitan.libjsonnet').inventory(); i.parameters.list[0].b";
    let run = run(Memory::new().with("/r/main.jsonnet", code), inventory());
    assert_eq!(evaluate_in(&run, &Evaluator::new(), "dev").unwrap(), Node::from("text"));
    let seen = run.seen.0.borrow().clone();
    assert!(seen.contains(&"0.parameters".to_owned()), "{seen:?}");
    assert!(!seen.iter().any(|step| step.ends_with(".other") || step.ends_with(".a")), "{seen:?}");
}

#[test]
fn other_targets_are_resolved_when_they_are_read() {
    let library = "local k = import 'lib/kapitan.libjsonnet'; ";
    let all = value(&format!("{library}std.objectFields(k.inventory_global())"));
    assert_eq!(texts(&all), ["broken", "dev"]);
    assert_eq!(value(&format!("{library}k.inventory_global().dev.parameters.a")), Node::from(1_i64));
    let text = failure(&format!("{library}k.inventory_global().broken.parameters"));
    assert!(text.starts_with("RUNTIME ERROR: target `broken` cannot be rendered\n"), "{text}");
}

#[test]
fn documents_that_are_not_json_are_refused_as_a_whole() {
    let mut parameters = Map::new();
    parameters.insert("fine", 1_i64);
    let key = kapstan_document::Scalar::Int(1_i64.into());
    parameters.insert(kapstan_document::Key::at(key, kapstan_document::Span::NONE), 2_i64);
    let code = "std.native('inventory')('dev', null).fine";
    let run = run(Memory::new().with("/r/main.jsonnet", code), parameters.into());
    let problem = evaluate_in(&run, &Evaluator::new(), "dev").unwrap_err();
    let text = problem.peer_text.unwrap();
    assert!(text.starts_with("RUNTIME ERROR: Non-string key in dict returned from Python"), "{text}");
}

#[test]
fn native_functions_work_on_files_and_text() {
    let files = Memory::new()
        .with(
            "/r/main.jsonnet",
            "local k = import 'lib/kapitan.libjsonnet'; [
               k.file_read('f.txt'), k.file_exists('f.txt').path, k.file_exists('nope').path,
               std.join(',', k.dir_files_list('folder')), k.dir_files_read('folder')['b'],
               k.gzip_b64('hello'), k.sha256('x'),
             ]",
        )
        .with("/r/lib/f.txt", "a\r\nb")
        .with("/r/folder/b", "B")
        .with("/r/folder/a", "A")
        .with("/r/folder/below/c", "C");
    let expected = [
        "a\r\nb",
        "/r/lib/f.txt",
        "",
        "a,b",
        "B",
        "H4sIAAAAAAAC/8tIzcnJBwCGphA2BQAAAA==",
        "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
    ];
    assert_eq!(texts(&evaluate(files).unwrap()), expected);
}

#[test]
fn traces_go_to_the_host() {
    let run = run(Memory::new().with("/r/main.jsonnet", "std.trace('hello', 1)"), inventory());
    evaluate_in(&run, &Evaluator::new(), "dev").unwrap();
    assert!(run.traced.borrow()[0].starts_with("TRACE: "));
    assert!(run.traced.borrow()[0].ends_with(" hello"));
}

#[test]
fn problems_are_located() {
    let problem = evaluate(Memory::new().with("/r/main.jsonnet", "{\n  a: error 'boom',\n}")).unwrap_err();
    assert_eq!(problem.message, "boom");
    assert!(problem.span().is_some());
    assert!(problem.peer_text.unwrap().starts_with("RUNTIME ERROR: boom\n\t/r/main.jsonnet:2:6-"));
    assert!(failure("{ a: }").starts_with("STATIC ERROR: /r/main.jsonnet:1:6: "));
    assert!(
        failure("local f(n) = f(n + 1); f(0)").starts_with("RUNTIME ERROR: max stack frames exceeded.\n")
    );
}

#[test]
fn operators_and_texts_are_those_of_the_peer() {
    for (code, expected) in [
        ("'' + 0.1", "0.10000000000000001"),
        ("'%s %05.1f %x' % [1 / 3, 2.25, 255]", "0.33333333333333331 002.3 ff"),
        ("'%*d|%-*.1f|%.*s' % [4.5, 7, 6, 0.05, 'x', 'y']", "    7|0.1   |y"),
        ("'%.0g %+05o %#X %c%%' % [65, -8, 255, 97]", "11.0.09999999999999995e+01 -0010 0XFF a%"),
        ("'abcdef'[1:5:2] + 'abc'[-2:] + std.slice('abc', 0.5, null, 1)", "bdbcabc"),
        ("std.toString([0.1, {}, []])", "[0.10000000000000001, { }, [ ]]"),
        ("std.manifestJsonMinified({ a: 0.1 })", "{\"a\":0.10000000000000001}"),
        ("std.toString([0.1 + 0.2 == 0.3, 1 != 2, [0.3] == [0.3]])", "[false, true, true]"),
        ("'a' { b: 1 }", "a{\"b\": 1}"),
        ("\"\\/\" + '\\'' + @'\\/'", "/'\\/"),
        ("std.escapeStringJson(12)", "\"12\""),
        ("local f(x, y='d') = x + y; f('a') + f(y='b', x='c')", "adcb"),
        ("{ n:: 'x', r: 'a' in self, s: super.t } .n", "x"),
        ("std.join('', [x + y for x in ['a', 'b'] if x != 'b' for y in ['1', '2']])", "a1a2"),
        ("({ a:: 'x', b+: 'y' } + { b+: 'z', a: super.a + 'w' }).b", "yz"),
        ("function(x='default') x", "default"),
    ] {
        assert_eq!(value(code), Node::from(expected), "{code}");
    }
}

#[test]
fn members_of_std_take_what_those_of_the_peer_take() {
    for (code, expected) in [
        ("std.join('', std.sort('cab') + std.set('aba') + std.uniq('aab') + std.reverse('xy'))", "abcababyx"),
        (
            "std.toString([std.setMember('b', 'abc'), std.setInter('ab', 'bc'), std.removeAt('abc', 1)])",
            "[true, [\"b\"], [\"a\", \"c\"]]",
        ),
        (
            "std.toString([std.sum({}), std.sum(['a', 1]), std.round(-2.5), std.clamp('b', 'c', 'd')])",
            "[0, \"0a1\", -2, \"c\"]",
        ),
        (
            "std.toString([std.minArray(['b', 'a']), std.maxArray([], onEmpty='none'), std.length(function(x, y=1) x)])",
            "[\"a\", \"none\", 2]",
        ),
        (
            "std.toString(std.mergePatch({ a: 1, b: 2, d: { x: 1 } }, { a:: 3, b: null, d: { y: 2 } }))",
            "{\"a\": 1, \"d\": {\"x\": 1, \"y\": 2}}",
        ),
        ("std.base64Decode('YQ==Yg==') + std.base64([-1, 97.5])", "ab/2E="),
        (
            "std.toString([std.splitLimit('a,b,c', ',', 1), std.splitLimitR('a,b,c', ',', 1), std.parseHex('Ff')])",
            "[[\"a\", \"b,c\"], [\"a,b\", \"c\"], 255]",
        ),
        ("std.escapeStringBash([\"'\"]) + std.escapeStringXML('<&')", "'[\"'\"'\"'\"]'&lt;&amp;"),
    ] {
        assert_eq!(value(code), Node::from(expected), "{code}");
    }
}

#[test]
fn members_of_std_leave_alone_what_they_do_not_need() {
    for code in [
        "std.length(std.map(function(x) error 'a', [1]))",
        "std.map(function(x) 1, [error 'a'])[0]",
        "std.foldl(function(a, b) a + 1, [error 'a'], 0)",
        "std.foldl(function(a, b) 1, [1], error 'a')",
        "std.length(std.join([], [[error 'a']]))",
        "std.length(std.mapWithKey(function(k, v) error 'a', { a: 1 }))",
        "std.length(std.mergePatch({}, { a: { b: error 'a' } }))",
        "local a = std.makeArray(2, function(i) if i == 0 then 1 else a[0]); a[1]",
        "std.makeArray(2, function(i) if i == 0 then 1 else error 'a')[0]",
    ] {
        assert_eq!(value(code), Node::from(1_i64), "{code}");
    }
}

#[test]
fn values_are_written_as_those_of_the_peer() {
    for (code, expected) in [
        (
            "std.manifestJsonEx({ a: [1, []], b: {} }, 2)",
            "{\n2\"a\": [\n221,\n22[\n\n22]\n2],\n2\"b\": {\n\n2}\n}",
        ),
        (
            "std.manifestYamlDoc({ a: [{ b: 'x\\n', c: 'p\\nq' }, [1]], 'e f': {} }, true, false)",
            "a:\n  - b: |\n      x\n    c: \"p\\nq\"\n  -\n    - 1\n\"e f\": {}",
        ),
        ("std.manifestYamlStream([1, 'a'], c_document_end=false)", "---\n1\n---\n\"a\"\n"),
        (
            "std.manifestToml({ a: 0.1, t: { x: [1, { y: 2 }] }, l: [{ z: 1 }, {}] })",
            "a = 0.10000000000000001\n\n[[l]]\n  z = 1\n\n[[l]]\n\n[t]\n  x = [\n    1,\n    { y = 2 }\n  ]",
        ),
        (
            "std.manifestIni({ main: { a: [1, 'b'] }, sections: { s: { c: null } } })",
            "a = 1\na = b\n[s]\nc = null\n",
        ),
        ("std.manifestPython({ a: [true, null, 'x'] })", "{\"a\": [True, None, \"x\"]}"),
        ("std.manifestXmlJsonml(['a', { b: 1 }, 'x', ['c']])", "<a b=\"1\">x<c></c></a>"),
    ] {
        assert_eq!(value(code), Node::from(expected), "{code}");
    }
}

#[test]
fn errors_have_the_words_of_the_peer() {
    for (code, expected) in [
        ("'%.400f' % 1", "RUNTIME ERROR: overflow\n"),
        ("'%(a.b)s' % { a: { b: 1 } }", "RUNTIME ERROR: No such field: a.b\n"),
        ("'%lld' % 1", "RUNTIME ERROR: Unrecognised conversion type: l\n"),
        ("1_000", "STATIC ERROR: /r/main.jsonnet:1:2: "),
        ("1 + null", "RUNTIME ERROR: binary operator + requires matching types, got number and null.\n"),
        ("assert false; 1", "RUNTIME ERROR: Assertion failed.\n"),
        ("{ assert false }", "RUNTIME ERROR: Object assertion failed.\n"),
        ("local f(x) = x; f(1, 2)", "RUNTIME ERROR: too many args, function has 1 parameter(s)\n"),
        ("std.native('file_read')([])", "RUNTIME ERROR: native extensions can only take primitives.\n"),
        (
            "std.native('file_read')(null)",
            "RUNTIME ERROR: join() argument must be str, bytes, or os.PathLike object",
        ),
        ("{\n  a: y,\n}", "STATIC ERROR: /r/main.jsonnet:2:6: Unknown variable: y"),
        ("import 'bad.jsonnet'", "RUNTIME ERROR: couldn't open import \"bad.jsonnet\""),
    ] {
        let text = failure(code);
        assert!(text.starts_with(expected), "{code}: {text}");
    }
}

#[test]
fn documents_go_through_the_native_functions() {
    let files = Memory::new()
        .with(
            "/r/main.jsonnet",
            "local k = import 'lib/kapitan.libjsonnet'; [
               k.yaml_dump({ b: [1, 0.1], a: null }), k.yaml_dump_stream([1, { a: 2 }]), k.yaml_load('a.yml'),
               k.yaml_load_stream('b.yaml'), k.jinja2_template('t.j2', { a: 'x' }), k.topics('t'),
               k.jsonschema({ a: 1 }, { properties: { a: { type: 'string' } } }).reason,
             ]",
        )
        .with("/r/a.yml", "a: [1, x]\nb: 0x10\n")
        .with("/r/b.yaml", "--- 1\n--- b\n")
        .with("/r/lib/t.j2", "");
    let expected = [
        "a: null\nb:\n- 1\n- 0.1\n",
        "1\n---\na: 2\n",
        "{\"a\": [1, \"x\"], \"b\": 16}",
        "[1, \"b\"]",
        "/r/lib/t.j2: x",
        "t",
        "1 is not of type 'string'\n\nFailed validating 'type' in schema['properties']['a']:\n    {'type': 'string'}\n\n\
         On instance['a']:\n    1",
    ];
    assert_eq!(texts(&evaluate(files).unwrap()), expected);
}

#[test]
fn endless_recursion_ends_in_an_error_with_a_place() {
    for code in [
        "local f(n) = f(n + 1); f(0)",
        "local f(n) = local x = f(n + 1); x; f(0)",
        "local f(n) = 1 + 2 + 3 + f(n + 1) * 2 + 3 + 4; f(0)",
        "{ x: (self + {}).x }",
        "local f(n) = { x: f(n + 1).x }; f(0).x",
        "local f(v) = { x: v }; local g(n) = f(g(n + 1).x); g(0).x",
        "local make(n) = { next: make(n + 1), x: self.next.x }; make(0).x",
        "local f(n) = [f(n + 1)[0] for x in [1]]; f(0)",
        "local f(n) = std.foldl(function(a, b) f(n), [1], 0); f(0)",
        "local f(n) = std.map(function(x) f(x)[0], [n]); f(0)",
        "{ a: 1, assert (self { b: 2 }).a == 1 }",
        "std.manifestJson({ a: self })",
        "local a = std.makeArray(100000, function(i) if i == 0 then 0 else a[i - 1]); a[99999]",
        "std.foldl(function(a, i) { x: a.x }, std.range(1, 100000), { x: 1 }).x",
    ] {
        let problem = deep(code).expect_err(code);
        assert_eq!(problem.message, "max stack frames exceeded", "{code}");
        assert!(problem.span().is_some(), "{code}");
    }
}

#[test]
fn long_chains_that_are_no_deep_calls_are_evaluated() {
    for (code, expected) in [
        ("local f(n, sum) = if n == 0 then sum else f(n - 1, sum + 1) tailstrict; f(50000, 0)", 50_000),
        (
            "local f(n, sum=0) = local m = n - 1; if n > 0 then f(m, sum + 1) tailstrict else sum; f(50000)",
            50_000,
        ),
        ("local a(n) = if n == 0 then 1 else b(n - 1) tailstrict, b(n) = a(n) tailstrict; a(50000)", 1),
        ("{ f(n):: if n == 0 then 2 else self.f(n - 1) tailstrict, r: self.f(50000) }.r", 2),
        ("local f(x) = std.length(x) tailstrict; f([1])", 1),
        ("local f(n) = if n == 0 then 0 else 1 + (1 + (1 + f(n - 1))); f(490)", 1_470),
        ("std.foldl(function(a, i) a + i, std.range(1, 50000), 0)", 1_250_025_000),
        ("std.length(std.foldl(function(a, i) a + [i], std.range(1, 50000), []))", 50_000),
        ("std.length(std.toString(std.foldl(function(a, i) [a], std.range(1, 50000), 1)))", 100_001),
        ("local a = std.foldl(function(a, i) [a], std.range(1, 50000), 1); if a == a then 1", 1),
    ] {
        assert_eq!(deep(code).expect(code), Node::from(expected), "{code}");
    }
    let locals: String = (1..3_000).map(|n| format!("local v{n} = v{} + 1; ", n - 1)).collect();
    assert_eq!(deep(&format!("local v0 = 0; {locals}v2999")).unwrap(), Node::from(2_999_i64));
}

/// Evaluates on a thread of the size that the evaluator asks for.
fn deep(code: &str) -> Result<Node, Box<Diagnostic>> {
    let files = Memory::new().with("/r/main.jsonnet", code);
    let evaluating = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(move || evaluate(files));
    evaluating.unwrap().join().unwrap()
}
