//! YAML as libyaml reads it, in the dialects of the peers.

mod event;

pub use event::{CollectionEvent, Comment, Event, EventKind, Mark, ScalarEvent, ScalarStyle};
