//! TOML as `github.com/BurntSushi/toml` 1.6 writes it: what Helm's `toToml` is.

mod text;
mod write;

pub use write::{WriteError, write};
