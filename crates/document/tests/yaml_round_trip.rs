//! What is written is read back as it was, whatever it is and however it is written.

use kapstan_diagnostic::{SourceId, Sources};
use kapstan_document::yaml::{
    LoadOptions, MultilineStyle, WriteOptions, load, load_all, write, write_documents,
};
use kapstan_document::{Date, DateTime, Int, Key, Map, Node, Scalar, Span, Value};
use num_bigint::BigInt;
use std::sync::Arc;

/// Random numbers from a seed (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn pick<'v, T>(&mut self, values: &'v [T]) -> &'v T {
        let at = self.below(values.len() as u64);
        &values[usize::try_from(at).expect("it is below a length")]
    }

    fn pieces(&mut self, pieces: &[&str], limit: u64) -> String {
        let count = self.below(limit);
        (0..count).map(|_| *self.pick(pieces)).collect()
    }
}

/// What strings are put together from: what means something in YAML, and what has to be escaped.
const PIECES: &[&str] = &[
    "a",
    "b",
    " ",
    " ",
    "  ",
    "\n",
    "\n\n",
    ":",
    ": ",
    "#",
    " #",
    "-",
    "- ",
    "?",
    ",",
    "[",
    "{",
    "'",
    "\"",
    "\\",
    "%",
    "@",
    "=",
    "<<",
    "1",
    "0",
    ".",
    "_",
    "true",
    "~",
    "null",
    "0x",
    "e+3",
    "2020-01-02",
    "\t",
    "\r",
    "\0",
    "\x7f",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{feff}",
    "\u{ffff}",
    "é",
    "中",
    "😀",
    "---",
    "...",
    "|",
    ">",
    "&",
    "*",
    "!",
    "a word that is so long that it goes on and on",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

fn scalar(random: &mut Random) -> Scalar {
    match random.below(16) {
        0 => Scalar::Null,
        1 => Scalar::Bool(random.below(2) == 0),
        2 => Scalar::Int(Int::Small(i64::from_ne_bytes(random.next().to_ne_bytes()) >> random.below(64))),
        3 => Scalar::Int(Int::from_big(BigInt::from(random.next()) * BigInt::from(random.next()))),
        4 => {
            let value = f64::from_bits(random.next());
            Scalar::Float(if value.is_nan() { 1e16 } else { value })
        }
        5 => Scalar::Date(date(random)),
        6 => Scalar::DateTime(Arc::new(time(random))),
        7 => Scalar::Bytes(random.pieces(PIECES, 40).into_bytes().into()),
        8 => Scalar::Str(random.pieces(&PIECES[..2], 3).into()),
        9 => Scalar::Str(random.pieces(PIECES, 60).into()),
        _ => Scalar::Str(random.pieces(PIECES, 8).into()),
    }
}

fn small(random: &mut Random, limit: u64) -> u8 {
    u8::try_from(random.below(limit)).expect("limits of a byte")
}

fn date(random: &mut Random) -> Date {
    let year = u16::try_from(random.below(9999)).expect("a year is small") + 1;
    Date { year, month: small(random, 12) + 1, day: small(random, 28) + 1 }
}

fn time(random: &mut Random) -> DateTime {
    let offset = random.below(60);
    DateTime {
        date: date(random),
        hour: small(random, 24),
        minute: small(random, 60),
        second: small(random, 60),
        microsecond: if random.below(2) == 0 { 0 } else { u32::from(small(random, 100)) * 10_007 },
        offset_minutes: (offset < 40).then(|| i32::from(small(random, 48)) * 30 - 720),
    }
}

fn node(random: &mut Random, depth: u64) -> Node {
    let kind = random.below(8);
    if depth == 0 || kind < 3 {
        return Value::from(scalar(random)).into();
    }
    let count = random.below(4);
    if kind < 5 {
        return (0..count).map(|_| node(random, depth - 1)).collect::<Vec<Node>>().into();
    }
    let is_set = kind == 7 && random.below(4) == 0;
    let map: Map = (0..count)
        .map(|_| {
            let key = Key::at(scalar(random), Span::NONE);
            (key, if is_set { Node::NULL } else { node(random, depth - 1) })
        })
        .collect();
    if is_set { Value::Set(Arc::new(map)).into() } else { map.into() }
}

fn options(random: &mut Random) -> WriteOptions {
    let indent = *random.pick(&[2, 2, 3, 4, 9]);
    let style = *random.pick(&[
        MultilineStyle::Literal,
        MultilineStyle::Folded,
        MultilineStyle::DoubleQuotes,
        MultilineStyle::Quoted,
    ]);
    let options = [
        WriteOptions::compiled(style, indent),
        WriteOptions::inventory(indent),
        WriteOptions::inventory_flat(indent),
        WriteOptions::plain(),
        WriteOptions::helm_values(),
        WriteOptions::revealed(),
    ];
    WriteOptions { null_as_empty: random.below(4) == 0, ..random.pick(&options).clone() }
}

fn source() -> SourceId {
    Sources::new().add("written", Vec::new())
}

#[test]
fn one_document() {
    for seed in 0..3000 {
        let mut random = Random(seed);
        let (node, options) = (node(&mut random, 5), options(&mut random));
        if node.is_null() && options.null_as_empty {
            // PyYAML marks the end of a document without a beginning, which is not YAML.
            continue;
        }
        let text = write(&node, &options).unwrap();
        let loaded = load(text.as_bytes(), source(), &LoadOptions::default());
        assert_eq!(loaded.as_ref(), Ok(&node), "seed {seed}, written as:\n{text}");
    }
}

#[test]
fn several_documents() {
    for seed in 0..1000 {
        let mut random = Random(seed);
        let options = options(&mut random);
        let documents: Vec<Node> = (0..random.below(5)).map(|_| node(&mut random, 2)).collect();
        if documents.first().is_some_and(Node::is_null) && options.null_as_empty {
            continue;
        }
        let text = write_documents(&documents.clone().into(), &options).unwrap();
        let loaded = load_all(text.as_bytes(), source(), &LoadOptions::default());
        assert_eq!(loaded.as_ref(), Ok(&documents), "seed {seed}, written as:\n{text}");
    }
}
