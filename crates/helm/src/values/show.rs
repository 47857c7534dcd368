//! Values within messages, as Go's `fmt` shows them.

use kapstan_gotemplate::Value;

/// As `%v` shows it.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::Absent | Value::Nil => "<nil>".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) | Value::Int64(value) => value.to_string(),
        Value::Uint64(value) => value.to_string(),
        Value::Float64(value) => crate::go::float64(*value),
        Value::Str(text) => text.to_string(),
        Value::List(list) => {
            let items: Vec<String> = list.iter().map(plain).collect();
            format!("[{}]", items.join(" "))
        }
        Value::Map(map) => {
            let entries: Vec<String> =
                map.entries().iter().map(|(key, value)| format!("{key}:{}", plain(value))).collect();
            format!("map[{}]", entries.join(" "))
        }
        Value::Byte(_) | Value::Complex(..) | Value::Bytes(_) | Value::Object(_) => {
            value.type_name().to_owned()
        }
    }
}

/// As `%t` shows it, which is for booleans only.
pub(crate) fn as_bool(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Absent | Value::Nil => "%!t(<nil>)".to_owned(),
        Value::List(list) => {
            let items: Vec<String> = list.iter().map(as_bool).collect();
            format!("[{}]", items.join(" "))
        }
        Value::Map(map) => {
            let entries: Vec<String> = map
                .entries()
                .iter()
                .map(|(key, value)| format!("%!t(string={key}):{}", as_bool(value)))
                .collect();
            format!("map[{}]", entries.join(" "))
        }
        other => format!("%!t({}={})", other.type_name(), plain(other)),
    }
}
