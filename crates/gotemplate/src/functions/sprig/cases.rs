//! Identifiers from one way of joining words to another: `httpServer`, `http_server`, `http-server`.

use super::give;
use crate::functions::Function;
use crate::standard::runes::{self, decode, push};
use crate::value::Type;
use Type::String as Str;

pub(super) const ROWS: &[Function] = &[
    Function::new("camelcase", &[Str], Str, |call| give(to_pascal_case(call.text(0)))),
    Function::new("snakecase", &[Str], Str, |call| give(join_words(call.text(0), b'_'))),
    Function::new("kebabcase", &[Str], Str, |call| give(join_words(call.text(0), b'-'))),
];

fn is_connector(rune: char) -> bool {
    rune == '-' || rune == '_' || runes::is_space(rune)
}

/// Words that blanks, `_` or `-` separate, each with a capital in front. Connectors at the start stay, and all but one
/// where there are several.
fn to_pascal_case(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut runes = runes::runes(text).map(|(rune, _)| rune).peekable();
    let mut last = None;
    while let Some(connector) = runes.next_if(|rune| is_connector(*rune)) {
        push(&mut out, connector);
        last = Some(connector);
    }
    let Some(first) = runes.next() else {
        // The original writes the last of nothing but connectors twice.
        if let Some(last) = last {
            push(&mut out, last);
        }
        return out;
    };
    // In a run of capitals all but the first become small.
    let mut in_capitals = runes::is_upper(first);
    let mut held = runes::to_upper(first);
    for rune in runes {
        let before = held;
        held = rune;
        if is_connector(before) {
            if is_connector(rune) {
                push(&mut out, before);
                continue;
            }
            in_capitals = runes::is_upper(rune);
            held = runes::to_upper(rune);
            continue;
        }
        if in_capitals {
            if runes::is_upper(rune) {
                held = runes::to_lower(rune);
            } else {
                in_capitals = false;
            }
        }
        push(&mut out, before);
    }
    push(&mut out, held);
    out
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// No word: the end, or bytes that are no characters.
    Invalid,
    Number,
    Upper,
    Letters,
    Connector,
    Punctuation,
    Other,
}

/// A text's words in lower case with `connector` between them.
fn join_words(text: &[u8], connector: u8) -> Vec<u8> {
    let mut words = Words { rest: text };
    let mut out = Vec::with_capacity(text.len() + 8);
    let (mut kind, mut word) = words.take();
    while !words.rest.is_empty() {
        if kind != Kind::Connector {
            push_word(&mut out, kind, word, connector);
        }
        let (before, held) = (kind, word);
        (kind, word) = words.take();
        match before {
            Kind::Number => {
                follow_number(&mut out, &mut words, &mut kind, &mut word, connector);
                if !matches!(kind, Kind::Invalid | Kind::Punctuation | Kind::Connector) {
                    out.push(connector);
                }
            }
            Kind::Connector => push_word(&mut out, before, held, connector),
            Kind::Punctuation => {}
            _ if kind != Kind::Number => {
                if !matches!(kind, Kind::Connector | Kind::Punctuation) {
                    out.push(connector);
                }
            }
            _ if words.rest.is_empty() => {}
            _ => {
                let number = word;
                (kind, word) = words.take();
                if kind != Kind::Letters {
                    // The number belongs to the word before it: `bld4_floor`.
                    push_word(&mut out, Kind::Number, number, connector);
                    if !matches!(kind, Kind::Connector | Kind::Punctuation) {
                        out.push(connector);
                    }
                } else {
                    // Small letters after a number belong to it: `http_2xx`.
                    out.push(connector);
                    push_word(&mut out, Kind::Number, number, connector);
                    follow_number(&mut out, &mut words, &mut kind, &mut word, connector);
                    if !matches!(kind, Kind::Invalid | Kind::Connector | Kind::Punctuation) {
                        out.push(connector);
                    }
                }
            }
        }
    }
    push_word(&mut out, kind, word, connector);
    out
}

/// Small letters and numbers that go on after a number.
fn follow_number<'a>(
    out: &mut Vec<u8>,
    words: &mut Words<'a>,
    kind: &mut Kind,
    word: &mut &'a [u8],
    connector: u8,
) {
    while matches!(kind, Kind::Letters | Kind::Number) {
        push_word(out, *kind, word, connector);
        (*kind, *word) = words.take();
    }
}

fn push_word(out: &mut Vec<u8>, kind: Kind, word: &[u8], connector: u8) {
    if !matches!(kind, Kind::Upper | Kind::Connector) {
        out.extend_from_slice(word);
        return;
    }
    for (rune, _) in runes::runes(word) {
        if is_connector(rune) {
            out.push(connector);
        } else if runes::is_upper(rune) {
            push(out, runes::to_lower(rune));
        } else {
            push(out, rune);
        }
    }
}

/// The words of a text, each with its kind.
struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    /// The next word; an invalid empty one at the end.
    fn take(&mut self) -> (Kind, &'a [u8]) {
        let text = self.rest;
        let (kind, length) = word_at(text);
        self.rest = &text[length..];
        (kind, &text[..length])
    }
}

/// The next character that is one, and all bytes up to its end; at the end of the text, `before` again.
fn next_valid(text: &[u8], before: char) -> (char, usize) {
    let mut size = 0;
    while let Some((rune, width)) = decode(&text[size..]) {
        size += width;
        if rune != runes::ERROR {
            return (rune, size);
        }
    }
    (before, size)
}

/// A letter that words are made of; Chinese characters are not.
fn is_alphabet(rune: char) -> bool {
    runes::is_letter(rune)
        && !matches!(rune, '\u{4E00}'..='\u{9FCC}' | '\u{3400}'..='\u{4D85}' | '\u{20000}'..='\u{2B81D}')
}

/// Tells the characters that a run is made of.
type Belongs<'a> = &'a dyn Fn(char) -> bool;

fn word_at(text: &[u8]) -> (Kind, usize) {
    if text.is_empty() {
        return (Kind::Invalid, 0);
    }
    let (first, size) = next_valid(text, runes::ERROR);
    if first == runes::ERROR {
        return (Kind::Invalid, size);
    }
    let run = |from: usize, belongs: Belongs<'_>| {
        let mut at = from;
        let mut last = first;
        while at < text.len() {
            let (rune, size) = next_valid(&text[at..], last);
            if !belongs(rune) {
                break;
            }
            last = rune;
            at += size;
        }
        at
    };
    let small = |rune: char| is_alphabet(rune) && !runes::is_upper(rune);
    if is_connector(first) {
        (Kind::Connector, run(size, &is_connector))
    } else if runes::is_punct(first) {
        (Kind::Punctuation, run(size, &runes::is_punct))
    } else if runes::is_upper(first) {
        (Kind::Upper, upper_length(text, first, size, &run))
    } else if is_alphabet(first) {
        (Kind::Letters, run(size, &small))
    } else if runes::is_number(first) {
        (Kind::Number, run(size, &runes::is_number))
    } else {
        let other = |rune: char| {
            !(is_connector(rune) || is_alphabet(rune) || runes::is_number(rune) || runes::is_punct(rune))
        };
        (Kind::Other, run(size, &other))
    }
}

/// `HTTPStatus` ends before the `S`; `Status` ends after its small letters.
fn upper_length(text: &[u8], first: char, size: usize, run: &dyn Fn(usize, Belongs<'_>) -> usize) -> usize {
    if size >= text.len() {
        return size;
    }
    let (second, _) = next_valid(&text[size..], first);
    if !runes::is_upper(second) {
        let small = |rune: char| is_alphabet(rune) && !runes::is_upper(rune);
        return if is_alphabet(second) { run(size, &small) } else { size };
    }
    let (mut at, mut last_size, mut rune) = (size, 0, second);
    while at < text.len() {
        let (next, size) = next_valid(&text[at..], rune);
        rune = next;
        if !runes::is_upper(next) {
            break;
        }
        at += size;
        last_size = size;
    }
    if at < text.len() && is_alphabet(rune) { at - last_size } else { at }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).expect("it is text")
    }

    #[test]
    fn joins_words() {
        for (input, expected) in [
            ("FirstName", "first_name"),
            ("HTTPServer", "http_server"),
            ("NoHTTPS", "no_https"),
            ("GO PATH", "go_path"),
            ("http2xx", "http_2xx"),
            ("HTTP20xOK", "http_20x_ok"),
            ("Duration2m3s", "duration_2m3s"),
            ("Bld4Floor3rd", "bld4_floor_3rd"),
            ("a--b", "a__b"),
            ("a.B", "a.b"),
            ("", ""),
            ("X", "x"),
        ] {
            assert_eq!(text(join_words(input.as_bytes(), b'_')), expected, "{input}");
        }
    }

    #[test]
    fn makes_capitals() {
        for (input, expected) in [
            ("some_words", "SomeWords"),
            ("http_server_port", "HttpServerPort"),
            ("_complex__case_", "_Complex_Case_"),
            ("some words", "SomeWords"),
            ("GOLANG_IS_GREAT", "GolangIsGreat"),
            ("-", "--"),
            ("aBC", "ABC"),
        ] {
            assert_eq!(text(to_pascal_case(input.as_bytes())), expected, "{input}");
        }
    }
}
