//! Jinja2's tests (`x is ...`): one line each in one table.

use crate::ast::CompareOp;
use crate::error::Outcome;
use crate::filters::{Call, Filter, builtin, filter};
use crate::ops;
use crate::print;
use crate::run::Bound;
use crate::value::{Object, Value};

/// The table.
pub(crate) const TESTS: &[Filter] = &[
    filter("odd", "test_odd", 0, 1, &["value"], |call, args| modulo(call, args.value(0), &Value::int(2), 1)),
    filter("even", "test_even", 0, 1, &["value"], |call, args| {
        modulo(call, args.value(0), &Value::int(2), 0)
    }),
    filter("divisibleby", "test_divisibleby", 0, 2, &["value", "num"], |call, args| {
        modulo(call, args.value(0), args.value(1), 0)
    }),
    filter("defined", "test_defined", 0, 1, &["value"], |_, args| yes(!is_undefined(args.value(0)))),
    filter("undefined", "test_undefined", 0, 1, &["value"], |_, args| yes(is_undefined(args.value(0)))),
    filter("filter", "test_filter", 1, 1, &["value"], |call, args| known(call, args.value(0), "filter")),
    filter("test", "test_test", 1, 1, &["value"], |call, args| known(call, args.value(0), "test")),
    filter("none", "test_none", 0, 1, &["value"], |_, args| yes(matches!(args.value(0), Value::None))),
    filter("boolean", "test_boolean", 0, 1, &["value"], |_, args| {
        yes(matches!(args.value(0), Value::Bool(_)))
    }),
    filter("false", "test_false", 0, 1, &["value"], |_, args| {
        yes(matches!(args.value(0), Value::Bool(false)))
    }),
    filter("true", "test_true", 0, 1, &["value"], |_, args| yes(matches!(args.value(0), Value::Bool(true)))),
    filter("integer", "test_integer", 0, 1, &["value"], |_, args| {
        yes(matches!(args.value(0), Value::Int(_)))
    }),
    filter("float", "test_float", 0, 1, &["value"], |_, args| yes(matches!(args.value(0), Value::Float(_)))),
    filter("lower", "test_lower", 0, 1, &["value"], |_, args| cased(args, "islower")),
    filter("upper", "test_upper", 0, 1, &["value"], |_, args| cased(args, "isupper")),
    filter("string", "test_string", 0, 1, &["value"], |_, args| yes(args.value(0).as_str().is_some())),
    filter("mapping", "test_mapping", 0, 1, &["value"], |_, args| {
        yes(matches!(args.value(0), Value::Dict(_)))
    }),
    filter("number", "test_number", 0, 1, &["value"], |_, args| {
        yes(matches!(args.value(0), Value::Int(_) | Value::Float(_) | Value::Bool(_)))
    }),
    filter("sequence", "test_sequence", 0, 1, &["value"], |_, args| yes(is_sequence(args.value(0)))),
    filter("iterable", "test_iterable", 0, 1, &["value"], |call, args| is_iterable(call, args.value(0))),
    builtin("callable", "callable", 1, |_, args| yes(is_callable(&args[0]))),
    filter("sameas", "test_sameas", 0, 2, &["value", "other"], |_, args| {
        yes(args.value(0).is_same(args.value(1)))
    }),
    filter("escaped", "test_escaped", 0, 1, &["value"], |_, args| {
        yes(matches!(args.value(0), Value::Markup(_)))
    }),
    filter("in", "test_in", 0, 2, &["value", "seq"], |call, args| {
        ops::contains(call.run, args.value(1), args.value(0)).map(Value::Bool)
    }),
    builtin("==", "eq", 2, |call, args| compare(call, CompareOp::Eq, args)),
    builtin("eq", "eq", 2, |call, args| compare(call, CompareOp::Eq, args)),
    builtin("equalto", "eq", 2, |call, args| compare(call, CompareOp::Eq, args)),
    builtin("!=", "ne", 2, |call, args| compare(call, CompareOp::Ne, args)),
    builtin("ne", "ne", 2, |call, args| compare(call, CompareOp::Ne, args)),
    builtin(">", "gt", 2, |call, args| compare(call, CompareOp::Gt, args)),
    builtin("gt", "gt", 2, |call, args| compare(call, CompareOp::Gt, args)),
    builtin("greaterthan", "gt", 2, |call, args| compare(call, CompareOp::Gt, args)),
    builtin("ge", "ge", 2, |call, args| compare(call, CompareOp::GtEq, args)),
    builtin(">=", "ge", 2, |call, args| compare(call, CompareOp::GtEq, args)),
    builtin("<", "lt", 2, |call, args| compare(call, CompareOp::Lt, args)),
    builtin("lt", "lt", 2, |call, args| compare(call, CompareOp::Lt, args)),
    builtin("lessthan", "lt", 2, |call, args| compare(call, CompareOp::Lt, args)),
    builtin("<=", "le", 2, |call, args| compare(call, CompareOp::LtEq, args)),
    builtin("le", "le", 2, |call, args| compare(call, CompareOp::LtEq, args)),
];

fn yes(holds: bool) -> Outcome<Value> {
    Ok(Value::Bool(holds))
}

fn is_undefined(value: &Value) -> bool {
    matches!(value, Value::Undefined(_))
}

fn modulo(call: &Call<'_>, value: &Value, by: &Value, rest: i64) -> Outcome<Value> {
    let found = ops::binary(call.run, crate::ast::BinaryOp::Mod, value, by)?;
    ops::equal(call.run, &found, &Value::int(rest)).map(Value::Bool)
}

fn cased(args: &Bound, method: &str) -> Outcome<Value> {
    yes(crate::methods::is_text(&print::str(args.value(0))?, method))
}

fn known(call: &Call<'_>, name: &Value, kind: &str) -> Outcome<Value> {
    let known = &call.run.env.known;
    let table = if kind == "filter" { &known.filters } else { &known.tests };
    if name.as_str().is_none() {
        crate::value::Key::of(name)?;
    }
    yes(name.as_str().is_some_and(|name| table.contains_key(&**name)))
}

fn is_sequence(value: &Value) -> bool {
    match value {
        Value::Str(_)
        | Value::Markup(_)
        | Value::Bytes(_)
        | Value::Tuple(_)
        | Value::List(_)
        | Value::Dict(_)
        | Value::Range(_) => true,
        Value::Undefined(undefined) => !undefined.strict,
        _ => false,
    }
}

fn is_iterable(call: &Call<'_>, value: &Value) -> Outcome<Value> {
    match call.run.iterate(value) {
        Ok(_) => yes(true),
        Err(error) if error.class == crate::error::Class::Type => yes(false),
        Err(error) => Err(error),
    }
}

fn is_callable(value: &Value) -> bool {
    match value {
        Value::Undefined(_) => true,
        Value::Object(object) => matches!(
            **object,
            Object::Macro { .. }
                | Object::Loop(_)
                | Object::Block { .. }
                | Object::Joiner { .. }
                | Object::Method { .. }
                | Object::Builtin(_)
                | Object::Host { .. }
        ),
        _ => false,
    }
}

fn compare(call: &Call<'_>, op: CompareOp, args: &[Value]) -> Outcome<Value> {
    ops::compare(call.run, op, &args[0], &args[1]).map(Value::Bool)
}
