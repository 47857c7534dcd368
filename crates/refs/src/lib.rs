//! Kapitan's references: tags like `?{base64:path/to/secret}` in inputs and outputs, the files that hold what they
//! stand for, and the functions that create it.
//!
//! Settings and a [`Host`] come in; [`References`] compiles or reveals the tags of texts and documents, and creates
//! references that are not there. [`command`] is what `kapstan refs` does, as data. Nothing here talks to a key
//! service: references of such back-ends compile, revealing them is an error that says so. Secrets appear in results
//! only: no error, warning or `Debug` form holds one.

mod backend;
pub mod command;
mod error;
mod functions;
mod host;
mod new;
mod process;
mod python;
mod reference;
mod references;
mod secret;
mod secret_text;
mod store;
mod tag;
#[cfg(test)]
mod tests;
mod vault;

pub use backend::Backend;
pub use error::{Error, Raised};
pub use host::{Environment, Randomness, RefStore, SystemRandomness};
pub use references::{Context, Host, Observer, References, Settings};
pub use secret::Secret;
pub use store::DiskStore;
pub use tag::{Tag, may_hold_tag, tags};
