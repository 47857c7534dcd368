//! Kapitan's own filters: one line each in one table.

mod data;
mod encode;
mod regex;
mod shuffle;
mod twister;

use crate::filters::{Filter, filter, raw};

/// The table.
pub(crate) const FILTERS: &[Filter] = &[
    filter("sha256", "sha256_string", 0, 1, &["string"], encode::sha256),
    filter("b64encode", "base64_encode", 0, 1, &["string"], encode::b64encode),
    filter("b64decode", "base64_decode", 0, 1, &["string"], encode::b64decode),
    filter("yaml", "to_yaml", 0, 1, &["obj"], data::yaml),
    filter("toml", "to_toml", 0, 1, &["obj"], data::toml),
    filter("fileglob", "fileglob", 0, 1, &["pathname"], data::fileglob),
    filter("bool", "to_bool", 0, 1, &["a"], data::to_bool),
    filter("to_datetime", "to_datetime", 0, 1, &["string", "format", "tz"], data::to_datetime),
    filter("strftime", "strftime", 0, 1, &["string_format", "second"], data::strftime),
    filter(
        "regex_replace",
        "regex_replace",
        0,
        0,
        &["value", "pattern", "replacement", "ignorecase"],
        regex::replace,
    ),
    filter("regex_escape", "regex_escape", 0, 1, &["string"], regex::escape),
    raw("regex_search", regex::search),
    filter(
        "regex_findall",
        "regex_findall",
        0,
        2,
        &["value", "regex", "multiline", "ignorecase"],
        regex::findall,
    ),
    filter("reveal_maybe", "reveal_maybe", 0, 1, &["ref_tag"], data::reveal_maybe),
    filter("ternary", "ternary", 0, 3, &["value", "true_val", "false_val", "none_val"], data::ternary),
    filter("shuffle", "randomize_list", 0, 1, &["mylist", "seed"], shuffle::shuffle),
    filter("merge_strategic", "merge_strategic", 0, 1, &["data"], data::merge_strategic),
];
