use crate::compile::compile;
use crate::error::{Class, Outcome, RenderError};
use crate::parser::parse;
use crate::program::Program;
use crate::run::Run;
use crate::stack::StackLimit;
use crate::value::{Dict, Object, Value, Watch, from_node};
use crate::{filters, kapitan, tests};
use kapstan_document::{Node, Place, Text, Witness};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// A template's text and the name of its file, as messages show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The text.
    pub text: Arc<str>,
    /// The path.
    pub file: String,
}

/// Why a template could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// No search path has it. `ignore missing` forgives this. The text is Jinja2's.
    NotFound(String),
    /// It is there but cannot be read.
    Failed(String),
}

/// What templates ask of the world around them.
pub trait Host: Send + Sync {
    /// The template of that name, as `include`, `import`, `extends` and the first call name it.
    fn load(&self, name: &str) -> Result<Source, LoadError>;

    /// The regular files that a shell pattern matches (filter `fileglob`).
    fn glob(&self, _pattern: &str) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }

    /// Whether references are revealed, so that filter `reveal_maybe` does something.
    fn reveals(&self) -> bool {
        false
    }

    /// The text with the references in it replaced by what they stand for. Asked only where [`Host::reveals`] says so.
    fn reveal(&self, text: &str) -> Result<String, String> {
        Ok(text.to_owned())
    }

    /// Seconds since 1970 (filter `strftime` without a time).
    fn now(&self) -> i64 {
        0
    }

    /// The local zone at a time: seconds east of UTC, and its abbreviation.
    fn zone(&self, _time: i64) -> (i32, String) {
        (0, "UTC".to_owned())
    }

    /// A number that differs from run to run (filters `random` and `shuffle` without a seed, function `lipsum`).
    fn random(&self) -> u64 {
        0
    }
}

/// A part of a document, and who is told what is read of it.
pub struct Entry {
    /// The value.
    pub node: Node,
    /// Who is told, and which part this is.
    pub watch: Option<(Rc<dyn Witness>, Place)>,
}

/// A mapping whose values are computed when they are asked for, such as `inventory_global`.
pub trait Mapping {
    /// The keys, in order. Asked for often: keep them.
    fn keys(&self) -> Vec<Text>;

    /// The value of a key; none for a key that is not there. Fails with a message that ends the render.
    fn get(&self, key: &str) -> Result<Option<Entry>, String>;
}

/// A function that templates call, such as `topics`.
pub trait Function {
    /// Its result for positional and named arguments. Fails with a message that ends the render.
    fn call(&self, positional: &[Node], named: &[(Text, Node)]) -> Result<Node, String>;
}

/// The names that a template starts with.
#[derive(Default)]
pub struct Context {
    names: Vec<(Text, Value)>,
}

/// Bounds for templates that would not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many steps (statements, items, blocks of 64 bytes of text) a render may take.
    pub steps: u64,
    /// How many items a list may have.
    pub items: usize,
    /// How many bytes a result may have.
    pub output: usize,
    /// How much of the thread's stack a render may use, in bytes. Give it less than the thread has.
    pub stack: usize,
}

impl Limits {
    /// Generous for real templates, on a thread of 2 MiB.
    pub const DEFAULT: Self = Self { steps: 200_000_000, items: 1 << 24, output: 1 << 30, stack: 1 << 20 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Templates with what they may use: Jinja2 as Kapitan sets it up. Shared by threads; templates are parsed once.
pub struct Environment {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) limits: Limits,
    pub(crate) known: Known,
    templates: Arc<Templates>,
}

/// Parsed templates, shared by environments whose hosts differ.
#[derive(Default)]
pub struct Templates {
    programs: Mutex<Programs>,
}

/// By name and file: the text that was parsed, and the program.
type Programs = FxHashMap<(String, String), (Arc<str>, Arc<Program>)>;

/// The names of filters and tests, and what to say about others.
pub(crate) struct Known {
    pub filters: FxHashMap<&'static str, &'static filters::Filter>,
    pub tests: FxHashMap<&'static str, &'static filters::Filter>,
    filters_file: Option<String>,
}

impl Environment {
    /// Jinja2 with Kapitan's options and filters, over a host.
    pub fn new(host: Arc<dyn Host>) -> Self {
        Self::sharing(host, Arc::default())
    }

    /// The same, with templates that other environments may have parsed already.
    pub fn sharing(host: Arc<dyn Host>, templates: Arc<Templates>) -> Self {
        let all = filters::FILTERS.iter().chain(kapitan::FILTERS).map(|filter| (filter.name, filter));
        let known = Known {
            filters: all.collect(),
            tests: tests::TESTS.iter().map(|test| (test.name, test)).collect(),
            filters_file: None,
        };
        Self { host, limits: Limits::default(), known, templates }
    }

    /// Other bounds.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Says that the user has filters of their own in a Python file, which cannot run here: the error for an unknown
    /// filter will name the file.
    #[must_use]
    pub fn with_python_filters(mut self, file: impl Into<String>) -> Self {
        self.known.filters_file = Some(file.into());
        self
    }

    /// Renders the template of that name. On success, returns exactly what Jinja2 would.
    pub fn render(&self, name: &str, context: &Context) -> Result<String, RenderError> {
        Run::new(self).render(name, &context.names).map_err(|error| *error)
    }

    /// Renders a text that no file holds, under the name `<template>`.
    pub fn render_text(&self, text: &str, context: &Context) -> Result<String, RenderError> {
        let stack = StackLimit::from_here(self.limits.stack);
        let program =
            self.compile("<template>", &Source { text: text.into(), file: "<template>".into() }, stack);
        program
            .and_then(|program| Run::new(self).render_program(&program, &context.names))
            .map_err(|error| *error)
    }

    /// The program of a template.
    pub(crate) fn program(&self, name: &str, stack: StackLimit) -> Outcome<Arc<Program>> {
        let source = self.host.load(name).map_err(|error| match error {
            LoadError::NotFound(message) => RenderError::new(Class::TemplateNotFound, message),
            LoadError::Failed(message) => RenderError::new(Class::Value, message),
        })?;
        let key = (name.to_owned(), source.file.clone());
        let lock = || self.templates.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((text, program)) = lock().get(&key)
            && (Arc::ptr_eq(text, &source.text) || *text == source.text)
        {
            return Ok(program.clone());
        }
        let program = self.compile(name, &source, stack)?;
        lock().insert(key, (source.text, program.clone()));
        Ok(program)
    }

    fn compile(&self, name: &str, source: &Source, stack: StackLimit) -> Outcome<Arc<Program>> {
        let body = parse(&source.text, &source.file, stack)?;
        Ok(Arc::new(compile(&body, name, &source.file, &self.known, stack)?))
    }
}

impl Known {
    /// What to say about an unknown filter or test.
    pub(crate) fn hint(&self, kind: &str, name: &str) -> Option<String> {
        if kind == "filter"
            && let Some(file) = &self.filters_file
        {
            return Some(format!(
                "filters written in Python, such as those of `{file}`, cannot run here; `{name}` may be one of them"
            ));
        }
        let names = if kind == "filter" { &self.filters } else { &self.tests };
        let near = names.keys().filter(|known| is_near(known, name)).min()?;
        Some(format!("did you mean `{near}`?"))
    }
}

/// Whether one letter more, less, other or swapped makes one word of the other.
fn is_near(left: &str, right: &str) -> bool {
    let (a, b) = (left.as_bytes(), right.as_bytes());
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    start + end > 1
        && (a.len() <= 1 && b.len() <= 1 || a.len() == 2 && b.len() == 2 && a[0] == b[1] && a[1] == b[0])
}

impl Context {
    /// No names.
    pub fn new() -> Self {
        Self::default()
    }

    fn set(mut self, name: impl Into<Text>, value: Value) -> Self {
        self.names.push((name.into(), value));
        self
    }

    /// A name for a document. Setting a name again replaces its value.
    #[must_use]
    pub fn with_node(self, name: impl Into<Text>, node: &Node) -> Self {
        self.set(name, from_node(node, None))
    }

    /// A name for a document of which somebody wants to know what is read.
    #[must_use]
    pub fn with_watched(
        self,
        name: impl Into<Text>,
        node: &Node,
        witness: Rc<dyn Witness>,
        place: Place,
    ) -> Self {
        self.set(name, from_node(node, Some(Watch { witness, place })))
    }

    /// A name for a mapping that is computed on demand.
    #[must_use]
    pub fn with_mapping(self, name: impl Into<Text>, mapping: Rc<dyn Mapping>) -> Self {
        self.set(name, Value::Dict(Rc::new(Dict::of_host(mapping))))
    }

    /// A name for a function of the host.
    #[must_use]
    pub fn with_function(self, name: impl Into<Text>, function: Rc<dyn Function>) -> Self {
        let name = name.into();
        self.set(name.clone(), Value::object(Object::Host { name, function }))
    }
}

impl Entry {
    pub(crate) fn into_value(self) -> Value {
        let watch = self.watch.map(|(witness, place)| Watch { witness, place });
        from_node(&self.node, watch)
    }
}
