//! How large one value may become. C++ jsonnet takes memory until there is none; an error is of more use.

use crate::session::runtime_error;
use jrsonnet_evaluator::Result;

/// Items of an array. C++ jsonnet needs gigabytes for as many.
pub(crate) const ITEMS: usize = 1 << 24;

/// Bytes of a string.
const BYTES: usize = 1 << 30;

/// Fails where an array would have too many items.
pub(crate) fn check_items(count: usize) -> Result<()> {
    if count > ITEMS { Err(runtime_error("array is too large")) } else { Ok(()) }
}

/// Fails where a string would be too long.
pub(crate) fn check_text(bytes: usize) -> Result<()> {
    if bytes > BYTES { Err(runtime_error("string is too large")) } else { Ok(()) }
}
