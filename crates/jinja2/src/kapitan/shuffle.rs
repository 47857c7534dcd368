use super::twister::{Twister, float_hash};
use crate::error::{Class, Outcome};
use crate::filters::Call;
use crate::ops;
use crate::run::Bound;
use crate::value::Value;
use num_bigint::BigUint;
use sha2::{Digest, Sha512};

pub(super) fn shuffle(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let value = args.value(0);
    // Kapitan swallows every error here and returns what it has by then.
    let mut items = match call.run.items(value) {
        Err(error) if error.class != Class::Budget => return Ok(value.clone()),
        items => items?,
    };
    let seed = match args.value(1) {
        seed if ops::is_true(seed).is_ok_and(|is_true| is_true) => match seed_of(seed) {
            Some(seed) => seed,
            None => return Ok(Value::list(items)),
        },
        Value::Undefined(_) => return Ok(Value::list(items)),
        _ => BigUint::from(call.run.random()),
    };
    let mut twister = Twister::new(&seed);
    for last in (1..items.len()).rev() {
        let limit = u32::try_from(last + 1).unwrap_or(u32::MAX);
        let other = twister.below(limit);
        items.swap(last, usize::try_from(other).unwrap_or(0));
    }
    Ok(Value::list(items))
}

/// The number that CPython makes of a seed; none for what it refuses.
fn seed_of(seed: &Value) -> Option<BigUint> {
    match seed {
        Value::Float(value) => Some(BigUint::from(float_hash(*value))),
        Value::Bytes(bytes) => Some(digested(bytes)),
        value => match (value.as_str(), value.as_int()) {
            (Some(text), _) => Some(digested(text.as_bytes())),
            (_, Some(int)) => Some(int.to_big().into_parts().1),
            _ => None,
        },
    }
}

fn digested(bytes: &[u8]) -> BigUint {
    let mut all = bytes.to_vec();
    all.extend(Sha512::digest(bytes));
    BigUint::from_bytes_be(&all)
}
