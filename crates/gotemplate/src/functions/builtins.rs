use super::compare::{equal, greater, greater_or_equal, less, less_or_equal, not_equal};
use super::escape::{html, js, urlquery};
use super::index::{index, len, slice};
use super::{Call, EntryBody, Function, Outcome};
use crate::format;
use crate::value::{Type, Value};

/// Go's builtin functions, but for those that are part of the language.
pub(super) const ROWS: &[Function] = &[
    Function::variadic("eq", &[Type::Reflect], Type::Reflect, Type::Bool, equal),
    Function::new("ge", &[Type::Reflect, Type::Reflect], Type::Bool, greater_or_equal),
    Function::new("gt", &[Type::Reflect, Type::Reflect], Type::Bool, greater),
    Function::variadic("html", &[], Type::Any, Type::String, html),
    Function::variadic("index", &[Type::Reflect], Type::Reflect, Type::Reflect, index),
    Function::variadic("js", &[], Type::Any, Type::String, js),
    Function::new("le", &[Type::Reflect, Type::Reflect], Type::Bool, less_or_equal),
    Function::new("len", &[Type::Reflect], Type::Int, len),
    Function::new("lt", &[Type::Reflect, Type::Reflect], Type::Bool, less),
    Function::new("ne", &[Type::Reflect, Type::Reflect], Type::Bool, not_equal),
    Function::new("not", &[Type::Reflect], Type::Bool, not),
    Function::variadic("print", &[], Type::Any, Type::String, print),
    Function::variadic("printf", &[Type::String], Type::Any, Type::String, printf),
    Function::variadic("println", &[], Type::Any, Type::String, println),
    Function::variadic("slice", &[Type::Reflect], Type::Reflect, Type::Reflect, slice),
    Function::variadic("urlquery", &[], Type::Any, Type::String, urlquery),
];

/// Those that the evaluator does itself: their rows say only what they take.
pub(super) fn special() -> [(Function, EntryBody); 3] {
    let row =
        |name| Function::variadic(name, &[Type::Reflect], Type::Reflect, Type::Reflect, |_| Ok(Value::Nil));
    [(row("and"), EntryBody::And), (row("or"), EntryBody::Or), (row("call"), EntryBody::CallValue)]
}

fn not(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Bool(!call.arg(0).is_truthy()))
}

fn print(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Str(format::print(call.args())?))
}

fn printf(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Str(format::printf(call.text(0), call.rest(1))?))
}

fn println(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Str(format::println(call.args())?))
}
