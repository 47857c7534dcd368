use crate::host::Host as Outside;
use kapstan_diagnostic::{Diagnostic, Sources};
use kapstan_document::{Node, Text};
use kapstan_files::{Files, slashed};
use kapstan_jsonnet::{Evaluation, Evaluator, Host, STACK_SIZE, Watched};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// What to evaluate outside a compile run.
pub struct EvaluateRequest {
    /// The jsonnet file.
    pub file: PathBuf,
    /// The variables of `std.extVar` and their strings.
    pub external_variables: Vec<(String, String)>,
    /// Where imports and the native functions look for files, in order; absolute.
    pub search_paths: Vec<PathBuf>,
    /// Where it reads from.
    pub files: Arc<dyn Files>,
    /// Gets the texts that diagnostics point into.
    pub sources: Arc<Sources>,
    /// The outside.
    pub outside: Arc<dyn Outside>,
}

/// Evaluates a jsonnet file with Kapitan's imports, library and native functions, except those that ask for an
/// inventory or a template's target.
pub fn evaluate(request: EvaluateRequest) -> Result<Node, Box<Diagnostic>> {
    let no_thread = |error: std::io::Error| {
        Box::new(Diagnostic::error("compile::no-thread", format!("cannot start a thread: {error}")))
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, || {
            let search_paths: Vec<String> = request.search_paths.iter().map(|path| slashed(path)).collect();
            let variables: Vec<(&str, &str)> = request
                .external_variables
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect();
            let host = AloneHost { files: request.files.clone(), outside: request.outside.clone() };
            Evaluator::new().evaluate(&Evaluation {
                file: &slashed(&request.file),
                search_paths: &search_paths,
                external_variables: &variables,
                host: Rc::new(host),
                sources: &request.sources,
            })
        });
        match thread.map_err(no_thread)?.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Files, and nothing else of a run.
struct AloneHost {
    files: Arc<dyn Files>,
    outside: Arc<dyn Outside>,
}

fn no_inventory(what: &str) -> Box<Diagnostic> {
    Diagnostic::error("evaluate::no-inventory", format!("{what} can be used in `compile` only")).into()
}

impl Host for AloneHost {
    fn files(&self) -> &dyn Files {
        &*self.files
    }

    fn targets(&self, _path: Option<&str>) -> Result<Vec<Text>, Box<Diagnostic>> {
        Err(no_inventory("the inventory"))
    }

    fn inventory(&self, _target: &str, _path: Option<&str>) -> Result<Watched, Box<Diagnostic>> {
        Err(no_inventory("the inventory"))
    }

    fn inventory_among_all(&self, target: &str, path: Option<&str>) -> Result<Watched, Box<Diagnostic>> {
        self.inventory(target, path)
    }

    fn topics(&self, _name: Option<&str>) -> Result<Watched, Box<Diagnostic>> {
        Err(no_inventory("topics"))
    }

    fn render_jinja2(&self, path: &str, _context: Node) -> Result<String, Box<Diagnostic>> {
        Err(no_inventory(&format!("the template `{}`", Path::new(path).display())))
    }

    fn trace(&self, line: &str) {
        self.outside.trace(line);
    }
}
