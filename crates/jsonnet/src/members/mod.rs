//! The members of `std` as C++ jsonnet has them: its library is written in jsonnet, so that they take whatever has a
//! length and items, leave alone what they do not look at, and write values in their own way.

mod arguments;
mod arrays;
mod base64;
pub(crate) mod calls;
mod characters;
mod folds;
mod items;
mod manifest_json;
mod manifest_lines;
mod manifest_toml;
mod manifest_yaml;
mod numbers;
mod objects;
mod ordering;
mod sets;
mod slices;
mod strings;
mod values;

pub(crate) use arguments::Arguments;
pub(crate) use characters::character_of;
pub(crate) use slices::slice;

use jrsonnet_evaluator::function::builtin::Builtin;
use jrsonnet_evaluator::function::{CallLocation, FunctionSignature, ParamDefault, ParamName, ParamParse};
use jrsonnet_evaluator::{Result, Thunk, Val};
use jrsonnet_gcmodule::Trace;
use std::any::Any;

/// A function of `std`: its name, its parameters (those that may be left out end in `?`), and what it does.
pub(crate) type Member = (&'static str, &'static [&'static str], Function);

/// What a member does with its arguments.
pub(crate) type Function = fn(&Arguments<'_>) -> Result<Val>;

/// All members that are our own.
pub(crate) fn all() -> impl Iterator<Item = &'static Member> {
    let tables = [
        arrays::MEMBERS,
        base64::MEMBERS,
        characters::MEMBERS,
        folds::MEMBERS,
        manifest_json::MEMBERS,
        manifest_lines::MEMBERS,
        manifest_toml::MEMBERS,
        manifest_yaml::MEMBERS,
        numbers::MEMBERS,
        objects::MEMBERS,
        ordering::MEMBERS,
        sets::MEMBERS,
        slices::MEMBERS,
        strings::MEMBERS,
        values::MEMBERS,
    ];
    tables.into_iter().flatten()
}

/// A [`Member`] as a function value.
#[derive(Trace)]
pub(crate) struct OfStandard {
    #[trace(skip)]
    name: &'static str,
    #[trace(skip)]
    signature: FunctionSignature,
    #[trace(skip)]
    function: Function,
}

impl OfStandard {
    pub(crate) fn new(&(name, parameters, function): &Member) -> Self {
        let parameter = |name: &&str| match name.strip_suffix('?') {
            Some(name) => ParamParse::new(ParamName::Named(name.into()), ParamDefault::Exists),
            None => ParamParse::new(ParamName::Named((*name).into()), ParamDefault::None),
        };
        Self { name, signature: FunctionSignature::new(parameters.iter().map(parameter).collect()), function }
    }
}

impl Builtin for OfStandard {
    fn name(&self) -> &str {
        self.name
    }

    fn params(&self) -> FunctionSignature {
        self.signature.clone()
    }

    fn call(&self, _location: CallLocation<'_>, arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
        (self.function)(&Arguments::new(self.name, arguments))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
