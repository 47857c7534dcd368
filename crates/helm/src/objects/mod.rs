//! What templates find at the top: `.Chart`, `.Capabilities`, `.Files`, `.Values`, ...

mod capabilities;
mod chart;
mod chart_struct;
mod files;
mod values;

pub(crate) use capabilities::capabilities;
pub(crate) use chart::chart;
pub(crate) use files::files;
pub(crate) use values::as_values;
