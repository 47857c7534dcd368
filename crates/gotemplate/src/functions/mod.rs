//! Functions of templates: rows with typed parameters, and what a function gets when it is called.
//!
//! A row says what it takes, so that wrong counts and wrong types are reported in one place, by the evaluator, in Go's
//! words. The body then finds arguments of exactly those types:
//!
//! ```
//! use kapstan_gotemplate::{Call, Function, Functions, Outcome, Type, Value};
//!
//! const ROWS: &[Function] = &[Function::new("double", &[Type::String], Type::String, double)];
//!
//! fn double(call: &mut Call<'_>) -> Outcome {
//!     Ok(Value::str(call.text(0).repeat(2)))
//! }
//!
//! let functions = Functions::new().with(ROWS);
//! assert_eq!(functions.call("double", &[Value::str("ab")]).unwrap().as_text().unwrap(), &"abab");
//! ```

mod builtins;
mod call;
mod compare;
mod error;
mod escape;
pub mod helm;
pub(crate) mod index;
pub mod sprig;

pub use call::Call;
pub(crate) use call::Engine;
pub use error::CallError;

use crate::value::{Type, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a function gives.
pub type Outcome = Result<Value, CallError>;

/// The body of a function.
pub type Body = fn(&mut Call<'_>) -> Outcome;

/// A function or method: a row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its name in templates.
    pub name: &'static str,
    /// The types of its fixed parameters.
    pub params: &'static [Type],
    /// The type of each further argument, where it takes any number of them.
    pub rest: Option<Type>,
    /// What it returns. [`Type::Any`] is an `interface {}`, which error texts tell from a concrete type.
    pub result: Type,
    /// What it does.
    pub body: Body,
}

impl Function {
    /// A function of exactly these parameters.
    pub const fn new(name: &'static str, params: &'static [Type], result: Type, body: Body) -> Self {
        Self { name, params, rest: None, result, body }
    }

    /// A function of these parameters and then any number of `rest`.
    pub const fn variadic(
        name: &'static str,
        params: &'static [Type],
        rest: Type,
        result: Type,
        body: Body,
    ) -> Self {
        Self { name, params, rest: Some(rest), result, body }
    }
}

/// The functions that templates may call, by name. A clone is cheap and independent.
#[derive(Clone, Default)]
pub struct Functions {
    entries: Rc<FxHashMap<&'static str, Rc<Entry>>>,
}

/// A function as it was registered.
pub(crate) struct Entry {
    pub shape: Function,
    pub body: EntryBody,
}

pub(crate) enum EntryBody {
    /// Go's `and`, which stops at the first false argument.
    And,
    /// Go's `or`, which stops at the first true one.
    Or,
    /// Go's `call`, whose errors name its first operand.
    CallValue,
    Plain(Body),
    Closure(Rc<dyn Fn(&mut Call<'_>) -> Outcome>),
}

impl EntryBody {
    pub(crate) fn run(&self, call: &mut Call<'_>) -> Outcome {
        match self {
            Self::And => Ok(deciding(call.args(), false)),
            Self::Or => Ok(deciding(call.args(), true)),
            Self::CallValue => Err(CallError::new("call of nil")),
            Self::Plain(body) => body(call),
            Self::Closure(body) => body(call),
        }
    }
}

/// The first argument of that truth, else the last.
fn deciding(args: &[Value], truth: bool) -> Value {
    args.iter().find(|arg| arg.is_truthy() == truth).or(args.last()).cloned().unwrap_or_default()
}

impl Functions {
    /// None but what is added.
    pub fn new() -> Self {
        Self::default()
    }

    /// Go's own: and call eq ge gt html index js le len lt ne not or print printf println slice urlquery.
    pub fn builtins() -> Self {
        let mut functions = Self::new().with(builtins::ROWS);
        let entries = Rc::make_mut(&mut functions.entries);
        for (shape, body) in builtins::special() {
            entries.insert(shape.name, Rc::new(Entry { shape, body }));
        }
        functions
    }

    /// Adds these; of two of the same name the later one stays.
    #[must_use]
    pub fn with(mut self, rows: &[Function]) -> Self {
        let entries = Rc::make_mut(&mut self.entries);
        for row in rows {
            entries.insert(row.name, Rc::new(Entry { shape: *row, body: EntryBody::Plain(row.body) }));
        }
        self
    }

    /// Adds a function that holds state: `shape` says name and types, its body is not used.
    #[must_use]
    pub fn with_closure(
        mut self,
        shape: Function,
        body: impl Fn(&mut Call<'_>) -> Outcome + 'static,
    ) -> Self {
        let body = EntryBody::Closure(Rc::new(body));
        Rc::make_mut(&mut self.entries).insert(shape.name, Rc::new(Entry { shape, body }));
        self
    }

    /// Takes functions out.
    #[must_use]
    pub fn without(mut self, names: &[&str]) -> Self {
        let entries = Rc::make_mut(&mut self.entries);
        for name in names {
            entries.remove::<str>(name);
        }
        self
    }

    /// Whether there is a function of that name.
    pub fn contains(&self, name: &str) -> bool {
        self.entries.contains_key::<str>(name)
    }

    /// The row of a function: what it takes and gives.
    pub fn shape(&self, name: &str) -> Option<&Function> {
        self.get(name).map(|entry| &entry.shape)
    }

    /// The names, sorted.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.entries.keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// Calls a function outside of any template, with arguments that must already be of its types: for tests. What
    /// needs the engine (`include`, `tpl`) fails.
    pub fn call(&self, name: &str, args: &[Value]) -> Outcome {
        let entry = self.get(name).ok_or_else(|| CallError::new(format!("function {name:?} not defined")))?;
        entry.body.run(&mut Call::new(entry.shape.name, None, args, &mut call::NoEngine))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Rc<Entry>> {
        self.entries.get::<str>(name)
    }
}
