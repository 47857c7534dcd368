//! YAML as libyaml reads it, in the dialects of the peers.

mod event;
mod resolve;

pub use event::{CollectionEvent, Comment, Event, EventKind, Mark, ScalarEvent, ScalarStyle};
pub use resolve::{Dialect, PlainTag, plain_tag, resolve_plain};
