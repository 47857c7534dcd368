use std::sync::Arc;
use std::time::SystemTime;

/// A file of a chart.
#[derive(Clone, Debug)]
pub struct File {
    /// The path within the chart, with `/`.
    pub name: String,
    /// The content, without a byte order mark.
    pub data: Arc<[u8]>,
    /// When it was last modified, where that is known.
    pub modified: Option<SystemTime>,
}

/// The content of a file without the byte order mark at its start.
pub(crate) fn without_mark(data: Arc<[u8]>) -> Arc<[u8]> {
    match data.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => rest.into(),
        None => data,
    }
}
