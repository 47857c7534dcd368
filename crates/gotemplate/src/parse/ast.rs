//! What a template is made of. Positions are bytes from the start of the text, as Go's nodes have them: the place that an
//! error text shows is that of a node, so each kind keeps Go's choice of what its place is.

use crate::functions::Entry;
use crate::value::{Text, Value};
use std::rc::Rc;

/// A text that was parsed.
#[derive(Debug)]
pub(crate) struct Source {
    /// The name it was parsed under: the file, in errors.
    pub name: Text,
    pub text: Text,
}

/// One template: what a text says, or a definition in it.
#[derive(Debug)]
pub(crate) struct Tree {
    pub name: Text,
    pub source: Rc<Source>,
    pub root: Vec<Node>,
}

#[derive(Debug)]
pub(crate) enum Node {
    Text(Text),
    Action(Pipe),
    If(Branch),
    With(Branch),
    Range(Branch),
    Break,
    Continue,
    Template(Invocation),
}

/// `{{template "name" pipe}}`, also what a block leaves behind.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub position: usize,
    pub name: Text,
    pub pipe: Option<Pipe>,
}

#[derive(Debug)]
pub(crate) struct Branch {
    pub pipe: Pipe,
    pub body: Vec<Node>,
    pub otherwise: Option<Vec<Node>>,
}

#[derive(Debug)]
pub(crate) struct Pipe {
    pub position: usize,
    pub is_assignment: bool,
    pub variables: Vec<Variable>,
    pub commands: Vec<Command>,
}

#[derive(Debug)]
pub(crate) struct Command {
    pub position: usize,
    /// Never empty.
    pub operands: Vec<Operand>,
}

#[derive(Debug)]
pub(crate) enum Operand {
    Dot { position: usize },
    Nil { position: usize },
    Bool { position: usize, value: bool },
    Number(Box<Number>),
    String { position: usize, quoted: Text, value: Value },
    Identifier(Identifier),
    Field { position: usize, names: Vec<Text> },
    Variable(Variable),
    Chain { position: usize, base: Box<Operand>, names: Vec<Text> },
    Pipe(Box<Pipe>),
}

/// A function.
pub(crate) struct Identifier {
    pub position: usize,
    pub function: Rc<Entry>,
}

/// `$x.field`: its name includes the sign.
#[derive(Debug)]
pub(crate) struct Variable {
    pub position: usize,
    pub name: Rc<[u8]>,
    pub fields: Vec<Text>,
}

/// A number constant and all that it can be.
#[derive(Debug, Default)]
pub(crate) struct Number {
    pub position: usize,
    pub text: Text,
    pub int: Option<i64>,
    pub uint: Option<u64>,
    pub float: Option<f64>,
    pub complex: Option<(f64, f64)>,
}

impl std::fmt::Debug for Identifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.function.shape.name)
    }
}

impl Tree {
    /// Whether it holds nothing but blanks: such a one does not replace another.
    pub(crate) fn is_empty(&self) -> bool {
        self.root.iter().all(|node| matches!(node, Node::Text(text) if is_blank(text)))
    }
}

/// Whether all of it is what Go calls space.
fn is_blank(text: &[u8]) -> bool {
    crate::unicode::chars(text).all(|(c, _)| {
        matches!(c, '\t'..='\r' | ' ' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}')
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
    })
}

impl Operand {
    pub(crate) fn position(&self) -> usize {
        match self {
            Self::Dot { position }
            | Self::Nil { position }
            | Self::Bool { position, .. }
            | Self::String { position, .. }
            | Self::Field { position, .. }
            | Self::Chain { position, .. } => *position,
            Self::Number(number) => number.position,
            Self::Identifier(identifier) => identifier.position,
            Self::Variable(variable) => variable.position,
            Self::Pipe(pipe) => pipe.position,
        }
    }
}
