use super::{backend_settings, no_key, recipients, token_parts};
use crate::backend::Backend;
use crate::error::{Error, Raised};
use crate::reference::{Reference, Seal, fingerprints};
use crate::references::{Context, References};
use crate::tag::Tag;
use kapstan_document::{Node, Text, Value};
use std::path::PathBuf;

/// What `refs --update` is asked to do.
#[derive(Clone, Copy)]
pub struct UpdateRequest<'a> {
    /// `type:path`.
    pub token: &'a str,
    /// `--recipients`: names of the holders of GnuPG keys.
    pub recipients: &'a [String],
    /// `--key`.
    pub key: Option<&'a str>,
    /// The `parameters.kapitan.secrets` of `--target-name`.
    pub secrets: Option<&'a Node>,
}

/// Encrypts a reference anew for other recipients or another key, and writes it. Returns the path of its file.
///
/// What the inventory says wins over the command line. Fails for back-ends that encrypt nothing, for references that
/// are not there, and where the service would have to be asked. Behaviour: what Kapitan's code for `refs --update`
/// means to do; on Python 3.11 it always fails.
pub fn update(references: &References, request: &UpdateRequest<'_>) -> Result<PathBuf, Error> {
    let (backend, path) = token_parts(request.token)?;
    let text = format!("?{{{}:{path}}}", backend.name());
    match backend {
        Backend::Gpg => {
            let recipients = fingerprints(&recipients(request.secrets, request.recipients)?)?;
            let tag = Tag::at_start(&text)?;
            let reference = references.get(&tag, &Context::NONE)?;
            write_back(references, &tag, seal_for_recipients(reference, &recipients)?)
        }
        Backend::Gkms | Backend::Awskms | Backend::Azkms => {
            let key = key(request, backend)?;
            let tag = Tag::at_start(&text)?;
            let reference = references.get(&tag, &Context::NONE)?;
            write_back(references, &tag, seal_with_key(reference, &key)?)
        }
        _ => {
            let token = request.token;
            let message =
                format!("a reference of type `{}` has no key or recipients to update", backend.name());
            let peer_text = format!("Invalid token: {token}. Try using gpg/gkms/awskms:{token}");
            Err(Error::new("refs::nothing-to-update", message).raised(Raised::Kapitan, peer_text))
        }
    }
}

/// The key of the inventory, or else that of the command line.
fn key(request: &UpdateRequest<'_>, backend: Backend) -> Result<Value, Error> {
    let key = match backend_settings(request.secrets, backend) {
        Some(settings) => settings.get("key").map(|key| key.value.clone()),
        None => request.key.map(Value::from),
    };
    key.filter(Value::is_truthy).ok_or_else(|| no_key(backend))
}

pub(super) fn write_back(
    references: &References,
    tag: &Tag<'_>,
    reference: Reference,
) -> Result<PathBuf, Error> {
    let path = tag.token.split(':').nth(1).unwrap_or_default();
    references.replace(path, &reference)
}

/// The reference encrypted with the key: as it is if that is its key already.
pub(super) fn seal_with_key(reference: Reference, key: &Value) -> Result<Reference, Error> {
    match &reference.seal {
        Seal::Key(old) if old == key => Ok(reference),
        _ => Err(reference.backend.without_client("encrypted again")),
    }
}

/// The reference encrypted for the recipients: as it is if it is theirs already.
pub(super) fn seal_for_recipients(reference: Reference, recipients: &[Text]) -> Result<Reference, Error> {
    match &reference.seal {
        Seal::Recipients(old) if old == recipients => Ok(reference),
        _ => Err(reference.backend.without_client("encrypted again")),
    }
}
