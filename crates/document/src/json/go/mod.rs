//! JSON as Go's `encoding/json` writes and reads it.

mod error;
mod read;
mod text;
mod write;

pub use error::Error;
pub(crate) use error::wrong_kind;
pub use read::{expect_list, expect_map, load};
pub(crate) use text::{MOST_CHARACTERS, quoted_len, valid};
pub use write::{Style, WriteError, write};
