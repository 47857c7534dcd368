//! Nodes in Go's normal form: one space between operands, ` | ` between commands.

use super::ast::{Branch, Command, Invocation, Node, Operand, Pipe, Variable};
use crate::value::Text;

/// A node that can be written out.
pub(crate) trait Print {
    fn print(&self, out: &mut Vec<u8>);

    fn text(&self) -> Text {
        let mut out = Vec::new();
        self.print(&mut out);
        out.into()
    }
}

impl Print for Node {
    fn print(&self, out: &mut Vec<u8>) {
        match self {
            Self::Text(text) => out.extend_from_slice(text),
            Self::Action(pipe) => {
                out.extend_from_slice(b"{{");
                pipe.print(out);
                out.extend_from_slice(b"}}");
            }
            Self::If(branch) => print_branch("if", branch, out),
            Self::With(branch) => print_branch("with", branch, out),
            Self::Range(branch) => print_branch("range", branch, out),
            Self::Break => out.extend_from_slice(b"{{break}}"),
            Self::Continue => out.extend_from_slice(b"{{continue}}"),
            Self::Template(invocation) => invocation.print(out),
        }
    }
}

fn print_branch(keyword: &str, branch: &Branch, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{{");
    out.extend_from_slice(keyword.as_bytes());
    out.push(b' ');
    branch.pipe.print(out);
    out.extend_from_slice(b"}}");
    branch.body.iter().for_each(|node| node.print(out));
    if let Some(otherwise) = &branch.otherwise {
        out.extend_from_slice(b"{{else}}");
        otherwise.iter().for_each(|node| node.print(out));
    }
    out.extend_from_slice(b"{{end}}");
}

impl Print for Invocation {
    fn print(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{{template ");
        out.extend_from_slice(crate::format::quote(&self.name).as_bytes());
        if let Some(pipe) = &self.pipe {
            out.push(b' ');
            pipe.print(out);
        }
        out.extend_from_slice(b"}}");
    }
}

impl Print for Pipe {
    fn print(&self, out: &mut Vec<u8>) {
        for (index, variable) in self.variables.iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(b", ");
            }
            variable.print(out);
        }
        if !self.variables.is_empty() {
            out.extend_from_slice(if self.is_assignment { b" = " } else { b" := " });
        }
        for (index, command) in self.commands.iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(b" | ");
            }
            command.print(out);
        }
    }
}

impl Print for Command {
    fn print(&self, out: &mut Vec<u8>) {
        for (index, operand) in self.operands.iter().enumerate() {
            if index > 0 {
                out.push(b' ');
            }
            print_nested(operand, out);
        }
    }
}

/// A pipeline as part of something else stands in parentheses.
fn print_nested(operand: &Operand, out: &mut Vec<u8>) {
    if let Operand::Pipe(pipe) = operand {
        out.push(b'(');
        pipe.print(out);
        out.push(b')');
    } else {
        operand.print(out);
    }
}

impl Print for Operand {
    fn print(&self, out: &mut Vec<u8>) {
        match self {
            Self::Dot { .. } => out.push(b'.'),
            Self::Nil { .. } => out.extend_from_slice(b"nil"),
            Self::Bool { value, .. } => out.extend_from_slice(if *value { b"true" } else { b"false" }),
            Self::Number(number) => out.extend_from_slice(&number.text),
            Self::String { quoted, .. } => out.extend_from_slice(quoted),
            Self::Identifier(identifier) => out.extend_from_slice(identifier.function.shape.name.as_bytes()),
            Self::Field { names, .. } => print_fields(names, out),
            Self::Variable(variable) => variable.print(out),
            Self::Chain { base, names, .. } => {
                print_nested(base, out);
                print_fields(names, out);
            }
            Self::Pipe(pipe) => pipe.print(out),
        }
    }
}

impl Print for Variable {
    fn print(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.name);
        print_fields(&self.fields, out);
    }
}

fn print_fields(names: &[Text], out: &mut Vec<u8>) {
    for name in names {
        out.push(b'.');
        out.extend_from_slice(name);
    }
}
