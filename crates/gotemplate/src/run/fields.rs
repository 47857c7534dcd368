use super::at::{Activation, Item};
use super::calls::Signature;
use super::{MissingKey, Outcome, Run};
use crate::functions::{EntryBody, Function, index::zero};
use crate::parse::ast::Operand;
use crate::value::{Kind, Text, Type, Value};

impl Run<'_> {
    /// The value behind `.a.b.c`; only the last one can be a method with arguments.
    pub(super) fn chain<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        receiver: &Item,
        names: &'t [Text],
        args: &'t [Operand],
        piped: Option<Value>,
    ) -> Outcome<Item> {
        // Nearly all chains go through plain maps that have all the keys; each step of it nests, so long ones do not.
        if let Value::Map(map) = &receiver.value
            && args.is_empty()
            && piped.is_none()
            && names.len() <= 16
            && let Some((value, map_type)) = map.get_path(names)
        {
            return Ok(Item { value, is_interface: matches!(map_type.element, Type::Any) });
        }
        let Some((last, before)) = names.split_last() else { return Ok(receiver.clone()) };
        let mut reached = None;
        for name in before {
            let next = self.field(activation, dot, reached.as_ref().unwrap_or(receiver), name, &[], None)?;
            reached = Some(next);
        }
        self.field(activation, dot, reached.as_ref().unwrap_or(receiver), last, args, piped)
    }

    /// A method, a field of an object, or an entry of a map.
    fn field<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        receiver: &Item,
        name: &'t Text,
        args: &'t [Operand],
        piped: Option<Value>,
    ) -> Outcome<Item> {
        let has_arguments = !args.is_empty() || piped.is_some();
        let methods: &'static [Function] = match &receiver.value {
            Value::Map(map) => map.map_type().methods,
            Value::List(list) => list.list_type().methods,
            Value::Object(object) => object.methods(),
            Value::Absent => return self.field_of_nothing(activation, name),
            Value::Nil => {
                let receiver = receiver.type_name();
                return activation.fail(format!("nil pointer evaluating {receiver}.{name}"));
            }
            _ => &[],
        };
        if let Some(method) = methods.iter().find(|method| *name == method.name) {
            let signature = Signature { shape: method, body: &EntryBody::Plain(method.body) };
            let at = activation.at;
            return self.call(activation, dot, signature, Some(&receiver.value), at, args, piped);
        }
        match &receiver.value {
            Value::Map(_) if has_arguments => {
                activation.fail(format!("{name} is not a method but has arguments"))
            }
            Value::Map(map) => {
                let element = map.map_type().element;
                let is_interface = matches!(element, Type::Any);
                match map.get(name) {
                    Some(value) => Ok(Item { value, is_interface }),
                    None => self.missing_key(activation, name, element),
                }
            }
            Value::Object(object) => {
                let name = name.to_str();
                let Some(value) = object.field(&name) else { return no_field(activation, receiver, &name) };
                if has_arguments {
                    return activation
                        .fail(format!("{name} has arguments but cannot be invoked as function"));
                }
                let is_interface = object.is_interface_field(&name);
                Ok(Item { value, is_interface })
            }
            _ => no_field(activation, receiver, &name.to_str()),
        }
    }

    fn field_of_nothing(&self, activation: &Activation<'_>, name: &Text) -> Outcome<Item> {
        if self.options.missing_key == MissingKey::Error {
            return activation.fail(format!("nil data; no entry for key {}", crate::format::quote(name)));
        }
        Ok(Item::default())
    }

    fn missing_key(&self, activation: &Activation<'_>, name: &Text, element: Type) -> Outcome<Item> {
        match self.options.missing_key {
            MissingKey::Absent => Ok(Item::default()),
            MissingKey::Zero => Ok(Item { value: zero(element), is_interface: matches!(element, Type::Any) }),
            MissingKey::Error => {
                activation.fail(format!("map has no entry for key {}", crate::format::quote(name)))
            }
        }
    }
}

fn no_field(activation: &Activation<'_>, receiver: &Item, name: &str) -> Outcome<Item> {
    // A pointer inside of an interface is still called an interface.
    debug_assert_ne!(receiver.value.kind(), Kind::Invalid);
    activation.fail(format!("can't evaluate field {name} in type {}", receiver.type_name()))
}
