//! From what the functions made to a reference.

use super::Chain;
use crate::backend::Backend;
use crate::error::{Error, Raised};
use crate::new::{encrypted, stored};
use crate::python::no_attribute;
use crate::reference::Reference;
use base64::{Engine, engine::general_purpose::STANDARD};
use kapstan_document::{Node, Value};

impl Chain<'_> {
    /// The reference to write. Fails where nothing was made, where the target does not say which key to use, and for
    /// back-ends whose service would have to encrypt.
    pub(super) fn into_reference(self) -> Result<Reference, Error> {
        let Some(secret) = self.secret.as_ref() else {
            return Err(Error::new("refs::function", "the functions make no secret")
                .hint("begin with one that does, like `||random:str`")
                .raised(Raised::Attribute, no_attribute("NoneType", "encode")));
        };
        let content = if self.is_encoded {
            STANDARD.encode(secret.expose()).into_bytes()
        } else {
            secret.expose().as_bytes().to_vec()
        };
        match self.backend {
            Backend::Plain | Backend::Base64 | Backend::Env => {
                stored(self.backend, &content, self.is_encoded)
            }
            Backend::Gkms | Backend::Awskms | Backend::Azkms => {
                encrypted(self.backend, &content, self.key()?, self.is_encoded)
            }
            Backend::Gpg => {
                self.setting("recipients")?;
                Err(self.backend.without_client("encrypted"))
            }
            Backend::VaultTransit => {
                self.setting("crypto_key")?;
                Err(self.backend.without_client("encrypted"))
            }
            Backend::VaultKv => Err(self.without_vault()?),
        }
    }

    /// The key of the target for this back-end.
    fn key(&self) -> Result<Value, Error> {
        self.setting("key").map(|node| node.value.clone())
    }

    fn setting(&self, name: &str) -> Result<&Node, Error> {
        let backend = self.backend.name();
        let Some(target) = self.context.target_name else {
            return Err(Error::new("refs::missing-setting", "there is no target whose keys could be used")
                .raised(Raised::Value, "target_name not set"));
        };
        let secrets = self.context.secrets.filter(|secrets| !secrets.is_null());
        let settings = secrets.and_then(|secrets| secrets.get(backend)).filter(|node| !node.is_null());
        settings.and_then(|settings| settings.get(name)).ok_or_else(|| {
            let missing = if secrets.is_none() { backend } else { name };
            let message =
                format!("`parameters.kapitan.secrets.{backend}.{name}` is not set for target `{target}`");
            let error = Error::new("refs::missing-setting", message);
            if self.backend == Backend::Gpg && secrets.is_none() {
                let peer_text =
                    format!("parameters.kapitan.secrets not defined in inventory of target {target}");
                return error.raised(Raised::Kapitan, peer_text);
            }
            error.raised(Raised::Attribute, no_attribute("NoneType", missing))
        })
    }

    /// The error for vault's key-value engine: what is wrong with the tag, or that there is no client.
    fn without_vault(&self) -> Result<Error, Error> {
        let parts: Vec<&str> = self.token.split(':').collect();
        let wrong = |message: &str, peer_text: &str| {
            Error::new("refs::malformed-tag", message)
                .hint("write `?{vaultkv:path:mount:path/in/vault:key||function}`")
                .raised(Raised::Ref, peer_text)
        };
        match parts[..] {
            [_, _, _, _, ""] => Err(wrong(
                "the tag does not say which key of the secret",
                "Could not create VaultSecret: vaultkv: key is missing",
            )),
            [_, _, _, _, _] => Ok(self.backend.without_client("written")),
            _ => Err(wrong(
                "the tag does not say where in the vault the secret goes",
                "Could not create VaultSecret: ref token is invalid",
            )),
        }
    }
}
