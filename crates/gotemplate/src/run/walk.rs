use super::at::{Activation, At, Item};
use super::{MOST_TEMPLATES, Outcome, Run, TOO_DEEP};
use crate::format::{quote, write_action};
use crate::parse::ast::{Branch, Invocation, Node, Pipe};
use crate::value::Value;

/// What comes after a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
}

impl Run<'_> {
    pub(super) fn nodes<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        nodes: &'t [Node],
    ) -> Outcome<Flow> {
        for node in nodes {
            self.step(activation)?;
            let flow = match node {
                Node::Text(text) => {
                    self.out.extend_from_slice(text);
                    self.check_output(activation)?;
                    Flow::Next
                }
                Node::Action(pipe) => {
                    self.action(activation, dot, pipe)?;
                    Flow::Next
                }
                Node::If(branch) => self.branch(activation, dot, branch, false)?,
                Node::With(branch) => self.branch(activation, dot, branch, true)?,
                Node::Range(branch) => self.range(activation, dot, branch)?,
                Node::Template(invocation) => {
                    self.invocation(activation, dot, invocation)?;
                    Flow::Next
                }
                Node::Break => Flow::Break,
                Node::Continue => Flow::Continue,
            };
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    /// Variables that an action declares stay until the end of the list; what declares or assigns prints nothing.
    fn action<'t>(&mut self, activation: &mut Activation<'t>, dot: &Item, pipe: &'t Pipe) -> Outcome<()> {
        let value = self.pipeline(activation, dot, pipe)?;
        if pipe.variables.is_empty() {
            activation.at = At::Pipe(pipe);
            if let Err(error) = write_action(&value, &mut self.out) {
                return activation.fail(error.to_string());
            }
            self.check_output(activation)?;
        }
        Ok(())
    }

    fn branch<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        branch: &'t Branch,
        is_with: bool,
    ) -> Outcome<Flow> {
        self.check_stack(activation)?;
        let visible = activation.variables.len();
        let value = self.pipeline(activation, dot, &branch.pipe)?;
        let flow = if value.is_truthy() {
            if is_with {
                self.nodes(activation, &value.into(), &branch.body)
            } else {
                drop(value);
                self.nodes(activation, dot, &branch.body)
            }
        } else if let Some(otherwise) = &branch.otherwise {
            self.nodes(activation, dot, otherwise)
        } else {
            Ok(Flow::Next)
        };
        activation.variables.truncate(visible);
        flow
    }

    /// A template sees nothing of the variables of who calls it.
    fn invocation<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        invocation: &'t Invocation,
    ) -> Outcome<()> {
        activation.at = At::Invocation(invocation);
        let Some(tree) = self.set.get(&invocation.name).cloned() else {
            return activation.fail(format!("template {} not defined", quote(&invocation.name)));
        };
        if activation.depth == MOST_TEMPLATES || self.stack.is_used_up() {
            return activation.fail(TOO_DEEP);
        }
        let data = match &invocation.pipe {
            Some(pipe) => self.pipeline(activation, dot, pipe)?,
            None => Value::Absent,
        };
        let data = Item::from(data);
        let mut inner = Activation::new(&tree, data.clone(), activation.depth + 1);
        self.nodes(&mut inner, &data, &tree.root)?;
        Ok(())
    }
}
