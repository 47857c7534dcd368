use crate::backend::Backend;
use crate::error::{Error, Raised};
use crate::host::Environment;
use crate::python::{decode_base64, no_attribute, type_name};
use crate::secret_text;
use crate::vault::VaultSettings;
use base64::{Engine, engine::general_purpose::STANDARD};
use kapstan_document::{Map, Node, Scalar, Text, Value};
use std::fmt;

/// A reference in memory: what its file, its payload or a generator function says.
#[derive(Clone)]
pub(crate) struct Reference {
    pub(crate) backend: Backend,
    /// As in the file; bytes for what comes from an embedded payload.
    pub(crate) data: Value,
    pub(crate) encoding: Value,
    pub(crate) seal: Seal,
    /// The path into the secret that a payload or a file names; none for a null.
    pub(crate) sub_variable: Option<Value>,
    /// Whether it compiles to a payload.
    pub(crate) embeds: bool,
    /// Only for what was read by its path.
    pub(crate) location: Option<Location>,
}

/// Where a reference was found, and what its content was.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    /// As in the tag, with the sub-variable.
    pub(crate) path: String,
    /// The first eight digits of the hash over path and data.
    pub(crate) hash: String,
}

/// Who can open what is encrypted.
#[derive(Clone, Debug)]
pub(crate) enum Seal {
    /// Everybody.
    Open,
    /// A key of a key service.
    Key(Value),
    /// The holders of GnuPG keys: fingerprints, sorted, each once.
    Recipients(Vec<Text>),
    /// A vault server.
    Vault(VaultSettings),
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reference")
            .field("backend", &self.backend)
            .field("location", &self.location)
            .finish_non_exhaustive()
    }
}

impl Reference {
    /// Reads a reference from `data` and the other fields of a ref file or a payload.
    ///
    /// The type that a file states plays no part: the tag decides. Fails where a field that the back-end needs is
    /// missing or unusable.
    pub(crate) fn from_fields(
        backend: Backend,
        data: Value,
        fields: &Map,
        embeds: bool,
        environment: &dyn Environment,
    ) -> Result<Self, Error> {
        if let Some(key) = fields.keys().find(|key| !matches!(key.scalar, Scalar::Str(_))) {
            let kind = type_name(&key.scalar.clone().into());
            return Err(malformed(format!("a key is of type `{kind}`, not a string"))
                .raised(Raised::Type, "keywords must be strings"));
        }
        let seal = Seal::from_fields(backend, fields, environment)?;
        // Kapitan's env references drop what their file says about these two.
        let field = |name: &str| fields.get(name).filter(|_| backend != Backend::Env);
        let encoding = field("encoding").map_or_else(|| Value::from("original"), |node| node.value.clone());
        let sub_variable = field("embedded_subvar_path").filter(|node| !node.is_null());
        Ok(Self {
            backend,
            data,
            encoding,
            seal,
            sub_variable: sub_variable.map(|node| node.value.clone()),
            embeds: field("embed_refs").map_or(embeds, |node| node.value.is_truthy()),
            location: None,
        })
    }

    /// Whether the plaintext itself was encoded before it was stored.
    pub(crate) fn is_encoded(&self) -> bool {
        matches!(&self.encoding, Value::Str(encoding) if &**encoding == "base64")
    }

    /// What the tag is replaced by when nothing is revealed.
    pub(crate) fn compile(&self) -> Result<Value, Error> {
        match self.backend {
            Backend::Plain => self.compile_plain(),
            Backend::Env => Ok(Value::from(self.tag()?)),
            _ if self.embeds => Ok(Value::from(self.embedded_tag()?)),
            _ => Ok(Value::from(self.tag()?)),
        }
    }

    /// `?{type:path:hash}`
    fn tag(&self) -> Result<String, Error> {
        let location = self.located()?;
        Ok(format!("?{{{}:{}:{}}}", self.backend.name(), location.path, location.hash))
    }

    /// `?{type:payload:embedded}`
    fn embedded_tag(&self) -> Result<String, Error> {
        let mut fields = self.fields();
        if let Some((_, sub_variable)) = self.located()?.path.split_once('@') {
            let first = sub_variable.split('@').next().unwrap_or_default();
            fields.insert("embedded_subvar_path", first);
        }
        let payload = STANDARD.encode(secret_text::json_line(&fields)?);
        Ok(format!("?{{{}:{payload}:embedded}}", self.backend.name()))
    }

    fn located(&self) -> Result<&Location, Error> {
        self.location.as_ref().ok_or_else(|| {
            Error::new("refs::embedded", "an embedded reference can only be revealed, not compiled again")
                .hint("use the tag of the reference itself, `?{type:path}`")
                .raised(Raised::Attribute, no_attribute(self.backend.class_name(), "path"))
        })
    }

    fn compile_plain(&self) -> Result<Value, Error> {
        let Some(path) = self.sub_variable.as_ref().filter(|path| path.is_truthy()) else {
            return Ok(self.data.clone());
        };
        let text = if self.is_encoded() { decoded_text(&self.data)? } else { self.data.clone() };
        let path = path_text(path)?;
        let secret = secret_text::load(&text)?;
        let value = match secret.as_map() {
            Some(_) => secret_text::descend(&secret, path)?,
            None => return Err(not_a_mapping("PlainRef: revealed secret is not in embedded yaml, ", path)),
        };
        let Some(value) = value else {
            return Err(no_sub_variable(path, format!("PlainRef: cannot access sub-variable key {path}")));
        };
        if self.is_encoded() { encoded_again(&value) } else { Ok(value) }
    }

    /// The secret itself. Mostly text; whatever the file holds for plain and env references.
    pub(crate) fn reveal(&self, environment: &dyn Environment) -> Result<Value, Error> {
        match self.backend {
            Backend::Plain => Ok(self.data.clone()),
            Backend::Env => self.reveal_variable(environment),
            Backend::Base64 => Ok(match String::from_utf8(decode_base64(&self.data)?) {
                Ok(text) => Value::from(text),
                Err(_) => self.data.clone(),
            }),
            Backend::Gkms | Backend::Awskms | Backend::Azkms => {
                decode_base64(&self.data)?;
                if self.is_mock() {
                    Ok(Value::from("mock"))
                } else {
                    Err(self.backend.without_client("revealed"))
                }
            }
            Backend::Gpg | Backend::VaultKv | Backend::VaultTransit => {
                Err(self.backend.without_client("revealed"))
            }
        }
    }

    fn reveal_variable(&self, environment: &dyn Environment) -> Result<Value, Error> {
        let path = &self.located()?.path;
        let name = format!("KAPITAN_VAR_{}", path.rsplit('/').next().unwrap_or_default());
        let value = environment.variable(&name).or_else(|| environment.variable(&name.to_uppercase()));
        Ok(value.map_or_else(|| self.data.clone(), Value::from))
    }

    /// Whether the key is the one with which Kapitan's own tests pretend to encrypt.
    pub(crate) fn is_mock(&self) -> bool {
        matches!(&self.seal, Seal::Key(Value::Str(key)) if &**key == "mock")
    }

    /// What a ref file and a payload hold, in the order in which a payload holds it.
    pub(crate) fn fields(&self) -> Map {
        let mut fields = Map::new();
        fields.insert("data", Node::from(self.data.clone()));
        fields.insert("encoding", Node::from(self.encoding.clone()));
        match &self.seal {
            Seal::Key(key) => {
                fields.insert("key", Node::from(key.clone()));
            }
            Seal::Recipients(fingerprints) => {
                let recipient = |fingerprint: &Text| {
                    Node::from(Map::from_iter([("fingerprint", Value::from(fingerprint.clone()))]))
                };
                fields.insert("recipients", fingerprints.iter().map(recipient).collect::<Vec<_>>());
            }
            Seal::Open | Seal::Vault(_) => {}
        }
        fields.insert("type", self.backend.name());
        if let Seal::Vault(settings) = &self.seal {
            fields.insert("vault_params", settings.to_node());
        }
        fields
    }
}

impl Seal {
    fn from_fields(backend: Backend, fields: &Map, environment: &dyn Environment) -> Result<Self, Error> {
        let needed = |name: &str| {
            fields.get(name).ok_or_else(|| {
                let class = backend.class_name();
                malformed(format!("`{name}` is missing")).raised(
                    Raised::Type,
                    format!("{class}.__init__() missing 1 required positional argument: '{name}'"),
                )
            })
        };
        match backend {
            Backend::Plain | Backend::Base64 | Backend::Env => Ok(Self::Open),
            Backend::Gkms | Backend::Awskms | Backend::Azkms => Ok(Self::Key(needed("key")?.value.clone())),
            Backend::Gpg => fingerprints(needed("recipients")?).map(Self::Recipients),
            Backend::VaultKv | Backend::VaultTransit => {
                VaultSettings::read(backend, needed("vault_params")?, environment).map(Self::Vault)
            }
        }
    }
}

/// The fingerprints of recipients, sorted, each once.
///
/// Fails for a recipient that has only a name: whose key that is only GnuPG knows.
pub(crate) fn fingerprints(recipients: &Node) -> Result<Vec<Text>, Error> {
    let Some(recipients) = recipients.as_seq() else {
        return Err(malformed("`recipients` is not a list")
            .raised(Raised::Type, format!("'{}' object is not iterable", type_name(&recipients.value))));
    };
    let mut found = Vec::with_capacity(recipients.len());
    for recipient in recipients {
        let Some(fields) = recipient.as_map() else {
            return Err(malformed("a recipient is not a mapping")
                .raised(Raised::Attribute, no_attribute(type_name(&recipient.value), "get")));
        };
        match fields.get("fingerprint").map(|node| &node.value) {
            Some(Value::Str(fingerprint)) => found.push(fingerprint.clone()),
            Some(Value::Null) | None => {
                let name = fields.get("name").and_then(Node::as_str).unwrap_or_default();
                return Err(Backend::Gpg
                    .without_client(&format!("used for the recipient `{name}`"))
                    .hint("give the `fingerprint` of each recipient"));
            }
            Some(other) => {
                let kind = type_name(other);
                return Err(malformed(format!("a fingerprint is of type `{kind}`, not a string")));
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

pub(crate) fn malformed(what: impl fmt::Display) -> Error {
    Error::new("refs::malformed-file", format!("the reference is malformed: {what}"))
}

/// A sub-variable path, which a hand-made file may give as anything.
pub(crate) fn path_text(path: &Value) -> Result<&str, Error> {
    match path {
        Value::Str(path) => Ok(path),
        other => {
            let kind = type_name(other);
            Err(malformed(format!("`embedded_subvar_path` is of type `{kind}`, not a string"))
                .raised(Raised::Attribute, no_attribute(kind, "split")))
        }
    }
}

pub(crate) fn not_a_mapping(peer_prefix: &str, path: &str) -> Error {
    Error::new(
        "refs::sub-variable",
        format!("the secret is not a YAML mapping, it has no sub-variable `{path}`"),
    )
    .raised(Raised::Ref, format!("{peer_prefix}cannot access sub-variable at {path}"))
}

pub(crate) fn no_sub_variable(path: &str, peer_text: String) -> Error {
    Error::new("refs::sub-variable", format!("the secret has no sub-variable `{path}`"))
        .raised(Raised::Ref, peer_text)
}

/// Base64 data as text. Fails where the bytes are not UTF-8.
pub(crate) fn decoded_text(data: &Value) -> Result<Value, Error> {
    String::from_utf8(decode_base64(data)?).map(Value::from).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::new("refs::malformed-data", "the decoded data of the reference is not UTF-8 text")
            .raised(Raised::Value, format!("'utf-8' codec can't decode byte in position {at}"))
    })
}

/// What Kapitan makes of a sub-value of an encoded secret: bytes, which no text can take up.
pub(crate) fn encoded_again(value: &Value) -> Result<Value, Error> {
    match value {
        Value::Str(text) => Ok(Value::Bytes(STANDARD.encode(text.as_bytes()).into_bytes().into())),
        other => {
            let kind = type_name(other);
            Err(Error::new(
                "refs::not-a-string",
                format!("the sub-variable is of type `{kind}`, not a string"),
            )
            .raised(Raised::Attribute, no_attribute(kind, "encode")))
        }
    }
}
