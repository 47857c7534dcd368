use crate::desugar::{Desugared, desugar};
use crate::failure;
use crate::host::Host;
use crate::imports::{Resolver, Use, file_of, use_in};
use crate::manifest::manifest;
use crate::natives;
use crate::nesting;
use crate::opaque::Opaque;
use crate::session::{Current, Session};
use crate::slashes::{original_offset, without_escaped_slashes};
use crate::standard::Standard;
use crate::value::Checks;
use jrsonnet_evaluator::tla::{TlaArg, apply_tla};
use jrsonnet_evaluator::val::ThunkValue;
use jrsonnet_evaluator::{
    ContextInitializer, IStr, InitialContextBuilder, PreparedSnippet, Result, Source, State, Thunk, Val,
    with_state,
};
use jrsonnet_gcmodule::Trace;
use jrsonnet_ir::visit::Visitor;
use kapstan_diagnostic::{Diagnostic, Sources};
use kapstan_document::Node;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// The stack in bytes that a thread needs for [`Evaluator::evaluate`]: deep but legal programs recurse natively. It is
/// only reserved, not used, by programs that do not.
pub const STACK_SIZE: usize = 512 << 20;

/// How deep calls and operators may nest, at first and at last. C++ jsonnet stops at [`DEEPEST_CALLS`] calls and does not
/// count operators; jrsonnet counts both, and to report an error takes a time that grows with the square of the depth.
const DEPTHS: [usize; 2] = [1_200, 20_000];

/// How deep calls may nest in C++ jsonnet.
const DEEPEST_CALLS: usize = 500;

/// Every so many evaluations the collector looks for cyclic garbage, or sooner when there is a lot to look at.
const EVALUATIONS_PER_COLLECTION: usize = 64;
/// To count objects takes a walk over all of them.
const EVALUATIONS_PER_COUNT: usize = 8;
const OBJECTS_PER_COLLECTION: usize = 100_000;

/// What to evaluate.
pub struct Evaluation<'a> {
    /// The file, named as messages and `std.thisFile` shall name it.
    pub file: &'a str,
    /// Where imports and the native functions look for files, in this order.
    pub search_paths: &'a [String],
    /// The variables of `std.extVar` and their strings.
    pub external_variables: &'a [(&'a str, &'a str)],
    /// Whom the evaluation asks for files and inventory.
    pub host: Rc<dyn Host>,
    /// Receives the text of files that a diagnostic points at.
    pub sources: &'a Arc<Sources>,
}

/// Evaluates jsonnet files on one thread, and keeps what it parsed from one evaluation to the next.
pub struct Evaluator {
    core: Rc<Core>,
    evaluations: Cell<usize>,
    kept_objects: Cell<usize>,
}

pub(crate) struct Core {
    pub(crate) current: Rc<Current>,
    standard: Standard,
    parsed: RefCell<ParsedFiles>,
}

/// Parsed files by path.
pub(crate) type ParsedFiles = FxHashMap<String, Rc<Parsed>>;

/// A source that is ready to be evaluated any number of times.
pub(crate) struct Parsed {
    pub(crate) text: IStr,
    pub(crate) desugared: Desugared,
    snippet: PreparedSnippet,
    imports: FxHashMap<IStr, Use>,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator {
    /// Nothing parsed yet; `std` is built.
    pub fn new() -> Self {
        let current = Rc::new(Current::default());
        let checks = Rc::new(Checks::default());
        let standard = Standard::new(&current);
        for native in natives::all(&current, &checks) {
            standard.add_native(native);
        }
        let core = Core { current, standard, parsed: RefCell::default() };
        Self { core: Rc::new(core), evaluations: Cell::new(0), kept_objects: Cell::new(0) }
    }

    /// The value of a file: fields sorted, hidden ones left out, integral numbers as integers, as Kapitan reads it back
    /// from C++ jsonnet's JSON. Assertions have run.
    ///
    /// Fails with the one problem that stopped the evaluation; its `peer_text` is what C++ jsonnet says.
    pub fn evaluate(&self, evaluation: &Evaluation<'_>) -> Result<Node, Box<Diagnostic>> {
        let session = Rc::new(Session::new(
            evaluation.host.clone(),
            evaluation.search_paths.to_vec(),
            evaluation.sources.clone(),
        ));
        self.core.current.set(Some(session.clone()));
        self.core.standard.set_external_variables(evaluation.external_variables);
        let result = self.run(&session, evaluation);
        self.core.current.set(None);
        self.collect_garbage();
        result
    }

    fn run(&self, session: &Session, evaluation: &Evaluation<'_>) -> Result<Node, Box<Diagnostic>> {
        let file = evaluation.file;
        let bytes = session
            .host
            .files()
            .read(Path::new(file))
            .map_err(|error| Box::new(failure::unreadable(file, &error)))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut result = self.attempt(session, file, &text, DEPTHS[0]);
        if result
            .as_ref()
            .is_err_and(|error| failure::depth(error).is_some_and(|calls| calls <= DEEPEST_CALLS))
        {
            session.start_over();
            result = self.attempt(session, file, &text, DEPTHS[1]);
        }
        result.map_err(|error| Box::new(failure::diagnose(&error, session, file, &self.core.parsed.borrow())))
    }

    fn attempt(&self, session: &Session, file: &str, text: &str, depth: usize) -> Result<Node> {
        let state = self.core.state();
        let _entered = state.try_enter();
        let _limit = jrsonnet_evaluator::stack::limit_stack_depth(depth);
        let parsed = self.core.parsed(session, file, text)?;
        let value = state.evaluate_prepared_snippet(&parsed.snippet)?;
        manifest(&apply_tla(&HashMap::<IStr, TlaArg>::new(), value)?)
    }

    fn collect_garbage(&self) {
        let evaluations = self.evaluations.get() + 1;
        let has_too_many = || {
            let tracked = jrsonnet_gcmodule::count_thread_tracked();
            tracked > 2 * self.kept_objects.get() + OBJECTS_PER_COLLECTION
        };
        let is_due = evaluations >= EVALUATIONS_PER_COLLECTION
            || evaluations.is_multiple_of(EVALUATIONS_PER_COUNT) && has_too_many();
        self.evaluations.set(if is_due { 0 } else { evaluations });
        if is_due {
            jrsonnet_gcmodule::collect_thread_cycles();
            self.kept_objects.set(jrsonnet_gcmodule::count_thread_tracked());
        }
    }
}

impl Core {
    /// A state for one evaluation: it keeps the values of imported files, which depend on the target.
    fn state(self: &Rc<Self>) -> State {
        let mut builder = State::builder();
        builder.import_resolver(Resolver(Opaque(self.clone())));
        builder.context_initializer(Globals(Opaque(self.clone())));
        builder.build()
    }

    /// How the file `from` uses the import `name`.
    pub(crate) fn use_of(&self, from: &str, name: &str) -> Use {
        let parsed = self.parsed.borrow().get(from).cloned();
        parsed.and_then(|parsed| parsed.imports.get(&IStr::from(name)).copied()).unwrap_or(Use::Text)
    }

    /// A file, parsed now or before.
    pub(crate) fn parsed(self: &Rc<Self>, session: &Session, path: &str, text: &str) -> Result<Rc<Parsed>> {
        if let Some(parsed) = self.parsed.borrow().get(path)
            && &*parsed.text == text
        {
            return Ok(parsed.clone());
        }
        let parsed = Rc::new(self.parse(session, path, text)?);
        self.parsed.borrow_mut().insert(path.to_owned(), parsed.clone());
        Ok(parsed)
    }

    fn parse(self: &Rc<Self>, session: &Session, path: &str, text: &str) -> Result<Parsed> {
        if let Some(at) = nesting::too_deep(text) {
            return Err(session.fail(failure::too_deep(session, path, text, at)));
        }
        if let Some((at, problem)) = nesting::beyond_jsonnet(text) {
            return Err(session.fail(failure::syntax(session, path, text, at, &problem)));
        }
        let (plain, missing) = without_escaped_slashes(text);
        let source = Source::new_virtual(path.into(), plain.as_str().into());
        let expression = jrsonnet_ir_parser::parse(&plain, &jrsonnet_ir_parser::ParserSettings { source })
            .map_err(|error| {
                let at = original_offset(&missing, error.location.1) as usize;
                session.fail(failure::syntax(session, path, text, at, &error.message))
            })?;
        let mut found = FoundImports::default();
        found.visit_expr(&expression);
        let desugared = desugar(&expression, &plain, path).in_text_with(&missing);
        let snippet = self.state().prepare_snippet(path, desugared.text.as_str()).map_err(|error| {
            failure::analysis(session, &error, path, text, &desugared)
                .map_or(error, |problem| session.fail(problem))
        })?;
        Ok(Parsed { text: text.into(), desugared, snippet, imports: found.0 })
    }
}

/// How each import of a file is used.
#[derive(Default)]
struct FoundImports(FxHashMap<IStr, Use>);

impl Visitor for FoundImports {
    fn visit_import(&mut self, as_expression: bool, name: IStr) {
        let used = if as_expression { Use::Code } else { Use::Text };
        let known = self.0.entry(name).or_insert(used);
        if *known != used {
            *known = Use::Text;
        }
    }
}

/// The variables that every file starts with.
#[derive(Trace)]
struct Globals(Opaque<Rc<Core>>);

impl ContextInitializer for Globals {
    fn populate(&self, source: Source, builder: &mut InitialContextBuilder) {
        let path = file_of(source.source_path()).unwrap_or_default();
        if use_in(source.source_path()) == Some(Use::Code) {
            let value = ImportedValue { core: self.0.clone(), path: Opaque(path.to_owned()) };
            builder.bind(crate::imports::STAND_IN, Thunk::new(value));
            return;
        }
        builder.bind("std", Thunk::evaluated(Val::Obj(self.0.standard.for_file(path))));
        for (name, function) in self.0.standard.operators() {
            builder.bind(name.clone(), function.clone());
        }
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// The value of an imported file.
#[derive(Trace)]
struct ImportedValue {
    core: Opaque<Rc<Core>>,
    path: Opaque<String>,
}

impl ThunkValue for ImportedValue {
    type Output = Val;

    fn get(&self) -> Result<Val> {
        let parsed = self.core.parsed.borrow().get(&*self.path).cloned();
        let parsed = parsed.ok_or_else(|| crate::session::runtime_error("the import was never parsed"))?;
        with_state(|state| state.evaluate_prepared_snippet(&parsed.snippet))
    }
}
