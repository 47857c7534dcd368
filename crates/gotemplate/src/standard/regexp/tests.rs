use super::{Regexp, quote_meta};

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("it is text")
}

#[test]
fn finds_as_go_does() {
    for (expression, input, limit, expected) in [
        ("a*", "baaac", -1, "|aaa|"),
        ("", "äb", -1, "||"),
        ("b", "abab", 1, "b"),
        ("x", "abab", -1, "NONE"),
        (r"\w+", "ab ä_c", -1, "ab|_c"),
        (r"[[\]a-c&&]", "[&z]", -1, "[|&|]"),
        (r"a{,2}", "aa{,2}", -1, "a{,2}"),
        (r"\Qa.b\E+", "a.bb", -1, "a.bb"),
        (r"(?i)STRASSE|ſ", "Straſſe S", -1, "Straſſe|S"),
        (r"^*a", "ba", -1, "a"),
        (r"\x41\101\x{1F389}", "AA🎉", -1, "AA🎉"),
        (r"\pN+[^\PL]", "12a", -1, "12a"),
        (r"(?P<1a>x)\b", "x xy", -1, "x"),
    ] {
        let regexp = Regexp::compile(expression.as_bytes()).expect(expression);
        let found = regexp.find_all(input.as_bytes(), limit);
        let shown = if found.is_empty() {
            "NONE".to_owned()
        } else {
            found.iter().map(|(from, to)| &input[*from..*to]).collect::<Vec<_>>().join("|")
        };
        assert_eq!(shown, expected, "{expression} in {input}");
    }
}

#[test]
fn refuses_with_the_texts_of_go() {
    for (expression, expected) in [
        ("[", "missing closing ]: `[`"),
        ("a[b", "missing closing ]: `[b`"),
        ("(", "missing closing ): `(`"),
        ("a)", "unexpected ): `a)`"),
        ("*", "missing argument to repetition operator: `*`"),
        ("(|*)", "missing argument to repetition operator: `*`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("a+?*", "invalid nested repetition operator: `+?*`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("a{3,2}", "invalid repeat count: `{3,2}`"),
        ("(a{100}){100}", "invalid repeat count: `{100}`"),
        ("[z-a]", "invalid character class range: `z-a`"),
        ("[[:foo:]]", "invalid character class range: `[:foo:]`"),
        (r"\p{Foo}", r"invalid character class range: `\p{Foo}`"),
        (r"\y", r"invalid escape sequence: `\y`"),
        (r"\1", r"invalid escape sequence: `\1`"),
        (r"\x{110000}", r"invalid escape sequence: `\x{110000`"),
        ("a\\", "trailing backslash at end of expression: ``"),
        ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
        ("(?P<a", "invalid named capture: `(?P<a`"),
        ("(?P<a-b>x)", "invalid named capture: `(?P<a-b>`"),
    ] {
        let error = Regexp::compile(expression.as_bytes()).expect_err(expression);
        assert_eq!(error, format!("error parsing regexp: {expected}"));
    }
    assert_eq!(
        Regexp::panic_text(b"`[", "why"),
        "regexp: Compile(\"`[\"): why",
        "a back-tick can not stand between back-ticks"
    );
}

#[test]
fn replaces_and_splits() {
    for (expression, input, replacement, expected) in [
        ("a(x*)b", "-ab-axxb-", "${1}W", "-W-xxW-"),
        ("a(x*)b", "-ab-axxb-", "$1W", "---"),
        ("a(x*)b", "-ab-axxb-", "$1", "--xx-"),
        ("(?P<n>b)", "abc", "<${n}>$$", "a<b>$c"),
        ("x*", "abc", "-", "-a-b-c-"),
        ("b", "abc", "$", "a$c"),
        ("b", "abc", "${x", "a${xc"),
        ("b", "abc", "$01", "ac"),
    ] {
        let regexp = Regexp::compile(expression.as_bytes()).expect(expression);
        assert_eq!(
            text(regexp.replace_all(input.as_bytes(), replacement.as_bytes())),
            expected,
            "{replacement}"
        );
    }
    for (expression, input, limit, expected) in [
        ("a", "banana", -1, "b|n|n|"),
        ("a", "banana", 2, "b|nana"),
        ("", "abc", -1, "a|b|c"),
        ("z+", "pizza", -1, "pi|a"),
        ("x", "", -1, ""),
        (r"\B", "aße é", -1, "aße |é"),
        ("a", "banana", 0, ""),
    ] {
        let regexp = Regexp::compile(expression.as_bytes()).expect(expression);
        let pieces = regexp.split(input.as_bytes(), limit).join(&b'|');
        assert_eq!(text(pieces), expected, "{expression} in {input}");
    }
    assert_eq!(text(quote_meta(b"a.b-[c]")), r"a\.b-\[c\]");
}
