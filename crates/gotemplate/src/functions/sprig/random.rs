//! Random texts and numbers.

use super::give;
use super::host::{Random, with_random};
use super::strings::check_size;
use crate::functions::{Call, CallError, Function, Outcome};
use crate::standard::{base64, runes};
use crate::value::{Type, Value};
use Type::{Int, String as Str};

pub(super) const ROWS: &[Function] = &[
    Function::new("randAlphaNum", &[Int], Str, |call| random_text(call, |byte| byte.is_ascii_alphanumeric())),
    Function::new("randAlpha", &[Int], Str, |call| random_text(call, |byte| byte.is_ascii_alphabetic())),
    Function::new("randNumeric", &[Int], Str, |call| random_text(call, |byte| byte.is_ascii_digit())),
    Function::new("randAscii", &[Int], Str, |call| random_text(call, |_| true)),
    Function::new("randBytes", &[Int], Str, random_bytes),
    Function::new("randInt", &[Int, Int], Int, random_int),
    Function::new("shuffle", &[Str], Str, shuffle),
    Function::new("uuidv4", &[], Str, uuid),
];

/// So many printable characters of those that are wanted; none where fewer than none are asked for.
fn random_text(call: &mut Call<'_>, wanted: fn(&u8) -> bool) -> Outcome {
    let count = usize::try_from(call.int(0)).unwrap_or(0);
    check_size(count)?;
    let alphabet: Vec<u8> = (b' '..=b'~').filter(wanted).collect();
    let text = with_random(call, |random| {
        (0..count)
            .map(|_| Ok(alphabet[usize::try_from(random.below(alphabet.len() as u64)?).unwrap_or(0)]))
            .collect::<Result<Vec<u8>, CallError>>()
    });
    give(text?)
}

fn random_bytes(call: &mut Call<'_>) -> Outcome {
    let count = usize::try_from(call.int(0)).map_err(|_| "runtime error: makeslice: len out of range")?;
    check_size(count)?;
    let mut bytes = vec![0; count];
    with_random(call, |random| random.fill(&mut bytes))?;
    give(base64::encode(&bytes))
}

fn random_int(call: &mut Call<'_>) -> Outcome {
    let (low, high) = (call.int(0), call.int(1));
    let span = high.wrapping_sub(low);
    let span = u64::try_from(span).ok().filter(|span| *span > 0).ok_or("invalid argument to Intn")?;
    let number = with_random(call, |random| random.below(span))?;
    Ok(Value::Int(low.wrapping_add_unsigned(number)))
}

fn shuffle(call: &mut Call<'_>) -> Outcome {
    let mut shuffled: Vec<char> = runes::runes(call.text(0)).map(|(rune, _)| rune).collect();
    with_random(call, |random| {
        for place in (1..shuffled.len()).rev() {
            shuffled.swap(place, usize::try_from(random.below(place as u64 + 1)?).unwrap_or(place));
        }
        Ok::<(), CallError>(())
    })?;
    give(shuffled.into_iter().collect::<String>())
}

fn uuid(call: &mut Call<'_>) -> Outcome {
    let mut bytes: [u8; 16] = with_random(call, Random::bytes)?;
    bytes[6] = bytes[6] & 0x0F | 0x40;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let hexadecimal = format!("{:032x}", u128::from_be_bytes(bytes));
    let groups = [0..8, 8..12, 12..16, 16..20, 20..32].map(|group| &hexadecimal[group]);
    give(groups.join("-"))
}

#[cfg(test)]
mod tests {
    use crate::functions::sprig::functions;
    use crate::value::Value;

    #[test]
    fn makes_texts_of_the_wanted_characters() {
        let call = |name, args: &[Value]| functions().call(name, args).unwrap();
        let text = |name, count| {
            String::from_utf8(call(name, &[Value::Int(count)]).as_text().unwrap().to_vec()).unwrap()
        };
        assert!(text("randAlpha", 50).bytes().all(|byte| byte.is_ascii_alphabetic()));
        assert!(text("randNumeric", 50).bytes().all(|byte| byte.is_ascii_digit()));
        assert_eq!(text("randAscii", 50).len(), 50);
        assert_eq!(text("randAlphaNum", -1), "");
        assert_eq!(text("randBytes", 3).len(), 4);
        let uuid = call("uuidv4", &[]);
        let uuid = uuid.as_text().unwrap().to_str().into_owned();
        assert_eq!((uuid.len(), &uuid[14..15], &uuid[8..9]), (36, "4", "-"));
        let mut letters =
            call("shuffle", &[Value::str("héllo")]).as_text().unwrap().to_str().chars().collect::<Vec<_>>();
        letters.sort_unstable();
        assert_eq!(letters, ['h', 'l', 'l', 'o', 'é']);
        let number = call("randInt", &[Value::Int(5), Value::Int(6)]);
        assert!(matches!(number, Value::Int(5)));
    }
}
