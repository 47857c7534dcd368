//! New references, from functions and from `refs --write`.

use crate::backend::Backend;
use crate::error::{Error, Raised};
use crate::python::type_name;
use crate::reference::{Reference, Seal};
use base64::{Engine, engine::general_purpose::STANDARD};
use kapstan_document::Value;

/// A reference that keeps its content in its file: plain, base64 or env.
///
/// `is_encoded` says that the content was base64-encoded on the way. Fails where the file can not hold the bytes.
pub(crate) fn stored(backend: Backend, content: &[u8], is_encoded: bool) -> Result<Reference, Error> {
    let data = if backend == Backend::Base64 {
        STANDARD.encode(content)
    } else {
        let text = std::str::from_utf8(content).map_err(|_| {
            let message = format!("a reference of type `{}` holds only UTF-8 text", backend.name());
            Error::new("refs::malformed-data", message)
                .hint("use the type `base64`, or `--base64`")
                .raised(Raised::Value, "'utf-8' codec can't decode bytes")
        })?;
        text.to_owned()
    };
    // Kapitan's env references forget how they were made.
    let is_encoded = is_encoded && backend != Backend::Env;
    Ok(reference(backend, data, is_encoded, Seal::Open))
}

/// A reference that a key service encrypts. Works for the key `mock` only, with which Kapitan pretends to encrypt.
pub(crate) fn encrypted(
    backend: Backend,
    content: &[u8],
    key: Value,
    is_encoded: bool,
) -> Result<Reference, Error> {
    match &key {
        Value::Str(name) if &**name == "mock" => {}
        Value::Str(_) => return Err(backend.without_client("encrypted")),
        other => {
            let message = format!("the key is of type `{}`, not a string", type_name(other));
            return Err(Error::new("refs::missing-setting", message));
        }
    }
    // Kapitan's three stand-ins differ: Azure's keeps the content, the other two do not.
    let ciphertext = STANDARD.encode(if backend == Backend::Azkms { content } else { b"mock" });
    Ok(reference(backend, STANDARD.encode(ciphertext), is_encoded, Seal::Key(key)))
}

fn reference(backend: Backend, data: String, is_encoded: bool, seal: Seal) -> Reference {
    Reference {
        backend,
        data: Value::from(data),
        encoding: Value::from(if is_encoded { "base64" } else { "original" }),
        seal,
        sub_variable: None,
        embeds: false,
        location: None,
    }
}
