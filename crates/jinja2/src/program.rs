//! Templates ready to run: every name is a slot of a function's frame, shared by threads and renders.

use crate::ast::{BinaryOp, CompareOp, UnaryOp};
use kapstan_document::{Int, Text};
use std::sync::Arc;

/// A template.
#[derive(Debug)]
pub(crate) struct Program {
    pub name: Text,
    pub file: Text,
    pub root: Function,
    pub blocks: Vec<(Text, Function)>,
}

/// What runs with slots of its own: a template's root, a block, a macro, a recursive loop, the condition of a loop.
#[derive(Debug, Default)]
pub(crate) struct Function {
    pub slots: usize,
    pub body: Vec<Stmt>,
}

/// A slot of the running function or, `up` functions out, of one that it is defined in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub up: u16,
    pub index: u32,
}

/// What a slot holds when its scope begins.
#[derive(Debug)]
pub(crate) enum Load {
    Resolve(u32, Text),
    Alias(u32, Slot),
    Missing(u32),
}

#[derive(Debug)]
pub(crate) enum Expr {
    None,
    Bool(bool),
    Int(Int),
    Float(f64),
    Str(Text),
    Var(Slot, Text),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    Dict(Vec<(Expr, Expr)>),
    Binary(BinaryOp, Box<(Expr, Expr)>),
    Unary(UnaryOp, Box<Expr>),
    And(Box<(Expr, Expr)>),
    Or(Box<(Expr, Expr)>),
    Compare(Box<Expr>, Vec<(CompareOp, Expr)>),
    Concat(Vec<Expr>, Escape),
    /// Condition, value, other value (or the message of the undefined value that stands for it).
    Cond(Box<(Expr, Expr)>, Result<Box<Expr>, Text>),
    GetAttr(Box<Expr>, Text),
    GetItem(Box<(Expr, Expr)>),
    Slice(Box<Expr>, Box<[Option<Expr>; 3]>),
    Call(Box<Expr>, Box<Arguments>),
    Filter(Text, Option<Box<Expr>>, Box<Arguments>),
    Test(Text, Box<Expr>, Box<Arguments>),
}

/// Whether text that is put together is escaped: known, or as the running template says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escape {
    Never,
    Always,
    Ask,
}

#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub positional: Vec<Expr>,
    pub keyword: Vec<(Text, Expr)>,
    pub star: Option<Expr>,
    pub star_star: Option<Expr>,
    /// The slot of a `call` block's macro, passed as `caller`.
    pub caller: Option<Slot>,
}

#[derive(Debug)]
pub(crate) enum Target {
    Slot(u32),
    NamespaceAttr(Slot, Text),
    Tuple(Vec<Target>),
}

/// Names that a statement at the top of a template makes visible to others.
#[derive(Debug, Default)]
pub(crate) struct Exports {
    /// Set in the template's context.
    pub names: Vec<(Text, u32)>,
    /// Whether importers see them (those without a leading underscore).
    pub exported: bool,
}

#[derive(Debug)]
pub(crate) struct Stmt {
    /// What a traceback names for it.
    pub line: u32,
    pub kind: StmtKind,
}

#[derive(Debug)]
pub(crate) struct For {
    pub target: Target,
    pub iter: Expr,
    pub body: Vec<Stmt>,
    pub enter: Vec<Load>,
    pub leave: Vec<u32>,
    pub otherwise: Option<Vec<Stmt>>,
    /// Where `loop` lives, if it is used.
    pub loop_slot: Option<u32>,
    pub condition: Option<Arc<Condition>>,
}

/// The condition of a loop: a function that takes an item and says whether it stays.
#[derive(Debug)]
pub(crate) struct Condition {
    pub function: Function,
    pub target: Target,
    pub test: Expr,
    pub line: u32,
}

#[derive(Debug)]
pub(crate) struct Macro {
    pub name: Option<Text>,
    pub params: Vec<Param>,
    pub caller: Option<u32>,
    pub kwargs: Option<u32>,
    pub varargs: Option<u32>,
    pub line: u32,
    pub function: Function,
}

#[derive(Debug)]
pub(crate) struct Param {
    pub name: Text,
    pub slot: u32,
    pub default: Option<Expr>,
}

#[derive(Debug)]
pub(crate) enum StmtKind {
    Text(Text),
    Print(Expr, Escape),
    /// Runs only as long as no template is being extended.
    UnlessExtending(Vec<Stmt>),
    Enter(Vec<Load>),
    Leave(Vec<u32>),
    If(Vec<(u32, Expr, Vec<Stmt>)>, Vec<Stmt>),
    For(Box<For>),
    /// A function that takes items and loops over them; `iter` is the first call.
    RecursiveFor(Arc<RecursiveFor>),
    Macro(Arc<Macro>, u32, Exports),
    CallBlock(Arc<Macro>, u32),
    FilterBlock(Vec<Stmt>, Expr, Escape),
    Set(Target, Expr, Exports),
    SetBlock(Target, Vec<Stmt>, Option<Expr>, Exports),
    Do(Expr),
    Block {
        name: Text,
        locals: Option<Vec<(Text, Slot)>>,
        required: bool,
    },
    Extends(Expr),
    Include {
        template: Expr,
        ignore_missing: bool,
        locals: Option<Vec<(Text, Slot)>>,
    },
    Import {
        template: Expr,
        slot: u32,
        locals: Option<Vec<(Text, Slot)>>,
        exports: Exports,
    },
    FromImport {
        template: Expr,
        names: Vec<(Text, u32)>,
        locals: Option<Vec<(Text, Slot)>>,
        exports: Exports,
        place: String,
    },
    /// Sets `self` of a template or block.
    LoadSelf(u32),
    /// Sets `super` of a block.
    LoadSuper(u32, Text),
    Autoescape(Expr, Vec<Stmt>),
    Fail(Box<crate::error::RenderError>),
}

#[derive(Debug)]
pub(crate) struct RecursiveFor {
    pub function: Function,
    pub iter: Expr,
    pub line: u32,
}
