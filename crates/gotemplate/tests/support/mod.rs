//! Functions for the comparison with Go: small ones that take each type there is. tests/differential/gotemplate has the
//! same in Go.

use kapstan_gotemplate::format::{printf, value_text};
use kapstan_gotemplate::value::{ANY_LIST, ANY_MAP, STRING_MAP};
use kapstan_gotemplate::{Call, CallError, Function, List, Map, Outcome, Type, Value};

const MAP: Type = Type::Map(&ANY_MAP);
const LIST: Type = Type::List(&ANY_LIST);

/// Each with its type of argument and result.
pub(crate) const HELPERS: &[Function] = &[
    Function::variadic("list", &[], Type::Any, LIST, |call| Ok(Value::list(call.args().to_vec()))),
    Function::new("words", &[Type::String], Type::Any, |call| {
        Ok(Value::List(List::strings(call.str(0).split_ascii_whitespace())))
    }),
    Function::new("upto", &[Type::Int], Type::Any, |call| Ok(Value::List(List::ints(0..call.int(0))))),
    Function::variadic("dict", &[], Type::Any, MAP, dict),
    Function::variadic("labels", &[], Type::String, Type::Map(&STRING_MAP), labels),
    Function::new("upper", &[Type::String], Type::String, |call| Ok(Value::str(call.str(0).to_uppercase()))),
    Function::new("quote", &[Type::Any], Type::String, |call| {
        Ok(Value::Str(printf(b"%q", &[Value::Str(value_text(call.arg(0))?)])?))
    }),
    Function::new("add", &[Type::Int, Type::Int], Type::Int, |call| {
        Ok(Value::Int(call.int(0).wrapping_add(call.int(1))))
    }),
    Function::new("wide", &[Type::Int], Type::Int64, |call| Ok(Value::Int64(call.int(0)))),
    Function::new("unsigned", &[Type::Int], Type::Uint64, |call| {
        Ok(Value::Uint64(call.int(0).cast_unsigned()))
    }),
    Function::new("half", &[Type::Float64], Type::Float64, |call| Ok(Value::Float64(call.float(0) / 2.0))),
    Function::new("flip", &[Type::Bool], Type::Bool, |call| Ok(Value::Bool(!call.bool(0)))),
    Function::new("nothing", &[], Type::Any, |_| Ok(Value::Nil)),
    Function::new("bytes", &[Type::String], Type::Bytes, |call| Ok(Value::Bytes(call.text(0).into()))),
    Function::new("size", const { &[MAP] }, Type::Int, |call| {
        Ok(Value::Int(i64::try_from(call.map(0).len()).unwrap_or(i64::MAX)))
    }),
    Function::new("count", const { &[LIST] }, Type::Int, |call| {
        Ok(Value::Int(i64::try_from(call.list(0).len()).unwrap_or(i64::MAX)))
    }),
    Function::new("set", const { &[MAP, Type::String, Type::Any] }, MAP, |call| {
        if call.map(0).is_nil() {
            return Err("assignment to entry in nil map".into());
        }
        call.map(0).insert(call.text(1), call.arg(2).clone());
        Ok(Value::Map(call.map(0)))
    }),
    Function::new("boom", &[Type::String], Type::String, |call| Err(CallError::new(call.text(0)))),
    Function::new("any", &[Type::Any], Type::Any, |call| Ok(call.arg(0).clone())),
];

fn dict(call: &mut Call<'_>) -> Outcome {
    let map = Map::new();
    for pair in call.args().chunks_exact(2) {
        map.insert(value_text(&pair[0])?, pair[1].clone());
    }
    Ok(Value::Map(map))
}

fn labels(call: &mut Call<'_>) -> Outcome {
    let upper = |value: &Value| {
        Value::str(value.as_text().map(|text| text.to_str().to_uppercase()).unwrap_or_default())
    };
    let entries = call.args().iter().filter_map(|value| Some((value.as_text()?.clone(), upper(value))));
    Ok(Value::Map(Map::typed_entries(&STRING_MAP, entries)))
}
