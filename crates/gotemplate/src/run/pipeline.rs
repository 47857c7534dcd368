use super::at::{Activation, At, Item, undefined};
use super::{Outcome, Run};
use crate::parse::ast::{Command, Number, Operand, Pipe};
use crate::parse::print::Print;
use crate::value::Value;

impl Run<'_> {
    /// The value of a pipeline; variables it declares stay on the stack for the caller to remove.
    pub(super) fn pipeline<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        pipe: &'t Pipe,
    ) -> Outcome<Value> {
        activation.at = At::Pipe(pipe);
        let mut value = None;
        for command in &pipe.commands {
            value = Some(self.command(activation, dot, command, value)?.unwrap());
        }
        let value = value.unwrap_or_default();
        for variable in &pipe.variables {
            if pipe.is_assignment {
                activation.assign(&variable.name, value.clone().into())?;
            } else {
                activation.variables.push((&variable.name, value.clone().into()));
            }
        }
        Ok(value)
    }

    /// A command with the value that is piped into it.
    fn command<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        command: &'t Command,
        piped: Option<Value>,
    ) -> Outcome<Item> {
        let (first, args) = command.operands.split_first().expect("the parser makes no empty command");
        let at = At::Operand(first);
        match first {
            Operand::Field { names, .. } => {
                activation.at = at;
                self.chain(activation, dot, dot, names, args, piped)
            }
            Operand::Chain { base, names, .. } => {
                activation.at = at;
                let receiver = self.chain_base(activation, dot, first, base)?;
                self.chain(activation, dot, &receiver, names, args, piped)
            }
            Operand::Identifier(identifier) => {
                activation.at = at;
                self.call_function(activation, dot, identifier, At::Command(command), args, piped)
            }
            Operand::Pipe(pipe) => {
                check_no_arguments(activation, first, args, piped.as_ref())?;
                Ok(self.pipeline(activation, dot, pipe)?.into())
            }
            Operand::Variable(variable) => {
                activation.at = at;
                let item = self.variable(activation, &variable.name)?;
                if variable.fields.is_empty() {
                    check_no_arguments(activation, first, args, piped.as_ref())?;
                    return Ok(item);
                }
                self.chain(activation, dot, &item, &variable.fields, args, piped)
            }
            _ => {
                activation.at = at;
                check_no_arguments(activation, first, args, piped.as_ref())?;
                self.constant(activation, dot, first)
            }
        }
    }

    pub(super) fn variable(&self, activation: &Activation<'_>, name: &[u8]) -> Outcome<Item> {
        match activation.variable(name) {
            Some(item) => Ok(item.clone()),
            None => activation.fail(undefined(name)),
        }
    }

    fn constant(&self, activation: &Activation<'_>, dot: &Item, operand: &Operand) -> Outcome<Item> {
        Ok(match operand {
            Operand::Bool { value, .. } => Value::Bool(*value).into(),
            Operand::Dot { .. } => dot.clone(),
            Operand::Nil { .. } => return activation.fail("nil is not a command"),
            Operand::Number(number) => number_value(activation, number)?.into(),
            Operand::String { value, .. } => value.clone().into(),
            _ => Item::default(),
        })
    }

    /// What the fields of a chain are taken from.
    pub(super) fn chain_base<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        chain: &Operand,
        base: &'t Operand,
    ) -> Outcome<Item> {
        self.check_stack(activation)?;
        match base {
            Operand::Nil { .. } => {
                activation.fail([b"indirection through explicit nil in ", &*chain.text()].concat())
            }
            Operand::Pipe(pipe) => {
                activation.at = At::Operand(base);
                Ok(self.pipeline(activation, dot, pipe)?.into())
            }
            Operand::Identifier(identifier) => {
                let at = At::Operand(base);
                activation.at = at;
                self.call_function(activation, dot, identifier, at, &[], None)
            }
            _ => self.constant(activation, dot, base),
        }
    }
}

fn check_no_arguments(
    activation: &Activation<'_>,
    first: &Operand,
    args: &[Operand],
    piped: Option<&Value>,
) -> Outcome<()> {
    if args.is_empty() && piped.is_none() {
        return Ok(());
    }
    let mut text = b"can't give argument to non-function ".to_vec();
    first.print(&mut text);
    activation.fail(text)
}

/// A number where nothing says what type it should have: its spelling does.
pub(super) fn number_value(activation: &Activation<'_>, number: &Number) -> Outcome<Value> {
    let text: &[u8] = &number.text;
    let is_hex_int =
        matches!(text, [b'0', b'x' | b'X', _, ..]) && !text.iter().any(|byte| b"pP".contains(byte));
    let is_character = text.first() == Some(&b'\'');
    let looks_like_float = text.iter().any(|byte| b".eEpP".contains(byte));
    Ok(match number {
        Number { complex: Some((real, imaginary)), .. } => Value::Complex(*real, *imaginary),
        Number { float: Some(float), .. } if looks_like_float && !is_hex_int && !is_character => {
            Value::Float64(*float)
        }
        Number { int: Some(int), .. } => Value::Int(*int),
        Number { uint: Some(_), .. } => return activation.fail([text, b" overflows int"].concat()),
        _ => Value::Absent,
    })
}
