//! The native functions that Kapitan gives to jsonnet.

mod files;
mod inventory;
mod schema;
mod text;
mod yaml;

use crate::opaque::Opaque;
use crate::session::{Current, Session, runtime_error};
use crate::value::Checks;
use jrsonnet_evaluator::function::builtin::Builtin;
use jrsonnet_evaluator::function::{CallLocation, FunctionSignature, ParamDefault, ParamName, ParamParse};
use jrsonnet_evaluator::{Result, Thunk, Val};
use jrsonnet_gcmodule::Trace;
use std::any::Any;
use std::rc::Rc;

/// What a native function works with.
pub(crate) struct Call<'a> {
    session: Rc<Session>,
    checks: Rc<Checks>,
    arguments: &'a [Val],
}

type Function = fn(&Call<'_>) -> Result<Val>;

const NATIVES: &[(&str, &[&str], Function)] = &[
    ("jinja2_render_file", &["name", "ctx"], files::jinja2_render_file),
    ("inventory", &["target", "inv_path"], inventory::inventory),
    ("topics", &["name"], inventory::topics),
    ("file_read", &["name"], files::file_read),
    ("file_exists", &["name"], files::file_exists),
    ("dir_files_list", &["name"], files::dir_files_list),
    ("dir_files_read", &["name"], files::dir_files_read),
    ("sha256_string", &["obj"], text::sha256_string),
    ("gzip_b64", &["obj"], text::gzip_b64),
    ("yaml_dump", &["obj"], yaml::yaml_dump),
    ("yaml_dump_stream", &["obj"], yaml::yaml_dump_stream),
    ("yaml_load", &["name"], yaml::yaml_load),
    ("yaml_load_stream", &["name"], yaml::yaml_load_stream),
    ("jsonschema_validate", &["obj", "schema_obj"], schema::jsonschema_validate),
];

/// One of the table, tied to the evaluation that runs.
#[derive(Trace)]
pub(crate) struct Native {
    #[trace(skip)]
    pub(crate) name: &'static str,
    #[trace(skip)]
    signature: FunctionSignature,
    #[trace(skip)]
    function: Function,
    current: Opaque<Rc<Current>>,
    checks: Opaque<Rc<Checks>>,
}

pub(crate) fn all(current: &Rc<Current>, checks: &Rc<Checks>) -> Vec<Native> {
    let native = |&(name, parameters, function): &(&'static str, &[&str], Function)| Native {
        name,
        signature: signature(parameters),
        function,
        current: Opaque(current.clone()),
        checks: Opaque(checks.clone()),
    };
    NATIVES.iter().map(native).collect()
}

fn signature(parameters: &[&str]) -> FunctionSignature {
    let parameter = |name: &&str| ParamParse::new(ParamName::Named((*name).into()), ParamDefault::None);
    FunctionSignature::new(parameters.iter().map(parameter).collect())
}

impl Builtin for Native {
    fn name(&self) -> &str {
        self.name
    }

    fn params(&self) -> FunctionSignature {
        self.signature.clone()
    }

    fn call(&self, _location: CallLocation<'_>, arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
        let arguments: Vec<Val> =
            arguments.iter().flatten().map(Thunk::evaluate).collect::<Result<Vec<Val>>>()?;
        if arguments.iter().any(|argument| matches!(argument, Val::Arr(_) | Val::Obj(_) | Val::Func(_))) {
            return Err(runtime_error("native extensions can only take primitives."));
        }
        let call =
            Call { session: self.current.get()?, checks: self.checks.0.clone(), arguments: &arguments };
        (self.function)(&call)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Call<'_> {
    /// An argument that may be null.
    fn optional(&self, index: usize) -> Result<Option<String>> {
        match &self.arguments[index] {
            Val::Null => Ok(None),
            _ => self.path(index).map(Some),
        }
    }

    /// An argument that is used as a path.
    fn path(&self, index: usize) -> Result<String> {
        self.string(index, |kind| {
            format!("join() argument must be str, bytes, or os.PathLike object, not '{kind}'")
        })
    }

    /// An argument that is used as text.
    fn text(&self, index: usize) -> Result<String> {
        self.string(index, |kind| format!("'{kind}' object has no attribute 'encode'"))
    }

    /// An argument that is read as JSON.
    fn json(&self, index: usize) -> Result<String> {
        self.string(index, |kind| format!("the JSON object must be str, bytes or bytearray, not {kind}"))
    }

    /// A string, or what Python says of another type.
    fn string(&self, index: usize, otherwise: impl FnOnce(&str) -> String) -> Result<String> {
        let kind = match &self.arguments[index] {
            Val::Str(text) => return Ok(text.into_flat().to_string()),
            Val::Bool(_) => "bool",
            Val::Num(_) => "float",
            _ => "NoneType",
        };
        Err(runtime_error(&otherwise(kind)))
    }
}
