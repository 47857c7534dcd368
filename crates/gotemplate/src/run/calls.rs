use super::at::{Activation, At, Item};
use super::pipeline::number_value;
use super::{Outcome, Run};
use crate::functions::{Call, EntryBody, Function, index::zero};
use crate::parse::ast::{Identifier, Operand};
use crate::parse::print::Print;
use crate::value::{Type, Value};

/// A function or method that is about to be called.
#[derive(Clone, Copy)]
pub(super) struct Signature<'f> {
    pub shape: &'f Function,
    pub body: &'f EntryBody,
}

impl Signature<'_> {
    /// The type of the parameter at an index; a variadic one repeats.
    fn parameter(&self, index: usize) -> Type {
        self.shape.params.get(index).copied().or(self.shape.rest).unwrap_or(Type::Any)
    }
}

impl Run<'_> {
    pub(super) fn call_function<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        identifier: &'t Identifier,
        at: At<'t>,
        args: &'t [Operand],
        piped: Option<Value>,
    ) -> Outcome<Item> {
        let function = &*identifier.function;
        let signature = Signature { shape: &function.shape, body: &function.body };
        self.call(activation, dot, signature, None, at, args, piped)
    }

    /// Calls with the operands and, as the last argument, the piped value. Errors of the function itself stand at `at`.
    #[expect(
        clippy::too_many_arguments,
        reason = "a call is made of these, and a struct for them would be built once"
    )]
    pub(super) fn call<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        signature: Signature<'_>,
        receiver: Option<&Value>,
        at: At<'t>,
        args: &'t [Operand],
        piped: Option<Value>,
    ) -> Outcome<Item> {
        self.step(activation)?;
        check_count(activation, signature.shape, args.len(), args.len() + usize::from(piped.is_some()))?;
        match signature.body {
            EntryBody::And => return self.short_circuit(activation, dot, args, piped, false),
            EntryBody::Or => return self.short_circuit(activation, dot, args, piped, true),
            _ => {}
        }
        let mut values = self.spare.pop().unwrap_or_default();
        let result =
            self.arguments(activation, dot, signature, args, piped, &mut values).and_then(|interfaces| {
                self.check_stack(activation)?;
                let name = signature.shape.name;
                let result = match signature.body {
                    EntryBody::CallValue => Err(call_value(args, &values).into()),
                    body => {
                        body.run(&mut Call::new(name, receiver, &values, self).with_interfaces(interfaces))
                    }
                };
                result.map_err(|error| {
                    activation.at = at;
                    activation.call_failed(name, error.into_error())
                })
            });
        values.clear();
        self.spare.push(values);
        let value = result?;
        let is_interface = matches!(signature.shape.result, Type::Any) || matches!(value, Value::Nil);
        Ok(Item { value, is_interface })
    }

    /// Puts the arguments into `values`; gives a bit for each of the first 64, set where it is seen as an
    /// `interface {}`.
    fn arguments<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        signature: Signature<'_>,
        args: &'t [Operand],
        piped: Option<Value>,
        values: &mut Vec<Value>,
    ) -> Outcome<u64> {
        let mut interfaces = 0;
        for (index, operand) in args.iter().enumerate() {
            let item = self.argument(activation, dot, signature.parameter(index), operand)?;
            if item.is_interface && index < 64 {
                interfaces |= 1 << index;
            }
            values.push(item.value);
        }
        if let Some(value) = piped {
            values.push(checked(activation, value.into(), signature.parameter(args.len()))?.value);
        }
        Ok(interfaces)
    }

    /// Go's `and` and `or`: arguments behind the deciding one are not looked at.
    fn short_circuit<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        args: &'t [Operand],
        piped: Option<Value>,
        truth: bool,
    ) -> Outcome<Item> {
        let mut item = Item::default();
        for operand in args {
            item = self.argument(activation, dot, Type::Reflect, operand)?;
            if item.value.is_truthy() == truth {
                return Ok(item);
            }
        }
        Ok(piped.map_or(item, Item::from))
    }

    /// An operand as an argument of that type.
    fn argument<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        wanted: Type,
        operand: &'t Operand,
    ) -> Outcome<Item> {
        activation.at = At::Operand(operand);
        let item = match operand {
            Operand::Dot { .. } => dot.clone(),
            Operand::Nil { .. } => return Ok(nil(activation, wanted)?.into()),
            Operand::Field { names, .. } => self.chain(activation, dot, dot, names, &[], None)?,
            Operand::Variable(variable) => {
                let item = self.variable(activation, &variable.name)?;
                if variable.fields.is_empty() {
                    item
                } else {
                    self.chain(activation, dot, &item, &variable.fields, &[], None)?
                }
            }
            Operand::Pipe(pipe) => {
                self.check_stack(activation)?;
                self.pipeline(activation, dot, pipe)?.into()
            }
            Operand::Identifier(identifier) => {
                self.call_function(activation, dot, identifier, At::Operand(operand), &[], None)?
            }
            Operand::Chain { base, names, .. } => {
                let receiver = self.chain_base(activation, dot, operand, base)?;
                self.chain(activation, dot, &receiver, names, &[], None)?
            }
            Operand::Bool { .. } | Operand::Number(_) | Operand::String { .. } => {
                return Ok(literal(activation, operand, wanted)?.into());
            }
        };
        checked(activation, item, wanted)
    }
}

fn check_count(activation: &Activation<'_>, shape: &Function, written: usize, given: usize) -> Outcome<()> {
    let name = shape.name;
    let wanted = shape.params.len();
    if shape.rest.is_none() && given != wanted {
        return activation.fail(format!("wrong number of args for {name}: want {wanted} got {given}"));
    }
    if given < wanted {
        let text = format!("wrong number of args for {name}: want at least {wanted} got {written}");
        return activation.fail(text);
    }
    Ok(())
}

/// Why a value cannot be called: none can.
fn call_value(args: &[Operand], values: &[Value]) -> String {
    let Some(callee) = values.first().filter(|value| !value.is_nil()) else {
        return "call of nil".to_owned();
    };
    let name = match (args.first(), callee) {
        (Some(operand), _) => operand.text().to_string(),
        (None, Value::Str(text)) => text.to_string(),
        (None, other) => format!("<{} Value>", other.type_name()),
    };
    format!("non-function {name} of type {}", callee.type_name())
}

/// Whether nil can stand for it.
fn can_be_nil(wanted: Type) -> bool {
    match wanted {
        Type::Any | Type::Reflect | Type::Bytes | Type::List(_) | Type::Map(_) => true,
        Type::Object(name) => name.starts_with('*'),
        _ => false,
    }
}

fn nil(activation: &Activation<'_>, wanted: Type) -> Outcome<Value> {
    if can_be_nil(wanted) {
        return Ok(zero(wanted));
    }
    activation.fail(format!("cannot assign nil to {wanted}"))
}

/// The value, if it may be given where `wanted` is.
fn checked(activation: &Activation<'_>, item: Item, wanted: Type) -> Outcome<Item> {
    let Some(found) = item.value.go_type() else {
        return match (&item.value, wanted) {
            (_, Type::Reflect) => Ok(item),
            (_, Type::Any) => Ok(Value::Nil.into()),
            (Value::Nil, _) if item.is_interface => {
                activation.fail(format!("wrong type for value; expected {wanted}; got interface {{}}"))
            }
            (_, wanted) if can_be_nil(wanted) => Ok(zero(wanted).into()),
            _ => activation.fail(format!("invalid value; expected {wanted}")),
        };
    };
    if matches!(wanted, Type::Reflect) || found.is_assignable_to(wanted) {
        return Ok(item);
    }
    activation.fail(format!("wrong type for value; expected {wanted}; got {found}"))
}

/// A constant as an argument: where the parameter has a type, it has to be a constant of that kind.
fn literal(activation: &Activation<'_>, operand: &Operand, wanted: Type) -> Outcome<Value> {
    let expected = |kind: &str| {
        let mut text = format!("expected {kind}; found ").into_bytes();
        operand.print(&mut text);
        activation.fail(text)
    };
    match (wanted, operand) {
        (Type::Any, Operand::Number(number)) => {
            // Only what overflows has no value, and that has failed.
            number_value(activation, number).map(|value| if value.is_nil() { Value::Nil } else { value })
        }
        (Type::Reflect, Operand::Number(number)) => number_value(activation, number),
        (Type::Any | Type::Reflect | Type::Bool, Operand::Bool { value, .. }) => Ok(Value::Bool(*value)),
        (Type::Any | Type::Reflect | Type::String, Operand::String { value, .. }) => Ok(value.clone()),
        (Type::Bool, _) => expected("bool"),
        (Type::String, _) => expected("string"),
        (Type::Int | Type::Int64, Operand::Number(number)) => match (wanted, number.int) {
            (Type::Int, Some(int)) => Ok(Value::Int(int)),
            (_, Some(int)) => Ok(Value::Int64(int)),
            (_, None) => expected("integer"),
        },
        (Type::Int | Type::Int64, _) => expected("integer"),
        (Type::Byte | Type::Uint32 | Type::Uint64, Operand::Number(number)) => match (wanted, number.uint) {
            // Go cuts it down to the bits there are.
            (Type::Byte, Some(uint)) => Ok(Value::Byte(uint.to_le_bytes()[0])),
            (Type::Uint32, Some(uint)) => Ok(Value::Uint64(uint & u64::from(u32::MAX))),
            (_, Some(uint)) => Ok(Value::Uint64(uint)),
            (_, None) => expected("unsigned integer"),
        },
        (Type::Byte | Type::Uint32 | Type::Uint64, _) => expected("unsigned integer"),
        (Type::Float64, Operand::Number(number)) => {
            number.float.map_or_else(|| expected("float"), |f| Ok(f.into()))
        }
        (Type::Float64, _) => expected("float"),
        (Type::Complex, Operand::Number(number)) => number
            .complex
            .map_or_else(|| expected("complex"), |(real, imaginary)| Ok(Value::Complex(real, imaginary))),
        (Type::Complex, _) => expected("complex"),
        _ => {
            let mut text = b"can't handle ".to_vec();
            operand.print(&mut text);
            text.extend_from_slice(format!(" for arg of type {wanted}").as_bytes());
            activation.fail(text)
        }
    }
}
