use super::{Call, CallError, Outcome};
use crate::value::{Kind, List, Text, Type, Value};

/// `index x 1 "a"` is `x[1]["a"]`.
pub(super) fn index(call: &mut Call<'_>) -> Outcome {
    let mut item = call.arg(0).clone();
    if item.is_nil() {
        return Err("index of untyped nil".into());
    }
    for key in call.rest(1) {
        item = match &item {
            Value::Absent | Value::Nil => return Err("index of nil pointer".into()),
            Value::Map(map) => match map.get(map_key(key)?) {
                Some(value) => value,
                None => zero(map.map_type().element),
            },
            Value::List(list) => {
                let position = position(key, list.len())?;
                list.get(position).ok_or("reflect: slice index out of range")?.clone()
            }
            Value::Bytes(bytes) => {
                let position = position(key, bytes.len())?;
                Value::Byte(*bytes.get(position).ok_or("reflect: slice index out of range")?)
            }
            Value::Str(text) => {
                let position = position(key, text.len())?;
                Value::Byte(*text.get(position).ok_or("reflect: string index out of range")?)
            }
            other => return Err(format!("can't index item of type {}", element_name(other)).into()),
        };
    }
    Ok(item)
}

/// The zero value of a type: what a missing key gives.
pub(crate) fn zero(value_type: Type) -> Value {
    match value_type {
        Type::Any | Type::Object(_) => Value::Nil,
        Type::Reflect => Value::Absent,
        Type::Bool => Value::Bool(false),
        Type::Int => Value::Int(0),
        Type::Int64 => Value::Int64(0),
        Type::Byte => Value::Byte(0),
        Type::Uint32 | Type::Uint64 => Value::Uint64(0),
        Type::Float64 => Value::Float64(0.0),
        Type::Complex => Value::Complex(0.0, 0.0),
        Type::String => Value::Str(Text::default()),
        Type::Bytes => Value::Bytes([].into()),
        Type::List(list_type) => Value::List(List::nil(list_type)),
        Type::Map(map_type) => Value::Map(crate::value::Map::nil(map_type)),
    }
}

/// The type's name, of a pointer that of what it points to.
fn element_name(value: &Value) -> &'static str {
    let name = value.type_name();
    if value.kind() == Kind::Pointer { name.trim_start_matches('*') } else { name }
}

fn map_key(key: &Value) -> Result<&Text, CallError> {
    match key {
        Value::Str(text) => Ok(text),
        Value::Absent | Value::Nil => Err("value is nil; should be of type string".into()),
        other => Err(format!("value has type {}; should be string", other.type_name()).into()),
    }
}

/// An index as Go checks it: the length itself passes here and fails later.
fn position(index: &Value, length: usize) -> Result<usize, CallError> {
    let index = match index {
        Value::Int(index) | Value::Int64(index) => *index,
        Value::Byte(index) => i64::from(*index),
        Value::Uint64(index) => index.cast_signed(),
        Value::Absent | Value::Nil => return Err("cannot index slice/array with nil".into()),
        other => return Err(format!("cannot index slice/array with type {}", other.type_name()).into()),
    };
    usize::try_from(index)
        .ok()
        .filter(|index| *index <= length)
        .ok_or_else(|| format!("index out of range: {index}").into())
}

/// `slice x 1 2` is `x[1:2]`.
pub(super) fn slice(call: &mut Call<'_>) -> Outcome {
    let item = call.arg(0);
    let indexes = call.rest(1);
    if item.is_nil() {
        return Err("slice of untyped nil".into());
    }
    if indexes.len() > 3 {
        return Err(format!("too many slice indexes: {}", indexes.len()).into());
    }
    let length = match item {
        Value::Str(_) if indexes.len() == 3 => return Err("cannot 3-index slice a string".into()),
        Value::Str(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(list) => list.len(),
        other => return Err(format!("can't slice item of type {}", element_name(other)).into()),
    };
    let mut bounds = [0, length, length];
    for (at, (bound, index)) in bounds.iter_mut().zip(indexes).enumerate() {
        // Unlike `index`, this does not look into an interface.
        if call.is_interface(at + 1) {
            return Err("cannot index slice/array with type interface {}".into());
        }
        *bound = position(index, length)?;
    }
    let [start, end, capacity] = bounds;
    if start > end {
        return Err(format!("invalid slice index: {start} > {end}").into());
    }
    if end > capacity {
        return Err(format!("invalid slice index: {end} > {capacity}").into());
    }
    Ok(match item {
        Value::Str(text) => Value::Str(text[start..end].into()),
        Value::Bytes(bytes) => Value::Bytes(bytes[start..end].into()),
        Value::List(list) => Value::List(List::typed(list.list_type(), list[start..end].to_vec())),
        _ => Value::Nil,
    })
}

pub(super) fn len(call: &mut Call<'_>) -> Outcome {
    let length = match call.arg(0) {
        Value::Str(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(list) => list.len(),
        Value::Map(map) => map.len(),
        Value::Nil => return Err("len of nil pointer".into()),
        Value::Absent => return Err("reflect: call of reflect.Value.Type on zero Value".into()),
        other => return Err(format!("len of type {}", element_name(other)).into()),
    };
    Ok(Value::Int(i64::try_from(length).unwrap_or(i64::MAX)))
}
