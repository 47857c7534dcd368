use super::{HELLO, map, peer, repository, repository_with};
use crate::{Context, Observer};
use kapstan_diagnostic::Sources;
use kapstan_document::{Node, Span, Text, Value};
use std::path::Path;
use std::sync::{Arc, Mutex};

#[test]
fn tags_become_hashes_and_plain_ones_their_data() {
    let repository = repository(&[
        HELLO,
        ("refs/p", "data: text\n"),
        ("refs/null", "data: null\n"),
        ("refs/y", "data: 'a: {b: deep}'\n"),
        ("refs/g", "data: YTpi\nrecipients:\n- fingerprint: B\n- {fingerprint: A, name: x}\ntype: gpg\n"),
        ("refs/k", "data: Ylc5amF3PT0=\nkey: mock\ntype: gkms\n"),
        ("refs/v", "data: YTpi\nvault_params: {auth: token}\ntype: vaultkv\n"),
    ]);
    for (text, compiled) in [
        ("?{base64:b}", "?{base64:b:efeb691b}"),
        ("?{base64:b:efeb691b}", "?{base64:b:efeb691b}"),
        ("?{base64:b@x.y}", "?{base64:b@x.y:efeb691b}"),
        ("?{base64:b:::}", "?{base64:b:efeb691b}"),
        ("?{base64:b||foo:x}", "?{base64:b:efeb691b}"),
        ("[?{plain:p}] ?{plain:p}", "[text] text"),
        ("a?{plain:null}b", "ab"),
        ("?{plain:y@a.b}", "deep"),
        ("?{env:p}", "?{env:p:205a3ec3}"),
        ("?{gpg:g}", "?{gpg:g:6289277e}"),
        ("?{gkms:k}", "?{gkms:k:1d7ab676}"),
        ("?{vaultkv:v}", "?{vaultkv:v:0f1ae3d7}"),
        ("no tags { ? {", "no tags { ? {"),
    ] {
        assert_eq!(repository.compile(text).unwrap(), compiled, "{text}");
    }
}

#[test]
fn errors_are_kapitan_s() {
    let repository = repository(&[
        HELLO,
        ("refs/int", "data: 5\n"),
        ("refs/list", "[1]\n"),
        ("refs/nodata", "x: 1\n"),
        ("refs/nokey", "data: x\n"),
        ("refs/broken", "a: [s3cret\n"),
        ("refs/text", "data: word\n"),
    ]);
    for (text, expected) in [
        ("?{base64:nope}", "RefError: Could not find ref backend for tag: ?{base64:nope}"),
        ("?{plain:nodata}", "RefError: Could not find ref backend for tag: ?{plain:nodata}"),
        ("?{base64:b:a:b}", "RefError: Could not find ref backend for tag: ?{base64:b:a:b}"),
        ("?{foo:x}", "RefBackendError: no backend for ref type: foo\n  for key ?{foo:x}"),
        ("?{plain:list}", "AttributeError: 'list' object has no attribute 'items'"),
        ("?{plain:b/}", "RefError: Could not find ref backend for tag: ?{plain:b/}"),
        ("?{plain:int@a}", "TypeError: a string or stream input is required"),
        (
            "?{base64:b:dead}",
            "RefHashMismatchError: base64:b:dead: token hash does not match with stored reference hash: base64:b:efeb691b",
        ),
        ("a ?{plain:int} b", "TypeError: sequence item 1: expected str instance, int found"),
        (
            "?{gkms:nokey}",
            "TypeError: GoogleKMSSecret.__init__() missing 1 required positional argument: 'key'",
        ),
        (
            "?{plain:text@a}",
            "RefError: PlainRef: revealed secret is not in embedded yaml, cannot access sub-variable at a",
        ),
        (
            "?{base64:z@b||random:str}",
            "RefError: Ref: references with sub-variables must be created manually",
        ),
        ("?{base64:a:b:c:d:e:f}", "RefError: Could not find ref backend for tag: ?{base64:a:b:c:d:e:f}"),
    ] {
        assert_eq!(peer(&repository.compile(text).unwrap_err()), expected, "{text}");
    }
    for text in ["?{plain:list}", "?{plain:broken}"] {
        let error = repository.compile(text).unwrap_err();
        assert!(error.file().is_some(), "{error:?}");
        assert!(!format!("{error:?}").contains("s3cret"));
    }
}

#[test]
fn no_path_leads_out_of_the_refs_folder() {
    let repository = repository(&[("outside", "data: x\n"), ("refs/a", "data: x\n")]);
    for text in [
        "?{plain:../outside}",
        "?{plain:a/../../outside}",
        "?{plain:/etc/passwd}",
        "?{plain:../x||random:int}",
    ] {
        assert_eq!(repository.compile(text).unwrap_err().code(), "refs::outside", "{text}");
    }
    assert!(!repository.has("x"));
    assert_eq!(repository.compile("?{plain:b/../a}").unwrap(), "x");
}

#[test]
fn payloads_hold_what_the_file_holds() {
    let repository = repository_with(
        &[
            HELLO,
            ("refs/k", "data: Ylc5amF3PT0=\nencoding: original\nkey: mock\ntype: gkms\n"),
            ("refs/g", "data: YTpi\nrecipients: [{fingerprint: B}, {fingerprint: A}]\n"),
            ("refs/v", "data: YTpi\nvault_params: {auth: token}\n"),
            ("refs/p", "data: x\n"),
        ],
        |settings| settings.embed_refs = true,
    );
    for (text, expected) in [
        (
            "?{base64:b@x}",
            r#"{"data": "aGVsbG8=", "encoding": "original", "type": "base64", "embedded_subvar_path": "x"}"#,
        ),
        ("?{gkms:k}", r#"{"data": "Ylc5amF3PT0=", "encoding": "original", "key": "mock", "type": "gkms"}"#),
        (
            "?{gpg:g}",
            r#"{"data": "YTpi", "encoding": "original", "recipients": [{"fingerprint": "A"}, {"fingerprint": "B"}], "type": "gpg"}"#,
        ),
        (
            "?{vaultkv:v}",
            r#"{"data": "YTpi", "encoding": "original", "type": "vaultkv", "vault_params": {"addr": null, "skip_verify": true, "client_key": null, "client_cert": null, "cacert": null, "capath": null, "namespace": null, "engine": "kv-v2", "auth": "token", "crypto_key": null, "always_latest": false, "mount": "secret", "key": null}}"#,
        ),
    ] {
        let compiled = repository.compile(text).unwrap();
        let payload = compiled.split(':').nth(1).unwrap();
        let decoded = crate::python::decode_base64(&Value::from(payload)).unwrap();
        assert_eq!(String::from_utf8(decoded).unwrap(), expected, "{text}");
        let error = repository.compile(&compiled).unwrap_err();
        assert!(error.peer_text().ends_with("object has no attribute 'path'"));
        assert!(!format!("{error:?}").contains(payload));
    }
    assert_eq!(repository.compile("?{plain:p}").unwrap(), "x");
    assert!(repository.compile("?{env:p}").unwrap().starts_with("?{env:p:"));
    let embedded = repository.compile("?{base64:b}").unwrap();
    assert_eq!(repository.reveal(&embedded).unwrap(), "hello");
    let mock = repository.compile("?{gkms:k}").unwrap();
    assert_eq!(repository.reveal(&mock).unwrap(), "mock");
}

#[test]
fn what_holds_no_tags_stays_shared() {
    let repository = repository(&[HELLO]);
    let untouched = map([("x", Node::from("y"))]);
    let document =
        map([("a", untouched.clone()), ("b", Node::from("?{base64:b}")), ("?{base64:b}", Node::from(1))]);
    let compiled = repository.references.process_node(document, &Context::NONE).unwrap();
    assert_eq!(compiled.get("b").unwrap().as_str(), Some("?{base64:b:efeb691b}"));
    assert!(compiled.get("?{base64:b}").is_some(), "keys are left alone");
    let (Value::Map(before), Value::Map(after)) = (&untouched.value, &compiled.get("a").unwrap().value)
    else {
        panic!("both are mappings")
    };
    assert!(Arc::ptr_eq(before, after));
    let text = Text::from("no tag");
    let same = repository.references.process_text(text.clone(), &Context::NONE).unwrap();
    assert!(Arc::ptr_eq(&text, &same));
}

#[test]
fn a_mapping_that_is_shared_is_compiled_once() {
    let repository = repository(&[HELLO]);
    let shared = map([("x", Node::from("?{base64:b}"))]);
    let document = Node::from(vec![shared.clone(), shared]);
    let compiled = repository.references.process_node(document, &Context::NONE).unwrap();
    let [Value::Map(first), Value::Map(second)] =
        [&compiled.as_seq().unwrap()[0].value, &compiled.as_seq().unwrap()[1].value]
    else {
        panic!("both are mappings")
    };
    assert!(Arc::ptr_eq(first, second));
}

#[test]
fn in_a_mapping_what_is_revealed_may_stand_behind() {
    let repository = repository(&[]);
    let document = map([
        ("hash", Node::from("?{base64:c||reveal:h|sha256:s}")),
        ("half", Node::from("?{base64:h||reveal:a|sha256}")),
        ("word", Node::from("?{base64:a||random:str}")),
    ]);
    let compiled = repository.references.process_node(document, &Context::NONE).unwrap();
    assert!(compiled.get("hash").unwrap().as_str().unwrap().starts_with("?{base64:c:"));
    let list =
        Node::from(vec![Node::from("?{base64:y||reveal:x|sha256}"), Node::from("?{base64:x||rsa:1024}")]);
    let error = repository.references.process_node(list, &Context::NONE).unwrap_err();
    assert_eq!(peer(&error), "RefError: |reveal function error: x file in base64:y|reveal:x does not exist");
    let circle =
        map([("a", Node::from("?{base64:p||reveal:q|sha256}")), ("b", Node::from("?{base64:q||reveal:p}"))]);
    let error = repository.references.process_node(circle, &Context::NONE).unwrap_err();
    assert_eq!(peer(&error), "RefError: |reveal function error: q file in base64:p|reveal:q does not exist");
}

#[test]
fn errors_point_at_the_string() {
    let repository = repository(&[]);
    let span = Span::new(Sources::new().add("x", "a: ?{base64:nope}".as_bytes()), 3, 17);
    let document = map([("a", Node::new("?{base64:nope}", span))]);
    let diagnostic =
        repository.references.process_node(document, &Context::NONE).unwrap_err().into_diagnostic();
    assert_eq!(diagnostic.span(), span);
    assert_eq!(diagnostic.message, "reference `nope` of type `base64` not found: there is no such ref file");
    assert_eq!(diagnostic.trace[0].text, "in the reference tag `?{base64:nope}`");
    assert_eq!(diagnostic.trace[1].text, "in the ref file `refs/nope`");
}

#[test]
fn documents_that_are_too_deep_are_refused() {
    let repository = repository(&[]);
    let mut document = Node::from("?{base64:nope}");
    for _ in 0..1200 {
        document = Node::from(vec![document]);
    }
    let error = repository.references.process_node(document, &Context::NONE).unwrap_err();
    assert_eq!(error.code(), "refs::too-deep");
}

#[test]
fn of_many_threads_one_creates_and_all_see_the_same() {
    #[derive(Default)]
    struct Created(Mutex<Vec<String>>);
    impl Observer for Created {
        fn ref_file_created(&self, path: &Path) {
            self.0.lock().unwrap().push(path.display().to_string());
        }
    }
    let repository = repository(&[]);
    let created = Created::default();
    let results: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|at| {
                let (references, created) = (&repository.references, &created);
                scope.spawn(move || {
                    let context = Context { observer: created, ..Context::NONE };
                    let text = format!(
                        "?{{base64:t/{}||random:str:9}} ?{{base64:t/{}||reveal:t/{}|sha256}}",
                        at % 2,
                        at % 2 + 2,
                        at % 2
                    );
                    references.compile_text(&text, &context).unwrap().unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut distinct = results.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 2);
    assert_eq!(created.0.lock().unwrap().len(), 4);
}

#[test]
fn a_near_name_is_suggested() {
    let repository = repository(&[("refs/app/password", "data: x\n"), HELLO]);
    for error in [
        repository.compile("?{base64:app/pasword}").unwrap_err(),
        repository.reveal("?{base64:app/pasword}").unwrap_err(),
    ] {
        assert_eq!(error.into_diagnostic().hints, ["did you mean `app/password`?"]);
    }
    assert!(repository.compile("?{base64:nothing}").unwrap_err().into_diagnostic().hints.is_empty());
}

#[test]
fn hostile_texts_cost_no_more_than_their_length() {
    let repository = repository(&[HELLO]);
    let huge = "a".repeat(1 << 20);
    let error = repository.compile(&format!("?{{base64:{huge}}}")).unwrap_err();
    assert_eq!(error.raised_class(), crate::Raised::Ref);
    assert!(error.message().len() < 400 && error.tag().unwrap().len() < 400);
    for text in
        [format!("?{{base64:a{}", "||x:y".repeat(50_000)), "?{a:b".repeat(50_000), format!("?{{a:b||{huge}")]
    {
        assert_eq!(repository.compile(&text).unwrap(), text);
    }
    let mut document = Node::from("?{base64:b}");
    for _ in 0..999 {
        document = map([("a", document)]);
    }
    repository.references.process_node(document, &Context::NONE).unwrap();
}

#[test]
fn what_is_compiled_compiles_to_itself() {
    let repository = repository(&[HELLO]);
    let pieces = ["?{base64:b}", "?{env:b}", "x", "?{", "}", "é ", "?{base64:b||rsa:1} ", "||", "?{gpg"];
    let mut state = 1u32;
    for _ in 0..500 {
        let mut text = String::new();
        for _ in 0..6 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.push_str(pieces[(state >> 16) as usize % pieces.len()]);
        }
        let Ok(once) = repository.compile(&text) else { continue };
        assert_eq!(repository.compile(&once).unwrap(), once, "{text}");
    }
}
