//! What went wrong, where, and the way there: data only.
//!
//! Engines put the files that they read into [`Sources`], keep a [`Span`] with every value, and report what is
//! wrong as a [`Diagnostic`]. Nothing is printed here: the program draws diagnostics for people, for pipes and
//! as JSON.

mod diagnostic;
mod sources;

pub use diagnostic::{Checked, Code, Diagnostic, Frame, Label, Outcome, Severity};
pub use sources::{Position, Source, SourceId, Sources, Span};
mod near;
pub use near::nearest;
