use crate::failure::shortened;
use jrsonnet_evaluator::function::{CallLocation, FuncVal, NativeFn};
use jrsonnet_evaluator::val::MemoizedClosureThunk;
use jrsonnet_evaluator::{Result, Thunk, Val, in_frame};
use std::cell::OnceCell;

/// A function that is called with one value, or with two; calls count as steps of the stack.
pub(crate) type One = NativeFn<(Thunk<Val>, Val)>;
pub(crate) type Two = NativeFn<(Thunk<Val>, Thunk<Val>, Val)>;

pub(crate) fn call_one(function: &One, argument: Thunk<Val>) -> Result<Val> {
    in_frame(CallLocation::native(), || CALL.to_owned(), || function.call(argument)).map_err(shortened)
}

pub(crate) fn call_two(function: &Two, first: Thunk<Val>, second: Thunk<Val>) -> Result<Val> {
    in_frame(CallLocation::native(), || CALL.to_owned(), || function.call(first, second)).map_err(shortened)
}

const CALL: &str = "function <anonymous> call";

/// A call that happens when its value is needed. What is wrong with the function shows only then.
pub(crate) fn later_one(function: &FuncVal, argument: Thunk<Val>) -> Thunk<Val> {
    Thunk::new(MemoizedClosureThunk::new((function.clone(), argument), |(function, argument)| {
        call_one(&One::try_from(function)?, argument)
    }))
}

pub(crate) fn later_two(function: &FuncVal, first: Thunk<Val>, second: Thunk<Val>) -> Thunk<Val> {
    Thunk::new(MemoizedClosureThunk::new((function.clone(), first, second), |(function, first, second)| {
        call_two(&Two::try_from(function)?, first, second)
    }))
}

/// The function that gives the key of an item, looked at when the first key is needed.
pub(crate) struct Key<'a> {
    given: Option<&'a Thunk<Val>>,
    function: OnceCell<Option<One>>,
}

impl<'a> Key<'a> {
    pub(crate) fn new(given: Option<&'a Thunk<Val>>) -> Self {
        Self { given, function: OnceCell::new() }
    }

    pub(crate) fn of(&self, item: Thunk<Val>) -> Result<Val> {
        let function = match self.function.get() {
            Some(function) => function,
            None => {
                let function = self.given.map(function_of).transpose()?;
                self.function.get_or_init(|| function)
            }
        };
        match function {
            Some(function) => call_one(function, item),
            None => item.evaluate(),
        }
    }
}

fn function_of(argument: &Thunk<Val>) -> Result<One> {
    match argument.evaluate()? {
        Val::Func(function) => One::try_from(function),
        other => {
            let problem = format!("only functions can be called, got {}", other.value_type());
            Err(crate::session::runtime_error(&problem))
        }
    }
}
