//! Compiles targets.
//!
//! A rendered inventory and settings come in; what each target's `parameters.kapitan` says is planned, run in
//! parallel and written as one tree. Reading the inventory, the languages of the inputs, references and files are
//! other rooms' work; drawing what happened is the program's.

pub mod project;

mod evaluate;
mod host;
mod inputs;
mod item;
mod output;
pub mod reads;
mod run;
mod search;
mod selection;
mod settings;
mod staged;
mod targets;
mod topics;

pub use evaluate::{EvaluateRequest, evaluate};
pub use host::{Finished, Host, Progress};
pub use run::{CompileRequest, CompiledTarget, compile, render_all};
pub use selection::has_labels;
pub use settings::{CompileSettings, Wanted};
pub use staged::{Change, Staged};
pub use targets::{Problems, ShownTarget, Targets, Variables};
pub use topics::Topics;
