//! Reads YAML texts from standard input, each behind its length (four bytes, little-endian), and writes for each one
//! line of JSON: its events and its error, if any, as `tests/differential/yaml/compare.py` writes those of libyaml.

use kapstan_document::yaml::{self, CollectionEvent, Event, EventKind, Mark, Reader, ScalarStyle};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Read, Write};

fn main() -> io::Result<()> {
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input)?;
    let mut output = BufWriter::new(io::stdout().lock());
    let mut rest = input.as_slice();
    while let Some((length, tail)) = rest.split_first_chunk::<4>() {
        let length = u32::from_le_bytes(*length) as usize;
        let (document, tail) = tail.split_at(length.min(tail.len()));
        writeln!(output, "{}", describe(document))?;
        rest = tail;
    }
    output.flush()
}

fn describe(document: &[u8]) -> Value {
    let text = match yaml::decode(document) {
        Ok(text) => text,
        Err(error) => return json!([null, error.text(NAME)]),
    };
    let mut events = Vec::new();
    let error = read(&text, &mut events).err().map(|error| error.text(NAME));
    json!([events, error])
}

const NAME: &str = "<byte string>";

fn read(text: &str, events: &mut Vec<Value>) -> Result<(), yaml::Error> {
    let mut reader = Reader::new(text);
    loop {
        let event = reader.next_event()?;
        events.push(describe_event(text, &event));
        if event.kind == EventKind::StreamEnd {
            return Ok(());
        }
    }
}

fn describe_event(text: &str, event: &Event<'_>) -> Value {
    let content = match &event.kind {
        EventKind::StreamStart => json!(["StreamStart"]),
        EventKind::StreamEnd => json!(["StreamEnd"]),
        EventKind::DocumentStart { explicit, version, tags } => {
            // As a Python dictionary has them: a handle occurs once.
            let tags: Vec<_> = tags.iter().map(|(handle, prefix)| json!([handle, prefix])).collect();
            json!(["DocumentStart", explicit, version, tags])
        }
        EventKind::DocumentEnd { explicit } => json!(["DocumentEnd", explicit]),
        EventKind::Alias { anchor } => json!(["Alias", anchor]),
        EventKind::Scalar(scalar) => json!([
            "Scalar",
            scalar.anchor(),
            scalar.tag(),
            [scalar.plain_implicit, scalar.quoted_implicit],
            style(scalar.style),
            scalar.value
        ]),
        EventKind::SequenceStart(collection) => describe_collection("SequenceStart", collection),
        EventKind::SequenceEnd => json!(["SequenceEnd"]),
        EventKind::MappingStart(collection) => describe_collection("MappingStart", collection),
        EventKind::MappingEnd => json!(["MappingEnd"]),
    };
    json!([content, describe_mark(text, event.start), describe_mark(text, event.end)])
}

fn describe_collection(name: &str, collection: &CollectionEvent<'_>) -> Value {
    json!([name, collection.anchor(), collection.tag(), collection.implicit, collection.flow])
}

fn style(style: ScalarStyle) -> &'static str {
    match style {
        ScalarStyle::Plain => "",
        ScalarStyle::SingleQuoted => "'",
        ScalarStyle::DoubleQuoted => "\"",
        ScalarStyle::Literal => "|",
        ScalarStyle::Folded => ">",
    }
}

/// Line, column and, for short texts, the offset in characters.
fn describe_mark(text: &str, mark: Mark) -> Value {
    let before = &text[..mark.offset];
    let index =
        (text.len() < 4096).then(|| before.strip_prefix('\u{FEFF}').unwrap_or(before).chars().count());
    json!([mark.line, mark.column, index])
}
