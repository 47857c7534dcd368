//! From a parsed template to a program: names become slots, and every statement gets the line that Jinja2 would blame.
//!
//! The order of the work follows Jinja2's own code generator, since both the scopes and the lines depend on it.

mod expressions;
mod names;
mod scopes;
mod statements;

use crate::ast;
use crate::environment::Known;
use crate::error::{Class, Outcome, RenderError, quoted, syntax_error};
use crate::program::{Escape, Function, Load, Program, Slot, Stmt, StmtKind};
use crate::stack::StackLimit;
use indexmap::IndexMap;
use kapstan_document::Text;
use scopes::{Ident, Scopes};

/// Compiles a parsed template.
pub(crate) fn compile(
    body: &[ast::Stmt],
    name: &str,
    file: &str,
    known: &Known,
    stack: StackLimit,
) -> Outcome<Program> {
    let mut compiler = Compiler {
        known,
        name,
        file,
        stack,
        scopes: Scopes::default(),
        functions: Vec::new(),
        last_line: 0,
        escape: Escape::Never,
        extends: 0,
        has_known_extends: false,
        is_over: false,
        labels: 0,
    };
    let root = compiler.root(body)?;
    let mut blocks = Vec::new();
    for block in names::blocks(body) {
        blocks.push((block.name.clone(), compiler.block_function(block)?));
    }
    Ok(Program { name: name.into(), file: file.into(), root, blocks })
}

/// The slots of a function being compiled.
struct FunctionSlots {
    parent: Option<usize>,
    slots: IndexMap<Ident, u32>,
}

/// What is known about the place that is being compiled.
#[derive(Clone, Copy)]
struct Frame {
    scope: usize,
    function: usize,
    /// At the top of the template, also inside of conditions.
    toplevel: bool,
    /// At the top of the template, outside of conditions.
    rootlevel: bool,
    /// Inside of a condition: filters need to exist only when they are used.
    soft: bool,
    /// Output appears only as long as nothing is extended.
    checks_output: bool,
}

struct Compiler<'a> {
    known: &'a Known,
    name: &'a str,
    file: &'a str,
    stack: StackLimit,
    scopes: Scopes,
    functions: Vec<FunctionSlots>,
    /// The line that a traceback would name for what comes next.
    last_line: u32,
    escape: Escape,
    extends: usize,
    has_known_extends: bool,
    /// Nothing behind this is ever reached.
    is_over: bool,
    /// How many nameless variables there are.
    labels: u32,
}

impl Compiler<'_> {
    fn fail<T>(&self, message: impl Into<String>, line: u32) -> Outcome<T> {
        Err(syntax_error(message, self.file, line))
    }

    /// Notes the line of a node and returns the one that is blamed from here on.
    fn line(&mut self, line: Option<u32>) -> u32 {
        self.last_line = line.unwrap_or(self.last_line);
        self.last_line.max(1)
    }

    fn add_function(&mut self, parent: Option<usize>) -> usize {
        self.functions.push(FunctionSlots { parent, slots: IndexMap::new() });
        self.functions.len() - 1
    }

    fn function(&self, function: usize, body: Vec<Stmt>) -> Function {
        Function { slots: self.functions[function].slots.len(), body }
    }

    fn local(&mut self, function: usize, ident: &Ident) -> u32 {
        let slots = &mut self.functions[function].slots;
        let next = u32::try_from(slots.len()).unwrap_or(u32::MAX);
        *slots.entry(ident.clone()).or_insert(next)
    }

    /// A slot that no name means.
    fn nameless(&mut self, function: usize) -> u32 {
        self.labels += 1;
        self.local(function, &(u32::MAX - self.labels, "".into()))
    }

    fn slot(&mut self, from: usize, owner: usize, ident: &Ident) -> Slot {
        let index = self.local(owner, ident);
        let (mut up, mut at) = (0, from);
        while at != owner {
            let Some(parent) = self.functions[at].parent else { break };
            (up, at) = (up + 1, parent);
        }
        Slot { up, index }
    }

    /// The variable that a name means at a place.
    fn variable(&mut self, name: &str, frame: Frame) -> Outcome<Slot> {
        let Some((ident, owner)) = self.scopes.find(frame.scope, name) else {
            let message = format!(
                "Tried to resolve a name to a reference that was unknown to the frame ({})",
                quoted(name)
            );
            return Err(RenderError::new(Class::Assertion, message));
        };
        let ident = ident.clone();
        Ok(self.slot(frame.function, owner, &ident))
    }

    /// The variable that a name means where it is set: always one of the running function.
    fn own_variable(&mut self, name: &str, frame: Frame) -> Outcome<u32> {
        self.variable(name, frame).map(|slot| slot.index)
    }

    /// A scope inside of a place.
    fn inner(&mut self, frame: Frame) -> Frame {
        Frame {
            scope: self.scopes.add(Some(frame.scope), frame.function),
            toplevel: false,
            rootlevel: false,
            soft: false,
            ..frame
        }
    }

    /// A scope in a function of its own inside of a place.
    fn inner_function(&mut self, frame: Frame) -> Frame {
        let function = self.add_function(Some(frame.function));
        let scope = self.scopes.add(Some(frame.scope), function);
        Frame { scope, function, toplevel: false, rootlevel: false, soft: false, checks_output: false }
    }

    /// What fills the variables of a scope when it begins.
    fn enter(&mut self, frame: Frame) -> Vec<Load> {
        let scope = &self.scopes.all[frame.scope];
        let loads: Vec<_> = scope.loads.iter().map(|(ident, load)| (ident.clone(), load.clone())).collect();
        let parent = scope.parent;
        let mut entered = Vec::new();
        for (ident, load) in loads {
            let index = self.local(frame.function, &ident);
            entered.push(match load {
                scopes::Load::Parameter => continue,
                scopes::Load::Resolve(name) => Load::Resolve(index, name),
                scopes::Load::Undefined => Load::Missing(index),
                scopes::Load::Alias(outer) => {
                    let owner = parent.and_then(|parent| self.scopes.function_of(parent, &outer));
                    Load::Alias(index, self.slot(frame.function, owner.unwrap_or(frame.function), &outer))
                }
            });
        }
        entered
    }

    /// The variables that are given up when a scope ends.
    fn leave(&mut self, frame: Frame) -> Vec<u32> {
        let idents: Vec<_> = self.scopes.all[frame.scope].loads.keys().cloned().collect();
        idents.iter().map(|ident| self.local(frame.function, ident)).collect()
    }

    fn push_enter(&mut self, frame: Frame, out: &mut Vec<Stmt>) {
        let loads = self.enter(frame);
        if !loads.is_empty() {
            out.push(Stmt { line: self.line(None), kind: StmtKind::Enter(loads) });
        }
    }

    fn push_leave(&mut self, frame: Frame, out: &mut Vec<Stmt>) {
        let slots = self.leave(frame);
        if !slots.is_empty() {
            out.push(Stmt { line: self.line(None), kind: StmtKind::Leave(slots) });
        }
    }

    fn root(&mut self, body: &[ast::Stmt]) -> Outcome<Function> {
        let is_extends = |stmt: &ast::Stmt| matches!(stmt.kind, ast::StmtKind::Extends(_));
        let have_extends = names::any_statement(body, &is_extends);
        let mut seen = std::collections::HashSet::new();
        for block in names::blocks(body) {
            if !seen.insert(&block.name) {
                return self.fail(format!("block {} defined twice", quoted(&block.name)), block.line);
            }
        }
        let function = self.add_function(None);
        let frame = Frame {
            scope: self.scopes.add(None, function),
            function,
            toplevel: true,
            rootlevel: true,
            soft: false,
            checks_output: have_extends,
        };
        let mut out = Vec::new();
        if names::undeclared(body, &["self"]).contains("self") {
            self.load_self(frame, &mut out)?;
        }
        self.scopes.body(frame.scope, body);
        self.push_enter(frame, &mut out);
        self.body(body, frame, &mut out)?;
        Ok(self.function(function, out))
    }

    fn load_self(&mut self, frame: Frame, out: &mut Vec<Stmt>) -> Outcome<()> {
        self.scopes.declare_parameter(frame.scope, &"self".into());
        let slot = self.own_variable("self", frame)?;
        out.push(Stmt { line: 1, kind: StmtKind::LoadSelf(slot) });
        Ok(())
    }

    fn block_function(&mut self, block: &ast::Block) -> Outcome<Function> {
        let function = self.add_function(None);
        let frame = Frame {
            scope: self.scopes.add(None, function),
            function,
            toplevel: false,
            rootlevel: false,
            soft: false,
            checks_output: false,
        };
        let line = self.line(Some(block.line));
        let mut out = Vec::new();
        let undeclared = names::undeclared(&block.body, &["self", "super"]);
        if undeclared.contains("self") {
            self.load_self(frame, &mut out)?;
        }
        if undeclared.contains("super") {
            self.scopes.declare_parameter(frame.scope, &"super".into());
            let slot = self.own_variable("super", frame)?;
            out.push(Stmt { line, kind: StmtKind::LoadSuper(slot, block.name.clone()) });
        }
        self.scopes.body(frame.scope, &block.body);
        self.push_enter(frame, &mut out);
        self.body(&block.body, frame, &mut out)?;
        Ok(self.function(function, out))
    }

    /// Names that are set here or around here, for what is included from here.
    fn locals(&mut self, frame: Frame) -> Outcome<Vec<(Text, Slot)>> {
        let names = self.scopes.stored_names(frame.scope);
        names.into_iter().map(|name| self.variable(&name, frame).map(|slot| (name, slot))).collect()
    }
}
