use crate::loops;
use crate::members::{self, OfStandard};
use crate::natives::Native;
use crate::opaque::Opaque;
use crate::operators::{OPERATORS, Operator, TRACE};
use crate::session::{Current, runtime_error};
use crate::tail_calls::{LOOP, MakeLoop, MakeRound, ROUND};
use crate::text_of::text_of;
use jrsonnet_evaluator::function::builtin::Builtin;
use jrsonnet_evaluator::function::{
    CallLocation, FuncVal, FunctionSignature, ParamDefault, ParamName, ParamParse,
};
use jrsonnet_evaluator::tla::TlaArg;
use jrsonnet_evaluator::trace::PathResolver;
use jrsonnet_evaluator::{IStr, ObjValue, ObjValueBuilder, Result, Thunk, Val};
use jrsonnet_gcmodule::{Acyclic, Cc, Trace};
use jrsonnet_stdlib::{Settings, TracePrinter, stdlib_uncached};
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// `std`, built once, with the variables and native functions of the evaluation that runs.
pub(crate) struct Standard {
    members: ObjValue,
    settings: Cc<RefCell<Settings>>,
    operators: Vec<(IStr, Thunk<Val>)>,
}

impl Standard {
    pub(crate) fn new(current: &Rc<Current>) -> Self {
        let settings = Cc::new(RefCell::new(Settings {
            ext_vars: HashMap::new(),
            ext_natives: HashMap::new(),
            trace_printer: Rc::new(TraceLines(Opaque(current.clone()))),
            path_resolver: PathResolver::Absolute,
        }));
        let members = with_our_own(&stdlib_uncached(settings.clone()));
        let operators = OPERATORS.iter().map(|&(name, operation)| {
            let function = FuncVal::builtin(Operator::new(name, ["a", "b"], operation));
            (name.into(), Thunk::evaluated(Val::Func(function)))
        });
        let loops =
            loops::FUNCTIONS.iter().map(|member| (member.0, FuncVal::builtin(OfStandard::new(member))));
        let tracer = Tracer { current: Opaque(current.clone()), signature: Tracer::signature() };
        let others = [
            (TRACE, FuncVal::builtin(tracer)),
            (LOOP, FuncVal::builtin(MakeLoop)),
            (ROUND, FuncVal::builtin(MakeRound)),
        ];
        let others =
            loops.chain(others).map(|(name, function)| (name.into(), Thunk::evaluated(Val::Func(function))));
        let operators = operators.chain(others).collect();
        Self { members, settings, operators }
    }

    /// The functions that desugared sources call.
    pub(crate) fn operators(&self) -> &[(IStr, Thunk<Val>)] {
        &self.operators
    }

    pub(crate) fn add_native(&self, native: Native) {
        let name = IStr::from(native.name);
        self.settings.borrow_mut().ext_natives.insert(name, FuncVal::builtin(native));
    }

    pub(crate) fn set_external_variables(&self, variables: &[(&str, &str)]) {
        let variables = variables.iter().map(|&(name, value)| (name.into(), TlaArg::String(value.into())));
        self.settings.borrow_mut().ext_vars = variables.collect();
    }

    /// `std` as a file sees it, with `std.thisFile`.
    pub(crate) fn for_file(&self, path: &str) -> ObjValue {
        let mut builder = ObjValueBuilder::new();
        builder.with_super(self.members.clone());
        builder.field("thisFile").hide().value(path);
        builder.build()
    }
}

/// What `std.trace` is where its place is not known: called by another name, or with named arguments.
struct TraceLines(Opaque<Rc<Current>>);

impl Trace for TraceLines {
    fn trace(&self, _tracer: &mut jrsonnet_gcmodule::Tracer<'_>) {}
}

#[expect(
    unsafe_code,
    reason = "the trait is a promise to the collector; breaking it leaks memory and does nothing else"
)]
// SAFETY: its only field is never traced.
unsafe impl Acyclic for TraceLines {}

impl TracePrinter for TraceLines {
    fn print_trace(&self, _location: CallLocation<'_>, text: IStr) {
        if let Ok(session) = self.0.get() {
            session.trace(&format!("TRACE: {text}"));
        }
    }
}

/// `std.trace` of a desugared source, which knows its place.
#[derive(Trace)]
struct Tracer {
    current: Opaque<Rc<Current>>,
    #[trace(skip)]
    signature: FunctionSignature,
}

impl Tracer {
    fn signature() -> FunctionSignature {
        let parameter = |name: &str| ParamParse::new(ParamName::Named(name.into()), ParamDefault::None);
        FunctionSignature::new(["place", "str", "rest"].map(parameter).into())
    }
}

impl Builtin for Tracer {
    fn name(&self) -> &str {
        "trace"
    }

    fn params(&self) -> FunctionSignature {
        self.signature.clone()
    }

    fn call(&self, _location: CallLocation<'_>, arguments: &[Option<Thunk<Val>>]) -> Result<Val> {
        let [Some(place), Some(text), Some(rest)] = arguments else {
            return Err(runtime_error("std.trace takes two values"));
        };
        let (place, text) = (place.evaluate()?, text.evaluate()?);
        if !matches!(text, Val::Str(_)) {
            let kind = text.value_type();
            let problem = format!("Builtin function trace expected string as first parameter but got {kind}");
            return Err(runtime_error(&problem));
        }
        let line = format!("TRACE: {} {}", text_of(&place)?, text_of(&text)?);
        self.current.get()?.trace(&line);
        rest.evaluate()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The members of `std` that are jrsonnet's own, under those that work as in C++ jsonnet.
fn with_our_own(members: &ObjValue) -> ObjValue {
    let mut builder = ObjValueBuilder::new();
    builder.with_super(members.clone());
    for member in members::all() {
        builder.method(member.0, FuncVal::builtin(OfStandard::new(member)));
    }
    builder.build()
}
