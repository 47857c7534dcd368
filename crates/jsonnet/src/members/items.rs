use crate::session::runtime_error;
use jrsonnet_evaluator::val::ArrValue;
use jrsonnet_evaluator::{Result, Thunk, Val};

/// What has a length and items by number: an array, or a string of characters. Objects and functions have a length, but
/// asking for an item of theirs is an error.
pub(crate) enum Items {
    Array(ArrValue),
    Characters(Vec<char>),
    Nameless { length: u32, value: Val },
}

/// `std.length`.
pub(crate) fn length(value: &Val) -> Result<u32> {
    Ok(match value {
        Val::Str(text) => count(text.into_flat().chars().count()),
        Val::Arr(items) => items.len(),
        Val::Obj(object) => object.len(),
        Val::Func(function) => count(function.params().len()),
        other => {
            let kind = other.value_type();
            return Err(runtime_error(&format!(
                "length operates on strings, objects, and arrays, got {kind}"
            )));
        }
    })
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl Items {
    pub(crate) fn of(value: &Val) -> Result<Self> {
        Ok(match value {
            Val::Arr(items) => Self::Array(items.clone()),
            Val::Str(text) => Self::Characters(text.into_flat().chars().collect()),
            other => Self::Nameless { length: length(other)?, value: other.clone() },
        })
    }

    pub(crate) fn len(&self) -> u32 {
        match self {
            Self::Array(items) => items.len(),
            Self::Characters(characters) => count(characters.len()),
            Self::Nameless { length, .. } => *length,
        }
    }

    /// An item that has not been evaluated; an error where there is none.
    pub(crate) fn lazy(&self, index: u32) -> Thunk<Val> {
        let known = match self {
            Self::Array(items) => items.get_lazy(index),
            Self::Characters(characters) => {
                characters.get(index as usize).map(|character| Thunk::evaluated(text_of_one(*character)))
            }
            Self::Nameless { value, .. } => {
                let problem = match value {
                    Val::Obj(_) => "object index must be string, got number.".to_owned(),
                    other => {
                        format!("can only index objects, strings, and arrays, got {}.", other.value_type())
                    }
                };
                return Thunk::errored(runtime_error(&problem));
            }
        };
        let beyond = || format!("array bounds error: {index} not within [0, {})", self.len());
        known.unwrap_or_else(|| Thunk::errored(runtime_error(&beyond())))
    }

    pub(crate) fn get(&self, index: u32) -> Result<Val> {
        self.lazy(index).evaluate()
    }

    /// All items, none of them evaluated.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = Thunk<Val>> + '_ {
        (0..self.len()).map(|index| self.lazy(index))
    }
}

/// A character as C++ jsonnet takes it out of a string, where a null character ends what it is in.
fn text_of_one(character: char) -> Val {
    if character == '\0' { "".into() } else { Val::string(character) }
}

/// `value[from:to]` for bounds that are not negative.
pub(crate) fn part(value: &Val, from: u32, to: u32) -> Result<Val> {
    match value {
        Val::Arr(items) => {
            let bound = |bound: u32| i32::try_from(bound).unwrap_or(i32::MAX);
            Ok(Val::Arr(items.clone().slice(Some(bound(from)), Some(bound(to)), None)))
        }
        Val::Str(text) => {
            let text = text.into_flat();
            let characters = text.chars().skip(from as usize).take(to.saturating_sub(from) as usize);
            Ok(characters.filter(|character| *character != '\0').collect::<String>().into())
        }
        other => {
            let kind = other.value_type();
            Err(runtime_error(&format!("std.slice accepts a string or an array, but got: {kind}")))
        }
    }
}
