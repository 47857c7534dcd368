use super::Value;
use crate::error::{Class, Outcome, RenderError, quoted};
use crate::print;
use kapstan_document::Text;

/// What stands for something that is not there.
pub(crate) struct Undefined {
    /// Whether every use fails. Only the missing `else` of an inline `if` makes one that does not.
    pub strict: bool,
    hint: Option<Text>,
    owner: Option<&'static str>,
    name: Value,
}

impl Undefined {
    /// A name that nothing defines.
    pub(crate) fn name(name: &Text) -> Value {
        Self::value(None, None, Value::Str(name.clone()))
    }

    /// An element or attribute that `owner` does not have.
    pub(crate) fn of(owner: &Value, name: Value) -> Value {
        Self::value(None, Some(owner.owner_name()), name)
    }

    /// Something missing for the reason given.
    pub(crate) fn because(hint: impl Into<Text>) -> Value {
        Self::value(Some(hint.into()), None, Value::None)
    }

    /// The value of an inline `if` without `else`: empty text, with the reason for everything else.
    pub(crate) fn lenient(hint: &Text) -> Value {
        Value::Undefined(std::rc::Rc::new(Self {
            strict: false,
            hint: Some(hint.clone()),
            owner: None,
            name: Value::None,
        }))
    }

    fn value(hint: Option<Text>, owner: Option<&'static str>, name: Value) -> Value {
        Value::Undefined(std::rc::Rc::new(Self { strict: true, hint, owner, name }))
    }

    /// What the error says.
    pub(crate) fn message(&self) -> Outcome<String> {
        if let Some(hint) = self.hint.as_ref().filter(|hint| !hint.is_empty()) {
            return Ok(hint.to_string());
        }
        let name = print::repr(&self.name)?;
        Ok(match self.owner {
            None => format!("{name} is undefined"),
            Some(owner) if self.name.as_str().is_some() => {
                format!("{} has no attribute {name}", quoted(owner))
            }
            Some(owner) => format!("{owner} has no element {name}"),
        })
    }

    /// The error that using it raises.
    pub(crate) fn fail<T>(&self) -> Outcome<T> {
        Err(RenderError::new(Class::Undefined, self.message()?))
    }

    /// Fails if every use fails.
    pub(crate) fn check(&self) -> Outcome<()> {
        if self.strict { self.fail() } else { Ok(()) }
    }
}

impl Drop for Undefined {
    fn drop(&mut self) {
        super::defer(std::iter::once(std::mem::replace(&mut self.name, Value::None)));
    }
}
