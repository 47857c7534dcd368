//! JSON as Go's `encoding/json` writes and reads it.

mod text;
mod write;

pub(crate) use text::{MOST_CHARACTERS, quoted_len, valid};
pub use write::{Style, WriteError, write};
