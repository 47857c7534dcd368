//! Jinja2 as Kapitan has it: the language of Jinja2 3.1, Python's values, Kapitan's filters, and the error texts of all
//! three.
//!
//! An [`Environment`] renders templates that its [`Host`] loads. A [`Context`] names what a template sees: documents,
//! mappings that are computed on demand, functions. Documents are shared with their owner and never copied as a whole;
//! what a template changes, it changes for its own render only.
//!
//! Templates are parsed once and shared by threads. Renders are bounded ([`Limits`]): no template runs for ever, takes
//! all memory or overflows the stack.

mod ast;
mod compile;
mod environment;
mod error;
mod filters;
mod format;
mod globals;
mod kapitan;
mod lexer;
mod literal;
mod markup;
mod methods;
mod ops;
mod parser;
mod print;
mod program;
mod run;
mod stack;
mod tests;
mod text;
mod time;
mod value;

pub use environment::{
    Context, Entry, Environment, Function, Host, Limits, LoadError, Mapping, Source, Templates,
};
pub use error::{Class, Frame, Part, RenderError};
