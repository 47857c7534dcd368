use crate::host::Host;
use jrsonnet_evaluator::{Error, error::ErrorKind};
use kapstan_diagnostic::{Diagnostic, Sources};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// One evaluation while it runs: whom it asks and what went wrong outside jsonnet.
pub(crate) struct Session {
    pub(crate) host: Rc<dyn Host>,
    pub(crate) search_paths: Vec<String>,
    /// Receives the files that diagnostics point at.
    pub(crate) sources: Arc<Sources>,
    /// The texts of imported files, each read once.
    pub(crate) texts: RefCell<FxHashMap<String, Rc<str>>>,
    /// The problems that jsonnet was told of as mere text, by that text.
    causes: RefCell<Vec<(String, Diagnostic)>>,
    /// How many lines were traced in this attempt, and in the one before it.
    traced: Cell<(usize, usize)>,
}

/// The evaluation that runs now, for the parts that outlive evaluations: natives, import resolver, `std.trace`.
#[derive(Default)]
pub(crate) struct Current(RefCell<Option<Rc<Session>>>);

impl Session {
    pub(crate) fn new(host: Rc<dyn Host>, search_paths: Vec<String>, sources: Arc<Sources>) -> Self {
        Self {
            host,
            search_paths,
            sources,
            texts: RefCell::default(),
            causes: RefCell::default(),
            traced: Cell::default(),
        }
    }

    /// Turns a problem into an error that travels through jsonnet.
    pub(crate) fn fail(&self, problem: Diagnostic) -> Error {
        let text = problem.peer_text.clone().unwrap_or_else(|| problem.message.clone());
        let error = runtime_error(&text);
        self.causes.borrow_mut().push((text, problem));
        error
    }

    /// Begins the evaluation again; lines that were traced before are not traced again.
    pub(crate) fn start_over(&self) {
        let (traced, before) = self.traced.get();
        self.traced.set((0, traced.max(before)));
    }

    /// A line that `std.trace` wrote.
    pub(crate) fn trace(&self, line: &str) {
        let (traced, before) = self.traced.get();
        self.traced.set((traced + 1, before));
        if traced >= before {
            self.host.trace(line);
        }
    }

    /// The problem behind an error text that arrived, if it came from outside jsonnet.
    pub(crate) fn cause(&self, text: &str) -> Option<Diagnostic> {
        let causes = self.causes.borrow();
        causes.iter().rev().find(|(known, _)| known == text).map(|(_, problem)| problem.clone())
    }
}

impl Current {
    pub(crate) fn set(&self, session: Option<Rc<Session>>) {
        *self.0.borrow_mut() = session;
    }

    /// The running evaluation; fails where a value is asked for after its evaluation has ended.
    pub(crate) fn get(&self) -> Result<Rc<Session>, Error> {
        self.0.borrow().clone().ok_or_else(|| runtime_error("the evaluation has ended"))
    }
}

/// An error as `error "text"` raises it.
pub(crate) fn runtime_error(text: &str) -> Error {
    ErrorKind::RuntimeError(text.into()).into()
}
