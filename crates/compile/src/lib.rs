//! Compiles targets.
//!
//! A rendered inventory and settings come in; what each target's `parameters.kapitan` says is planned, run in
//! parallel and written as one tree. Reading the inventory, the languages of the inputs, references and files are
//! other rooms' work; drawing what happened is the program's.

pub mod project;
