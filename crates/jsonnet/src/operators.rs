use crate::bounds::{check_items, check_text};
use crate::failure::shortened;
use crate::format::format;
use crate::session::runtime_error;
use crate::text_of::text_of;
use jrsonnet_evaluator::function::builtin::Builtin;
use jrsonnet_evaluator::function::{CallLocation, FunctionSignature, ParamDefault, ParamName, ParamParse};
use jrsonnet_evaluator::val::{ArrValue, StrValue};
use jrsonnet_evaluator::{NumValue, ObjValue, Result, Thunk, Val, ensure_sufficient_stack};
use jrsonnet_gcmodule::Trace;
use std::any::Any;

pub(crate) const PLUS: &str = "kapstan__plus";
pub(crate) const TIMES: &str = "kapstan__times";
pub(crate) const FORMAT_OR_MODULO: &str = "kapstan__modulo";
pub(crate) const EQUAL: &str = "kapstan__equal";
pub(crate) const TRACE: &str = "kapstan__trace";

/// A function of two values in place of an operator, or of a member of `std` that is one.
pub(crate) type Operation = fn(&Val, &Val) -> Result<Val>;

/// The operators that are calls after [`crate::desugar`].
pub(crate) const OPERATORS: &[(&str, Operation)] =
    &[(PLUS, plus), (TIMES, times), (FORMAT_OR_MODULO, format_or_modulo), (EQUAL, equal)];

/// An [`Operation`] as a function value.
#[derive(Trace)]
pub(crate) struct Operator {
    #[trace(skip)]
    name: &'static str,
    #[trace(skip)]
    signature: FunctionSignature,
    #[trace(skip)]
    operation: Operation,
}

impl Operator {
    pub(crate) fn new(name: &'static str, parameters: [&str; 2], operation: Operation) -> Self {
        let parameter = |name: &str| ParamParse::new(ParamName::Named(name.into()), ParamDefault::None);
        Self { name, signature: FunctionSignature::new(parameters.map(parameter).into()), operation }
    }
}

impl Builtin for Operator {
    fn name(&self) -> &str {
        self.name
    }

    fn params(&self) -> FunctionSignature {
        self.signature.clone()
    }

    fn call(&self, _location: CallLocation<'_>, arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
        let [Some(left), Some(right)] = arguments else {
            return Err(runtime_error("an operator takes two values"));
        };
        let operation = || (self.operation)(&left.evaluate()?, &right.evaluate()?);
        operation().map_err(shortened)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

pub(crate) fn plus(left: &Val, right: &Val) -> Result<Val> {
    Ok(match (left, right) {
        (Val::Str(left), Val::Str(right)) => joined(left.clone(), right.clone())?,
        (Val::Str(left), right) => joined(left.clone(), text_of(right)?.into())?,
        (left, Val::Str(right)) => joined(text_of(left)?.into(), right.clone())?,
        (Val::Num(left), Val::Num(right)) => number(left.get() + right.get())?,
        (Val::Obj(left), Val::Obj(right)) => Val::Obj(right.extend_from(left.clone())),
        (Val::Arr(left), Val::Arr(right)) => {
            check_items(left.len() as usize + right.len() as usize)?;
            let joined = ArrValue::extended(left.clone(), right.clone());
            Val::Arr(joined.ok_or_else(|| runtime_error("array is too large"))?)
        }
        _ => return Err(mismatch("+", left, right)),
    })
}

fn joined(left: StrValue, right: StrValue) -> Result<Val> {
    check_text(left.len() + right.len())?;
    Ok(Val::Str(StrValue::concat(left, right)))
}

fn times(left: &Val, right: &Val) -> Result<Val> {
    match (left, right) {
        (Val::Num(left), Val::Num(right)) => number(left.get() * right.get()),
        _ => Err(mismatch("*", left, right)),
    }
}

pub(crate) fn format_or_modulo(left: &Val, right: &Val) -> Result<Val> {
    match (left, right) {
        (Val::Num(_), Val::Num(right)) if right.get() == 0.0 => Err(runtime_error("division by zero.")),
        (Val::Num(left), Val::Num(right)) => number(left.get() % right.get()),
        (Val::Str(template), values) => Ok(format(&template.into_flat(), values)?.into()),
        _ => {
            let (left, right) = (left.value_type(), right.value_type());
            Err(runtime_error(&format!("Operator % cannot be used on types {left} and {right}.")))
        }
    }
}

pub(crate) fn equal(left: &Val, right: &Val) -> Result<Val> {
    equals(left, right).map(Val::Bool)
}

/// `==`: numbers exactly, where jrsonnet lets neighbours pass for equal.
pub(crate) fn equals(left: &Val, right: &Val) -> Result<bool> {
    Ok(match (left, right) {
        (Val::Null, Val::Null) => true,
        (Val::Bool(left), Val::Bool(right)) => left == right,
        (Val::Num(left), Val::Num(right)) => left.get() == right.get(),
        (Val::Str(left), Val::Str(right)) => left == right,
        (Val::Arr(left), Val::Arr(right)) => ensure_sufficient_stack(|| equal_items(left, right))?,
        (Val::Obj(left), Val::Obj(right)) => ensure_sufficient_stack(|| equal_fields(left, right))?,
        (Val::Func(_), Val::Func(_)) => return Err(runtime_error("cannot test equality of functions")),
        _ => false,
    })
}

fn equal_items(left: &ArrValue, right: &ArrValue) -> Result<bool> {
    if left.len() != right.len() {
        return Ok(false);
    }
    for (left, right) in left.iter().zip(right.iter()) {
        if !equals(&left?, &right?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn equal_fields(left: &ObjValue, right: &ObjValue) -> Result<bool> {
    let names = left.fields();
    if names != right.fields() {
        return Ok(false);
    }
    for name in names {
        if !equals(&left.get_or_bail(name.clone())?, &right.get_or_bail(name)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A result that must be finite.
pub(crate) fn number(value: f64) -> Result<Val> {
    let text = if value.is_nan() { "not a number" } else { "overflow" };
    NumValue::new(value).map(Val::Num).ok_or_else(|| runtime_error(text))
}

fn mismatch(operator: &str, left: &Val, right: &Val) -> jrsonnet_evaluator::Error {
    runtime_error(&mismatch_text(operator, &left.value_type().to_string(), &right.value_type().to_string()))
}

/// What C++ jsonnet says of a binary operator between values of these types.
pub(crate) fn mismatch_text(operator: &str, left: &str, right: &str) -> String {
    if left == right {
        format!("binary operator {operator} does not operate on {}.", plural(left))
    } else {
        format!("binary operator {operator} requires matching types, got {left} and {right}.")
    }
}

/// `booleans`, `null`.
pub(crate) fn plural(kind: &str) -> String {
    if kind == "null" { kind.to_owned() } else { format!("{kind}s") }
}
