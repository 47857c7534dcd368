//! From text to trees.

pub(crate) mod ast;
mod error;
mod lexer;
pub(crate) mod literal;
mod operands;
mod parser;
pub(crate) mod print;
mod token;

pub use error::ParseError;
pub(crate) use parser::parse;
