use super::{peer, repository};
use crate::{Context, Observer};
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Map, Node};
use std::sync::Mutex;

#[test]
fn random_texts_have_the_length_and_characters_asked_for() {
    let repository = repository(&[]);
    type IsFit = fn(char) -> bool;
    let table: &[(&str, usize, IsFit)] = &[
        ("random", 43, |c| c.is_ascii_alphanumeric() || "-_".contains(c)),
        ("random:str:5", 5, |c| c.is_ascii_alphanumeric() || "-_".contains(c)),
        ("random:str:", 43, |c| c.is_ascii_alphanumeric() || "-_".contains(c)),
        ("random:int", 16, |c| c.is_ascii_digit()),
        ("random:loweralpha:300", 300, |c| c.is_ascii_lowercase()),
        ("random:upperalpha", 8, |c| c.is_ascii_uppercase()),
        ("random:loweralphanum", 8, |c| c.is_ascii_lowercase() || c.is_ascii_digit()),
        ("random:upperalphanum:+1_0", 10, |c| c.is_ascii_uppercase() || c.is_ascii_digit()),
        ("random:special:200:!é!", 200, |c| c.is_ascii_alphanumeric() || c == '!'),
        ("random:special", 8, |c| c.is_ascii_graphic()),
        ("random:str:0", 0, |_| false),
        ("random:str:-3", 0, |_| false),
        ("randomstr:7", 7, |c| c.is_ascii_alphanumeric() || "-_".contains(c)),
        ("loweralphanum", 8, |c| c.is_ascii_lowercase() || c.is_ascii_digit()),
    ];
    for (at, (functions, length, is_fit)) in table.iter().enumerate() {
        repository.compile(&format!("?{{base64:{at}||{functions}}}")).unwrap();
        let text = repository.reveal(&format!("?{{base64:{at}}}")).unwrap();
        assert_eq!(text.len(), *length, "{functions}");
        assert!(text.chars().all(is_fit), "{functions}: {text}");
    }
    let long = repository.reveal("?{base64:4}").unwrap();
    assert!(('a'..='z').all(|letter| long.contains(letter)), "all letters are drawn");
}

#[test]
fn chains_pass_the_secret_on_and_files_are_kapitan_s() {
    let repository = repository(&[("refs/word", "data: hello\nencoding: original\ntype: plain\n")]);
    for (tag, file) in [
        (
            "?{plain:a||reveal:word|sha256:salt}",
            "data: 9971ac8c89d23eb086b416752262ed48977d131389ddc3e0c5e6eba4ca02276c\nencoding: original\ntype: plain\n",
        ),
        ("?{plain:b||reveal:word|base64}", "data: aGVsbG8=\nencoding: base64\ntype: plain\n"),
        ("?{plain:c||basicauth:user:pass}", "data: dXNlcjpwYXNz\nencoding: original\ntype: plain\n"),
        (
            "?{env:word2||basicauth:user:pass|base64}",
            "data: ZFhObGNqcHdZWE56\nencoding: original\ntype: env\n",
        ),
        (
            "?{base64:d||basicauth:user:pass|base64}",
            "data: WkZoT2JHTnFjSGRaV0U1Ng==\nencoding: base64\ntype: base64\n",
        ),
    ] {
        repository.compile(tag).unwrap();
        let path = tag.split([':', '|']).nth(1).unwrap();
        assert_eq!(repository.read(&format!("refs/{path}")), file, "{tag}");
    }
}

#[test]
fn keys_are_made_and_halved() {
    let repository = repository(&[]);
    for (at, make) in ["ed25519", "rsa:1024", "rsa:1031"].iter().enumerate() {
        let key = map_of(&repository, at, make);
        assert!(
            key.starts_with("-----BEGIN PRIVATE KEY-----\n")
                && key.ends_with("\n-----END PRIVATE KEY-----\n")
        );
        let public = repository.reveal(&format!("?{{base64:public{at}}}")).unwrap();
        assert!(public.starts_with("-----BEGIN PUBLIC KEY-----\n"), "{public}");
        assert!(public.ends_with("\n-----END PUBLIC KEY-----\n"));
    }
}

fn map_of(repository: &super::Repository, at: usize, make: &str) -> String {
    repository.compile(&format!("?{{base64:key{at}||{make}|base64}}")).unwrap();
    repository.compile(&format!("?{{base64:public{at}||reveal:key{at}|publickey}}")).unwrap();
    let encoded = repository.reveal(&format!("?{{base64:key{at}}}")).unwrap();
    let decoded = crate::python::decode_base64(&encoded.into()).unwrap();
    String::from_utf8(decoded).unwrap()
}

#[test]
fn errors_are_kapitan_s_and_nothing_is_written() {
    let repository = repository(&[("refs/int", "data: 5\n")]);
    for (functions, expected) in [
        (
            "foo",
            "RefError: foo: unknown ref function used. Choose one of: ['randomstr', 'random', 'sha256', 'ed25519', 'rsa', 'rsapublic', 'publickey', 'reveal', 'loweralphanum', 'basicauth']",
        ),
        (
            "random:foo",
            "RefError: foo: unknown random type used. Choose one of ['str', 'int', 'loweralpha', 'upperalpha', 'loweralphanum', 'upperalphanum', 'special']",
        ),
        ("reveal:int", "RefError: ['int']: too many arguments for function reveal"),
        ("random:str:five", "RefError: Ref error: eval_func: five cannot be converted into integer."),
        (
            "random:str:5:ab",
            "RefError: Ref error: eval_func: str has no option to use special characters. Use type special instead, i.e. ||random:special:ab",
        ),
        ("random:a:b:c:d", "RefError: ['a', 'b', 'c', 'd']: too many arguments for function random"),
        ("reveal", "RefError: []: too many arguments for function reveal"),
        ("ed25519:1", "RefError: ['1']: too many arguments for function ed25519"),
        ("basicauth:user:s3cret:x", "RefError: ['…']: too many arguments for function basicauth"),
        (
            "sha256",
            "RefError: Ref error: eval_func: nothing to sha256 hash; try something like '|random:str|sha256'",
        ),
        (
            "random:str:0|sha256",
            "RefError: Ref error: eval_func: nothing to sha256 hash; try something like '|random:str|sha256'",
        ),
        (
            "publickey",
            "RefError: Ref error: eval_func: public key cannot be derived; try something like '|reveal:path/to/encrypted_private_key|publickey'",
        ),
        (
            "rsapublic",
            "RefError: Ref error: eval_func: RSA public key cannot be derived; try something like '|reveal:path/to/encrypted_private_key|rsapublic'",
        ),
        ("ed25519|publickey", "AttributeError: 'FunctionContext' object has no attribute 'ref_encoding'"),
        ("base64", "AttributeError: 'NoneType' object has no attribute 'encode'"),
        ("rsa:100", "ValueError: key_size must be at least 1024-bits."),
        ("rsa:abc", "ValueError: invalid literal for int() with base 10: 'abc'"),
        ("reveal:q", "RefError: |reveal function error: q file in base64:z|reveal:q does not exist"),
        (
            "reveal:$$",
            "RefError: ('?{base64:$$}: is not a valid tag', '\\ntry something like: ?{ref:path/to/secret||function:param1:param2}')",
        ),
    ] {
        let error = repository.compile(&format!("?{{base64:z||{functions}}}")).unwrap_err();
        assert_eq!(peer(&error), expected, "{functions}");
        assert!(!format!("{error:?}").contains("s3cret"));
    }
    for (tag, expected) in [
        ("?{gkms:z||random}", "ValueError: target_name not set"),
        ("?{base64:z:aa||random}", "RefError: base64:z:aa: is not a valid token"),
    ] {
        assert_eq!(peer(&repository.compile(tag).unwrap_err()), expected, "{tag}");
    }
    for functions in ["random:str:99999999999", "rsa:999999999"] {
        assert_eq!(
            repository.compile(&format!("?{{base64:z||{functions}}}")).unwrap_err().code(),
            "refs::function"
        );
    }
    assert!(!repository.has("refs/z"));
}

#[test]
fn the_mock_key_of_the_target_encrypts() {
    let repository = repository(&[]);
    let key = |key: &str| Node::from(Map::from_iter([("key", key)]));
    let secrets =
        Node::from(Map::from_iter([("gkms", key("mock")), ("azkms", key("mock")), ("awskms", key("real"))]));
    let context = Context { target_name: Some("prod"), secrets: Some(&secrets), ..Context::NONE };
    let compile = |text: &str| repository.references.compile_text(text, &context);
    compile("?{gkms:g||basicauth:user:pass}").unwrap();
    assert_eq!(repository.read("refs/g"), "data: Ylc5amF3PT0=\nencoding: original\nkey: mock\ntype: gkms\n");
    compile("?{azkms:a||basicauth:user:pass|base64}").unwrap();
    assert_eq!(
        repository.read("refs/a"),
        "data: V2tab1QySkhUbkZqU0dSYVYwVTFOZz09\nencoding: base64\nkey: mock\ntype: azkms\n"
    );
    assert_eq!(repository.reveal("?{gkms:g}").unwrap(), "mock");
    assert_eq!(compile("?{awskms:w||random}").unwrap_err().code(), "refs::no-client");
    let error = compile("?{gpg:w||random}").unwrap_err();
    assert_eq!(error.message(), "`parameters.kapitan.secrets.gpg.recipients` is not set for target `prod`");
}

#[test]
fn old_names_are_warned_of() {
    #[derive(Default)]
    struct Warnings(Mutex<Vec<Diagnostic>>);
    impl Observer for Warnings {
        fn warned(&self, warning: Diagnostic) {
            self.0.lock().unwrap().push(warning);
        }
    }
    let repository = repository(&[]);
    let warnings = Warnings::default();
    let context = Context { observer: &warnings, ..Context::NONE };
    repository.references.compile_text("?{base64:a||randomstr}", &context).unwrap();
    let warnings = warnings.0.into_inner().unwrap();
    assert_eq!(
        warnings[0].peer_text.as_deref(),
        Some("DeprecationWarning: randomstr is deprecated. Use random:str instead")
    );
}
