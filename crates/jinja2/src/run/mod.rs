//! Runs programs.

mod calls;
mod context;
mod expressions;
mod generate;
mod imports;
mod iterate;
mod loops;
mod statements;

pub(crate) use calls::{Args, Bound, Signature, bind};
pub(crate) use context::{Activation, BlockCode, Context, Layer};
pub(crate) use generate::{Generator, Mapper, Selection, Step};
pub(crate) use iterate::Iter;
pub(crate) use loops::Loop;
pub(crate) use statements::super_at;

use crate::environment::Environment;
use crate::error::{Class, Frame, Outcome, Part, RenderError, raise};
use crate::program::Program;
use crate::stack::StackLimit;
use crate::value::{Object, Value};
use kapstan_document::Text;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// One render.
pub(crate) struct Run<'e> {
    pub env: &'e Environment,
    pub stack: StackLimit,
    steps: Cell<u64>,
    /// What is being written, the innermost buffer last.
    buffers: RefCell<Vec<String>>,
    /// Templates that were imported without context.
    modules: RefCell<FxHashMap<Text, Rc<Object>>>,
    /// Scopes that values refer to which may lie in those very scopes.
    held: RefCell<Vec<Weak<Activation>>>,
    random: Cell<u64>,
}

impl<'e> Run<'e> {
    pub(crate) fn new(env: &'e Environment) -> Self {
        Self {
            env,
            stack: StackLimit::from_here(env.limits.stack),
            steps: Cell::new(env.limits.steps),
            buffers: RefCell::new(vec![String::new()]),
            modules: RefCell::default(),
            held: RefCell::default(),
            random: Cell::new(0),
        }
    }

    pub(crate) fn render(self, name: &str, names: &[(Text, Value)]) -> Outcome<String> {
        let program = self.env.program(name, self.stack)?;
        self.render_program(&program, names)
    }

    pub(crate) fn render_program(self, program: &Arc<Program>, names: &[(Text, Value)]) -> Outcome<String> {
        let mut layer = Layer::globals();
        layer.extend(names.iter().cloned());
        let context = Rc::new(Context::new(program, Rc::new(Layer::root(layer))));
        self.run_root(program, &context)?;
        Ok(self.buffers.take().pop().unwrap_or_default())
    }

    /// The scope, for a value that keeps it: it is emptied with the run, because a macro lies in the scope that it refers
    /// to, and neither would ever go away.
    pub(crate) fn hold(&self, scope: &Rc<Activation>) -> Rc<Activation> {
        self.held.borrow_mut().push(Rc::downgrade(scope));
        scope.clone()
    }

    /// Takes steps from the budget.
    pub(crate) fn spend(&self, steps: usize) -> Outcome<()> {
        match self.steps.get().checked_sub(steps as u64) {
            Some(left) => {
                self.steps.set(left);
                Ok(())
            }
            None => raise(Class::Budget, "the template does not come to an end: it takes too many steps"),
        }
    }

    /// Takes the steps for a list that is put together.
    pub(crate) fn spend_items(&self, count: usize) -> Outcome<()> {
        self.fits(count)?;
        self.spend(count)
    }

    /// Fails where a list would have too many items.
    pub(crate) fn fits(&self, count: usize) -> Outcome<()> {
        if count > self.env.limits.items {
            return raise(Class::Budget, "the template makes a list that is too long");
        }
        Ok(())
    }

    /// Takes the steps for a text that is put together.
    pub(crate) fn spend_text(&self, bytes: usize) -> Outcome<()> {
        if bytes > self.env.limits.output {
            return raise(Class::Budget, "the template makes a text that is too large");
        }
        self.spend(bytes / 64)
    }

    pub(crate) fn write(&self, text: &str) -> Outcome<()> {
        let mut buffers = self.buffers.borrow_mut();
        if let Some(buffer) = buffers.last_mut() {
            if buffer.len() + text.len() > self.env.limits.output {
                return raise(Class::Budget, "the template writes too much");
            }
            buffer.push_str(text);
        }
        Ok(())
    }

    /// What `action` writes.
    pub(crate) fn captured(&self, action: impl FnOnce() -> Outcome<()>) -> Outcome<String> {
        self.buffers.borrow_mut().push(String::new());
        let result = action();
        let text = self.buffers.borrow_mut().pop().unwrap_or_default();
        result?;
        self.spend(text.len() / 64)?;
        Ok(text)
    }

    /// A number that differs from run to run and from call to call.
    pub(crate) fn random(&self) -> u64 {
        let mut state = self.random.get();
        if state == 0 {
            state = self.env.host.random() | 1;
        }
        // xorshift64*: good enough for what nobody can repeat.
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        self.random.set(state);
        state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Runs the root of a template, and of the one that it extends.
    pub(crate) fn run_root(&self, program: &Arc<Program>, context: &Rc<Context>) -> Outcome<()> {
        self.stack.check()?;
        let scope = Rc::new(Activation::new(program, context, &program.root, None));
        let result =
            self.body(&program.root.body, &scope).and_then(|()| match scope.parent_template.take() {
                Some(parent) => self.run_root(&parent, context),
                None => Ok(()),
            });
        result.map_err(|error| framed(error, &scope, Part::Top))
    }

    /// Runs a version of a block.
    pub(crate) fn run_block(&self, name: &Text, code: &BlockCode, context: &Rc<Context>) -> Outcome<()> {
        self.stack.check()?;
        self.spend(1)?;
        let function = &code.program.blocks[code.index].1;
        let scope = Rc::new(Activation::new(&code.program, context, function, None));
        self.body(&function.body, &scope)
            .map_err(|error| framed(error, &scope, Part::Block(name.to_string())))
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        for scope in self.held.take().iter().filter_map(Weak::upgrade) {
            scope.release();
        }
    }
}

/// Notes where a function was when an error passed through it.
pub(crate) fn framed(mut error: Box<RenderError>, scope: &Activation, part: Part) -> Box<RenderError> {
    // Endless recursion would leave hundreds of the same frame.
    if error.frames.len() < 32 {
        error.frames.push(Frame { file: scope.program.file.to_string(), line: scope.line.get(), part });
    }
    error
}
