//! The one document model: what a YAML, JSON or TOML file holds, with the place of every key and value, and the
//! readers and writers of the dialects that kapstan's peers speak.
//!
//! Bytes come in, [`Node`]s go out, and the other way round. Containers are shared: cloning a node is cheap, and
//! changing one copies only what is shared ([`Node::as_map_mut`], [`Node::as_seq_mut`]). What a value means to an
//! engine (merging, references, resources) is left to that engine.

mod blanks;
mod go_float;
pub mod go_unicode;
pub mod json;
mod key_order;
pub mod lookup;
mod map;
mod member;
mod prune;
pub mod python;
mod scalar;
mod short_strings;
pub mod toml;
mod value;
mod view;
mod witness;
mod write_error;
pub mod yaml;

pub use map::Map;
pub use member::Member;
pub use prune::prune;
pub use scalar::{Date, DateTime, Int, Scalar};
pub use value::{Key, Node, Value};
pub use view::{Shape, View};
pub use witness::{Place, Witness};
pub use write_error::WriteError;

/// Where a value stands; see [`kapstan_diagnostic::Span`].
pub use kapstan_diagnostic::Span;

/// An immutable string that many values share.
pub type Text = std::sync::Arc<str>;
