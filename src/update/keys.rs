use super::{Outcome, problem};
use include_dir::{Dir, File, include_dir};
use minisign_verify::{PublicKey, Signature};
use std::path::Path;

/// The keys that sign the project's releases: more than one while they change.
static RELEASE_KEYS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/dist/keys");

/// The minisign keys that a release may be signed with: any one of them is enough.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Keys(Vec<PublicKey>);

impl Keys {
    /// The keys of the project.
    pub(crate) fn compiled_in() -> Self {
        Self(key_files().filter_map(|file| key(file.contents_utf8()?)).collect())
    }

    /// The one key that a file holds, or that is written out, with or without minisign's comment.
    ///
    /// A file is looked for in `folder`.
    pub(crate) fn given(text: &str, folder: &Path) -> Outcome<Self> {
        let file = folder.join(text);
        let from_file = if file.is_file() { std::fs::read_to_string(&file).ok() } else { None };
        let key = key(from_file.as_deref().unwrap_or(text));
        let unusable = || {
            let message = format!("`{text}` is neither a minisign public key nor a file with one");
            problem("update::public-key", message)
        };
        key.map(|key| Self(vec![key])).ok_or_else(unusable)
    }

    /// That one of the signatures is by one of these keys, for these bytes, and says `comment`.
    pub(super) fn verify(&self, signed: &[u8], signatures: &[Vec<u8>], comment: &str) -> Outcome<()> {
        let mut said = None;
        for text in signatures {
            let text = String::from_utf8_lossy(text);
            let Ok(signature) = Signature::decode(&text) else { continue };
            if !self.0.iter().any(|key| key.verify(signed, &signature, false).is_ok()) {
                continue;
            }
            if signature.trusted_comment() == comment {
                return Ok(());
            }
            said = Some(signature.trusted_comment().to_owned());
        }
        let message = match said {
            Some(other) => format!("the signature is one for `{other}`, not for `{comment}`"),
            None => "the release is not signed by a key that kapstan trusts".to_owned(),
        };
        let hint = "somebody may have changed it: nothing of it was used";
        Err(Box::new(problem("update::signature", message).with_hint(hint)))
    }
}

fn key_files() -> impl Iterator<Item = &'static File<'static>> {
    RELEASE_KEYS.files().filter(|file| file.path().extension().is_some_and(|end| end == "pub"))
}

/// A key as minisign writes it to a file, or only its second line.
fn key(text: &str) -> Option<PublicKey> {
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    PublicKey::from_base64(line).ok()
}

#[cfg(test)]
mod tests {
    use super::{Keys, key_files};

    #[test]
    fn every_key_of_the_project_is_usable() {
        let keys = Keys::compiled_in();
        assert!(!keys.0.is_empty());
        assert_eq!(keys.0.len(), key_files().count());
    }
}
