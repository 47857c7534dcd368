//! What `parameters.kapitan` of a target says: read, checked and completed with defaults.
//!
//! The tables here are Kapitan's models (0.36): each field once, with its shape and its default. From them come the
//! typed values that the compile run uses and the document that templates and `inventory` show.

mod dependency;
mod field;
mod input_type;
mod item;
mod secrets;
mod target;

pub use input_type::{INPUT_TYPES, InputType};
pub use item::{Item, OutputType};
pub use target::{Project, show_parameters};
