use super::at::{Activation, Item};
use super::walk::Flow;
use super::{Outcome, Run};
use crate::format::value_text;
use crate::parse::ast::Branch;
use crate::value::{Type, Value};

impl Run<'_> {
    pub(super) fn range<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        dot: &Item,
        branch: &'t Branch,
    ) -> Outcome<Flow> {
        self.check_stack(activation)?;
        let visible = activation.variables.len();
        let value = self.pipeline(activation, dot, &branch.pipe)?;
        let mut flow = self.rounds(activation, &value, branch)?;
        if flow.is_none()
            && let Some(otherwise) = &branch.otherwise
        {
            flow = Some(self.nodes(activation, dot, otherwise)?);
        }
        activation.variables.truncate(visible);
        // A break ends this loop also where it stands in its else, and a continue there is one of the loop around.
        Ok(match flow {
            None | Some(Flow::Break) => Flow::Next,
            Some(flow) => flow,
        })
    }

    /// Runs the body for each element; none where there are no elements.
    fn rounds<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        value: &Value,
        branch: &'t Branch,
    ) -> Outcome<Option<Flow>> {
        let is_integer = matches!(value, Value::Int(_) | Value::Int64(_) | Value::Byte(_) | Value::Uint64(_));
        if is_integer && branch.pipe.variables.len() > 1 {
            let text = value_text(value).unwrap_or_default();
            return activation.fail(format!("can't use {text} to iterate over more than one variable"));
        }
        let mut has_run = false;
        let mut round = |activation: &mut Activation<'t>, key: Value, element: Item| {
            has_run = true;
            self.round(activation, branch, key, element)
        };
        let is_interface = |element: Type| matches!(element, Type::Any);
        match value {
            Value::Absent | Value::Nil => {}
            Value::Int(count) => each(0..*count, |n| round(activation, Value::Absent, Value::Int(n).into()))?,
            Value::Int64(count) => {
                each(0..*count, |n| round(activation, Value::Absent, Value::Int64(n).into()))?
            }
            Value::Byte(count) => {
                each(0..*count, |n| round(activation, Value::Absent, Value::Byte(n).into()))?
            }
            Value::Uint64(count) => {
                each(0..*count, |n| round(activation, Value::Absent, Value::Uint64(n).into()))?;
            }
            Value::List(list) => {
                let is_interface = is_interface(list.list_type().element);
                each((0..).zip(list.iter()), |(index, item)| {
                    round(activation, Value::Int(index), Item { value: item.clone(), is_interface })
                })?;
            }
            Value::Bytes(bytes) => {
                each((0..).zip(bytes.iter()), |(index, byte)| {
                    round(activation, Value::Int(index), Value::Byte(*byte).into())
                })?;
            }
            Value::Map(map) => {
                let is_interface = is_interface(map.map_type().element);
                each(map.snapshot(), |(key, value)| {
                    round(activation, Value::Str(key), Item { value, is_interface })
                })?;
            }
            Value::Bool(_) | Value::Float64(_) | Value::Complex(..) | Value::Str(_) | Value::Object(_) => {
                let text = value_text(value).map_err(|error| activation.error(error.to_string()))?;
                return activation.fail([b"range can't iterate over ", text.as_bytes()].concat());
            }
        }
        Ok(has_run.then_some(Flow::Next))
    }

    fn round<'t>(
        &mut self,
        activation: &mut Activation<'t>,
        branch: &'t Branch,
        key: Value,
        element: Item,
    ) -> Outcome<Flow> {
        self.step(activation)?;
        let visible = activation.variables.len();
        match (&*branch.pipe.variables, branch.pipe.is_assignment) {
            ([], _) => {}
            ([value], true) => activation.assign(&value.name, element.clone())?,
            ([key_name, value], true) => {
                activation.assign(&key_name.name, key.into())?;
                activation.assign(&value.name, element.clone())?;
            }
            ([_], false) => activation.variables[visible - 1].1 = element.clone(),
            (_, false) => {
                activation.variables[visible - 1].1 = element.clone();
                activation.variables[visible - 2].1 = key.into();
            }
            (_, true) => {}
        }
        let flow = self.nodes(activation, &element, &branch.body);
        activation.variables.truncate(visible);
        flow
    }
}

/// One round for each until one breaks.
fn each<T>(items: impl IntoIterator<Item = T>, mut round: impl FnMut(T) -> Outcome<Flow>) -> Outcome<()> {
    for item in items {
        if round(item)? == Flow::Break {
            break;
        }
    }
    Ok(())
}
