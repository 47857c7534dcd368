//! Go's text/template (of Go 1.26): the language, its values, `fmt`, and error texts with their places.
//!
//! A text and a value come in, text or an error goes out. What a function does beyond Go's builtins is left to whoever
//! registers it ([`functions`]); what a chart is, to the crate above. Nothing here prints, reads a file or a clock, or
//! keeps state beyond the objects the caller owns.
//!
//! ```
//! use kapstan_gotemplate::{Functions, Options, Set, Value};
//!
//! let mut set = Set::new("example", Functions::builtins());
//! set.parse("greeting", r#"{{ range .names }}Hello, {{ . }}!{{ "\n" }}{{ end }}"#).unwrap();
//! let names = Value::list(vec!["Ada".into(), "Grace".into()]);
//! let data = Value::map([("names", names)]);
//! let text = set.execute("greeting", data, &Options::default()).unwrap();
//! assert_eq!(text, "Hello, Ada!\nHello, Grace!\n");
//!
//! set.parse("broken", "{{ .names.first }}").unwrap();
//! let error = set.execute("broken", Value::map([("names", Value::Int(1))]), &Options::default()).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "template: broken:1:9: executing \"broken\" at <.names.first>: can't evaluate field first in type interface {}",
//! );
//! ```

pub mod format;
pub mod functions;
mod parse;
mod run;
pub mod semver;
mod set;
mod stack;
mod standard;
pub mod unicode;
pub mod value;

pub use functions::{Call, CallError, Function, Functions, Outcome};
pub use parse::ParseError;
pub use run::{Error, Frame, HelmForm, LARGE_STACK, Limits, MissingKey, Options};
pub use set::Set;
pub use stack::on_large_stack;
pub use value::{Kind, List, ListType, Map, MapType, Object, Text, Type, Value};
