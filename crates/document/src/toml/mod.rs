//! TOML as the Python library toml 0.10.2 writes it, which is Kapitan's TOML output, and as Go's does, which is Helm's.

pub mod go;
mod sections;
mod text;

pub use sections::write;
