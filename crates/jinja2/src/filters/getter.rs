use crate::error::Outcome;
use crate::ops;
use crate::run::Run;
use crate::value::Value;
use kapstan_document::python;

/// Looks up attributes by a path such as `address.city` or `0.name`.
#[derive(Clone, Default)]
pub(crate) struct Getter {
    /// Several paths, for sorting by several attributes.
    paths: Vec<Vec<Value>>,
    /// Whether the result is a list, one value per path.
    is_multiple: bool,
    default: Option<Value>,
    ignore_case: bool,
}

impl Getter {
    /// One path: a string with dots, a number, or none for the value itself.
    pub(crate) fn new(attribute: &Value) -> Self {
        Self { paths: vec![parts(attribute)], ..Self::default() }
    }

    /// Paths with commas between them.
    pub(crate) fn multiple(attribute: &Value) -> Self {
        let paths = match attribute.as_str() {
            Some(text) => text.split(',').map(|path| parts(&path.into())).collect(),
            None => vec![parts(attribute)],
        };
        Self { paths, is_multiple: true, ..Self::default() }
    }

    /// Takes strings in lower case.
    pub(crate) fn ignoring_case(self, ignore_case: bool) -> Self {
        Self { ignore_case, ..self }
    }

    /// What stands for what is missing.
    pub(crate) fn with_default(self, default: &Value) -> Self {
        let default = if matches!(default, Value::None) { None } else { Some(default.clone()) };
        Self { default, ..self }
    }

    /// Looks it up.
    pub(crate) fn get(&self, run: &Run, item: &Value) -> Outcome<Value> {
        let mut found = Vec::new();
        for path in &self.paths {
            let mut value = item.clone();
            for part in path {
                value = ops::get_item(run, &value, part)?;
                if let (Value::Undefined(_), Some(default)) = (&value, &self.default) {
                    value = default.clone();
                }
            }
            if let (true, Some(text)) = (self.ignore_case, value.as_str()) {
                value = crate::methods::lower(text).into();
            }
            found.push(value);
        }
        if self.is_multiple { Ok(Value::list(found)) } else { Ok(found.pop().unwrap_or(Value::None)) }
    }
}

fn parts(attribute: &Value) -> Vec<Value> {
    match attribute {
        Value::None => Vec::new(),
        value => match value.as_str() {
            Some(text) => text.split('.').map(part).collect(),
            None => vec![value.clone()],
        },
    }
}

fn part(text: &str) -> Value {
    let is_number = crate::methods::is_text(text, "isdigit");
    match python::parse_int(text, 10) {
        Ok(number) if is_number => Value::Int(number),
        _ => text.into(),
    }
}
