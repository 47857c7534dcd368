//! Executing a tree.

mod at;
mod calls;
mod error;
mod fields;
mod loops;
mod options;
mod pipeline;
mod walk;

pub use error::{Error, Frame, HelmForm};
pub use options::{LARGE_STACK, Limits, MissingKey, Options};

use crate::functions::{CallError, Engine};
use crate::parse::ast::Tree;
use crate::set::Set;
use crate::stack::StackLimit;
use crate::value::{Text, Value};
use at::{Activation, Item};
use rustc_hash::FxHashMap;
use std::any::Any;

type Outcome<T> = Result<T, Box<Error>>;

/// One execution, with all that it includes.
pub(crate) struct Run<'o> {
    set: Set,
    options: &'o Options,
    stack: StackLimit,
    out: Vec<u8>,
    /// Bytes of output that wait while an `include` writes its own.
    waiting: usize,
    steps: u64,
    /// How many executions by name are under way, by name.
    nesting: FxHashMap<Text, usize>,
    /// Lists of arguments to use again.
    spare: Vec<Vec<Value>>,
}

impl<'o> Run<'o> {
    pub(crate) fn new(set: Set, options: &'o Options) -> Self {
        Self {
            set,
            options,
            stack: StackLimit::from_here(options.limits.stack),
            out: Vec::new(),
            waiting: 0,
            steps: 0,
            nesting: FxHashMap::default(),
            spare: Vec::new(),
        }
    }

    /// Executes a template of the set by name.
    pub(crate) fn named(&mut self, name: &[u8], data: Value) -> Result<Text, Box<Error>> {
        let Some(tree) = self.set.get(name).cloned() else {
            let (name, set) = (crate::format::quote(name), crate::format::quote(self.set.name()));
            let text = format!("template: no template {name} associated with template {set}");
            return Err(Box::new(Error::bare(text)));
        };
        self.tree(&tree, data)
    }

    fn tree(&mut self, tree: &Tree, data: Value) -> Result<Text, Box<Error>> {
        let data = Item::from(if data.is_nil() { Value::Absent } else { data });
        let mut activation = Activation::new(tree, data.clone(), 0);
        self.check_stack(&activation)?;
        let outer = std::mem::take(&mut self.out);
        self.waiting += outer.len();
        let result = self.nodes(&mut activation, &data, &tree.root);
        self.waiting -= outer.len();
        let text = std::mem::replace(&mut self.out, outer);
        result?;
        Ok(text.into())
    }

    fn check_stack(&self, activation: &Activation<'_>) -> Outcome<()> {
        if self.stack.is_used_up() { activation.fail(TOO_DEEP) } else { Ok(()) }
    }

    fn step(&mut self, activation: &Activation<'_>) -> Outcome<()> {
        self.steps += 1;
        if self.steps > self.options.limits.steps {
            let limit = self.options.limits.steps;
            return activation.fail(format!("execution takes more than {limit} steps"));
        }
        Ok(())
    }

    fn check_output(&self, activation: &Activation<'_>) -> Outcome<()> {
        let limit = self.options.limits.output;
        if self.waiting + self.out.len() > limit {
            return activation.fail(format!("output is longer than {limit} bytes"));
        }
        Ok(())
    }
}

/// How deep `template` nodes may nest, as in Go; where the stack ends sooner, that is said in the same words.
const MOST_TEMPLATES: usize = 100_000;
const TOO_DEEP: &str = "exceeded maximum template depth (100000)";

impl Engine for Run<'_> {
    fn execute(&mut self, name: &[u8], data: Value) -> Result<Text, CallError> {
        *self.nesting.entry(name.into()).or_default() += 1;
        let result = self.named(name, data);
        if let Some(count) = self.nesting.get_mut(name) {
            *count -= 1;
        }
        Ok(result?)
    }

    fn nesting(&self, name: &[u8]) -> usize {
        self.nesting.get(name).copied().unwrap_or(0)
    }

    fn execute_text(&mut self, name: &Text, text: &Text, data: Value) -> Result<Text, CallError> {
        let (derived, tree) = self.set.derive(name, text, self.stack)?;
        let outer = std::mem::replace(&mut self.set, derived);
        let result = self.tree(&tree, data);
        self.set = outer;
        Ok(result?)
    }

    fn set_name(&self) -> Text {
        self.set.name().clone()
    }

    fn host(&self) -> Option<&dyn Any> {
        self.options.host.as_deref()
    }
}
