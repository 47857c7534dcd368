//! Python's operators.

mod arithmetic;
mod compare;
mod index;

pub(crate) use arithmetic::{add, binary, float_of, negate, positive};
pub(crate) use compare::{compare, contains, equal, is_true, less, sort_by_keys};
pub(crate) use index::{count_of, get_attribute, get_item, item, slice};
