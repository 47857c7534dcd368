use super::{Activation, Args, Context, Iter, Run, framed};
use crate::error::{Outcome, Part};
use crate::filters::{Call, Getter};
use crate::ops;
use crate::program::{Condition, Target};
use crate::value::{Key, Value};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// Items that are made when they are asked for, as Python's generators make them.
pub(crate) struct Generator {
    /// What Python calls it: its type, and for generators the function.
    pub label: (&'static str, &'static str),
    source: Source,
    step: Step,
    context: Rc<Context>,
}

enum Source {
    /// Nobody asked for an item yet.
    Fresh(Value),
    Running(Iter),
    Over,
}

/// What becomes of the items.
pub(crate) enum Step {
    /// They stay as they are.
    Plain,
    /// The pairs of a mapping.
    Items,
    Map(Args, Option<Mapper>),
    Select {
        args: Args,
        selection: Option<Selection>,
        negate: bool,
        by_attribute: bool,
    },
    Unique(Getter, FxHashSet<Key>),
    Batch {
        size: Value,
        fill: Value,
    },
    Slice {
        slices: Value,
        fill: Value,
        ready: VecDeque<Value>,
    },
    /// Those for which the condition of a loop holds.
    Condition {
        code: Arc<Condition>,
        scope: Rc<Activation>,
    },
}

/// What `map` does to an item.
pub(crate) enum Mapper {
    Attribute(Getter),
    Filter(Value, Args),
}

/// What `select` and its kin ask of an item.
pub(crate) struct Selection {
    pub attribute: Option<Getter>,
    pub test: Option<(Value, Args)>,
}

impl Generator {
    pub(crate) fn value(
        label: (&'static str, &'static str),
        source: Value,
        step: Step,
        context: &Rc<Context>,
    ) -> Value {
        let generator = Self { label, source: Source::Fresh(source), step, context: context.clone() };
        Value::object(crate::value::Object::Generator(std::cell::RefCell::new(generator)))
    }

    pub(crate) fn take_parts(&mut self) -> Vec<Value> {
        match std::mem::replace(&mut self.source, Source::Over) {
            Source::Fresh(value) => vec![value],
            Source::Running(iter) => vec![iter.into_source()],
            Source::Over => Vec::new(),
        }
    }

    /// The next item. A generator that failed is over.
    pub(crate) fn next(&mut self, run: &Run) -> Outcome<Option<Value>> {
        run.stack.check()?;
        let result = self.advance(run);
        if !matches!(result, Ok(Some(_))) {
            self.source = Source::Over;
        }
        result
    }

    fn advance(&mut self, run: &Run) -> Outcome<Option<Value>> {
        if let Source::Fresh(value) = &self.source {
            let value = value.clone();
            match self.start(run, &value)? {
                Some(iter) => self.source = Source::Running(iter),
                None => return Ok(None),
            }
        }
        let Source::Running(iter) = &mut self.source else { return Ok(None) };
        let call = Call { run, context: &self.context };
        match &mut self.step {
            Step::Plain | Step::Items => iter.next(run),
            Step::Map(_, mapper) => match (iter.next(run)?, mapper) {
                (Some(item), Some(mapper)) => mapper.apply(&call, item).map(Some),
                _ => Ok(None),
            },
            Step::Select { selection, negate, .. } => {
                while let (Some(item), Some(selection)) = (iter.next(run)?, &selection) {
                    if selection.holds(&call, &item)? != *negate {
                        return Ok(Some(item));
                    }
                }
                Ok(None)
            }
            Step::Unique(getter, seen) => {
                while let Some(item) = iter.next(run)? {
                    if seen.insert(Key::of(&getter.get(run, &item)?)?) {
                        return Ok(Some(item));
                    }
                }
                Ok(None)
            }
            Step::Batch { size, fill } => batch(run, iter, size, fill),
            Step::Slice { ready, .. } => Ok(ready.pop_front()),
            Step::Condition { code, scope } => {
                let result = filtered(run, iter, code, scope);
                result.map_err(|error| framed(error, scope, Part::Loop))
            }
        }
    }

    /// What happens before the first item; none where there will not be any.
    fn start(&mut self, run: &Run, value: &Value) -> Outcome<Option<Iter>> {
        let call = Call { run, context: &self.context };
        match &mut self.step {
            Step::Items => {
                if matches!(value, Value::Undefined(_)) {
                    return Ok(None);
                }
                let Value::Dict(dict) = value else {
                    return crate::error::type_error("Can only get item pairs from a mapping.");
                };
                let view = crate::value::View { kind: crate::value::ViewKind::Items, dict: dict.clone() };
                return run.iterate(&Value::object(crate::value::Object::View(view))).map(Some);
            }
            Step::Map(args, mapper) => {
                if !ops::is_true(value)? {
                    return Ok(None);
                }
                *mapper = Some(Mapper::of(std::mem::take(args), &call)?);
            }
            Step::Select { args, selection, by_attribute, .. } => {
                if !ops::is_true(value)? {
                    return Ok(None);
                }
                *selection = Some(Selection::of(std::mem::take(args), *by_attribute)?);
            }
            Step::Slice { slices, fill, ready } => {
                *ready = crate::filters::sliced(run, value, slices, fill)?.into();
                return run.iterate(&Value::tuple(Vec::new())).map(Some);
            }
            Step::Condition { code, scope } => {
                scope.line.set(code.line);
                run.body(&code.function.body, scope)?;
                scope.line.set(code.line);
            }
            Step::Plain | Step::Unique(..) | Step::Batch { .. } => {}
        }
        run.iterate(value).map(Some)
    }
}

fn batch(run: &Run, iter: &mut Iter, size: &Value, fill: &Value) -> Outcome<Option<Value>> {
    let mut items = Vec::new();
    let is_full = |items: &Vec<Value>| ops::equal(run, &Value::size(items.len()), size);
    loop {
        if !items.is_empty() && is_full(&items)? {
            return Ok(Some(Value::list(items)));
        }
        // Jinja2 would yield an empty batch first where the size is zero; nothing reads it.
        match iter.next(run)? {
            Some(item) => items.push(item),
            None => break,
        }
    }
    if items.is_empty() {
        return Ok(None);
    }
    if !matches!(fill, Value::None) {
        let mut missing = match size.as_int() {
            Some(kapstan_document::Int::Small(size)) => {
                usize::try_from(size).unwrap_or(0).saturating_sub(items.len())
            }
            _ => 0,
        };
        run.spend(missing)?;
        while missing > 0 {
            items.push(fill.clone());
            missing -= 1;
        }
    }
    Ok(Some(Value::list(items)))
}

fn filtered(run: &Run, iter: &mut Iter, code: &Condition, scope: &Rc<Activation>) -> Outcome<Option<Value>> {
    while let Some(item) = iter.next(run)? {
        scope.line.set(code.line);
        run.assign(&code.target, item, scope)?;
        if ops::is_true(&run.eval(&code.test, scope)?)? {
            return Ok(Some(target_value(&code.target, scope)));
        }
    }
    Ok(None)
}

/// What a target holds: a tuple for several names.
fn target_value(target: &Target, scope: &Activation) -> Value {
    match target {
        Target::Slot(index) | Target::NamespaceAttr(crate::program::Slot { index, .. }, ..) => {
            scope.get(crate::program::Slot { up: 0, index: *index }).unwrap_or(Value::None)
        }
        Target::Tuple(items) => Value::tuple(items.iter().map(|item| target_value(item, scope)).collect()),
    }
}
