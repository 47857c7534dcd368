//! jsonnet as Kapitan evaluates it.
//!
//! A file and the [`Host`] that it may ask come in, a [`kapstan_document::Node`] goes out, or one diagnostic that holds
//! the text C++ jsonnet would print. jrsonnet does the evaluating; what is here makes it answer as C++ jsonnet 0.21 does
//! inside Kapitan: how imports are found, the native functions and the library `lib/kapitan.libjsonnet`, the members of
//! `std` that differ, and the messages. Inventories are not copied into jsonnet: objects over them convert what is
//! asked for.
//!
//! One [`Evaluator`] serves one thread: jrsonnet's values belong to the thread that made them. It keeps what it parsed.
//! The thread needs a large stack, see [`STACK_SIZE`].

mod bounds;
mod deflate;
mod desugar;
mod evaluator;
mod failure;
mod format;
mod host;
mod imports;
mod loops;
mod manifest;
mod members;
mod natives;
mod nesting;
mod number_text;
mod opaque;
mod operators;
mod peer_words;
mod python_path;
mod session;
mod slashes;
mod standard;
mod steps;
mod tail_calls;
mod text_of;
mod value;

pub use evaluator::{Evaluation, Evaluator, STACK_SIZE};
pub use host::{Host, Watched};
