//! Go's text/template (of Go 1.26): the language, its values, `fmt`, and error texts with their places.
//!
//! A text and a value come in, text or an error goes out. What a function does beyond Go's builtins is left to whoever
//! registers it ([`functions`]); what a chart is, to the crate above. Nothing here prints, reads a file or a clock, or
//! keeps state beyond the objects the caller owns.

pub mod functions;
pub mod semver;
mod standard;
pub mod value;

pub use functions::{Call, CallError, Function, Functions, Outcome};
pub use value::{Kind, List, ListType, Map, MapType, Object, Text, Type, Value};
