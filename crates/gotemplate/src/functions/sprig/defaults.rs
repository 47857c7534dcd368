//! Functions that choose, and that look at types.

use super::give;
use super::values::{deep_equal, is_empty};
use crate::functions::{Call, Function, Outcome};
use crate::value::{Type, Value};
use Type::{Any, Bool, String as Str};

pub(super) const ROWS: &[Function] = &[
    Function::variadic("default", &[Any], Any, Any, default),
    Function::new("empty", &[Any], Bool, |call| give(is_empty(call.arg(0)))),
    Function::variadic("coalesce", &[], Any, Any, |call| {
        Ok(call.args().iter().find(|value| !is_empty(value)).cloned().unwrap_or(Value::Nil))
    }),
    Function::variadic("all", &[], Any, Bool, |call| give(!call.args().iter().any(is_empty))),
    Function::variadic("any", &[], Any, Bool, |call| give(!call.args().iter().all(is_empty))),
    Function::new("ternary", &[Any, Any, Bool], Any, |call| {
        Ok(call.arg(if call.bool(2) { 0 } else { 1 }).clone())
    }),
    Function::new("typeOf", &[Any], Str, |call| give(call.arg(0).type_name())),
    Function::new("typeIs", &[Str, Any], Bool, |call| {
        give(call.text(0) == call.arg(1).type_name().as_bytes())
    }),
    Function::new("typeIsLike", &[Str, Any], Bool, type_is_like),
    Function::new("kindOf", &[Any], Str, |call| give(call.arg(0).kind().name())),
    Function::new("kindIs", &[Str, Any], Bool, |call| {
        give(call.text(0) == call.arg(1).kind().name().as_bytes())
    }),
    Function::new("deepEqual", &[Any, Any], Bool, |call| give(deep_equal(call.arg(0), call.arg(1))?)),
];

fn default(call: &mut Call<'_>) -> Outcome {
    let given = call.rest(1).first().filter(|given| !is_empty(given));
    Ok(given.unwrap_or(call.arg(0)).clone())
}

fn type_is_like(call: &mut Call<'_>) -> Outcome {
    let (wanted, name) = (call.text(0), call.arg(1).type_name().as_bytes());
    give(wanted == name || name.strip_prefix(b"*") == Some(wanted))
}
