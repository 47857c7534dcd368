use crate::session::runtime_error;
use jrsonnet_evaluator::function::FuncVal;
use jrsonnet_evaluator::val::ArrValue;
use jrsonnet_evaluator::{Error, IStr, ObjValue, Result, Thunk, Val};

/// The arguments of a call of a member of `std`, each evaluated when it is asked for.
pub(crate) struct Arguments<'a> {
    member: &'static str,
    given: &'a [Option<Thunk<Val>>],
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(member: &'static str, given: &'a [Option<Thunk<Val>>]) -> Self {
        Self { member, given }
    }

    /// An argument that may have been left out.
    pub(crate) fn optional(&self, index: usize) -> Option<&Thunk<Val>> {
        self.given.get(index)?.as_ref()
    }

    /// An argument that has not been evaluated.
    pub(crate) fn lazy(&self, index: usize) -> Thunk<Val> {
        let missing = || Thunk::errored(runtime_error("an argument is missing"));
        self.optional(index).cloned().unwrap_or_else(missing)
    }

    pub(crate) fn value(&self, index: usize) -> Result<Val> {
        match self.optional(index) {
            Some(argument) => argument.evaluate(),
            None => Err(runtime_error("an argument is missing")),
        }
    }

    pub(crate) fn number(&self, index: usize) -> Result<f64> {
        match self.value(index)? {
            Val::Num(number) => Ok(number.get()),
            other => Err(self.unexpected(index, "number", &other)),
        }
    }

    pub(crate) fn text(&self, index: usize) -> Result<IStr> {
        match self.value(index)? {
            Val::Str(text) => Ok(text.into_flat()),
            other => Err(self.unexpected(index, "string", &other)),
        }
    }

    pub(crate) fn array(&self, index: usize) -> Result<ArrValue> {
        match self.value(index)? {
            Val::Arr(items) => Ok(items),
            other => Err(self.unexpected(index, "array", &other)),
        }
    }

    pub(crate) fn object(&self, index: usize) -> Result<ObjValue> {
        match self.value(index)? {
            Val::Obj(object) => Ok(object),
            other => Err(self.unexpected(index, "object", &other)),
        }
    }

    pub(crate) fn function(&self, index: usize) -> Result<FuncVal> {
        match self.value(index)? {
            Val::Func(function) => Ok(function),
            other => Err(self.unexpected(index, "function", &other)),
        }
    }

    /// A boolean, or what counts where it is left out.
    pub(crate) fn flag(&self, index: usize, otherwise: bool) -> Result<bool> {
        match self.optional(index).map(Thunk::evaluate).transpose()? {
            None => Ok(otherwise),
            Some(Val::Bool(flag)) => Ok(flag),
            Some(other) => {
                Err(runtime_error(&format!("condition must be boolean, got {}.", other.value_type())))
            }
        }
    }

    fn unexpected(&self, index: usize, expected: &str, found: &Val) -> Error {
        let position = ["first", "second", "third"].get(index).unwrap_or(&"last");
        let (member, found) = (self.member, found.value_type());
        runtime_error(&format!("std.{member} {position} param must be {expected}, got {found}"))
    }
}
