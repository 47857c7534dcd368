//! What `kapitan refs` does, as functions over data: the program reads the arguments and prints.

mod reveal;
mod targets;
mod update;
mod write;

pub use reveal::{reveal_path, reveal_ref_file, reveal_stream, reveal_tag};
pub use targets::{TargetsReport, update_targets, validate_targets};
pub use update::{UpdateRequest, update};
pub use write::{VaultFlags, WriteRequest, write};

use crate::backend::Backend;
use crate::error::{Error, Raised};
use kapstan_diagnostic::nearest;
use kapstan_document::{Map, Node};

/// Takes `type:path` apart. Fails where there is not exactly one `:`, and for unknown types.
fn token_parts(token: &str) -> Result<(Backend, &str), Error> {
    let parts: Vec<&str> = token.split(':').collect();
    let [type_name, path] = parts[..] else {
        let peer_text = format!(
            "Invalid token name: {token}. Token names must be in the format <type>:<path>, e.g. gpg:my/secret"
        );
        return Err(Error::new("refs::malformed-token", format!("`{token}` is not of the form `type:path`"))
            .raised(Raised::Kapitan, peer_text));
    };
    let Some(backend) = Backend::from_name(type_name) else {
        let peer_text = format!(
            "Invalid token type: {type_name}. Try using gpg/gkms/awskms/azkms/vaultkv/vaulttransit/base64/plain/env"
        );
        let error = Error::new("refs::unknown-type", format!("there is no reference type `{type_name}`"))
            .raised(Raised::Kapitan, peer_text);
        return Err(match nearest(type_name, Backend::ALL.map(Backend::name)) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("the types are: {}", Backend::ALL.map(Backend::name).join(", "))),
        });
    };
    Ok((backend, path))
}

/// The recipients that the inventory names for GnuPG, or else those of the command line.
fn recipients(secrets: Option<&Node>, names: &[String]) -> Result<Node, Error> {
    if let Some(settings) = backend_settings(secrets, Backend::Gpg) {
        let recipients = settings.get("recipients").cloned().unwrap_or_else(|| Vec::new().into());
        if recipients.value.is_truthy() {
            return Ok(recipients);
        }
    } else if !names.is_empty() {
        let named = names.iter().map(|name| Node::from(Map::from_iter([("name", name.as_str())])));
        return Ok(named.collect::<Vec<_>>().into());
    }
    let peer_text = "No GPG recipients specified. Use --recipients or specify them in parameters.kapitan.secrets.gpg.recipients and use --target";
    Err(Error::new("refs::missing-setting", "there are no GPG recipients")
        .hint("use `--recipients`, or `--target-name` and `parameters.kapitan.secrets.gpg.recipients`")
        .raised(Raised::Kapitan, peer_text))
}

/// What a target says about a back-end, if anything.
fn backend_settings(secrets: Option<&Node>, backend: Backend) -> Option<&Node> {
    secrets?.get(backend.name()).filter(|settings| !settings.is_null())
}

fn no_key(backend: Backend) -> Error {
    let name = backend.name();
    let peer_text = format!(
        "No KMS key specified. Use --key or specify it in parameters.kapitan.secrets.{name}.key and use --target"
    );
    Error::new("refs::missing-setting", format!("there is no key for a reference of type `{name}`"))
        .hint(format!("use `--key`, or `--target-name` and `parameters.kapitan.secrets.{name}.key`"))
        .raised(Raised::Kapitan, peer_text)
}
