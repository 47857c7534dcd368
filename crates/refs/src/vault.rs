use crate::backend::Backend;
use crate::error::Error;
use crate::host::Environment;
use crate::reference::malformed;
use kapstan_document::{Map, Node, Scalar, Value};

/// The settings of a vault server, as a ref file keeps them: all fields, in Kapitan's order.
#[derive(Clone, Debug)]
pub(crate) struct VaultSettings {
    fields: Map,
}

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Text,
    Flag(bool),
}

/// Name, shape, and whether it may also be spelled `VAULT_<NAME>`.
const FIELDS: [(&str, Shape, bool); 13] = [
    ("addr", Shape::Text, true),
    ("skip_verify", Shape::Flag(true), true),
    ("client_key", Shape::Text, true),
    ("client_cert", Shape::Text, true),
    ("cacert", Shape::Text, true),
    ("capath", Shape::Text, true),
    ("namespace", Shape::Text, true),
    ("engine", Shape::Text, false),
    ("auth", Shape::Text, false),
    ("crypto_key", Shape::Text, false),
    ("always_latest", Shape::Flag(false), false),
    ("mount", Shape::Text, false),
    ("key", Shape::Text, false),
];

impl VaultSettings {
    /// Reads the settings and fills in what is not given, first from the environment. Fails for unknown fields and
    /// values of another type.
    pub(crate) fn read(backend: Backend, given: &Node, environment: &dyn Environment) -> Result<Self, Error> {
        let Some(given) = given.as_map() else {
            return Err(malformed("`vault_params` is not a mapping"));
        };
        let known = |name: &str| {
            FIELDS.iter().any(|(field, _, is_aliased)| {
                *field == name || (*is_aliased && name.strip_prefix("VAULT_") == Some(&field.to_uppercase()))
            })
        };
        if let Some(key) = given.keys().find(|key| !key.as_str().is_some_and(known)) {
            let key = kapstan_document::python::scalar_str(&key.scalar);
            return Err(malformed(format!("`vault_params` has no field `{key}`")));
        }
        let mut fields = Map::with_capacity(FIELDS.len());
        for (name, shape, is_aliased) in FIELDS {
            let variable = format!("VAULT_{}", name.to_uppercase());
            let value = given
                .get(name)
                .or_else(|| given.get(&variable))
                .map(|node| node.value.clone())
                .or_else(|| is_aliased.then(|| environment.variable(&variable)).flatten().map(Value::from))
                .unwrap_or_else(|| default(backend, name, shape));
            fields.insert(name, Node::from(checked(name, shape, value)?));
        }
        Ok(Self { fields })
    }

    /// The settings of a server that nobody said anything about.
    pub(crate) fn unset(backend: Backend, environment: &dyn Environment) -> Result<Self, Error> {
        Self::read(backend, &Node::from(Map::new()), environment)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.fields.get(name)?.as_str()
    }

    pub(crate) fn to_node(&self) -> Node {
        Node::from(self.fields.clone())
    }
}

fn default(backend: Backend, name: &str, shape: Shape) -> Value {
    let is_transit = backend == Backend::VaultTransit;
    match (name, shape) {
        (_, Shape::Flag(flag)) => Value::Bool(flag),
        ("engine", _) => Value::from(if is_transit { "transit" } else { "kv-v2" }),
        ("mount", _) => Value::from(if is_transit { "transit" } else { "secret" }),
        _ => Value::Null,
    }
}

/// The value as pydantic takes it: texts as they are, flags from the words for yes and no, too.
fn checked(name: &str, shape: Shape, value: Value) -> Result<Value, Error> {
    let flag = |word: &str| match word.to_ascii_lowercase().as_str() {
        "1" | "true" | "t" | "yes" | "y" | "on" => Some(true),
        "0" | "false" | "f" | "no" | "n" | "off" => Some(false),
        _ => None,
    };
    // 0 and 1 are flags too, as they are equal to them.
    let is = |scalar: &Scalar, flag: bool| *scalar == Scalar::Bool(flag);
    let taken = match (shape, &value) {
        (_, Value::Null) | (Shape::Text, Value::Str(_)) | (Shape::Flag(_), Value::Bool(_)) => {
            Some(value.clone())
        }
        (Shape::Flag(_), Value::Str(word)) => flag(word).map(Value::Bool),
        (Shape::Flag(_), number) => match number.as_scalar() {
            Some(scalar) if is(&scalar, true) => Some(Value::Bool(true)),
            Some(scalar) if is(&scalar, false) => Some(Value::Bool(false)),
            _ => None,
        },
        _ => None,
    };
    taken.ok_or_else(|| {
        let expected = if shape == Shape::Text { "a string" } else { "a boolean" };
        malformed(format!("`vault_params.{name}` is not {expected}"))
    })
}
