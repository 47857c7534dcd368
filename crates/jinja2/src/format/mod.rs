//! Python's ways to put values into text: `%`, `str.format` and their mini-languages.

mod braces;
mod number;
mod percent;

pub(crate) use braces::{format, format_map};
pub(crate) use number::{Spec, fixed};
pub(crate) use percent::percent;
