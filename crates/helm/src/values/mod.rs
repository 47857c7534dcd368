//! Values: what users give, what charts bring, and what comes of both.

mod assign;
mod coalesce;
mod json;
mod scan;
mod schema;
mod schema_text;
mod show;
mod table;
mod user;

pub(crate) use coalesce::{Coalescer, Nulls};
pub(crate) use schema::{check_schemas, schema_problem};
pub(crate) use show::plain;
pub(crate) use table::{deep_copy, table_at, table_of, value_at, value_of};
pub use user::{ValueContext, ValueOptions, user_values};
