use super::{backend_settings, no_key, recipients, token_parts};
use crate::backend::Backend;
use crate::error::{Error, Raised};
use crate::new::{encrypted, stored};
use crate::reference::{Reference, fingerprints};
use crate::references::References;
use crate::tag::Tag;
use crate::vault::VaultSettings;
use base64::{Engine, engine::general_purpose::STANDARD};
use kapstan_document::{Node, Value};
use std::path::PathBuf;

/// What `refs --write` is asked to do.
#[derive(Clone, Copy)]
pub struct WriteRequest<'a> {
    /// `type:path`.
    pub token: &'a str,
    /// What to keep: the bytes of the file or of standard input.
    pub content: &'a [u8],
    /// `--binary`: the content is taken as it is. Otherwise it is text, with every line break turned into a line feed.
    pub is_binary: bool,
    /// `--base64`: the content is encoded before it is stored.
    pub encodes: bool,
    /// `--recipients`: names of the holders of GnuPG keys.
    pub recipients: &'a [String],
    /// `--key`.
    pub key: Option<&'a str>,
    /// The `parameters.kapitan.secrets` of `--target-name`.
    pub secrets: Option<&'a Node>,
    /// `--vault-*`.
    pub vault: VaultFlags<'a>,
}

/// What `refs --write` is told about vault.
#[derive(Clone, Copy, Default)]
pub struct VaultFlags<'a> {
    /// `--vault-auth`.
    pub auth: Option<&'a str>,
    /// `--vault-key`.
    pub key: Option<&'a str>,
}

/// Writes a reference, in place of the one that may be there. Returns the path of its file.
///
/// Fails for content that is not text, tokens that are none, missing keys or recipients, and for back-ends whose
/// service would have to encrypt; of these only the key `mock` works. Behaviour: Kapitan's `refs --write`.
pub fn write(references: &References, request: &WriteRequest<'_>) -> Result<PathBuf, Error> {
    let content =
        if request.is_binary { request.content.to_vec() } else { text(request.content)?.into_bytes() };
    let (backend, path) = token_parts(request.token)?;
    let text = format!("?{{{}:{path}}}", backend.name());
    let reference = make(references, request, backend, content)?;
    let tag = Tag::at_start(&text)?;
    if tag.functions.is_some() {
        return Err(Error::new("refs::malformed-token", "a token to write has no functions"));
    }
    let path = tag.token.split(':').nth(1).unwrap_or_default();
    references.replace(path, &reference)
}

fn make(
    references: &References,
    request: &WriteRequest<'_>,
    backend: Backend,
    content: Vec<u8>,
) -> Result<Reference, Error> {
    let content = if request.encodes { STANDARD.encode(content).into_bytes() } else { content };
    match backend {
        Backend::Plain | Backend::Base64 | Backend::Env => stored(backend, &content, request.encodes),
        Backend::Gpg => {
            fingerprints(&recipients(request.secrets, request.recipients)?)?;
            Err(backend.without_client("encrypted"))
        }
        Backend::Gkms | Backend::Awskms | Backend::Azkms => {
            encrypted(backend, &content, key(request, backend)?, request.encodes)
        }
        Backend::VaultKv | Backend::VaultTransit => Err(vault(references, request, backend)?),
    }
}

/// The key of the command line, or else that of the inventory.
fn key(request: &WriteRequest<'_>, backend: Backend) -> Result<Value, Error> {
    if let Some(key) = request.key.filter(|key| !key.is_empty()) {
        return Ok(Value::from(key));
    }
    let key = backend_settings(request.secrets, backend).and_then(|settings| settings.get("key"));
    let key = key.map(|key| key.value.clone()).filter(Value::is_truthy);
    key.ok_or_else(|| no_key(backend))
}

/// The error for vault: what is missing, or that there is no client.
fn vault(references: &References, request: &WriteRequest<'_>, backend: Backend) -> Result<Error, Error> {
    let environment = &*references.host.environment;
    let settings = match backend_settings(request.secrets, backend) {
        Some(settings) => VaultSettings::read(backend, settings, environment)?,
        None => VaultSettings::unset(backend, environment)?,
    };
    if request.vault.auth.or(settings.get("auth")).is_none_or(str::is_empty) {
        let peer_text = "No Authentication type parameter specified. Specify it in parameters.kapitan.secrets.vaultkv.auth and use --target-name or use --vault-auth";
        return Err(Error::new("refs::missing-setting", "there is no authentication type for vault")
            .hint("use `--vault-auth`, or `--target-name` and `parameters.kapitan.secrets.vaultkv.auth`")
            .raised(Raised::Kapitan, peer_text));
    }
    if backend == Backend::VaultKv && request.vault.key.is_none_or(str::is_empty) {
        let peer_text = "Could not create VaultSecret: vaultkv: key is missing";
        return Err(Error::new("refs::missing-setting", "there is no key for the secret in the vault")
            .hint("use `--vault-key`")
            .raised(Raised::Ref, peer_text));
    }
    Ok(backend.without_client("written"))
}

/// Bytes as Python reads a text file: UTF-8, with every line break turned into a line feed.
pub(super) fn text(bytes: &[u8]) -> Result<String, Error> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Error::new("refs::not-text", format!("the content is not UTF-8 text (byte {at})"))
            .hint("use `--binary` if it is binary data")
            .raised(
                Raised::Kapitan,
                format!("Could not read file. Please add '--binary' if the file contains binary data. ('utf-8' codec can't decode byte in position {at})"),
            )
    })?;
    Ok(if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() })
}
