//! Go's `fmt`: what `print`, `printf` and `println` make of values, and `%v`, which is how everything is shown.
//!
//! Values may be deep, contain themselves or share parts many times over, so that all of it would never end: beyond
//! [`crate::value::MAX_DEPTH`] levels or [`MOST_BYTES`] bytes this fails.

mod flags;
mod float;
mod integer;
mod printf;
mod string;
mod value;

pub use float::float;
pub use string::{quote, quote_ascii};

use crate::value::{Kind, Text, Value};
use flags::Flags;
use std::fmt;

/// How much one call may print.
pub const MOST_BYTES: usize = 256 << 20;

/// A value that is too deep, or more text than can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooBig;

impl fmt::Display for TooBig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the value is too deep or too long to be printed")
    }
}

impl std::error::Error for TooBig {}

impl From<TooBig> for crate::functions::CallError {
    fn from(error: TooBig) -> Self {
        Self::new(error.to_string())
    }
}

/// `fmt.Sprint`: `%v` of each, with a space between two that are no strings.
pub fn print(args: &[Value]) -> Result<Text, TooBig> {
    let mut printer = Printer::default();
    let is_string = |value: &Value| matches!(value, Value::Str(_));
    for (index, arg) in args.iter().enumerate() {
        if index > 0 && !is_string(arg) && !is_string(&args[index - 1]) {
            printer.out.push(b' ');
        }
        printer.argument(arg, 'v');
    }
    printer.finish()
}

/// `fmt.Sprintln`: `%v` of each, with spaces between and a newline behind.
pub fn println(args: &[Value]) -> Result<Text, TooBig> {
    let mut printer = Printer::default();
    for (index, arg) in args.iter().enumerate() {
        if index > 0 {
            printer.out.push(b' ');
        }
        printer.argument(arg, 'v');
    }
    printer.out.push(b'\n');
    printer.finish()
}

/// `fmt.Sprintf`. What does not fit becomes a mark in the text, as in Go: `%!d(string=x)`.
pub fn printf(format: &[u8], args: &[Value]) -> Result<Text, TooBig> {
    let mut printer = Printer::default();
    printer.format(format, args);
    printer.finish()
}

/// `%v`, which is also `fmt.Sprint` of one value.
pub fn value_text(value: &Value) -> Result<Text, TooBig> {
    if let Value::Str(text) = value {
        return Ok(text.clone());
    }
    print(std::slice::from_ref(value))
}

/// Appends what an action prints of a value: `%v`, save that nothing is `<no value>` and that pointers are looked
/// through.
pub(crate) fn write_action(value: &Value, out: &mut Vec<u8>) -> Result<(), TooBig> {
    match value {
        Value::Str(text) => out.extend_from_slice(text),
        Value::Absent | Value::Nil => out.extend_from_slice(b"<no value>"),
        Value::Bool(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
        // What most numbers of charts are, without the search for their digits.
        Value::Float64(value) if value.fract() == 0.0 && value.abs() < 1e6 && value.is_sign_positive() => {
            #[expect(clippy::cast_possible_truncation, reason = "it is a small integer")]
            let integer = *value as i32;
            out.extend_from_slice(itoa::Buffer::new().format(integer).as_bytes());
        }
        Value::Int(value) | Value::Int64(value) => {
            out.extend_from_slice(itoa::Buffer::new().format(*value).as_bytes());
        }
        Value::Object(object) => match object.action_text() {
            Some(text) => out.extend_from_slice(&text),
            None => {
                let start = usize::from(object.kind() == Kind::Pointer && object.string().is_none());
                out.extend_from_slice(&value_text(value)?[start..]);
            }
        },
        value => {
            let mut printer = Printer { out: std::mem::take(out), ..Printer::default() };
            printer.argument(value, 'v');
            *out = printer.out;
            if printer.is_too_big {
                return Err(TooBig);
            }
        }
    }
    Ok(())
}

/// What is being printed, with the flags of the verb at hand.
#[derive(Default)]
struct Printer {
    out: Vec<u8>,
    flags: Flags,
    /// While a mark of a bad verb is written: objects then show their fields, not their text.
    is_erroring: bool,
    is_too_big: bool,
}

impl Printer {
    fn finish(self) -> Result<Text, TooBig> {
        if self.is_too_big || self.out.len() > MOST_BYTES { Err(TooBig) } else { Ok(self.out.into()) }
    }

    fn push_str(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn push_char(&mut self, c: char) {
        self.out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
}
