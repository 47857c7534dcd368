//! YAML as libyaml reads it and PyYAML writes it, in the dialects of the peers.

mod escape;
mod event;
pub mod go;
mod load;
mod reader;
mod resolve;
mod write;

pub use event::{CollectionEvent, Comment, Event, EventKind, Mark, Properties, ScalarEvent, ScalarStyle};
pub use load::{Limits, LoadOptions, load, load_all};
pub use reader::{Character, Error, ErrorParts, MAX_DEPTH, Reader, decode};
pub use resolve::{Dialect, PlainTag, plain_tag, resolve_plain};
use resolve::{go_value, is_go_timestamp};
pub use write::{Aliases, MultilineStyle, WriteOptions, write, write_documents};
