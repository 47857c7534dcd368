//! JSON as Python's `json` module writes it.

mod write;

pub use write::{WriteOptions, write, write_with};
