//! Members of `std` that take a string where jrsonnet wants an array, or read it in another way.

use crate::session::runtime_error;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jrsonnet_evaluator::function::builtin::Builtin;
use jrsonnet_evaluator::function::{CallLocation, FuncVal, FunctionSignature};
use jrsonnet_evaluator::val::ArrValue;
use jrsonnet_evaluator::{Result, Thunk, Val};
use jrsonnet_gcmodule::Trace;
use std::any::Any;

/// `std.setMember`, the set of which may be a string: the set of its characters.
#[derive(Trace)]
pub(crate) struct SetMember(pub(crate) FuncVal);

/// `std.base64`: characters of a string are bytes, and those beyond 255 an error, as in C++ jsonnet.
#[derive(Trace)]
pub(crate) struct Base64(pub(crate) FuncVal);

fn call(function: &FuncVal, location: CallLocation<'_>, arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
    match function {
        FuncVal::Builtin(function) => function.call(location, arguments),
        FuncVal::Normal(_) => Ok(Val::Null),
    }
}

impl Builtin for SetMember {
    fn name(&self) -> &str {
        "setMember"
    }

    fn params(&self) -> FunctionSignature {
        self.0.params()
    }

    fn call(&self, location: CallLocation<'_>, arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
        let [value, Some(set), rest @ ..] = arguments else { return call(&self.0, location, arguments) };
        let Val::Str(text) = set.evaluate()? else { return call(&self.0, location, arguments) };
        let characters: ArrValue =
            text.into_flat().chars().map(|character| Val::from(character.to_string())).collect();
        let set = Thunk::evaluated(Val::Arr(characters));
        let mut changed = vec![value.clone(), Some(set)];
        changed.extend_from_slice(rest);
        call(&self.0, location, &changed)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Builtin for Base64 {
    fn name(&self) -> &str {
        "base64"
    }

    fn params(&self) -> FunctionSignature {
        self.0.params()
    }

    fn call(&self, location: CallLocation<'_>, arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
        let [Some(value)] = arguments else { return call(&self.0, location, arguments) };
        let Val::Str(text) = value.evaluate()? else { return call(&self.0, location, arguments) };
        let bytes: std::result::Result<Vec<u8>, _> =
            text.into_flat().chars().map(|character| u8::try_from(u32::from(character))).collect();
        let problem = "Can only base64 encode strings / arrays of single bytes.";
        let bytes = bytes.map_err(|_| runtime_error(problem))?;
        Ok(STANDARD.encode(bytes).into())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `std.base64Decode`: each byte becomes the character of its number, as in C++ jsonnet.
pub(crate) fn base64_decode(value: &Val) -> Result<Val> {
    let Val::Str(text) = value else {
        return Err(runtime_error(&format!("expected string but got {}", value.value_type())));
    };
    let text = text.clone().into_flat();
    let bytes = STANDARD
        .decode(text.as_bytes())
        .map_err(|_| runtime_error(&format!("Not a base64 encoded string \"{text}\"")))?;
    Ok(bytes.into_iter().map(char::from).collect::<String>().into())
}
