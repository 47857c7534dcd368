use super::{Outcome, problem};
use include_dir::{Dir, File, include_dir};
use kapstan_diagnostic::Diagnostic;
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
        let said = self.said(signed, signatures)?;
        if said.iter().any(|said| said == comment) {
            return Ok(());
        }
        Err(untrusted(format!("the signature is one for `{}`, not for `{comment}`", said.join("` and `"))))
    }

    /// What the signatures by these keys for these bytes say: at least one does.
    pub(super) fn said(&self, signed: &[u8], signatures: &[Vec<u8>]) -> Outcome<Vec<String>> {
        let signatures = signatures.iter().map(|text| String::from_utf8_lossy(text));
        let good = signatures.filter_map(|text| Signature::decode(&text).ok()).filter(|signature| {
            // Signatures of minisign before 0.10 are not taken: nothing here was ever signed so.
            self.0.iter().any(|key| key.verify(signed, signature, false).is_ok())
        });
        let said: Vec<String> = good.map(|signature| signature.trusted_comment().to_owned()).collect();
        if said.is_empty() {
            return Err(untrusted("the release is not signed by a key that kapstan trusts".to_owned()));
        }
        Ok(said)
    }
}

fn untrusted(message: String) -> Box<Diagnostic> {
    let hint = "somebody may have changed it: nothing of it was used";
    Box::new(problem("update::signature", message).with_hint(hint))
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
