//! The constructors of scalars with all their tags.

use super::code;
use super::compose::{Composed, Id, Kind, Tree};
use super::tag::Tag;
use crate::python::{decode_base64, repr_str};
use crate::yaml::PlainTag;
use crate::yaml::reader::Error;
use crate::yaml::resolve::{
    ScalarError, construct_bool, construct_float, construct_int, construct_timestamp,
};
use crate::{Scalar, Text};

/// The value of a node whose tag stands for a scalar; nothing where it stands for a container.
///
/// Text is handed to `share`. Fails for tags without a constructor, for collections with the tag of a scalar, and where
/// the text does not hold what the tag says.
pub(super) fn scalar_of(
    tree: &Tree<'_>,
    id: Id,
    share: &mut impl FnMut(&str) -> Text,
) -> Result<Option<Scalar>, Error> {
    let node = tree.node(id);
    let Tag::Plain(tag) = &node.tag else {
        return match &node.tag {
            Tag::Seq | Tag::Map | Tag::Set | Tag::Omap | Tag::Pairs => Ok(None),
            Tag::Binary => Ok(Some(Scalar::Bytes(binary(text_of(tree, node)?, node)?.into()))),
            Tag::Other(name) => Err(no_constructor(name, node)),
            Tag::Plain(_) => Ok(None),
        };
    };
    if *tag == PlainTag::Merge || *tag == PlainTag::Yaml {
        let name = if *tag == PlainTag::Merge { "merge" } else { "yaml" };
        return Err(no_constructor(&format!("{}{name}", super::tag::PREFIX), node));
    }
    let text = text_of(tree, node)?;
    let value = match tag {
        PlainTag::Null => Ok(Scalar::Null),
        PlainTag::Bool => construct_bool(text).map(Scalar::Bool),
        PlainTag::Int => construct_int(text).map(Scalar::Int),
        PlainTag::Float => construct_float(text).map(Scalar::Float),
        PlainTag::Timestamp if matches!(node.kind, Kind::Map { .. }) => Err(not_a_text()),
        PlainTag::Timestamp => construct_timestamp(text),
        PlainTag::Str | PlainTag::Value | PlainTag::Merge | PlainTag::Yaml => Ok(Scalar::Str(share(text))),
    };
    value.map(Some).map_err(|ScalarError { exception, text }| {
        Error::new(text, node.start).with_exception(exception).with_code(code::INVALID_VALUE)
    })
}

fn no_constructor(tag: &str, node: &Composed<'_>) -> Error {
    let problem = format!("could not determine a constructor for the tag {}", repr_str(tag));
    Error::new(problem, node.start).with_code(code::UNKNOWN_TAG)
}

/// PyYAML matches a pattern against the node, not against the text that it took from the node's key `=`.
fn not_a_text() -> ScalarError {
    ScalarError {
        exception: "TypeError",
        text: "expected string or bytes-like object, got 'list'".to_owned(),
    }
}

/// The text of a scalar, or of the value that a mapping has under the key `=`.
fn text_of<'t, 'a>(tree: &'t Tree<'a>, mut node: &'t Composed<'a>) -> Result<&'t str, Error> {
    // A mapping may hold itself under that key, so the steps are bounded.
    for _ in 0..100 {
        let Kind::Map { entries, .. } = node.kind else { break };
        let entries = tree.slice(entries);
        let Some(at) = entries.iter().step_by(2).position(|key| tree.node(*key).tag.is_value()) else {
            break;
        };
        node = tree.node(entries[2 * at + 1]);
    }
    match &node.kind {
        Kind::Scalar(text) => Ok(text),
        other => {
            let problem = format!("expected a scalar node, but found {}", other.name());
            Err(Error::new(problem, node.start).with_code(code::WRONG_KIND))
        }
    }
}

/// Base64 as Python's `base64.decodebytes` takes it: what is not in the alphabet is passed over, and the first complete
/// padding ends the data.
fn binary(text: &str, node: &Composed<'_>) -> Result<Vec<u8>, Error> {
    let failed = |problem: String| Error::new(problem, node.start).with_code(code::INVALID_VALUE);
    if !text.is_ascii() {
        return Err(failed(format!("failed to convert base64 data into ascii: {}", not_ascii(text))));
    }
    decode_base64(text.as_bytes())
        .map_err(|problem| failed(format!("failed to decode base64 data: {problem}")))
}

/// The message of Python's `UnicodeEncodeError`, which names the first character that is not ASCII, or the run of them.
fn not_ascii(text: &str) -> String {
    let start = text.chars().take_while(char::is_ascii).count();
    let run: Vec<char> = text.chars().skip(start).take_while(|character| !character.is_ascii()).collect();
    if let [only] = run[..] {
        let character = repr_escape(only);
        return format!(
            "'ascii' codec can't encode character '{character}' in position {start}: ordinal not in range(128)"
        );
    }
    let last = start + run.len() - 1;
    format!("'ascii' codec can't encode characters in position {start}-{last}: ordinal not in range(128)")
}

fn repr_escape(character: char) -> String {
    match u32::from(character) {
        code @ 0..=0xff => format!("\\x{code:02x}"),
        code @ 0x100..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}
