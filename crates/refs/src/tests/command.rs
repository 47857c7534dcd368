use super::{HELLO, Repository, peer, repository};
use crate::command::{
    UpdateRequest, VaultFlags, WriteRequest, reveal_path, reveal_ref_file, reveal_stream, reveal_tag, update,
    update_targets, validate_targets, write,
};
use crate::{Error, command};
use kapstan_diagnostic::Sources;
use kapstan_document::{Map, Node};
use std::path::Path;

fn request<'a>(token: &'a str, content: &'a [u8]) -> WriteRequest<'a> {
    WriteRequest {
        token,
        content,
        is_binary: false,
        encodes: false,
        recipients: &[],
        key: None,
        secrets: None,
        vault: VaultFlags::default(),
    }
}

#[test]
fn references_are_written() {
    let repository = repository(&[]);
    let write = |request: &WriteRequest<'_>| write(&repository.references, request).map(drop);
    write(&request("plain:a/p", b"one\r\ntwo\r")).unwrap();
    assert_eq!(repository.read("refs/a/p"), "data: 'one\n\n  two\n\n  '\nencoding: original\ntype: plain\n");
    write(&request("base64:b", b"hello")).unwrap();
    assert_eq!(repository.read("refs/b"), HELLO.1);
    write(&WriteRequest { encodes: true, ..request("env:e", b"hello") }).unwrap();
    assert_eq!(repository.read("refs/e"), "data: aGVsbG8=\nencoding: original\ntype: env\n");
    write(&WriteRequest { is_binary: true, ..request("base64:bin", b"\xff\r") }).unwrap();
    assert_eq!(repository.read("refs/bin"), "data: /w0=\nencoding: original\ntype: base64\n");
    write(&WriteRequest { key: Some("mock"), ..request("azkms:z", b"hello") }).unwrap();
    assert_eq!(repository.read("refs/z"), "data: YUdWc2JHOD0=\nencoding: original\nkey: mock\ntype: azkms\n");
    // Written again, the old content is not remembered.
    assert_eq!(repository.reveal("?{base64:b}").unwrap(), "hello");
    write(&request("base64:b", b"other")).unwrap();
    assert_eq!(repository.reveal("?{base64:b}").unwrap(), "other");
}

#[test]
fn what_cannot_be_written_is_told_as_kapitan_tells_it() {
    let repository = repository(&[]);
    let fail = |request: &WriteRequest<'_>| peer(&write(&repository.references, request).unwrap_err());
    for (token, expected) in [
        (
            "base64",
            "KapitanError: Invalid token name: base64. Token names must be in the format <type>:<path>, e.g. gpg:my/secret",
        ),
        (
            "foo:a",
            "KapitanError: Invalid token type: foo. Try using gpg/gkms/awskms/azkms/vaultkv/vaulttransit/base64/plain/env",
        ),
        (
            "gpg:a",
            "KapitanError: No GPG recipients specified. Use --recipients or specify them in parameters.kapitan.secrets.gpg.recipients and use --target",
        ),
        (
            "gkms:a",
            "KapitanError: No KMS key specified. Use --key or specify it in parameters.kapitan.secrets.gkms.key and use --target",
        ),
        (
            "vaultkv:a",
            "KapitanError: No Authentication type parameter specified. Specify it in parameters.kapitan.secrets.vaultkv.auth and use --target-name or use --vault-auth",
        ),
    ] {
        assert_eq!(fail(&request(token, b"x")), expected);
    }
    let vault = VaultFlags { auth: Some("token"), key: None };
    assert_eq!(
        fail(&WriteRequest { vault, ..request("vaultkv:a", b"x") }),
        "RefError: Could not create VaultSecret: vaultkv: key is missing"
    );
    let error = write(&repository.references, &request("plain:a", b"\xff")).unwrap_err();
    assert_eq!(error.code(), "refs::not-text");
    let error = write(&repository.references, &request("plain:../a", b"x")).unwrap_err();
    assert_eq!(error.code(), "refs::outside");
    assert!(!repository.has("refs"));
}

fn revealed(repository: &Repository, path: &str) -> String {
    reveal_path(&repository.references, Path::new(path), &Sources::new()).unwrap().into_exposed()
}

#[test]
fn files_and_folders_are_revealed_by_their_kind() {
    let repository = repository(&[
        HELLO,
        ("out/b.yml", "b: '?{base64:b}'\na: [1]\n---\nx\n"),
        ("out/sub/c.yaml", "c: 1\n"),
        ("out/a.json", "{\"z\": \"?{base64:b}\", \"a\": []}"),
        ("out/raw.txt", "x: ?{base64:b}\r\n"),
        ("json/b.json", "[]"),
        ("json/a.json", "1"),
        ("json/x.txt", "text"),
    ]);
    assert_eq!(revealed(&repository, "out/b.yml"), "---\na:\n  - 1\nb: hello\n--- x\n...\n");
    assert_eq!(revealed(&repository, "out/a.json"), "{\n    \"a\": [],\n    \"z\": \"hello\"\n}");
    assert_eq!(revealed(&repository, "out/raw.txt"), "x: hello\n");
    assert_eq!(revealed(&repository, "out"), "---\na:\n  - 1\nb: hello\n--- x\n...\n---\nc: 1\n");
    assert_eq!(revealed(&repository, "json"), "1[]");
    let error = reveal_path(&repository.references, Path::new("nope"), &Sources::new()).unwrap_err();
    assert_eq!(error.code, "refs::no-such-file");
}

#[test]
fn streams_tags_and_ref_files_are_revealed() {
    let repository =
        repository(&[HELLO, ("elsewhere", HELLO.1), ("env", "data: x\ntype: env\n"), ("empty", "")]);
    let references = &repository.references;
    assert_eq!(reveal_stream(references, b"a: ?{base64:b}\n").unwrap().expose(), "a: hello\n");
    assert_eq!(reveal_tag(references, "x ?{base64:b}").unwrap().expose(), "x hello");
    assert_eq!(reveal_ref_file(references, Path::new("elsewhere")).unwrap().expose(), "hello");
    let fail = |result: Result<_, Error>| peer(&result.map(|_: crate::Secret| ()).unwrap_err());
    assert_eq!(fail(reveal_tag(references, "?{base64:x}")), "KapitanError: Reveal failed for file None");
    assert_eq!(fail(reveal_stream(references, b"?{base64:x}")), "KapitanError: Reveal failed for file -");
    assert_eq!(
        fail(reveal_ref_file(references, Path::new("env"))),
        "AttributeError: 'EnvRef' object has no attribute 'path'"
    );
    assert_eq!(reveal_ref_file(references, Path::new("empty")).unwrap_err().code(), "refs::malformed-file");
}

#[test]
fn a_reference_is_updated_as_far_as_that_goes_without_a_service() {
    let repository = repository(&[
        ("refs/k", "type: gkms\nkey: mock\ndata: Ylc5amF3PT0=\n"),
        ("refs/g", "type: gpg\nrecipients: [{fingerprint: B}, {fingerprint: A}]\ndata: YTpi\n"),
    ]);
    let request = |token| UpdateRequest { token, recipients: &[], key: Some("mock"), secrets: None };
    update(&repository.references, &request("gkms:k")).unwrap();
    assert_eq!(repository.read("refs/k"), "data: Ylc5amF3PT0=\nencoding: original\nkey: mock\ntype: gkms\n");
    let other = UpdateRequest { key: Some("other"), ..request("gkms:k") };
    assert_eq!(update(&repository.references, &other).unwrap_err().code(), "refs::no-client");
    assert_eq!(
        peer(&update(&repository.references, &request("base64:k")).unwrap_err()),
        "KapitanError: Invalid token: base64:k. Try using gpg/gkms/awskms:base64:k"
    );
    let secrets = secrets();
    let from_inventory = UpdateRequest { secrets: Some(&secrets), ..request("gpg:g") };
    update(&repository.references, &from_inventory).unwrap();
    assert_eq!(
        repository.read("refs/g"),
        "data: YTpi\nencoding: original\nrecipients:\n- fingerprint: A\n- fingerprint: B\ntype: gpg\n"
    );
}

fn secrets() -> Node {
    let key = |key: &str| Node::from(Map::from_iter([("key", key)]));
    let recipient = |fingerprint: &str| Node::from(Map::from_iter([("fingerprint", fingerprint)]));
    let gpg = Map::from_iter([("recipients", vec![recipient("A"), recipient("B")])]);
    Node::from(Map::from_iter([("gpg", Node::from(gpg)), ("gkms", key("mock")), ("azkms", Node::NULL)]))
}

#[test]
fn references_of_targets_are_compared_with_the_inventory() {
    let repository = repository(&[
        ("refs/prod/a/right", "type: gkms\nkey: mock\ndata: Ylc5amF3PT0=\n"),
        ("refs/prod/wrong", "type: gkms\nkey: old\ndata: Ylc5amF3PT0=\n"),
        ("refs/prod/people", "recipients: [{fingerprint: C}, {fingerprint: A}]\ndata: YTpi\n"),
        ("refs/prod/open", HELLO.1),
        ("refs/prod/unset", "type: azkms\nkey: x\ndata: YTpi\n"),
        ("refs/other/x", "nothing: here\n"),
        ("refs/dev/x", HELLO.1),
    ]);
    let secrets_of = |name: &str| Ok((name == "prod").then(secrets));
    let report = validate_targets(&repository.references, &["prod", "dev", "none"], &secrets_of);
    assert_eq!(report.mismatched, ["?{gpg:prod/people}", "?{gkms:prod/wrong}"]);
    assert_eq!(
        report.lines,
        [
            "Invalid secret ?{base64:prod/open}, could not get type, skipping",
            "?{gpg:prod/people} recipient mismatch",
            "{'C'} needs removal",
            "{'B'} needs addition",
            "?{gkms:prod/wrong} key mismatch",
        ]
    );
    assert_eq!(
        report.problems.iter().map(|problem| problem.peer_text.as_deref()).collect::<Vec<_>>(),
        [Some("parameters.kapitan.secrets not defined in dev")]
    );
    let report = update_targets(&repository.references, &["prod"], &secrets_of);
    assert_eq!(report.problems.len(), 2);
    assert!(report.mismatched.is_empty() && !report.is_clean());
    let clean = command::validate_targets(&repository.references, &["none"], &secrets_of);
    assert!(clean.is_clean());
}
