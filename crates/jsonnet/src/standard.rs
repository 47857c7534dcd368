use crate::imports::file_of;
use crate::natives::Native;
use crate::opaque::Opaque;
use crate::session::Current;
use jrsonnet_evaluator::function::{CallLocation, FuncVal};
use jrsonnet_evaluator::tla::TlaArg;
use jrsonnet_evaluator::trace::PathResolver;
use jrsonnet_evaluator::{IStr, ObjValue, ObjValueBuilder};
use jrsonnet_gcmodule::{Acyclic, Cc, Trace, Tracer};
use jrsonnet_stdlib::{Settings, TracePrinter, stdlib_uncached};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// `std`, built once, with the variables and native functions of the evaluation that runs.
pub(crate) struct Standard {
    members: ObjValue,
    settings: Cc<RefCell<Settings>>,
}

impl Standard {
    pub(crate) fn new(current: &Rc<Current>) -> Self {
        let settings = Cc::new(RefCell::new(Settings {
            ext_vars: HashMap::new(),
            ext_natives: HashMap::new(),
            trace_printer: Rc::new(TraceLines(Opaque(current.clone()))),
            path_resolver: PathResolver::Absolute,
        }));
        Self { members: stdlib_uncached(settings.clone()), settings }
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

/// Hands the lines of `std.trace` to the host.
struct TraceLines(Opaque<Rc<Current>>);

impl Trace for TraceLines {
    fn trace(&self, _tracer: &mut Tracer<'_>) {}
}

#[expect(
    unsafe_code,
    reason = "the trait is a promise to the collector; breaking it leaks memory and does nothing else"
)]
// SAFETY: its only field is never traced.
unsafe impl Acyclic for TraceLines {}

impl TracePrinter for TraceLines {
    fn print_trace(&self, location: CallLocation<'_>, text: IStr) {
        let Ok(session) = self.0.get() else { return };
        let line = match location.0 {
            Some(span) => {
                let file = file_of(span.0.source_path()).unwrap_or_default();
                let at = span.0.map_source_locations(&[span.1])[0].line;
                format!("TRACE: {file}:{at} {text}")
            }
            None => format!("TRACE: {text}"),
        };
        session.host.trace(&line);
    }
}
