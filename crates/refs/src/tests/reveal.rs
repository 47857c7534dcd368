use super::{HELLO, map, peer, repository, repository_with};
use crate::Context;
use kapstan_document::Node;

#[test]
fn tags_are_replaced_by_what_they_stand_for() {
    let repository = repository(&[
        HELLO,
        ("refs/bin", "data: //79\n"),
        ("refs/yaml", "data: YTogezE6IHgsIGI6IHl9Cg==\n"),
        ("refs/home_planet", "data: mars\n"),
        ("refs/a/moon", "data: luna\n"),
        ("refs/null", "data: null\n"),
        ("refs/k", "data: Ylc5amF3PT0=\nkey: mock\n"),
    ]);
    for (text, revealed) in [
        ("<?{base64:b}>", "<hello>"),
        ("?{base64:b:efeb691b}?{base64:b}", "hellohello"),
        ("?{base64:bin}", "//79"),
        ("?{base64:yaml@a.b}", "y"),
        ("?{env:home_planet}", "earth"),
        ("?{env:a/moon}", "luna"),
        ("?{plain:null}x", "x"),
        ("?{awskms:k} ?{azkms:k}", "mock mock"),
        ("?{base64:b||unknown}", "hello"),
    ] {
        assert_eq!(repository.reveal(text).unwrap(), revealed, "{text}");
    }
}

#[test]
fn errors_are_kapitan_s_and_hold_no_secret() {
    let repository = repository(&[
        HELLO,
        ("refs/int", "data: 5\n"),
        ("refs/short", "data: aGVsbG8\n"),
        ("refs/yaml", "data: YTogezE6IHgsIGI6IHl9CmI6IFtdCmM6IDUK\n"),
        ("refs/enc", "data: WVRvZ2VDQT0=\nencoding: base64\n"),
        ("refs/g", "data: YTpi\nrecipients: []\n"),
    ]);
    for (text, expected) in [
        ("?{base64:nope}", "KeyError: 'nope'"),
        (
            "?{base64:nope||random:str}",
            "RefFromFuncError: base64:nope: does not exist and must be created from function: ||random:str",
        ),
        ("?{plain:int}", "TypeError: sequence item 0: expected str instance, int found"),
        ("?{base64:int}", "TypeError: argument should be a bytes-like object or ASCII string, not 'int'"),
        ("?{base64:short}", "ValueError: Incorrect padding"),
        (
            "?{base64:b@x}",
            "RefError: Revealer: revealed secret is not in yaml, cannot access x sub-variable at ?{base64:b@x}",
        ),
        ("?{base64:yaml@a.c}", "RefError: Revealer: cannot access ?{base64:yaml@a.c} sub-variable key a.c"),
        ("?{base64:yaml@a.b.c}", "TypeError: string indices must be integers, not 'str'"),
        ("?{base64:yaml@b.c}", "TypeError: list indices must be integers or slices, not str"),
        ("?{base64:yaml@c}", "TypeError: sequence item 0: expected str instance, int found"),
        ("?{base64:enc@a}", "TypeError: sequence item 0: expected str instance, bytes found"),
    ] {
        assert_eq!(peer(&repository.reveal(text).unwrap_err()), expected, "{text}");
    }
    let error = repository.reveal("?{gpg:g}").unwrap_err();
    assert_eq!(
        error.message(),
        "a reference of type `gpg` can not be revealed: this build has no client for GnuPG"
    );
}

#[test]
fn a_run_that_reveals_reveals() {
    let repository = repository_with(&[HELLO], |settings| settings.reveal = true);
    assert_eq!(repository.compile("?{base64:b}").unwrap(), "hello");
    let document = map([("a", Node::from(vec![Node::from("?{base64:b}!")]))]);
    let revealed = repository.references.process_node(document, &Context::NONE).unwrap();
    assert_eq!(revealed, map([("a", Node::from(vec![Node::from("hello!")]))]));
}
