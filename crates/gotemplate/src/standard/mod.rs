//! What functions need of Go's standard library, with its results and its error texts: runes, numbers in text,
//! paths, URLs, encodings, times and regular expressions. Strings are bytes throughout, as Go's are.

pub(crate) mod base32;
pub(crate) mod base64;
pub(crate) mod json;
pub(crate) mod number;
pub(crate) mod path;
pub(crate) mod regexp;
pub(crate) mod runes;
pub(crate) mod strings;
pub(crate) mod time;
pub(crate) mod url;
