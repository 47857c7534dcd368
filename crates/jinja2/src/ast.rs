//! Templates as parsed: names are still names, every node knows its line.

use kapstan_document::{Int, Text};

/// An expression and the line that error messages name for it.
#[derive(Debug)]
pub(crate) struct Expr {
    pub line: u32,
    /// How deep the tree below is, from 1: nothing deeper than the parser allows is ever built.
    pub depth: u16,
    pub kind: ExprKind,
}

/// What a template can write as a literal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    None,
    Bool(bool),
    Int(Int),
    Float(f64),
    Str(Text),
}

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Load,
    Store,
    Param,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Neg,
    Pos,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompareOp {
    Eq,
    Ne,
    Lt,
    LtEq,
    Gt,
    GtEq,
    In,
    NotIn,
}

#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub positional: Vec<Expr>,
    pub keyword: Vec<(Text, Expr)>,
    pub star: Option<Box<Expr>>,
    pub star_star: Option<Box<Expr>>,
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    Literal(Literal),
    Name(Text, Use),
    /// `ns.attr` as the target of an assignment.
    NamespaceAttr(Text, Text),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    Dict(Vec<(Expr, Expr)>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Compare(Box<Expr>, Vec<(CompareOp, Expr)>),
    Concat(Vec<Expr>),
    Cond {
        test: Box<Expr>,
        then: Box<Expr>,
        otherwise: Option<Box<Expr>>,
    },
    GetAttr(Box<Expr>, Text),
    GetItem(Box<Expr>, Box<Expr>),
    Slice([Option<Box<Expr>>; 3]),
    Call(Box<Expr>, Arguments),
    /// Without an operand in `filter` and `set` blocks.
    Filter(Option<Box<Expr>>, Text, Arguments),
    Test(Box<Expr>, Text, Arguments),
}

/// A statement and the line of its tag.
#[derive(Debug)]
pub(crate) struct Stmt {
    pub line: u32,
    pub kind: StmtKind,
}

#[derive(Debug)]
pub(crate) enum OutputPart {
    Data(Text),
    Expr(Expr),
}

#[derive(Debug)]
pub(crate) struct For {
    pub target: Expr,
    pub iter: Expr,
    pub body: Vec<Stmt>,
    pub otherwise: Vec<Stmt>,
    pub test: Option<Expr>,
    pub recursive: bool,
}

#[derive(Debug)]
pub(crate) struct If {
    pub line: u32,
    pub test: Expr,
    pub body: Vec<Stmt>,
}

/// The parameters and the body of a macro or of a `call` block.
#[derive(Debug)]
pub(crate) struct MacroBody {
    pub params: Vec<Expr>,
    pub defaults: Vec<Expr>,
    pub body: Vec<Stmt>,
}

#[derive(Debug)]
pub(crate) struct Block {
    pub line: u32,
    pub name: Text,
    pub scoped: bool,
    pub required: bool,
    pub body: Vec<Stmt>,
}

#[derive(Debug)]
pub(crate) enum StmtKind {
    Output(Vec<OutputPart>),
    For(Box<For>),
    If { arms: Vec<If>, otherwise: Vec<Stmt> },
    Macro(Text, MacroBody),
    CallBlock(Box<Expr>, MacroBody),
    FilterBlock(Expr, Vec<Stmt>),
    With { targets: Vec<Expr>, values: Vec<Expr>, body: Vec<Stmt> },
    Block(Block),
    Extends(Expr),
    Include { template: Expr, ignore_missing: bool, with_context: bool },
    Import { template: Expr, target: Text, with_context: bool },
    FromImport { template: Expr, names: Vec<(Text, Option<Text>)>, with_context: bool },
    Set(Expr, Expr),
    SetBlock(Expr, Option<Expr>, Vec<Stmt>),
    Do(Expr),
    Autoescape(Expr, Vec<Stmt>),
}

impl ExprKind {
    /// The kind as Jinja2's messages name it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Literal(_) => "const",
            Self::Name(..) => "name",
            Self::NamespaceAttr(..) => "nsref",
            Self::Tuple(_) => "tuple",
            Self::List(_) => "list",
            Self::Dict(_) => "dict",
            Self::Binary(BinaryOp::Add, ..) => "add",
            Self::Binary(BinaryOp::Sub, ..) => "sub",
            Self::Binary(BinaryOp::Mul, ..) => "mul",
            Self::Binary(BinaryOp::Div, ..) => "div",
            Self::Binary(BinaryOp::FloorDiv, ..) => "floordiv",
            Self::Binary(BinaryOp::Mod, ..) => "mod",
            Self::Binary(BinaryOp::Pow, ..) => "pow",
            Self::Unary(UnaryOp::Neg, _) => "neg",
            Self::Unary(UnaryOp::Pos, _) => "pos",
            Self::Unary(UnaryOp::Not, _) => "not",
            Self::And(..) => "and",
            Self::Or(..) => "or",
            Self::Compare(..) => "compare",
            Self::Concat(_) => "concat",
            Self::Cond { .. } => "condexpr",
            Self::GetAttr(..) => "getattr",
            Self::GetItem(..) => "getitem",
            Self::Slice(_) => "slice",
            Self::Call(..) => "call",
            Self::Filter(..) => "filter",
            Self::Test(..) => "test",
        }
    }
}

impl Arguments {
    /// Every expression among them, in the order in which Jinja2 looks at them.
    pub(crate) fn each(&self) -> impl Iterator<Item = &Expr> {
        let keyword = self.keyword.iter().map(|(_, value)| value);
        self.positional.iter().chain(keyword).chain(self.star.as_deref()).chain(self.star_star.as_deref())
    }
}

impl Expr {
    /// Calls `visit` with each expression directly below, in the order in which Jinja2 looks at them.
    pub(crate) fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Name(..) | ExprKind::NamespaceAttr(..) => {}
            ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Concat(items) => {
                items.iter().for_each(visit);
            }
            ExprKind::Dict(items) => items.iter().for_each(|(key, value)| {
                visit(key);
                visit(value);
            }),
            ExprKind::Binary(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::GetItem(left, right) => {
                visit(left);
                visit(right);
            }
            ExprKind::Unary(_, operand) | ExprKind::GetAttr(operand, _) => visit(operand),
            ExprKind::Compare(first, rest) => {
                visit(first);
                rest.iter().for_each(|(_, operand)| visit(operand));
            }
            ExprKind::Cond { test, then, otherwise } => {
                visit(test);
                visit(then);
                otherwise.as_deref().into_iter().for_each(visit);
            }
            ExprKind::Slice(parts) => parts.iter().flatten().for_each(|part| visit(part)),
            ExprKind::Call(callee, arguments) => {
                visit(callee);
                arguments.each().for_each(visit);
            }
            ExprKind::Filter(operand, _, arguments) => {
                operand.as_deref().into_iter().for_each(&mut *visit);
                arguments.each().for_each(visit);
            }
            ExprKind::Test(operand, _, arguments) => {
                visit(operand);
                arguments.each().for_each(visit);
            }
        }
    }
}
