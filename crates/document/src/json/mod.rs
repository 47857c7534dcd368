//! JSON as Python's `json` module reads and writes it, and as Go's `encoding/json` does.

mod error;
pub mod go;
mod read;
mod read_string;
mod write;

pub use error::Error;
pub use read::load;
pub use write::{WriteOptions, write, write_with};
