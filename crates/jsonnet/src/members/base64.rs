use super::Member;
use super::arguments::Arguments;
use super::items::Items;
use crate::session::runtime_error;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jrsonnet_evaluator::{Result, Val};

pub(super) const MEMBERS: &[Member] = &[
    ("base64", &["input"], encode),
    ("base64DecodeBytes", &["str"], |given| {
        Ok(Val::arr(decode(given)?.into_iter().map(|byte| Val::Num(byte.into())).collect::<Vec<_>>()))
    }),
    ("base64Decode", &["str"], |given| {
        Ok(decode(given)?.into_iter().map(char::from).collect::<String>().into())
    }),
];

/// Characters are bytes, and so are numbers; of those below zero and of fractions the lowest bits of the integer count.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "that is what bitwise operators do"
)]
fn encode(given: &Arguments<'_>) -> Result<Val> {
    let too_large = || runtime_error("Can only base64 encode strings / arrays of single bytes.");
    let bytes: Vec<u8> = match given.value(0)? {
        Val::Str(text) => {
            let bytes =
                text.into_flat().chars().map(|character| u8::try_from(u32::from(character))).collect();
            std::result::Result::<Vec<u8>, _>::map_err(bytes, |_| too_large())?
        }
        Val::Arr(items) => {
            let byte = |item: Result<Val>| match item? {
                Val::Num(number) if number.get() < 256.0 => Ok(number.get() as i64 as u8),
                Val::Num(_) => Err(too_large()),
                other => {
                    let problem = format!(
                        "binary operator < requires matching types, got {} and number.",
                        other.value_type()
                    );
                    Err(runtime_error(&problem))
                }
            };
            items.iter().map(byte).collect::<Result<_>>()?
        }
        other => {
            let problem = format!("object comprehension needs array, got {}", other.value_type());
            return Err(runtime_error(&problem));
        }
    };
    Ok(STANDARD.encode(bytes).into())
}

/// Every four characters stand alone: padding may come in the middle, and the bits that it leaves over are not looked at.
fn decode(given: &Arguments<'_>) -> Result<Vec<u8>> {
    let value = given.value(0)?;
    let items = Items::of(&value)?;
    if items.len() % 4 != 0 {
        return Err(runtime_error(&format!(
            "Not a base64 encoded string \"{}\"",
            crate::text_of::text_of(&value)?
        )));
    }
    let mut characters = Vec::with_capacity(items.len() as usize);
    for item in items.iter() {
        match item.evaluate()? {
            Val::Str(text) => characters.push(text.into_flat().to_string()),
            other => {
                let problem = format!("object index must be string, got {}.", other.value_type());
                return Err(runtime_error(&problem));
            }
        }
    }
    let mut bytes = Vec::with_capacity(characters.len() / 4 * 3);
    for group in characters.chunks_exact(4) {
        let sixth = |index: usize| sextet(&group[index]);
        bytes.push(sixth(0)? << 2 | sixth(1)? >> 4);
        if group[2] != "=" {
            bytes.push((sixth(1)? & 15) << 4 | sixth(2)? >> 2);
        }
        if group[3] != "=" {
            bytes.push((sixth(2)? & 3) << 6 | sixth(3)?);
        }
    }
    Ok(bytes)
}

/// The six bits that a character stands for.
fn sextet(character: &str) -> Result<u8> {
    match character.as_bytes() {
        [byte @ b'A'..=b'Z'] => Ok(byte - b'A'),
        [byte @ b'a'..=b'z'] => Ok(byte - b'a' + 26),
        [byte @ b'0'..=b'9'] => Ok(byte - b'0' + 52),
        b"+" => Ok(62),
        b"/" => Ok(63),
        _ => Err(runtime_error(&format!("field does not exist: {character}"))),
    }
}
