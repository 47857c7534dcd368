use super::error::{Error, Frame};
use crate::parse::ast::{Command, Invocation, Operand, Pipe, Tree};
use crate::parse::print::Print;
use crate::value::{Text, Value};

/// The node that was looked at last: the place that an error text shows.
#[derive(Clone, Copy)]
pub(super) enum At<'t> {
    Start,
    Invocation(&'t Invocation),
    Pipe(&'t Pipe),
    Command(&'t Command),
    Operand(&'t Operand),
}

impl At<'_> {
    fn position(self) -> usize {
        match self {
            Self::Start => 0,
            Self::Invocation(invocation) => invocation.position,
            Self::Pipe(pipe) => pipe.position,
            Self::Command(command) => command.position,
            Self::Operand(operand) => operand.position(),
        }
    }

    pub(super) fn text(self) -> Text {
        match self {
            Self::Start => Text::default(),
            Self::Invocation(invocation) => invocation.text(),
            Self::Pipe(pipe) => pipe.text(),
            Self::Command(command) => command.text(),
            Self::Operand(operand) => operand.text(),
        }
    }
}

/// A value and whether it is seen as an `interface {}`, which error texts tell from its own type.
#[derive(Clone, Debug, Default)]
pub(super) struct Item {
    pub value: Value,
    pub is_interface: bool,
}

impl From<Value> for Item {
    fn from(value: Value) -> Self {
        Self { value, is_interface: false }
    }
}

impl Item {
    /// The static type's name.
    pub(super) fn type_name(&self) -> &'static str {
        if self.is_interface { "interface {}" } else { self.value.type_name() }
    }

    /// The value inside of an interface; nothing where that is nil.
    pub(super) fn unwrap(self) -> Value {
        if self.is_interface && matches!(self.value, Value::Nil) { Value::Absent } else { self.value }
    }
}

/// The execution of one template: its variables, and where it is.
pub(super) struct Activation<'t> {
    pub tree: &'t Tree,
    pub at: At<'t>,
    pub variables: Vec<(&'t [u8], Item)>,
    /// How many `template` nodes this is inside of.
    pub depth: usize,
}

impl<'t> Activation<'t> {
    pub(super) fn new(tree: &'t Tree, data: Item, depth: usize) -> Self {
        let mut variables = Vec::with_capacity(8);
        variables.push((&b"$"[..], data));
        Self { tree, at: At::Start, variables, depth }
    }

    /// The error of that text here.
    pub(super) fn error(&self, message: impl Into<Text>) -> Box<Error> {
        Box::new(Error {
            message: Text::default(),
            frames: vec![self.frame(message.into(), 0)],
            user_message: None,
        })
    }

    pub(super) fn fail<T>(&self, message: impl Into<Text>) -> Result<T, Box<Error>> {
        Err(self.error(message))
    }

    /// The error of a function that failed here.
    pub(super) fn call_failed(&self, name: &str, mut error: Box<Error>) -> Box<Error> {
        let lead = format!("error calling {name}: ").into_bytes();
        let length = lead.len();
        let message = [lead, error.message.to_vec()].concat();
        error.message = Text::default();
        error.frames.push(self.frame(message.into(), length));
        error
    }

    fn frame(&self, message: Text, lead: usize) -> Frame {
        let source = &self.tree.source;
        let before = &source.text[..self.at.position().min(source.text.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        Frame {
            file: source.name.clone(),
            line: 1 + memchr::memchr_iter(b'\n', before).count(),
            column: before.len() - line_start,
            template: self.tree.name.clone(),
            expression: self.at.text(),
            message,
            lead,
        }
    }

    /// The latest variable of that name.
    pub(super) fn variable(&self, name: &[u8]) -> Option<&Item> {
        self.variables.iter().rev().find(|(other, _)| *other == name).map(|(_, item)| item)
    }

    pub(super) fn assign(&mut self, name: &[u8], item: Item) -> Result<(), Box<Error>> {
        match self.variables.iter_mut().rev().find(|(other, _)| *other == name) {
            Some((_, place)) => {
                *place = item;
                Ok(())
            }
            None => self.fail(undefined(name)),
        }
    }
}

pub(super) fn undefined(name: &[u8]) -> Text {
    [b"undefined variable: ", name].concat().into()
}
