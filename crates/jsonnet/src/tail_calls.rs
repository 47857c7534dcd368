//! Calls marked `tailstrict` that are the last thing a function does: C++ jsonnet runs them as loops, jrsonnet as
//! recursion. After desugaring they are values that stand for the next round of a loop.

use crate::failure::shortened;
use crate::opaque::Opaque;
use crate::session::runtime_error;
use jrsonnet_evaluator::error::ErrorKind;
use jrsonnet_evaluator::function::builtin::Builtin;
use jrsonnet_evaluator::function::{
    CallLocation, FuncVal, FunctionSignature, NativeFn, ParamDefault, ParamName, ParamParse,
};
use jrsonnet_evaluator::{Result, Thunk, Val};
use jrsonnet_gcmodule::Trace;
use std::any::Any;

/// `kapstan__loop(name, function)`: the function, the last calls of which are rounds of a loop.
pub(crate) const LOOP: &str = "kapstan__loop";

/// `kapstan__round(function, arguments)`: such a call.
pub(crate) const ROUND: &str = "kapstan__round";

/// Functions of more parameters are not made into loops.
pub(crate) const MOST_PARAMETERS: usize = 10;

/// A function that may end in a [`Round`].
#[derive(Trace, Clone)]
struct Looping {
    #[trace(skip)]
    name: Opaque<String>,
    #[trace(skip)]
    signature: FunctionSignature,
    body: FuncVal,
}

/// The next round: a value that no program gets to see.
#[derive(Trace)]
struct Round {
    function: Looping,
    arguments: Vec<Thunk<Val>>,
}

/// What makes a function a loop.
#[derive(Trace)]
pub(crate) struct MakeLoop;

/// What makes a call a round.
#[derive(Trace)]
pub(crate) struct MakeRound;

impl Builtin for Looping {
    fn name(&self) -> &str {
        &self.name
    }

    fn params(&self) -> FunctionSignature {
        self.signature.clone()
    }

    fn call(&self, _location: CallLocation<'_>, arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
        // Only the last parameter may have a default, so that arguments are missing at the end only.
        let first: Vec<Thunk<Val>> = arguments.iter().flatten().cloned().collect();
        let mut value = call(&self.body, &first).map_err(shortened)?;
        while let Some(round) = as_a::<Round>(&value) {
            value = call(&round.function.body, &round.arguments).map_err(shortened)?;
        }
        Ok(value)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Builtin for Round {
    fn name(&self) -> &str {
        ROUND
    }

    fn params(&self) -> FunctionSignature {
        signature(&[])
    }

    fn call(&self, _location: CallLocation<'_>, _arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
        Err(runtime_error("a round of a loop is no function"))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Builtin for MakeLoop {
    fn name(&self) -> &str {
        LOOP
    }

    fn params(&self) -> FunctionSignature {
        signature(&["name", "function"])
    }

    fn call(&self, _location: CallLocation<'_>, arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
        let [Some(name), Some(body)] = arguments else { return Err(wrong_use()) };
        let (Val::Str(name), Val::Func(body)) = (name.evaluate()?, body.evaluate()?) else {
            return Err(wrong_use());
        };
        let name = Opaque(name.into_flat().to_string());
        Ok(Val::Func(FuncVal::builtin(Looping { name, signature: body.params(), body })))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Builtin for MakeRound {
    fn name(&self) -> &str {
        ROUND
    }

    fn params(&self) -> FunctionSignature {
        signature(&["function", "arguments"])
    }

    fn call(&self, location: CallLocation<'_>, arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
        let [Some(function), Some(given)] = arguments else { return Err(wrong_use()) };
        let value = function.evaluate()?;
        let Val::Func(function) = &value else {
            return Err(ErrorKind::OnlyFunctionsCanBeCalledGot(value.value_type()).into());
        };
        let Val::Arr(given) = given.evaluate()? else { return Err(wrong_use()) };
        let arguments: Vec<Thunk<Val>> = given.iter_lazy().collect();
        for argument in &arguments {
            argument.evaluate()?;
        }
        check(&function.params(), arguments.len())?;
        if let Some(function) = as_a::<Looping>(&value) {
            return Ok(Val::Func(FuncVal::builtin(Round { function: function.clone(), arguments })));
        }
        match function {
            FuncVal::Normal(_) => call(function, &arguments),
            FuncVal::Builtin(builtin) => {
                let missing = function.params().len() - arguments.len();
                let mut arguments: Vec<_> = arguments.into_iter().map(Some).collect();
                arguments.extend(vec![None; missing]);
                builtin.call(location, &arguments)
            }
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn signature(parameters: &[&str]) -> FunctionSignature {
    let parameter = |name: &&str| ParamParse::new(ParamName::Named((*name).into()), ParamDefault::None);
    FunctionSignature::new(parameters.iter().map(parameter).collect())
}

fn wrong_use() -> jrsonnet_evaluator::Error {
    runtime_error("a loop takes a function and its arguments")
}

fn as_a<T: 'static>(value: &Val) -> Option<&T> {
    match value {
        Val::Func(FuncVal::Builtin(function)) => function.as_any().downcast_ref(),
        _ => None,
    }
}

/// Whether so many arguments without names fit.
fn check(parameters: &FunctionSignature, given: usize) -> Result<()> {
    if given > parameters.len() {
        return Err(ErrorKind::TooManyArgsFunctionHas(parameters.len(), parameters.clone()).into());
    }
    match parameters.iter().skip(given).find(|parameter| !parameter.has_default()) {
        Some(missing) => {
            let name = missing.name().clone();
            Err(ErrorKind::FunctionParameterNotBoundInCall(name, parameters.clone()).into())
        }
        None => Ok(()),
    }
}

/// Calls a function that is written in jsonnet.
fn call(function: &FuncVal, arguments: &[Thunk<Val>]) -> Result<Val> {
    macro_rules! with {
        ($($index:literal)*) => {
            NativeFn::<($(with!(@ $index),)* Val,)>::try_from(function.clone())?.call($(arguments[$index].clone()),*)
        };
        (@ $index:literal) => { Thunk<Val> };
    }
    match arguments.len() {
        0 => with!(),
        1 => with!(0),
        2 => with!(0 1),
        3 => with!(0 1 2),
        4 => with!(0 1 2 3),
        5 => with!(0 1 2 3 4),
        6 => with!(0 1 2 3 4 5),
        7 => with!(0 1 2 3 4 5 6),
        8 => with!(0 1 2 3 4 5 6 7),
        9 => with!(0 1 2 3 4 5 6 7 8),
        10 => with!(0 1 2 3 4 5 6 7 8 9),
        count => Err(runtime_error(&format!("too many args, got {count}"))),
    }
}
