//! TOML as `github.com/BurntSushi/toml` 1.6 writes and reads it: what Helm's `toToml` and `fromToml` are.

mod cursor;
mod error;
mod item;
mod read;
mod scalar;
mod string;
mod table;
mod text;
mod write;

pub use error::Error;
pub use item::{Entries, Item, Moment};
pub use read::load;
pub use write::{WriteError, write};
