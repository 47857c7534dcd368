//! Values within messages, as Go's `fmt` shows them.

use kapstan_gotemplate::Value;
use kapstan_gotemplate::format::printf;

/// As `%v` shows it.
pub(crate) fn plain(value: &Value) -> String {
    shown(b"%v", value)
}

/// As `%t` shows it, which is for booleans only.
pub(crate) fn as_bool(value: &Value) -> String {
    shown(b"%t", value)
}

fn shown(format: &[u8], value: &Value) -> String {
    printf(format, std::slice::from_ref(value)).map(|text| text.to_string()).unwrap_or_default()
}
