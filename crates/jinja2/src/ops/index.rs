use crate::error::{Class, Outcome, RenderError, type_error, value_error};
use crate::methods;
use crate::run::Run;
use crate::text;
use crate::value::{Range, Undefined, Value};
use kapstan_document::Int;

/// What `value[argument]` is for Jinja2: an item, else an attribute of that name, else undefined.
pub(crate) fn get_item(run: &Run, value: &Value, argument: &Value) -> Outcome<Value> {
    match item(run, value, argument) {
        Err(error) if is_missing(error.class) => {}
        result => return result,
    }
    if let Some(name) = argument.as_str()
        && let Some(found) = methods::attribute(run, value, name)?
    {
        return Ok(found);
    }
    Ok(Undefined::of(value, argument.clone()))
}

/// What `value.name` is for Jinja2: an attribute, else an item of that name, else undefined.
pub(crate) fn get_attribute(run: &Run, value: &Value, name: &kapstan_document::Text) -> Outcome<Value> {
    if let Some(found) = methods::attribute(run, value, name)? {
        return Ok(found);
    }
    if let Value::Dict(dict) = value {
        return Ok(match dict.get_str(name)? {
            Some(found) => found,
            None => Undefined::of(value, Value::Str(name.clone())),
        });
    }
    match item(run, value, &Value::Str(name.clone())) {
        Err(error) if is_missing(error.class) => Ok(Undefined::of(value, Value::Str(name.clone()))),
        result => result,
    }
}

fn is_missing(class: Class) -> bool {
    matches!(class, Class::Attribute | Class::Type | Class::Key | Class::Index | Class::TemplateNotFound)
}

/// Python's `value[argument]`.
pub(crate) fn item(run: &Run, value: &Value, argument: &Value) -> Outcome<Value> {
    let index_of = |length: usize, kind: &str| -> Outcome<usize> {
        let Some(index) = argument.as_int() else {
            return type_error(format!(
                "{kind} indices must be integers or slices, not {}",
                argument.type_name()
            ));
        };
        position(&index, length)
            .ok_or_else(|| RenderError::new(Class::Index, format!("{kind} index out of range")))
    };
    Ok(match value {
        Value::Dict(dict) => match dict.get(argument)? {
            Some(found) => found,
            None => return Err(RenderError::new(Class::Key, crate::print::repr(argument)?)),
        },
        Value::List(list) => {
            let items = list.items();
            items[index_of(items.len(), "list")?].clone()
        }
        Value::Tuple(tuple) => tuple.items[index_of(tuple.items.len(), "tuple")?].clone(),
        Value::Str(text) | Value::Markup(text) => {
            let index = index_of(text::length(text), "string")?;
            let c = text::substring(text, index, index + 1).into();
            if matches!(value, Value::Markup(_)) { Value::Markup(c) } else { Value::Str(c) }
        }
        Value::Bytes(bytes) => Value::int(i64::from(bytes[index_of(bytes.len(), "bytes")?])),
        Value::Range(range) => {
            let index = index_of(range.len(), "range object")?;
            Value::int(range.at(index).unwrap_or_default())
        }
        Value::Undefined(undefined) => return undefined.fail(),
        Value::Object(object) => return methods::object_item(run, object, argument),
        _ => return type_error(format!("'{}' object is not subscriptable", value.type_name())),
    })
}

fn position(index: &Int, length: usize) -> Option<usize> {
    let Int::Small(index) = index else { return None };
    let length = i64::try_from(length).ok()?;
    let at = if *index < 0 { index + length } else { *index };
    (0..length).contains(&at).then(|| usize::try_from(at).ok())?
}

/// How many of something a number means: none below zero, and the most there can be where that is less.
pub(crate) fn count_of(number: i64) -> usize {
    usize::try_from(number).unwrap_or(if number < 0 { 0 } else { usize::MAX })
}

/// The places that a slice of something that long takes, in order.
struct Places {
    start: i64,
    step: i64,
    count: usize,
}

impl Places {
    fn of(bounds: &[Value; 3], length: usize) -> Outcome<Self> {
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let step = bound(&bounds[2])?.unwrap_or(1);
        if step == 0 {
            return value_error("slice step cannot be zero");
        }
        let (lowest, highest) = if step > 0 { (0, length) } else { (-1, length - 1) };
        let clamp = |bound: Option<i64>, default: i64| match bound {
            None => default,
            Some(at) if at < 0 => at.saturating_add(length).max(lowest),
            Some(at) => at.min(highest),
        };
        let start = clamp(bound(&bounds[0])?, if step > 0 { lowest } else { highest });
        let stop = clamp(bound(&bounds[1])?, if step > 0 { highest } else { lowest });
        Ok(Self { start, step, count: Range { start, stop, step }.len() })
    }

    fn each(&self) -> impl Iterator<Item = usize> {
        let (start, step) = (self.start, self.step);
        (0..self.count).filter_map(move |n| usize::try_from(start + step * i64::try_from(n).ok()?).ok())
    }
}

fn bound(value: &Value) -> Outcome<Option<i64>> {
    match (value, value.as_int()) {
        (Value::None, _) => Ok(None),
        (_, Some(Int::Small(value))) => Ok(Some(value)),
        (_, Some(Int::Big(value))) => {
            Ok(Some(if value.sign() == num_bigint::Sign::Minus { i64::MIN } else { i64::MAX }))
        }
        _ => type_error("slice indices must be integers or None or have an __index__ method"),
    }
}

/// Python's `value[start:stop:step]`.
pub(crate) fn slice(run: &Run, value: &Value, bounds: &[Value; 3]) -> Outcome<Value> {
    let pick = |items: &[Value]| -> Outcome<Vec<Value>> {
        let places = Places::of(bounds, items.len())?;
        run.spend(places.count)?;
        Ok(places.each().map(|at| items[at].clone()).collect())
    };
    Ok(match value {
        Value::List(list) => Value::list(pick(&list.items())?),
        Value::Tuple(tuple) => Value::tuple(pick(&tuple.items)?),
        Value::Str(text) | Value::Markup(text) => {
            let places = Places::of(bounds, text::length(text))?;
            let sliced: String = if places.step == 1 {
                let start = usize::try_from(places.start).unwrap_or(0);
                text::substring(text, start, start + places.count).to_owned()
            } else {
                let chars: Vec<char> = text.chars().collect();
                places.each().map(|at| chars[at]).collect()
            };
            run.spend_text(sliced.len())?;
            if matches!(value, Value::Markup(_)) { Value::Markup(sliced.into()) } else { sliced.into() }
        }
        Value::Bytes(bytes) => {
            Value::Bytes(Places::of(bounds, bytes.len())?.each().map(|at| bytes[at]).collect())
        }
        Value::Range(range) => {
            let places = Places::of(bounds, range.len())?;
            let start = range.start + range.step * places.start;
            let step = range.step * places.step;
            let stop = start + step * i64::try_from(places.count).unwrap_or(i64::MAX);
            Value::Range(std::rc::Rc::new(Range { start, stop, step }))
        }
        Value::Undefined(undefined) => return undefined.fail(),
        Value::Dict(_) => return type_error("unhashable type: 'slice'"),
        _ => return type_error(format!("'{}' object is not subscriptable", value.type_name())),
    })
}
