use super::{Json, Value};
use kapstan_document::{Shape, View};

/// What `toYaml`, `toJson` and `toToml` write, without a copy. An object is what its [`super::Object::json`] says.
impl View for Value {
    fn view<R>(&self, see: impl FnOnce(Shape<'_, Self>) -> R) -> R {
        match self {
            Self::Absent | Self::Nil => see(Shape::Null),
            Self::Bool(value) => see(Shape::Bool(*value)),
            Self::Int(value) | Self::Int64(value) => see(Shape::Int(*value)),
            Self::Byte(value) => see(Shape::Uint(u64::from(*value))),
            Self::Uint64(value) => see(Shape::Uint(*value)),
            Self::Float64(value) => see(Shape::Float(*value)),
            Self::Complex(..) => see(Shape::Unknown("complex128")),
            Self::Str(text) => see(Shape::Str(text)),
            Self::Bytes(bytes) => see(Shape::Bytes(bytes)),
            Self::List(list) if list.is_nil() => see(Shape::Null),
            Self::List(list) => see(Shape::List(list)),
            Self::Map(map) if map.is_nil() => see(Shape::Null),
            Self::Map(map) => {
                let entries = map.entries();
                see(Shape::Map(entries.iter().map(|(key, value)| (key.as_bytes(), value)).collect()))
            }
            Self::Object(object) => match object.json() {
                Json::Value(value) => value.view(see),
                Json::Struct(fields) => {
                    see(Shape::Struct(fields.iter().map(|(name, value)| (name.as_bytes(), value)).collect()))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Map;
    use super::*;
    use kapstan_document::yaml::go::MAX_WRITE_DEPTH;
    use kapstan_document::{json, yaml};

    #[test]
    fn values_are_written() {
        let value = Value::map([
            ("b", Value::list(vec![Value::Int(1), Value::Float64(1e6), Value::Nil])),
            ("a", Value::str("yes")),
            ("c", Value::Map(Map::nil(&super::super::ANY_MAP))),
        ]);
        assert_eq!(
            yaml::go::write(&value, MAX_WRITE_DEPTH).as_deref(),
            Ok("a: \"yes\"\nb:\n- 1\n- 1000000\n- null\nc: null\n")
        );
        assert_eq!(
            json::go::write(&value, json::go::Style::Compact, MAX_WRITE_DEPTH).as_deref(),
            Ok(r#"{"a":"yes","b":[1,1000000,null],"c":null}"#)
        );
        assert_eq!(
            yaml::go::write_pretty(&Value::Complex(1.0, 2.0), MAX_WRITE_DEPTH)
                .map_err(|error| error.to_string()),
            Err("cannot marshal type: complex128".to_owned())
        );
    }

    #[test]
    fn a_map_that_contains_itself_is_an_error() {
        let map = Map::new();
        map.insert("self", Value::Map(map.clone()));
        let value = Value::Map(map.clone());
        assert_eq!(yaml::go::write(&value, MAX_WRITE_DEPTH), Err(yaml::go::WriteError::TooDeep));
        assert_eq!(yaml::go::write_pretty(&value, MAX_WRITE_DEPTH), Err(yaml::go::WriteError::TooDeep));
        map.remove("self");
    }
}
