//! TOML as the Python library toml 0.10.2 writes it: what Kapitan's TOML output is.

mod sections;
mod text;

pub use sections::write;
