//! The functions of sprig 3.3, as Helm offers them: with their quirks and the texts of their errors.
//!
//! One file a family, each a table of rows. What functions need of the world (clock, zones, randomness) is a [`Host`]
//! that comes with the options of an execution.

mod cases;
mod conversions;
mod crypto;
mod dates;
mod decimal;
mod defaults;
mod dicts;
mod encoding;
mod from_toml;
mod host;
mod lists;
mod merge;
mod numbers;
mod paths;
mod random;
mod regexes;
mod strings;
mod times;
mod values;
mod versions;
mod words;

pub use host::{Clock, FixedClock, Host, Names, Random, Zone};

use super::{Function, Functions, Outcome};
use crate::value::Value;

/// All families.
const FAMILIES: &[&[Function]] = &[
    cases::ROWS,
    conversions::ROWS,
    crypto::ROWS,
    dates::ROWS,
    defaults::ROWS,
    dicts::ROWS,
    encoding::ROWS,
    lists::ROWS,
    numbers::ROWS,
    paths::ROWS,
    random::ROWS,
    regexes::ROWS,
    strings::ROWS,
    versions::ROWS,
    words::ROWS,
];

/// Go's builtins and sprig's functions over them; without `env` and `expandenv`, which Helm does not offer.
pub fn functions() -> Functions {
    FAMILIES.iter().fold(Functions::builtins(), |functions, rows| functions.with(rows))
}

/// What most bodies end with.
fn give(value: impl Into<Given>) -> Outcome {
    Ok(value.into().0)
}

/// Whatever can be a value, bytes included.
struct Given(Value);

macro_rules! given_from {
    ($($from:ty),*) => {$(
        impl From<$from> for Given {
            fn from(value: $from) -> Self {
                Self(Value::from(value))
            }
        }
    )*};
}

given_from!(bool, f64, &str, String, crate::value::Text, crate::value::List, crate::value::Map);

impl From<&[u8]> for Given {
    fn from(bytes: &[u8]) -> Self {
        Self(Value::str(bytes))
    }
}

impl From<Vec<u8>> for Given {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Value::str(bytes))
    }
}
