//! What `helm template` is asked for, as data: its flags, what they come to, and how that is carried out.

mod flags;
mod request;
mod run;

pub use flags::{DEPENDENCY_FLAGS, Effect, FLAGS, Flag, GLOBAL_FLAGS};
pub use request::Request;
pub use run::{Answer, Context};
